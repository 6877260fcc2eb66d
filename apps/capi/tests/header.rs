//! The header is that of the sources, and the unsafe code is where it is said to be.

use std::fs;
use std::path::Path;

/// Set by `cargo xtask c --header`, which writes the header instead of comparing it.
const UPDATE: &str = "ALFIL_WRITE_HEADER";

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_header_is_up_to_date() {
    let mut config = cbindgen::Config::from_file(package().join("cbindgen.toml")).unwrap();
    config.after_includes = Some(macros());
    let bindings = cbindgen::Builder::new().with_crate(package()).with_config(config).generate().unwrap();
    let mut header = Vec::new();
    bindings.write(&mut header);
    let header = with_plain_pointers(&String::from_utf8(header).unwrap());
    let path = package().join("include/alfil.h");
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&path, &header).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == header, "apps/capi/include/alfil.h is old: run `cargo xtask c --header`");
}

/// Returns the macros of the header: its version, and the initial values of the structures that C fills.
fn macros() -> String {
    let (major, minor) = (env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"));
    let (patch, version) = (env!("CARGO_PKG_VERSION_PATCH"), env!("CARGO_PKG_VERSION"));
    format!(
        "
// The version of this header. alfil_version() is that of the library.
#define ALFIL_VERSION_MAJOR {major}
#define ALFIL_VERSION_MINOR {minor}
#define ALFIL_VERSION_PATCH {patch}
#define ALFIL_VERSION \"{version}\"

// The first values of the structures that the caller fills: their size, and nothing given.
#define ALFIL_ENGINE_OPTIONS_INIT {{sizeof(alfil_engine_options), 0, 0, NULL, NULL, NULL, 0}}
#define ALFIL_LIMITS_INIT {{sizeof(alfil_limits), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL}}"
    )
}

/// Returns the header with the pointer types of `memory.rs` (`Text`, `Out<T>`, `In<T>`, `Items<T>`) as the pointers
/// that they are. cbindgen writes a typedef for each.
fn with_plain_pointers(header: &str) -> String {
    let is_pointer_type = |name: &str| {
        name == "Text" || ["Out_", "In_", "Items_"].iter().any(|prefix| name.starts_with(prefix))
    };
    let (mut types, mut lines) = (Vec::new(), Vec::<&str>::new());
    for line in header.lines() {
        let found = line.strip_prefix("typedef ").and_then(|rest| rest.strip_suffix(';')).and_then(|rest| {
            let name = rest.rsplit([' ', '*']).next()?;
            is_pointer_type(name).then(|| (name, rest[..rest.len() - name.len()].trim_end()))
        });
        let Some(found) = found else {
            lines.push(line);
            continue;
        };
        types.push(found);
        // The comment above belongs to the typedef.
        while lines.last().is_some_and(|line| line.starts_with("//")) {
            lines.pop();
        }
        if lines.last().is_some_and(|line| line.is_empty()) {
            lines.pop();
        }
    }
    // The longest names first, because one may be the start of another.
    types.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let mut text = lines.join("\n") + "\n";
    for (name, target) in types {
        // A constant pointer to characters.
        let target = if target == "const Text *" { "const char *const *" } else { target };
        text = text.replace(&format!("{name} "), target);
    }
    text
}

#[test]
fn every_function_is_in_the_header_and_returns_a_status() {
    let header = fs::read_to_string(package().join("include/alfil.h")).unwrap();
    // The functions that cannot fail.
    let plain = ["alfil_version", "alfil_last_error", "alfil_status_name", "alfil_live_objects"];
    let mut functions = 0;
    for (path, text) in sources() {
        for part in text.split("#[unsafe(no_mangle)]\npub extern \"C\" fn ").skip(1) {
            let name = part.split('(').next().unwrap();
            assert!(header.contains(&format!("{name}(")), "{path}: {name} is not in the header");
            let signature = part.split('{').next().unwrap();
            let is_plain = plain.contains(&name);
            assert_eq!(signature.trim_end().ends_with("-> Status"), !is_plain, "{path}: {name}");
            functions += 1;
        }
    }
    assert!(functions > 60, "{functions} functions");
}

#[test]
fn unsafe_blocks_are_in_one_file() {
    let mut blocks = 0;
    for (path, text) in sources() {
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let code = line.replace("#[unsafe(no_mangle)]", "").replace("unsafe_code", "");
            let is_unsafe = code.contains("unsafe");
            assert!(!is_unsafe || path == "memory.rs", "{path}: {line}");
            blocks += usize::from(is_unsafe);
        }
    }
    let memory = fs::read_to_string(package().join("src/memory.rs")).unwrap();
    assert_eq!(memory.matches("// SAFETY:").count(), blocks);
}

/// Returns the names and texts of the sources.
fn sources() -> Vec<(String, String)> {
    let folder = fs::read_dir(package().join("src")).unwrap();
    folder
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect()
}
