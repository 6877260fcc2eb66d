//! What the protocol targets share: a script made of a protocol's own lines and of garbage, and the whole dialogue it leads to.

use std::io::Cursor;

use alfil_session::dialogue::talk;

/// No more lines than this: longer dialogues cost more than they find.
const LINES: usize = 24;

/// Lines chosen from a protocol's own by bytes; a byte above all of them takes a line of the garbage, or begins a line of the
/// protocol with it.
pub fn script(hello: &str, lines: &[&str], choices: &[u8], garbage: &str) -> String {
    let mut script = String::from(hello);
    let mut garbage = garbage.lines();
    for &choice in choices.iter().take(LINES) {
        script.push('\n');
        match lines.get(usize::from(choice)) {
            Some(line) => script.push_str(line),
            None => {
                // The last letter of a known line, and what follows it, are garbage.
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

/// Everything that is said to a script, line by line.
pub fn said(script: &str) -> Vec<String> {
    let mut output = Vec::new();
    talk(None, Cursor::new(script.to_owned()), &mut output).unwrap();
    String::from_utf8(output).expect("text").lines().map(str::to_owned).collect()
}

/// How many lines begin with this word.
#[allow(dead_code, reason = "not every protocol answers each command with one line")]
pub fn count<'a>(lines: impl Iterator<Item = &'a str>, word: &str) -> usize {
    lines.filter(|line| line.split_whitespace().next() == Some(word)).count()
}
