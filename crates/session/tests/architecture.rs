//! The workspace keeps the structure that ARCHITECTURE.md describes: module names, dependencies between crates.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const GAMES: [&str; 3] = ["xiangqi", "chess", "othello"];

/// The modules of every game crate.
const GAME_MODULES: &[&str] = &[
    "lib", "square", "piece", "moves", "setup", "fen", "geometry", "board", "mailbox", "bitboard", "rules",
    "notation", "prelude",
];

/// Further modules of single game crates.
const EXTRA_MODULES: &[(&str, &[&str])] = &[
    ("xiangqi", &["fast_perft", "folded"]),
    ("chess", &["fast_perft", "epd", "polyglot"]),
    ("othello", &["fast_perft", "stability", "obf", "pass_convention"]),
];

/// Files of builds and packages that list the games, with the text for a game `GAME`.
const LISTS_OF_GAMES: &[(&str, &str)] = &[
    ("apps/wasm/package.json", "\"./GAME\""),
    ("web/board/package.json", "\"./looks/GAME\""),
    ("xtask/src/site.rs", "\"GAME\""),
    ("xtask/src/test.rs", "\"alfil-GAME\""),
    ("xtask/src/wasm.rs", "(\"GAME\", \"GAME,boards\""),
];

/// The crates of the workspace, and the workspace crates that each may depend on.
const DEPENDENCIES: &[(&str, &[&str])] = &[
    ("crates/kernel", &[]),
    ("crates/memory", &[]),
    ("crates/xiangqi", &["kernel"]),
    ("crates/chess", &["kernel"]),
    ("crates/othello", &["kernel"]),
    ("crates/nnue", &[]),
    ("crates/evaluation", &["kernel", "nnue", "xiangqi", "chess", "othello"]),
    ("crates/solver", &["kernel", "memory", "othello", "evaluation"]),
    ("crates/search", &["kernel", "memory"]),
    ("crates/protocol", &[]),
    ("crates/records", &["kernel", "xiangqi", "chess", "othello"]),
    (
        "crates/session",
        &["kernel", "xiangqi", "chess", "othello", "evaluation", "solver", "search", "records"],
    ),
    ("crates/engine", &["kernel", "session", "protocol"]),
    ("crates/matches", &["kernel", "session", "engine", "protocol"]),
    (
        "crates/training",
        &[
            "kernel",
            "nnue",
            "xiangqi",
            "chess",
            "othello",
            "evaluation",
            "solver",
            "search",
            "session",
            "engine",
        ],
    ),
    ("crates/batch", &["kernel", "records", "session", "engine"]),
    ("crates/page", &["kernel", "session", "engine"]),
    ("apps/alfil", &["kernel", "session", "engine", "matches", "training", "batch", "server"]),
    ("apps/server", &["kernel", "session", "engine", "page"]),
    ("apps/capi", &["kernel", "chess", "records", "session", "engine"]),
    ("apps/wasm", &["kernel", "xiangqi", "chess", "othello", "records", "session", "engine", "page"]),
    (
        "apps/python",
        &["kernel", "xiangqi", "chess", "othello", "evaluation", "records", "solver", "session", "engine"],
    ),
    ("xtask", &[]),
];

