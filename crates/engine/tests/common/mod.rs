//! Scripts of input lines and the replies to them, for the tests of the protocols.

use std::io::Cursor;
use std::sync::mpsc;
use std::time::Duration;

use alfil_engine::protocols::run;

/// The timeout for all replies: only an engine that hangs takes so long.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Returns the replies to these lines; the input ends after them.
#[track_caller]
pub(crate) fn replies(game: Option<&'static str>, script: &str) -> Vec<String> {
    let (sender, receiver) = mpsc::channel();
    let input = Cursor::new(script.to_owned());
    std::thread::spawn(move || {
        let mut output = Vec::new();
        run(game, input, &mut output).unwrap();
        sender.send(String::from_utf8(output).unwrap())
    });
    let output = receiver.recv_timeout(TIMEOUT).unwrap_or_else(|error| panic!("{error}: {script}"));
    output.lines().map(str::to_owned).collect()
}

/// Returns the lines with this prefix.
pub(crate) fn with_prefix<'a>(replies: &'a [String], prefix: &str) -> Vec<&'a str> {
    replies.iter().map(String::as_str).filter(|line| line.starts_with(prefix)).collect()
}

/// Returns the lines of `info string` but the one with the evaluation, which answers `uci`.
pub(crate) fn info_strings(replies: &[String]) -> Vec<&str> {
    let is_evaluation = |line: &&str| line.starts_with("info string evaluation ");
    with_prefix(replies, "info string ").into_iter().filter(|line| !is_evaluation(line)).collect()
}
