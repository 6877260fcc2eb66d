//! The record of the ABI of the C library: `apps/capi/abi/VERSION.txt` lists its functions, the fields of its
//! structures with their offsets, and the values of its enumerations. While the version stays, lines may come, but none
//! may go.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, ensure};

use super::install::{abi_version, shared_library};
use super::{CC, FOLDER, PACKAGE};
use crate::shell::{command, is_available, output_of, path_text, run, skip, workspace_root};

/// The machine of which the record has the offsets.
const IS_RECORDED_MACHINE: bool = cfg!(all(target_pointer_width = "64", not(windows)));

fn record_path() -> PathBuf {
    workspace_root().join(PACKAGE).join(format!("abi/{}.txt", abi_version()))
}

fn header() -> anyhow::Result<String> {
    let path = workspace_root().join(PACKAGE).join("include/alfil.h");
    fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
}

/// Compares the header with the record, and the names of the built library with the header.
///
/// # Errors
/// If they differ.
pub(super) fn check() -> anyhow::Result<()> {
    check_symbols(&header()?)?;
    if !IS_RECORDED_MACHINE {
        return Ok(());
    }
    let path = record_path();
    let recorded = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let (gone, new) = differences(&recorded, &present()?);
    ensure!(
        gone.is_empty(),
        "the ABI of the C library has changed, and its version {} has not; gone are:\n{}\nKeep them, or raise the \
         version and run `cargo xtask c --header`. Before the release of a version, its file in {PACKAGE}/abi can be \
         deleted and written anew",
        abi_version(),
        gone.join("\n")
    );
    ensure!(
        new.is_empty(),
        "the record of the ABI lacks:\n{}\nRun `cargo xtask c --header`, which adds it",
        new.join("\n")
    );
    Ok(())
}

/// Adds what is new in the header to the record.
///
/// # Errors
/// If a line of the record is gone.
pub(super) fn record() -> anyhow::Result<()> {
    let (path, present) = (record_path(), present()?);
    let recorded = fs::read_to_string(&path).unwrap_or_default();
    let (gone, _) = differences(&recorded, &present);
    ensure!(gone.is_empty(), "{} has lines that no longer hold:\n{}", path.display(), gone.join("\n"));
    fs::write(&path, present).with_context(|| format!("cannot write {}", path.display()))?;
    eprintln!("The record of the ABI is {}", path.display());
    Ok(())
}

/// Returns the lines that are only in the first text, and those that are only in the second.
fn differences(recorded: &str, present: &str) -> (Vec<String>, Vec<String>) {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    let (recorded, present) = (lines(recorded), lines(present));
    (recorded.difference(&present).cloned().collect(), present.difference(&recorded).cloned().collect())
}

/// A structure of the header.
struct Structure {
    name: String,
    /// The types and the names of the fields.
    fields: Vec<(String, String)>,
}

/// What a header declares.
struct Declarations {
    /// The functions with their parameters.
    functions: Vec<String>,
    structures: Vec<Structure>,
    /// The other types and the constants, each in its line, and the values of enumerations: `ALFIL_STATUS_OK = 0`.
    values: Vec<String>,
}

/// Reads the header as cbindgen writes it: a field, a value or a closing brace is a line of its own.
fn declarations(header: &str) -> Declarations {
    let mut found = Declarations { functions: Vec::new(), structures: Vec::new(), values: Vec::new() };
    let (mut is_in_functions, mut function) = (false, String::new());
    let mut structure: Option<Structure> = None;
    let lines = header.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_constant = |line: &str| {
        let value = line.strip_prefix("#define ALFIL_").and_then(|rest| rest.split_once(' '));
        value.is_some_and(|(name, _)| !name.starts_with("VERSION") && !name.ends_with("_INIT"))
    };
    let is_type = |line: &str| line.starts_with("typedef ") && line.ends_with(';');
    for line in lines.filter(|line| !line.starts_with("//") && (!line.starts_with('#') || is_constant(line)))
    {
        if line == "extern \"C\" {" {
            is_in_functions = true;
        } else if is_in_functions {
            let space = if function.is_empty() { "" } else { " " };
            function = format!("{function}{space}{line}");
            if function.ends_with(';') {
                found.functions.push(std::mem::take(&mut function));
            }
        } else if let Some(name) =
            line.strip_prefix("typedef struct ").and_then(|rest| rest.strip_suffix(" {"))
        {
            structure = Some(Structure { name: name.to_owned(), fields: Vec::new() });
        } else if line.starts_with("ALFIL_") || line.starts_with('#') || is_type(line) {
            found.values.push(line.trim_end_matches(',').to_owned());
        } else if line.starts_with('}') {
            found.structures.extend(structure.take());
        } else if let Some(structure) = &mut structure {
            let declaration = line.trim_end_matches(';');
            let start = declaration.rfind([' ', '*']).map_or(0, |index| index + 1);
            let (kind, name) = declaration.split_at(start);
            structure.fields.push((kind.trim_end().to_owned(), name.to_owned()));
        }
    }
    found
}