/// What the source of a crate may contain only in the crates named here.
const RESTRICTED: &[(&str, &[&str])] = &[
    ("println!", &[]),
    ("std::thread", &["crates/engine"]),
    ("Instant", &["crates/engine", "crates/matches"]),
    ("SystemTime", &[]),
    // The engine reads evaluation networks; batch reads files of games and writes results.
    ("std::fs", &["crates/engine", "crates/batch"]),
    ("std::net", &[]),
    ("std::process", &[]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn game_crates_have_the_same_modules() {
    for game in GAMES {
        let folder = fs::read_dir(root().join("crates").join(game).join("src")).unwrap();
        let found: BTreeSet<_> = folder
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        let (_, extra) = EXTRA_MODULES.iter().find(|(name, _)| *name == game).unwrap();
        let planned: BTreeSet<_> = GAME_MODULES.iter().chain(*extra).map(|name| name.to_string()).collect();
        assert_eq!(found, planned, "modules of {game}");
    }
}

#[test]
fn builds_and_packages_have_every_game() {
    for (path, text) in LISTS_OF_GAMES {
        let file = fs::read_to_string(root().join(path)).unwrap();
        for expected in GAMES.map(|game| text.replace("GAME", game)) {
            assert!(file.contains(&expected), "{path} lacks {expected}");
        }
    }
}

#[test]
fn crates_depend_only_on_the_crates_planned() {
    let folders = ["crates", "apps"].into_iter().flat_map(|parent| {
        let entries = fs::read_dir(root().join(parent)).unwrap();
        entries.map(move |entry| format!("{parent}/{}", entry.unwrap().file_name().to_string_lossy()))
    });
    let mut seen = 0;
    for folder in folders.chain(["xtask".into()]) {
        let Ok(manifest) = fs::read_to_string(root().join(&folder).join("Cargo.toml")) else { continue };
        let planned = DEPENDENCIES.iter().find(|(name, _)| *name == folder);
        let (_, allowed) = planned.unwrap_or_else(|| panic!("{folder} is not in the list of crates"));
        for name in workspace_dependencies(&manifest) {
            assert!(allowed.contains(&name), "{folder} depends on {name}");
        }
        seen += 1;
    }
    assert_eq!(seen, DEPENDENCIES.len(), "a crate of the list is missing");
}

/// Returns the workspace crates in the dependency tables of a manifest, without the prefix `alfil-`. Dev-dependencies
/// do not count.
fn workspace_dependencies(manifest: &str) -> Vec<&str> {
    let (mut names, mut is_dependency_table) = (Vec::new(), false);
    for line in manifest.lines() {
        if let Some(table) = line.strip_prefix('[') {
            let table = table.trim_end_matches(']');
            let path: Vec<_> = table.split('.').collect();
            is_dependency_table =
                path.iter().any(|part| ["dependencies", "build-dependencies"].contains(part));
            // [dependencies.name]
            names.extend(path.last().copied().filter(|_| is_dependency_table));
        } else if is_dependency_table {
            names.extend(line.split(['.', ' ', '=']).next());
        }
    }
    names.into_iter().filter_map(|name| name.strip_prefix("alfil-")).collect()
}

#[test]
fn library_crates_do_not_print_and_only_the_engine_starts_threads() {
    for path in source_files(root().join("crates")) {
        let name = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        if !name.contains("/src/") || name.ends_with("tests.rs") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for (text, allowed) in RESTRICTED {
                let is_allowed = allowed.iter().any(|folder| name.starts_with(folder));
                assert!(is_allowed || !line.contains(text), "{name} must not use {text}: {line}");
            }
            let is_kernel = name.starts_with("crates/kernel");
            assert!(!is_kernel || !line.contains("std::"), "the kernel is no_std: {line}");
        }
    }
}

#[test]
fn all_files_of_integration_tests_are_compiled() {
    let folders = DEPENDENCIES.iter().map(|(name, _)| *name).chain(["tests"]);
    let mut programs = 0;
    for folder in folders.map(|name| root().join(name)) {
        let tests = folder.join("tests");
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let has_one_program = tests.join("main.rs").exists();
        // Otherwise each file would be a program, too.
        assert_eq!(manifest.contains("autotests = false"), has_one_program, "{}", folder.display());
        let subfolders = fs::read_dir(&tests).into_iter().flatten().map(|entry| entry.unwrap().path());
        for program in subfolders.chain([tests.clone()]).filter(|path| path.join("main.rs").exists()) {
            let main = fs::read_to_string(program.join("main.rs")).unwrap();
            for path in fs::read_dir(&program).unwrap().map(|entry| entry.unwrap().path()) {
                let module = path.file_stem().unwrap().to_string_lossy().into_owned();
                let is_listed = module == "main" || main.lines().any(|line| line == format!("mod {module};"));
                assert!(is_listed, "{} is no module of main.rs, so its tests do not run", path.display());
            }
            programs += 1;
        }
    }
    assert!(programs >= 8, "{programs}");
}

/// Returns all Rust files below a folder.
fn source_files(folder: PathBuf) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![folder], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                files.push(path);
            }
        }
    }
    files
}
