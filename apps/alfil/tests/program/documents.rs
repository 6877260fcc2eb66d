//! What the documents show of the program: the commands of each document are run in the order of the text, in a folder
//! with a copy of `samples/`, and print what stands below them.
//!
//! * A block `console` has commands of bash after `$ `, continued after `> `, with what they print. `...` stands for
//!   any text, and the numbers before `s` and `nodes/s` for any time and speed. A command without output has to
//!   succeed.
//! * A block `console long` is run only by the test that is marked as long.
//! * A block `sh` needs other programs, machines or much time. The options of its commands `alfil` are checked, and the
//!   names of its tasks `cargo xtask`.
//! * The queries of blocks `sql` give what the block `text` after them shows, on the analysis that the commands of the
//!   document have made.
//!
//! With `ALFIL_WRITE_DOCUMENTS` set, the tests write what is printed into the documents: `cargo xtask book --write`.

mod form;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::PROGRAM;
use super::python_programs::{python_with, run_script};

/// The text that stands for a time or a speed, which differs from run to run.
const MEASURED: &str = "<measured>";

/// A fenced block of a document.
struct Block {
    /// The words after the fence.
    info: String,
    /// The index of the first line inside.
    start: usize,
    /// The index of the closing fence.
    end: usize,
    /// The blanks before the fence, which every line has.
    indent: usize,
    /// The lines inside without the indentation.
    lines: Vec<String>,
}

impl Block {
    fn text(&self) -> String {
        self.lines.join("\n")
    }
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Returns the paths of the documents whose blocks are run.
fn documents() -> Vec<PathBuf> {
    let root = workspace();
    let mut paths = markdown_files(&root.join("docs"));
    paths.extend([root.join("README.md"), root.join("CONTRIBUTING.md"), root.join("samples/README.md")]);
    paths
}

fn markdown_files(folder: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            paths.extend(markdown_files(&entry));
        } else if entry.extension().is_some_and(|extension| extension == "md") {
            paths.push(entry);
        }
    }
    paths.sort();
    paths
}