/// Returns the ABI of the header, one function, field or value a line. A program of C gives the offsets.
fn present() -> anyhow::Result<String> {
    let header = header()?;
    let Declarations { functions, structures, values } = declarations(&header);
    let mut program = "#include <stdio.h>\n#include <alfil.h>\nint main(void) {\n".to_owned();
    for Structure { name, fields } in &structures {
        for (kind, field) in fields {
            program += &format!(
                "printf(\"%3u %2u {name}.{field}: {kind}\\n\", (unsigned)offsetof({name}, {field}), \
                 (unsigned)sizeof((({name} *)0)->{field}));\n"
            );
        }
    }
    program += "return 0;\n}\n";
    let folder = workspace_root().join(FOLDER).join("tests");
    fs::create_dir_all(&folder)?;
    let (source, binary) = (folder.join("offsets.c"), folder.join("offsets"));
    fs::write(&source, program)?;
    let include = format!("-I{PACKAGE}/include");
    run(".", &[CC, &[&include, "-o", path_text(&binary)?, path_text(&source)?]].concat())?;
    let offsets = output_of(&mut command(".", &[path_text(&binary)?]))?;
    Ok(format!("{}\n{}\n{offsets}", functions.join("\n"), values.join("\n")))
}

/// Checks that the library has the functions of the header, and no other names.
fn check_symbols(header: &str) -> anyhow::Result<()> {
    // Other systems write the names of functions in other ways.
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    if !is_available(&["nm", "--version"]) {
        return skip("the comparison of the names in the C library", "It needs nm; install binutils");
    }
    let library = format!("{FOLDER}/lib/{}", shared_library());
    let names =
        output_of(&mut command(".", &["nm", "--dynamic", "--defined-only", "--format=posix", &library]))?;
    let built: BTreeSet<_> = names.lines().filter_map(|line| line.split(' ').next()).collect();
    let functions = declarations(header).functions;
    let declared: BTreeSet<_> = functions.iter().filter_map(|function| function_name(function)).collect();
    ensure!(
        declared.len() == functions.len(),
        "a function of the header has no name, or the name of another one"
    );
    ensure!(
        built == declared,
        "{library} and the header differ by {:?}",
        built.symmetric_difference(&declared).collect::<Vec<_>>()
    );
    Ok(())
}

/// Returns the name of a function: the word before its parameters.
fn function_name(function: &str) -> Option<&str> {
    function.split('(').next()?.rsplit([' ', '*']).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "#define ALFIL_H\n#define ALFIL_VERSION_MAJOR 0\n#define ALFIL_MAX_MOVES 256\n// A status.\ntypedef enum alfil_status {\n    // Fine.\n    \
        ALFIL_STATUS_OK = 0,\n} alfil_status;\n\ntypedef struct alfil_board alfil_board;\n\n\
        typedef struct alfil_texts {\n    size_t count;\n    const char *const *items;\n} alfil_texts;\n\n\
        typedef uint32_t alfil_move;\n\nextern \"C\" {\n#endif\n\nconst char *alfil_version(void);\n\n\
        enum alfil_status alfil_board_pop(struct alfil_board *board,\n                    alfil_move *out);\n";

    #[test]
    fn functions_fields_and_values_are_read_from_a_header() {
        let Declarations { functions, structures, values } = declarations(HEADER);
        let pop = "enum alfil_status alfil_board_pop(struct alfil_board *board, alfil_move *out);";
        assert_eq!(functions, ["const char *alfil_version(void);", pop]);
        assert_eq!(
            functions.iter().filter_map(|text| function_name(text)).collect::<Vec<_>>(),
            ["alfil_version", "alfil_board_pop"]
        );
        assert_eq!(
            values,
            [
                "#define ALFIL_MAX_MOVES 256",
                "ALFIL_STATUS_OK = 0",
                "typedef struct alfil_board alfil_board;",
                "typedef uint32_t alfil_move;"
            ]
        );
        let [texts] = &structures[..] else { panic!("{} structures", structures.len()) };
        assert_eq!(texts.name, "alfil_texts");
        let fields: Vec<_> = texts.fields.iter().map(|(kind, name)| format!("{kind} {name}")).collect();
        assert_eq!(fields, ["size_t count", "const char *const * items"]);
    }

    #[test]
    fn a_line_that_goes_is_a_change_and_one_that_comes_is_new() {
        let (gone, new) =
            differences("a(void);\n  0  8 s.x: size_t\n", "a(void);\n  0  4 s.x: int\nb(void);\n");
        assert_eq!(gone, ["  0  8 s.x: size_t"]);
        assert_eq!(new, ["  0  4 s.x: int", "b(void);"]);
    }
}
