//! What the protocol targets share: scripts of valid and invalid commands, and the replies of the engine to them.

use std::io::Cursor;

use alfil_engine::protocols::run;

/// The maximal number of lines of a script; longer ones cost more than they find.
const MAX_LINES: usize = 24;

/// Creates a script. Each choice is the index of one of `lines`; higher choices take a line of `garbage`, the even ones
/// after one of `lines`.
pub fn script(first_lines: &str, lines: &[&str], choices: &[u8], garbage: &str) -> String {
    let mut script = String::from(first_lines);
    let mut garbage = garbage.lines();
    for &choice in choices.iter().take(MAX_LINES) {
        script.push('\n');
        match lines.get(usize::from(choice)) {
            Some(line) => script.push_str(line),
            None => {
                let line = lines[usize::from(choice) % lines.len()];
                if choice.is_multiple_of(2) {
                    script.push_str(line);
                    script.push(' ');
                }
                script.push_str(garbage.next().unwrap_or_default());
            }
        }
    }
    script.push('\n');
    script
}

/// Runs the engine with a script and returns the lines of its replies.
pub fn replies(script: &str) -> Vec<String> {
    let mut output = Vec::new();
    run(None, Cursor::new(script.to_owned()), &mut output).unwrap();
    String::from_utf8(output).expect("the engine writes UTF-8").lines().map(str::to_owned).collect()
}

/// Counts the lines whose first token is `token`.
#[allow(dead_code, reason = "not every protocol answers each command with one line")]
pub fn count<'a>(lines: impl Iterator<Item = &'a str>, token: &str) -> usize {
    lines.filter(|line| line.split_whitespace().next() == Some(token)).count()
}
