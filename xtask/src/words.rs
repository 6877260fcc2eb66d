//! `cargo xtask words`: checks the language of sources and documents against a list of words to avoid.

use std::fs;
use std::path::Path;

use clap::Args;

use crate::shell::workspace_root;

/// Check the language: words to avoid, and the width of comments.
#[derive(Debug, Args)]
pub(crate) struct Words {}

/// The words to avoid, and what to write instead. They are searched in identifiers, comments, strings and documents.
const WORDS: &[(&[&str], &str)] = &[
    (
        &["anybody", "everybody", "nobody", "somebody", "whoever", "whomever"],
        "the subject: the caller, the user",
    ),
    (&["ask", "asked", "asker", "asks"], "request, query, call"),
    (&["chariot", "chariots"], "rook"),
    (&["dear", "dearer", "dearest"], "expensive"),
    (&["deed", "deeds"], "action, request"),
    (&["door", "doors", "hall", "house", "room", "rooms"], "app, crate, workspace, module"),
    (&["general", "generals"], "king"),
    (&["glance", "glances"], "probe"),
    (&["grievance", "grievances"], "issue"),
    (&["hear", "heard", "hears"], "receive, on_line, on_event"),
    (&["hunter", "hunters", "prey"], "attacker, victim"),
    (&["laws"], "rules"),
    (&["lays"], "sets"),
    (&["man", "men"], "piece, disc"),
    (&["manners", "temper", "tempers"], "policy"),
    (&["mend", "mended", "mends"], "fix"),
    (&["mind", "minds"], "searcher, engine"),
    (&["road", "roads"], "path, history"),
    (&["scribe", "tongue"], "writer, message"),
    (&["seam", "seams"], "trait, interface"),
    (&["tell", "tells", "told"], "report, send, show"),
    (&["thinker", "thinks"], "searches"),
    (&["wander", "wandered", "wanders"], "random game"),
    (&["worth"], "value, score"),
];

/// Texts that are not searched: the text, the start of the paths, and the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("FIDE Laws", "", "the title of the rules of chess"),
    ("generals_facing", "", "the name of a waiver is a contract"),
    ("general_doubled", "crates/", "the name of a setup issue is a contract"),
    ("general_missing", "crates/", "the name of a setup issue is a contract"),
    ("general_outside", "crates/", "the name of a setup issue is a contract"),
    ("or general (帥 將)", "crates/xiangqi/src/piece.rs", "the other English name of the piece"),
    ("or chariot (車)", "crates/xiangqi/src/piece.rs", "the other English name of the piece"),
    ("Ask again", "web/src/messages.ts", "the user asks for a move"),
    ("alfil man", "", "the name of a command is a contract"),
    ("\"man\"", "apps/alfil/", "the name of a command is a contract"),
    ("\"man\"", "xtask/src/dist.rs", "the name of a command is a contract"),
    ("share/man/man1", "", "the folder of manual pages"),
    ("clap_mangen::Man", "apps/alfil/", "a type of the library"),
    ("GeneralRef", "crates/records/", "an event of the XML parser"),
    ("men", "apps/alfil/", "the earlier name of a JSON field is still there"),
    ("men", "web/board/", "the earlier name of a property is still read"),
];

/// The folders and files to check.
const PATHS: &[&str] = &[
    ".ci/run",
    "apps",
    "book",
    "crates",
    "docs",
    "fuzz",
    "rivals",
    "samples",
    "tests",
    "web",
    "xtask",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.toml",
    "README.md",
];

const EXTENSIONS: &[&str] =
    &["c", "cpp", "css", "h", "html", "js", "md", "mjs", "py", "pyi", "rs", "toml", "ts", "tsx"];

/// The maximal width of a comment line.
const MAX_COMMENT_CHARS: usize = 120;

impl Words {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        check_language()
    }
}

/// Checks all files and prints each finding with its place.
///
/// # Errors
/// Returns an error if there is a finding, or if a file cannot be read.
pub(crate) fn check_language() -> anyhow::Result<()> {
    let root = workspace_root();
    let mut findings = Vec::new();
    for path in PATHS {
        check_path(&root, path, &mut findings)?;
    }
    findings.iter().for_each(|finding| println!("{finding}"));
    anyhow::ensure!(
        findings.is_empty(),
        "{} findings in the language of sources and documents",
        findings.len()
    );
    Ok(())
}

fn check_path(root: &Path, path: &str, findings: &mut Vec<String>) -> anyhow::Result<()> {
    let full = root.join(path);
    if full.is_dir() {
        let mut names = fs::read_dir(&full)?
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect::<Result<Vec<_>, std::io::Error>>()?;
        names.sort();
        names.retain(|name| {
            !matches!(name.as_str(), "target" | "node_modules" | "dist" | "artifacts" | "corpus")
        });
        return names.iter().try_for_each(|name| check_path(root, &format!("{path}/{name}"), findings));
    }
    let is_checked = EXTENSIONS.iter().any(|extension| path.rsplit('.').next() == Some(extension));
    // The list itself is in this file.
    if (is_checked || PATHS.contains(&path)) && path != "xtask/src/words.rs" {
        check_text(path, &fs::read_to_string(full)?, findings);
    }
    Ok(())
}

fn check_text(path: &str, text: &str, findings: &mut Vec<String>) {
    let exceptions: Vec<_> = EXCEPTIONS.iter().filter(|(_, start, _)| path.starts_with(start)).collect();
    for (line, number) in text.lines().zip(1..) {
        // A single word is no part of others.
        let is_word = |allowed: &str| allowed.bytes().all(|byte| byte.is_ascii_lowercase());
        let parts = exceptions.iter().filter(|(allowed, ..)| !is_word(allowed));
        let searched = parts.fold(line.to_owned(), |searched, (allowed, ..)| searched.replace(allowed, ""));
        for word in words(&searched) {
            if exceptions.iter().any(|(allowed, ..)| *allowed == word) {
                continue;
            }
            if let Some((_, instead)) = WORDS.iter().find(|(avoided, _)| avoided.contains(&word.as_str())) {
                findings.push(format!("{path}:{number}: {word} -> {instead}"));
            }
        }
        let is_comment = [".rs", ".ts", ".tsx"].iter().any(|extension| path.ends_with(extension))
            && ["//", "/*", "* "].iter().any(|start| line.trim_start().starts_with(start));
        let width = line.chars().count();
        if is_comment && width > MAX_COMMENT_CHARS {
            findings.push(format!(
                "{path}:{number}: a comment of {width} columns -> at most {MAX_COMMENT_CHARS}"
            ));
        }
    }
}

/// Splits a line into lower-case words, and identifiers at underscores and capitals.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut after_lower_case = false;
    for character in line.chars() {
        if !character.is_ascii_alphabetic() || after_lower_case && character.is_ascii_uppercase() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_ascii_alphabetic() {
            word.push(character.to_ascii_lowercase());
        }
        after_lower_case = character.is_ascii_lowercase();
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_split_into_words() {
        assert_eq!(
            words("fn asked_men(theRoad: HTTPDoor)"),
            ["fn", "asked", "men", "the", "road", "httpdoor"]
        );
    }

    #[test]
    fn findings_name_the_place_and_the_replacement() {
        let mut findings = Vec::new();
        check_text(
            "a.rs",
            &format!("let whoever = 1;\n// {}\n", "x".repeat(MAX_COMMENT_CHARS)),
            &mut findings,
        );
        let expected = [
            "a.rs:1: whoever -> the subject: the caller, the user",
            "a.rs:2: a comment of 123 columns -> at most 120",
        ];
        assert_eq!(findings, expected);
    }
}
