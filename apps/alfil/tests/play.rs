//! `alfil play` as people meet it: line by line, and on a whole screen in a pseudo-terminal.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use portable_pty::{Child, CommandBuilder, MasterPty, PtyPair, PtySize, native_pty_system};

/// How long a test waits for something that must come; it fails only where the program hangs.
const TIMEOUT: Duration = Duration::from_secs(60);

/// What the program says to these lines.
fn play_lines(words: &[&str], input: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_alfil"))
        .arg("play")
        .args(words)
        .args(["--level", "1", "--time", "0.05", "--pieces", "ascii"])
        .env("LC_ALL", "C")
        .write_stdin(input)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn line_by_line_where_the_output_is_no_terminal() {
    let text = play_lines(&[], "help\nmoves\nh2e9\nh2e2\nundo\nh0g2\nrecord\nfen\nflip\nresign\nh2e2\n");
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
    let text = play_lines(&["othello", "--side", "2"], "hint\nquit\n");
    assert!(text.contains("Black plays ") && text.contains("A good move is "), "{text}");
}

#[test]
fn another_dialect_in_and_out() {
    let text = play_lines(&["xiangqi", "--dialect", "uci10"], "h3e3\nrecord\n");
    assert!(text.contains("h3e3 "), "{text}");
    let text = play_lines(&["xiangqi", "--dialect", "chinese"], "炮2平5\nrecord\n");
    assert!(text.contains("炮二平五 "), "{text}");
}

#[test]
fn moves_are_typed_in_any_dialect_and_refused_with_a_reason() {
    for (game, text, written) in [
        ("xiangqi", "炮二平五", "h2e2 "),
        ("xiangqi", "C2=5", "h2e2 "),
        ("chess", "Nf3", "Nf3 "),
        ("chess", "g1f3", "Nf3 "),
        ("othello", "d3", "d3 "),
    ] {
        let told = play_lines(&[game], &format!("{text}\nrecord\n"));
        assert!(told.contains(written), "{game} {text}:\n{told}");
    }
    // What could be a move of the dialect chosen is never read in another.
    let text = play_lines(&["xiangqi"], "h3e3\nboard\nlevel 11\nlevel 2\ndialect wxf\nmoves\n");
    let parts = [
        "as uci10 it would be legal",
        "\"11\" is no level",
        "plays at level 2",
        "written in WXF notation",
        "C2.5",
    ];
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing:\n{text}");
    }
}

#[test]
fn garbage_is_answered_and_the_game_goes_on() {
    let output = Command::new(env!("CARGO_BIN_EXE_alfil"))
        .args(["play", "chess", "--level", "1", "--time", "0.05"])
        .env("LC_ALL", "C")
        .write_stdin(&b"\xC5\xDA\xFF\x00\n\n\ne2e4\neval\nresign\nhint\neval\n"[..])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    for part in ["is no move in san", "Black plays ", "White resigns: Black wins", "The game is over."] {
        assert!(text.contains(part), "{part:?} is missing:\n{text}");
    }
}

#[test]
fn a_game_that_is_over_says_who_won_and_why() {
    let mate = ["chess", "--fen", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"];
    assert!(play_lines(&mate, "Ra8\n").contains("White wins"));
    // The chariot's check makes the position stand for the third time: asked, told why, and given again.
    let mut words = vec!["xiangqi", "--fen", "3k4R/9/9/9/9/9/9/9/9/4K4 b", "--moves"];
    words.extend("d9d8 i9i8 d8d9 i8i9 d9d8 i9i8 d8d9".split(' '));
    let text = play_lines(&words, "i8i9\ni8i9\n");
    for part in ["would lose the game; give it again", "Black wins", "check"] {
        assert!(text.contains(part), "{part:?} is missing:\n{text}");
    }
}

/// The computer begins, which takes no time, and then nobody types although the input stays open.
#[test]
fn line_by_line_a_flag_is_seen_when_it_falls() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_alfil"))
        .args(["play", "chess", "--side", "2", "--tc", "1", "--level", "1", "--time", "0.05"])
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let (sender, heard) = mpsc::channel();
    std::thread::spawn(move || {
        BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
    });
    let next = || heard.recv_timeout(TIMEOUT).expect("the flag falls");
    while next() != "Black has run out of time: White wins" {}
    drop(input);
    assert_eq!(next(), "over> ");
    assert!(child.wait().unwrap().success());
}

