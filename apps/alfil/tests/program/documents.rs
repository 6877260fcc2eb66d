//! What the documents show of the program: every command of a block `console` prints what stands below it.

use std::path::Path;

use crate::run;

/// The documents whose commands need no files.
const DOCUMENTS: [&str; 3] =
    ["docs/commands.md", "docs/0x88-and-bitboards.md", "docs/how-xiangqi-is-written.md"];

/// The text that stands for a time or a speed, which differs from run to run.
const MEASURED: &str = "<measured>";

#[test]
fn commands_of_the_documents_print_what_is_shown() {
    for document in DOCUMENTS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(document);
        let text = std::fs::read_to_string(&path).unwrap();
        let examples = examples(&text);
        assert!(!examples.is_empty(), "{document} shows no command");
        for (command, expected) in examples {
            let arguments = shell_words::split(&command).unwrap();
            assert_eq!(arguments[0], "alfil", "{document}: {command}");
            let arguments: Vec<_> = arguments[1..].iter().map(String::as_str).collect();
            let (status, output, errors) = run(&arguments);
            if expected.is_empty() {
                // The document leaves the output to the reader.
                assert_eq!(status, 0, "{document}: {command}: {errors}");
                continue;
            }
            let printed = without_times(&format!("{output}{errors}"));
            assert_eq!(printed, without_times(&expected), "{document}: {command}");
        }
    }
}

/// Returns the commands of the blocks `console` of a document, without their `$`, and what is shown below each.
fn examples(document: &str) -> Vec<(String, String)> {
    let mut examples: Vec<(String, String)> = Vec::new();
    let mut in_block = false;
    for line in document.lines() {
        if line.starts_with("```") {
            in_block = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| in_block) {
            examples.push((command.to_owned(), String::new()));
        } else if let Some((_, output)) = examples.last_mut().filter(|_| in_block) {
            output.push_str(line);
            output.push('\n');
        }
    }
    examples
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
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}
