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
        let Ok(folder) = fs::read_dir(root().join("crates").join(game).join("src")) else { continue };
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
    for (folder, allowed) in EDGES {
        let Ok(manifest) = fs::read_to_string(root().join(folder).join("Cargo.toml")) else { continue };
        let section = manifest.split("[dependencies]").nth(1).unwrap_or_default();
        let section = section.split("\n[").next().unwrap_or_default();
        for line in section.lines() {
            let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
            assert!(!name.starts_with("alfil") || allowed.contains(&name), "{folder} imports {name}");
        }
    }
}

#[test]
fn no_file_is_too_long() {
    let mut folders =
        vec![root().join("crates"), root().join("apps"), root().join("xtask"), root().join("web/src")];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "rs" || kind == "ts" || kind == "tsx") {
                let lines = fs::read_to_string(&path).unwrap().lines().count();
                assert!(lines <= LONGEST, "{} has {lines} lines", path.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 50, "only {seen} files were found");
}