#[test]
fn wrong_words_are_one_line() {
    for words in [
        ["--level", "11"],
        ["--time", "-1"],
        ["--dialect", "klingon"],
        ["--fen", "nonsense"],
        ["--tc", "40/5:00"],
        ["--rules", "klingon"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_alfil"))
            .arg("play")
            .args(words)
            .env("LC_ALL", "C")
            .output()
            .unwrap();
        assert!(!output.status.success(), "{words:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap().lines().count(), 1, "{words:?}");
    }
}

/// What stands on a screen, without the blanks at the ends of its lines.
fn screen_text(screen: &vt100::Screen) -> String {
    screen.contents().lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The program at work in a pseudo-terminal.
struct TerminalProcess {
    child: Box<dyn Child + Send + Sync>,
    terminal: vt100::Parser,
    output: mpsc::Receiver<Vec<u8>>,
    writer: Box<dyn Write + Send>,
    // While it lives the terminal is not hung up.
    master: Box<dyn MasterPty + Send>,
}

impl TerminalProcess {
    fn start(locale: &str, (cols, rows): (u16, u16), words: &[&str]) -> TerminalProcess {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let PtyPair { slave, master } = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_alfil"));
        command.args(["play", "--level", "1", "--time", "0.05"]);
        command.args(words);
        command.env("LC_ALL", locale);
        command.env("TERM", "xterm-256color");
        let child = slave.spawn_command(command).unwrap();
        drop(slave);
        let (mut reader, writer) = (master.try_clone_reader().unwrap(), master.take_writer().unwrap());
        let (sender, heard) = mpsc::channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count) = reader.read(&mut bytes) {
                if count == 0 || sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        TerminalProcess {
            child,
            terminal: vt100::Parser::new(rows.try_into().unwrap(), cols.try_into().unwrap(), 0),
            output: heard,
            writer,
            master,
        }
    }

    /// Waits until the screen is as wanted, and gives what stands on it.
    fn wait_until(&mut self, wanted: &str, is: impl Fn(&vt100::Screen) -> bool) -> String {
        while !is(self.terminal.screen()) {
            let seen = self.terminal.screen().contents();
            let more = self.output.recv_timeout(TIMEOUT);
            self.terminal.process(&more.unwrap_or_else(|_| panic!("{wanted} did not come:\n{seen}")));
        }
        self.terminal.screen().contents()
    }

    fn wait_for_text(&mut self, words: &str) -> String {
        self.wait_until(words, |screen| screen.contents().contains(words))
    }

    fn press(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    fn signal(&self, name: &str) {
        let id = self.child.process_id().unwrap().to_string();
        assert!(std::process::Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    /// Wakes it, again and again: it gives the screen back some time before it stops.
    fn resume(&mut self) {
        let start = Instant::now();
        while !self.terminal.screen().alternate_screen() {
            assert!(start.elapsed() < TIMEOUT, "it does not wake up");
            self.signal("-CONT");
            if let Ok(more) = self.output.recv_timeout(Duration::from_millis(50)) {
                self.terminal.process(&more);
            }
        }
    }

    /// Waits for its end, which gives back the screen from before and asks for no more clicks.
    fn expect_clean_exit(mut self) {
        assert!(self.child.wait().unwrap().success());
        self.expect_terminal_restored();
    }

    /// Presses keys and waits until the screen is as it was kept; where it is to be written, until these words are seen and
    /// nothing more comes.
    fn expect_screen(&mut self, name: &str, keys: &str, words: &str) {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screens");
        let file = folder.join(format!("{name}.txt"));
        self.press(keys);
        if std::env::var_os("ALFIL_WRITE_SCREENS").is_some() {
            self.wait_for_text(words);
            while let Ok(more) = self.output.recv_timeout(Duration::from_millis(500)) {
                self.terminal.process(&more);
            }
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, screen_text(self.terminal.screen())).unwrap();
        }
        let kept = std::fs::read_to_string(&file).unwrap();
        assert!(!name.contains("ascii") || kept.is_ascii(), "{kept}");
        self.wait_until(&format!("{name}\n{kept}"), |screen| screen_text(screen) == kept);
    }

    fn interrupt(mut self) {
        self.press("\x03");
        self.expect_clean_exit();
    }

    fn expect_terminal_restored(&mut self) {
        let free = |screen: &vt100::Screen| {
            let clicks = screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None;
            !screen.alternate_screen() && !clicks && !screen.bracketed_paste()
        };
        self.wait_until("the screen from before", free);
    }
}

#[test]
fn on_a_whole_screen_with_characters_by_keys() {
    let mut seat = TerminalProcess::start("C.UTF-8", (80, 24), &["xiangqi"]);
    seat.wait_for_text("Red to move");
    // Right three, up two: the cannon; two to the left; then leave.
    seat.press("\x1b[C\x1b[C\x1b[C\x1b[A\x1b[A\r\x1b[D\x1b[D\r");
    let text = seat.wait_for_text("Black plays");
    assert!(text.contains('帥') && text.contains("1. h2f2  "), "{text}");
    seat.press("q");
    seat.wait_for_text("Leave the game?");
    seat.press("y");
    seat.expect_clean_exit();
}

#[test]
fn on_a_whole_screen_a_move_is_typed() {
    let mut seat = TerminalProcess::start("C.UTF-8", (80, 24), &["xiangqi"]);
    seat.wait_for_text("Red to move");
    seat.press("h3e3\r");
    seat.wait_for_text("would be legal");
    seat.press("\x1b");
    seat.wait_until("the status", |screen| !screen.contents().contains("Your move:"));
    seat.press("炮二平五\r");
    let text = seat.wait_for_text("Black plays");
    assert!(text.contains("1. h2e2  "), "{text}");
    seat.press("\x03");
    seat.expect_clean_exit();
}

#[test]
fn on_a_whole_screen_in_ascii_where_the_locale_says_so() {
    let mut seat = TerminalProcess::start("C", (120, 40), &["xiangqi"]);
    seat.wait_for_text("Red to move");
    seat.press("?");
    let text = seat.wait_for_text("take back");
    assert!(text.is_ascii() && text.contains("R---N---B"), "{text}");
    seat.press("x\x03");
    seat.expect_clean_exit();
}

#[test]
fn the_terminal_is_given_back_to_whoever_ends_or_stops_the_program() {
    for signal in ["-TERM", "-HUP", "-INT"] {
        let mut seat = TerminalProcess::start("C", (80, 24), &["chess"]);
        seat.wait_for_text("White to move");
        seat.signal(signal);
        seat.expect_clean_exit();
    }
    let mut seat = TerminalProcess::start("C", (80, 24), &["chess"]);
    for stop in ["\x1a", "-TSTP"] {
        seat.wait_for_text("White to move");
        if stop.starts_with('-') {
            seat.signal(stop)
        } else {
            seat.press(stop)
        }
        seat.expect_terminal_restored();
        seat.resume();
    }
    seat.wait_for_text("White to move");
    seat.press("\x03");
    seat.expect_clean_exit();
}

#[test]
fn whoever_closes_the_window_leaves_no_program_behind() {
    let mut seat = TerminalProcess::start("C", (80, 24), &["chess"]);
    seat.wait_for_text("White to move");
    let TerminalProcess { mut child, output: heard, mut writer, master, .. } = seat;
    // Whoever reads for us ends, and closes the last copy of our side, when there is something to say and nobody to hear it.
    drop(heard);
    writer.write_all(b"?").unwrap();
    drop((writer, master));
    child.wait().unwrap();
}

#[test]
fn a_window_may_become_tiny_and_large_again() {
    let mut seat = TerminalProcess::start("C.UTF-8", (80, 24), &["xiangqi"]);
    seat.wait_for_text("Red to move");
    for (cols, rows, words) in [(20, 5, "small: 39 by 23"), (2, 1, ""), (120, 40, "Red to move")] {
        seat.terminal.screen_mut().set_size(rows.try_into().unwrap(), cols.try_into().unwrap());
        seat.master.resize(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
        seat.wait_for_text(words);
    }
    seat.press("\x03");
    seat.expect_clean_exit();
}

/// The chariot has checked perpetually.
const PERPETUAL_CHECK_ARGS: &[&str] = &[
    "xiangqi",
    "--fen",
    "3k4R/9/9/9/9/9/9/9/9/4K4 b",
    "--moves",
    "d9d8",
    "i9i8",
    "d8d9",
    "i8i9",
    "d9d8",
    "i9i8",
    "d8d9",
    "i8i9",
];
/// The queen stalemates where she could have mated.
const MISSED_MATE_ARGS: &[&str] = &["chess", "--fen", "7k/3N4/4Q1K1/8/8/8/8/8 w - - 0 1", "--moves", "Qf7"];

#[test]
fn line_by_line_in_chinese_with_a_clock() {
    let text = play_lines(
        &["xiangqi", "--lang", "zh", "--tc", "5:00+3"],
        "help\n炮二平五\nlang en\nrules wxf2018\nclock\n",
    );
    for part in
        ["您执红方", "悔棋", "红方 5:00  黑方 5:00", "黑方走 ", "judged by World rules (WXF 2018)", "Red 4:"]
    {
        assert!(text.contains(part), "{part:?} is missing:\n{text}");
    }
}

#[test]
fn line_by_line_a_game_is_reviewed_and_judged_again() {
    let text = play_lines(MISSED_MATE_ARGS, "review\njudge\n");
    for part in ["+ ####", "1. Qf7 loses 15.00; better was Qe8#", "Chess has no rule books"] {
        assert!(text.contains(part), "{part:?} is missing:\n{text}");
    }
    let text = play_lines(&MISSED_MATE_ARGS[..3], "eval\njudge axf\ntime\nlang\n");
    for part in ["#1 Qe8#", "Chess has no rule books", "thinks for 0.05 s", "known are en and zh"] {
        assert!(text.contains(part), "{part:?} is missing:\n{text}");
    }
    let text =
        play_lines(PERPETUAL_CHECK_ARGS, "judge elephanteye\njudge\njudge klingon\nrules elephanteye\n");
    for part in
        ["loses by perpetual check (AXF 6)", "the fourth", "the books are", "judged by ElephantEye's rules"]
    {
        assert!(text.contains(part), "{part:?} is missing:\n{text}");
    }
}

/// The first screen of every game, in every style and both sizes, and what else there is to be seen, as `tests/screens` has it;
/// with `ALFIL_WRITE_SCREENS` it is written there, to be looked at.
#[test]
fn the_screens_are_as_they_were() {
    for (cols, rows) in [(80, 24), (120, 40)] {
        for game in ["xiangqi", "chess", "othello"] {
            for (style, locale) in [("hanzi", "C.UTF-8"), ("letters", "C.UTF-8"), ("ascii", "C")] {
                let mut seat = TerminalProcess::start(locale, (cols, rows), &[game, "--pieces", style]);
                seat.expect_screen(&format!("{game}-{style}-{cols}x{rows}"), "", "? help)");
                seat.interrupt();
            }
            // In Chinese, from the locale alone, with a clock.
            let mut seat = TerminalProcess::start("zh_CN.UTF-8", (cols, rows), &[game, "--tc", "5:00+3"]);
            seat.expect_screen(&format!("{game}-chinese-{cols}x{rows}"), "", "? 帮助）");
            seat.expect_screen(&format!("{game}-chinese-help-{cols}x{rows}"), "?", "离开");
            seat.interrupt();
        }
        for (name, locale) in [("chinese", "zh_CN.UTF-8"), ("letters", "C.UTF-8"), ("ascii", "C")] {
            let style: &[&str] = if name == "letters" { &["--pieces", "letters"] } else { &[] };
            let last = if name == "chinese" { "更好的是" } else { "better was" };
            let mut seat = TerminalProcess::start(locale, (cols, rows), &[style, MISSED_MATE_ARGS].concat());
            seat.expect_screen(&format!("review-{name}-{cols}x{rows}"), "s", last);
            seat.press("\x1b");
            seat.interrupt();
            let keys = if name == "chinese" { "按此规则继续" } else { "play on by it" };
            let mut seat =
                TerminalProcess::start(locale, (cols, rows), &[style, PERPETUAL_CHECK_ARGS].concat());
            seat.expect_screen(&format!("judge-{name}-{cols}x{rows}"), "j", keys);
            seat.interrupt();
        }
    }
}
