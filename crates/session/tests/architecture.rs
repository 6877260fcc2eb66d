//! The house keeps its shape: the same names in every game, only the edges that were planned, no file too long.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const GAMES: [&str; 3] = ["xiangqi", "chess", "othello"];

/// What every game's `src` holds.
const NAMES: &[&str] = &[
    "lib", "square", "piece", "moves", "setup", "fen", "geometry", "board", "mailbox", "bitboard", "laws",
    "notation", "eval",
];

/// What a game may hold besides.
const EXTRAS: &[(&str, &[&str])] = &[
    ("xiangqi", &["counter", "folded"]),
    ("chess", &["counter", "epd", "polyglot"]),
    ("othello", &["counter", "solve", "obf"]),
];

/// Which of the house's own crates each may import.
const EDGES: &[(&str, &[&str])] = &[
    ("crates/kernel", &[]),
    ("crates/xiangqi", &["alfil-kernel"]),
    ("crates/chess", &["alfil-kernel"]),
    ("crates/othello", &["alfil-kernel"]),
    ("crates/search", &["alfil-kernel"]),
    ("crates/records", &["alfil-kernel", "alfil-xiangqi", "alfil-chess", "alfil-othello"]),
    (
        "crates/hall",
        &[
            "alfil-kernel",
            "alfil-search",
            "alfil-protocol",
            "alfil-records",
            "alfil-xiangqi",
            "alfil-chess",
            "alfil-othello",
        ],
    ),
    ("crates/protocol", &[]),
    ("apps/alfil", &["alfil-hall", "alfil-kernel", "alfil-server"]),
    ("apps/server", &["alfil-hall", "alfil-kernel"]),
    ("xtask", &[]),
];

const LONGEST: usize = 600;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn listed<'a>(table: &'a [(&str, &'a [&'a str])], name: &str) -> &'a [&'a str] {
    table.iter().find(|(key, _)| *key == name).map_or(&[], |(_, values)| values)
}

#[test]
fn games_have_the_same_names() {
    for game in GAMES {
        let folder = fs::read_dir(root().join("crates").join(game).join("src")).unwrap();
        let found: BTreeSet<_> = folder
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        for name in NAMES {
            assert!(found.contains(*name), "{game} lacks {name}");
        }
        for name in &found {
            let known = NAMES.contains(&name.as_str()) || listed(EXTRAS, game).contains(&name.as_str());
            assert!(known, "{game} has {name}, which no plan names");
        }
    }
}

#[test]
fn nobody_imports_what_the_plan_forbids() {
    let rooms = ["crates", "apps"].into_iter().flat_map(|floor| {
        let folders = fs::read_dir(root().join(floor)).unwrap();
        folders.map(move |entry| format!("{floor}/{}", entry.unwrap().file_name().to_string_lossy()))
    });
    let mut seen = 0;
    for folder in rooms.chain(["xtask".into()]) {
        let Ok(manifest) = fs::read_to_string(root().join(&folder).join("Cargo.toml")) else { continue };
        let planned = EDGES.iter().find(|(name, _)| *name == folder);
        let (_, allowed) = planned.unwrap_or_else(|| panic!("no plan names {folder}"));
        for name in imports(&manifest) {
            assert!(allowed.contains(&name), "{folder} imports {name}");
        }
        seen += 1;
    }
    assert_eq!(seen, EDGES.len(), "a room of the plan is missing");
}

/// The house's own crates in a manifest's tables of what it is built with; what only tests need does not count.
fn imports(manifest: &str) -> Vec<&str> {
    let (mut names, mut counts) = (Vec::new(), false);
    for line in manifest.lines() {
        if let Some(table) = line.strip_prefix('[') {
            let table = table.trim_end_matches(']');
            let path: Vec<_> = table.split('.').collect();
            counts = path.iter().any(|part| ["dependencies", "build-dependencies"].contains(part));
            // [dependencies.name]
            names.extend(path.last().copied().filter(|_| counts));
        } else if counts {
            names.extend(line.split(['.', ' ', '=']).next());
        }
    }
    names.retain(|name| name.starts_with("alfil"));
    names
}

/// What only some rooms may do, as it is written, and who may.
const DEEDS: &[(&str, &[&str])] = &[
    ("println!", &[]),
    ("dbg!", &[]),
    ("std::thread", &["crates/hall"]),
    ("Instant::now", &["crates/hall"]),
    ("SystemTime", &[]),
    ("std::fs", &[]),
    ("std::net", &[]),
    ("std::process", &[]),
];

#[test]
fn rooms_do_not_print_and_only_the_hall_has_a_clock_and_threads() {
    for path in files(&[root().join("crates")]) {
        let name = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        if !name.contains("/src/") || name.ends_with("tests.rs") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for (deed, who) in DEEDS {
                let may = who.iter().any(|room| name.starts_with(room));
                assert!(may || !line.contains(deed), "{name} does what it may not: {line}");
            }
            let kernel = name.starts_with("crates/kernel");
            assert!(!kernel || !line.contains("std::"), "the kernel knows no std: {line}");
        }
    }
}

#[test]
fn no_file_is_too_long() {
    let files = files(&["crates", "apps", "xtask", "web/src"].map(|floor| root().join(floor)));
    for path in &files {
        let lines = fs::read_to_string(path).unwrap().lines().count();
        assert!(lines <= LONGEST, "{} has {lines} lines", path.display());
    }
    assert!(files.len() > 50, "only {} files were found", files.len());
}

/// All files of code below some folders.
fn files(folders: &[PathBuf]) -> Vec<PathBuf> {
    let (mut folders, mut files) = (folders.to_vec(), Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "rs" || kind == "ts" || kind == "tsx") {
                files.push(path);
            }
        }
    }
    files
}