fn blocks(document: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (index, line) in document.lines().enumerate() {
        let indent = line.len() - line.trim_start().len();
        let fence = line.trim_start().strip_prefix("```");
        match (&mut open, fence) {
            (None, Some(info)) => {
                let info = info.trim().to_owned();
                open = Some(Block { info, start: index + 1, end: 0, indent, lines: Vec::new() });
            }
            (Some(block), Some("")) if indent == block.indent => {
                block.end = index;
                blocks.extend(open.take());
            }
            (Some(block), _) => block.lines.push(line.get(block.indent..).unwrap_or_default().to_owned()),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

/// Returns the commands of a block `console` as they are written, with what is shown below each.
fn examples(block: &Block) -> Vec<(String, String)> {
    let mut examples: Vec<(String, String)> = Vec::new();
    for line in &block.lines {
        if let Some(command) = line.strip_prefix("$ ") {
            examples.push((command.to_owned(), String::new()));
        } else if let Some((command, output)) = examples.last_mut() {
            match line.strip_prefix("> ").filter(|_| output.is_empty() && command.ends_with('\\')) {
                Some(more) => *command += &format!("\n{more}"),
                None => *output += &format!("{line}\n"),
            }
        }
    }
    examples
}

/// Runs a command of bash in a folder; returns whether it succeeded, and stdout and stderr as they came.
fn run_in_bash(folder: &Path, command: &str) -> (bool, String) {
    let programs = Path::new(PROGRAM).parent().unwrap().display().to_string();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap());
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-c", &format!("exec 2>&1\n{command}")]).current_dir(folder);
    bash.env("PATH", path).env("HOME", folder).env("LC_ALL", "C.UTF-8").env("TERM", "dumb");
    let output = bash.output().unwrap();
    (output.status.success(), String::from_utf8(output.stdout).unwrap())
}

/// Runs the commands of a document and returns it with what they printed, and the differences.
fn run_document(path: &Path, text: &str, runs_long: bool) -> (String, Vec<String>) {
    let name = path.strip_prefix(workspace()).unwrap().display().to_string();
    let blocks = blocks(text);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut differences = Vec::new();
    let is_run = |block: &&Block| block.info == "console" || runs_long && block.info == "console long";
    if !blocks.iter().any(|block| is_run(&block)) {
        return (text.to_owned(), differences);
    }
    let folder = tempfile::tempdir().unwrap();
    let samples = workspace().join("samples");
    assert!(Command::new("cp").arg("-r").arg(&samples).arg(folder.path()).status().unwrap().success());
    let mut written: Vec<(&Block, Vec<String>)> = Vec::new();
    for block in blocks.iter().filter(is_run) {
        let mut new_lines = Vec::new();
        for (command, expected) in examples(block) {
            let (succeeded, printed) = run_in_bash(folder.path(), &command);
            let shown = if expected.is_empty() && succeeded || matches(&expected, &printed) {
                expected
            } else {
                differences.push(format!("{name}: {command}\nshown:\n{expected}\nprinted:\n{printed}"));
                printed
            };
            new_lines.push(format!("$ {}", command.replace('\n', "\n> ")));
            new_lines.extend(shown.lines().map(str::to_owned));
        }
        written.push((block, new_lines));
    }
    if blocks.iter().any(|block| block.info == "sql") {
        written.extend(run_queries(&name, path, folder.path(), &blocks, &mut differences));
    }
    written.sort_by_key(|(block, _)| std::cmp::Reverse(block.start));
    for (block, new_lines) in written {
        let indent = " ".repeat(block.indent);
        let new_lines = new_lines.join("\n");
        let indented = new_lines.lines().map(|line| format!("{indent}{line}").trim_end().to_owned());
        lines.splice(block.start..block.end, indented);
    }
    (lines.join("\n") + "\n", differences)
}

/// Runs the queries in SQL of a document, each of which prints its columns and rows, divided by tabs, and a form feed.
const RUN_QUERIES: &str = r#"
import duckdb, os, re, sys
text = open(sys.argv[1], encoding="utf-8").read()
os.chdir(sys.argv[2])
for query in re.findall(r"```sql\n(.*?)\n```", text, re.S):
    result = duckdb.sql(query)
    for row in [result.columns] + result.fetchall():
        print("\t".join("null" if value is None else str(value) for value in row))
    print("\f", end="")
"#;

/// Compares what the queries of a document give with the blocks after them, which are returned with the new rows.
fn run_queries<'a>(
    name: &str,
    path: &Path,
    folder: &Path,
    blocks: &'a [Block],
    differences: &mut Vec<String>,
) -> Vec<(&'a Block, Vec<String>)> {
    let Some(python) = python_with("duckdb") else { return Vec::new() };
    let analysis = folder.join("analysis");
    let printed = run_script(&python, RUN_QUERIES, &[path.to_str().unwrap(), analysis.to_str().unwrap()]);
    let mut results = printed.split_terminator('\u{c}');
    let mut written = Vec::new();
    for pair in blocks.windows(2).filter(|pair| pair[0].info == "sql") {
        let rows = results.next().expect("a result of each query");
        assert_eq!(pair[1].info, "text", "{name}: a query without its result: {}", pair[0].text());
        let words = |text: &str| -> Vec<Vec<String>> {
            text.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
        };
        if words(&pair[1].text()) != words(rows) {
            differences.push(format!("{name}: {}\ngives\n{rows}", pair[0].text()));
            written.push((&pair[1], aligned(rows)));
        }
    }
    written
}

/// Aligns the columns of rows that are divided by tabs: numbers to the right.
fn aligned(rows: &str) -> Vec<String> {
    let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split('\t').collect()).collect();
    let column = |at: usize| rows.iter().map(move |row| row[at]);
    let widths: Vec<usize> = (0..rows[0].len()).map(|at| column(at).map(str::len).max().unwrap()).collect();
    let is_number: Vec<bool> =
        (0..rows[0].len()).map(|at| column(at).skip(1).all(|cell| cell.parse::<f64>().is_ok())).collect();
    let line = |row: &Vec<&str>| {
        let cells = row.iter().enumerate().map(|(at, cell)| match is_number[at] {
            true => format!("{cell:>0$}", widths[at]),
            false => format!("{cell:<0$}", widths[at]),
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

fn check_documents(runs_long: bool) {
    let mut differences = Vec::new();
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        let (written, found) = run_document(&path, &text, runs_long);
        if std::env::var_os("ALFIL_WRITE_DOCUMENTS").is_none() {
            differences.extend(found);
        } else if !found.is_empty() {
            fs::write(&path, written).unwrap();
        }
    }
    assert!(
        differences.is_empty(),
        "{}\n`cargo xtask book --write` writes what is printed into the documents",
        differences.join("\n\n")
    );
}

#[test]
fn commands_of_the_documents_print_what_is_shown() {
    check_documents(false);
}

#[test]
#[ignore = "long: the examples of the documents that take long"]
fn long_commands_of_the_documents_print_what_is_shown() {
    check_documents(true);
}

/// What bash runs before a block `sh`: `alfil` checks its options only, and other programs are not run, but for a
/// command of `alfil` among their arguments.
const CHECK_ONLY: &str = r#"
alfil() {
    "$ALFIL" "$@" --help > /dev/null 2> errors || { IFS= read -r line < errors; echo "FAULT alfil $*: $line"; }
}
cargo() {
    [ "$1" != xtask ] || [ -e "$SOURCES/xtask/src/$2.rs" ] || echo "FAULT cargo $*: there is no such task"
}
command_not_found_handle() {
    for argument in "$@"; do
        case $argument in "alfil "*) eval "$argument";; esac
    done
}
PATH=
"#;

#[test]
fn commands_that_are_not_run_have_valid_options() {
    let mut faults = Vec::new();
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        for block in blocks(&text).iter().filter(|block| block.info == "sh") {
            let folder = tempfile::tempdir().unwrap();
            let mut bash = Command::new("bash");
            bash.args(["--norc", "-c", &format!("{CHECK_ONLY}\n{}", block.text())]);
            bash.current_dir(folder.path()).env("ALFIL", PROGRAM).env("SOURCES", workspace());
            bash.env("HOME", folder.path());
            let output = bash.output().unwrap();
            let printed = String::from_utf8_lossy(&output.stdout).into_owned();
            let found = printed.lines().filter(|line| line.contains("FAULT "));
            faults.extend(found.map(|line| format!("{}:{}: {line}", path.display(), block.start)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_changed_command_or_output_is_found() {
    let path = workspace().join("README.md");
    let document = |command: &str, output: &str| format!("```console\n$ {command}\n{output}```\n");
    let found = |text: &str| run_document(&path, text, false).1.len();
    assert_eq!(found(&document("alfil perft chess --depth 2", "400\n")), 0);
    assert_eq!(found(&document("alfil perft chess --depth 2", "401\n")), 1);
    assert_eq!(found(&document("alfil perft chess --depth 2", "")), 0);
    assert_eq!(found(&document("alfil perft chess --dept 2", "")), 1);
    assert_eq!(found(&document("alfil moves othello | head -n 2", "c4\n...\n")), 0);
    let (written, _) = run_document(&path, &document("echo a \\\n> b", "c\n"), false);
    assert_eq!(written, document("echo a \\\n> b", "a b\n"));
}

/// Returns whether a command printed what a document shows, in which `...` stands for any text.
fn matches(expected: &str, printed: &str) -> bool {
    let (expected, printed) = (without_times(expected), without_times(printed));
    let mut parts = expected.split("...");
    let Some(mut rest) = printed.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, between)) = parts.split_last() else { return rest.is_empty() };
    for part in between {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Replaces the numbers before `s` and `nodes/s`, and the blanks between words, of which a table has more or fewer.
fn without_times(text: &str) -> String {
    let line = |line: &str| {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        for at in 1..words.len() {
            if matches!(words[at], "s" | "nodes/s") {
                words[at - 1] = MEASURED;
            }
        }
        if words.contains(&MEASURED) { words.join(" ") } else { line.trim_end().to_owned() }
    };
    text.trim_end().lines().map(line).collect::<Vec<_>>().join("\n")
}
