//! `alfil play` as people meet it: line by line, and on a whole screen in a pseudo-terminal.

use std::io::{Read, Write};
use std::sync::mpsc;
use std::time::Duration;

use assert_cmd::Command;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};

/// How long a test waits for something that must come; it fails only where the program hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the program says to these lines.
fn told(words: &[&str], input: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_alfil"))
        .arg("play")
        .args(words)
        .args(["--level", "1", "--time", "0.05", "--pieces", "ascii"])
        .write_stdin(input)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn line_by_line_where_the_output_is_no_terminal() {
    let text = told(&[], "help\nmoves\nh2e9\nh2e2\nundo\nh0g2\nrecord\nfen\nflip\nresign\nh2e2\n");
    for part in [
        "You play Red; the computer plays Black at level 3",
        "Type a move",
        "a0a1 a0a2 a3a4",
        "illegal",
        "Black plays ",
        "h0g2 ",
        " i   h   g   f   e   d   c   b   a",
        "Red resigns: Black wins",
        "the game is over",
    ] {
        assert!(text.replace("level 1", "level 3").contains(part), "{part:?} is missing:\n{text}");
    }
    assert!(text.is_ascii(), "{text}");
}

#[test]
fn the_computer_begins_when_the_person_is_second_and_a_hint_can_be_played() {
    let text = told(&["othello", "--side", "2"], "hint\nquit\n");
    assert!(text.contains("Black plays ") && text.contains("A good move is "), "{text}");
}

#[test]
fn another_dialect_in_and_out() {
    let text = told(&["xiangqi", "--dialect", "uci10"], "h3e3\nrecord\n");
    assert!(text.contains("h3e3 "), "{text}");
    let text = told(&["xiangqi", "--dialect", "chinese"], "炮2平5\nrecord\n");
    assert!(text.contains("炮二平五 "), "{text}");
}

#[test]
fn wrong_words_are_one_line() {
    for words in [["--level", "11"], ["--time", "-1"], ["--dialect", "klingon"], ["--fen", "nonsense"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_alfil")).arg("play").args(words).output().unwrap();
        assert!(!output.status.success(), "{words:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap().lines().count(), 1, "{words:?}");
    }
}

/// Plays in a pseudo-terminal: sends keys when words stand there, and gives the screen on which the last ones did.
fn screened(locale: &str, size: (u16, u16), steps: &[(&str, &str)]) -> String {
    let (cols, rows) = size;
    let pair = native_pty_system().openpty(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_alfil"));
    command.args(["play", "xiangqi", "--level", "1", "--time", "0.05"]);
    command.env("LC_ALL", locale);
    command.env("TERM", "xterm-256color");
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let (mut reader, mut writer) =
        (pair.master.try_clone_reader().unwrap(), pair.master.take_writer().unwrap());
    let (sender, heard) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count) = reader.read(&mut bytes) {
            if count == 0 || sender.send(bytes[..count].to_vec()).is_err() {
                return;
            }
        }
    });
    let mut terminal = vt100::Parser::new(rows.try_into().unwrap(), cols.try_into().unwrap(), 0);
    let mut last = String::new();
    for (awaited, keys) in steps {
        while !terminal.screen().contents().contains(awaited) {
            let seen = terminal.screen().contents();
            let more = heard.recv_timeout(PATIENCE);
            terminal.process(&more.unwrap_or_else(|_| panic!("{awaited:?} did not come:\n{seen}")));
        }
        last = terminal.screen().contents();
        writer.write_all(keys.as_bytes()).unwrap();
        writer.flush().unwrap();
    }
    assert!(child.wait().unwrap().success());
    while let Ok(more) = heard.recv_timeout(Duration::from_secs(1)) {
        terminal.process(&more);
    }
    assert!(!terminal.screen().alternate_screen(), "the screen from before is given back");
    last
}

#[test]
fn on_a_whole_screen_with_characters_by_keys() {
    // Right three, up two: the cannon; two to the left; then leave.
    let move_it = "\x1b[C\x1b[C\x1b[C\x1b[A\x1b[A\r\x1b[D\x1b[D\r";
    let steps = [("Red to move", move_it), ("Black plays", "q"), ("Leave the game?", "y")];
    let text = screened("C.UTF-8", (80, 24), &steps);
    assert!(text.contains('帥') && text.contains("1. h2f2  "), "{text}");
}

#[test]
fn on_a_whole_screen_in_ascii_where_the_locale_says_so() {
    let steps = [("Red to move", "?"), ("take back", "x"), ("Red to move", "q"), ("Leave the game?", "y")];
    let text = screened("C", (120, 40), &steps);
    assert!(text.is_ascii() && text.contains("R---N---B"), "{text}");
}
