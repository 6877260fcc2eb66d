//! Tests of `alfil play`: line by line, and full-screen in a pseudo-terminal.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use alfil_session::registry;
use assert_cmd::Command;
use portable_pty::{Child, CommandBuilder, MasterPty, PtyPair, PtySize, native_pty_system};

use super::PROGRAM;

/// The timeout for expected output; only a program that hangs takes so long.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Returns the output for these input lines.
fn play_lines(args: &[&str], input: &str) -> String {
    let output = Command::new(PROGRAM)
        .arg("play")
        .args(args)
        .args(["--level", "1", "--movetime", "50", "--pieces", "ascii"])
        .env("LC_ALL", "C")
        .write_stdin(input)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn without_a_terminal_the_game_is_played_line_by_line() {
    let text = play_lines(&[], "help\nmoves\nh2e9\nh2e2\nundo\nh0g2\nrecord\nfen\nflip\nresign\nh2e2\n");
    for part in [
        "You play Red; the computer plays Black at level 1",
        "Type a move",
        "a0a1 a0a2 a3a4",
        "illegal",
        "Black plays ",
        "h0g2 ",
        " i   h   g   f   e   d   c   b   a",
        "Red resigns: Black wins",
        "the game is over",
    ] {
        assert!(text.contains(part), "{part:?} is missing:\n{text}");
    }
    assert!(text.is_ascii(), "{text}");
}

/// The reply was once requested again and again, with a message and a board each time.
#[cfg(target_os = "linux")]
#[test]
fn a_reply_whose_search_cannot_be_started_is_refused_once() {
    let start = |limit: &str, side: &str| {
        std::process::Command::new("bash")
            .args(["-c", &format!("{limit} exec \"$0\" \"$@\""), PROGRAM, "play", "othello", "--plain"])
            .args(["--pieces", "ascii", "--side", side])
            // One heap for all threads, so that their number does not change the size of the process.
            .envs([("LC_ALL", "C"), ("MALLOC_ARENA_MAX", "1")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    // The size of a process that waits for a line, without a search.
    let mut waiting = start("", "1");
    let (mut text, mut byte) = (Vec::new(), [0]);
    let mut output = waiting.stdout.take().unwrap();
    while !text.ends_with(b"> ") && output.read(&mut byte).unwrap() == 1 {
        text.extend(byte);
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", waiting.id())).unwrap();
    waiting.kill().unwrap();
    waiting.wait().unwrap();
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:")).unwrap();
    let kibibytes: u64 = size.trim().trim_end_matches(" kB").parse().unwrap();
    // The stack of a search has 16 MiB.
    let limit = format!("ulimit -v {};", kibibytes + 8 * 1024);
    let mut child = start(&limit, "2");
    child.stdin.take().unwrap().write_all(b"moves\nquit\n").unwrap();
    let mut text = String::new();
    child.stdout.take().unwrap().take(1 << 16).read_to_string(&mut text).unwrap();
    let _ = child.kill();
    child.wait().unwrap();
    // Each line of the input is another attempt.
    assert_eq!(text.matches("cannot start a search thread").count(), 2, "{text}");
}

#[test]
fn the_computer_moves_first_against_side_two_and_gives_hints() {
    let text = play_lines(&["othello", "--side", "2"], "hint\nquit\n");
    assert!(text.contains("Black plays ") && text.contains("A good move is "), "{text}");
}

#[test]
fn a_dialect_applies_to_input_and_output() {
    let text = play_lines(&["xiangqi", "--dialect", "uci10"], "h3e3\nrecord\n");
    assert!(text.contains("h3e3 "), "{text}");
    let text = play_lines(&["xiangqi", "--dialect", "chinese"], "炮2平5\nrecord\n");
    assert!(text.contains("炮二平五 "), "{text}");
}

#[test]
fn moves_in_any_dialect_are_accepted_and_others_rejected_with_a_reason() {
    for (game, text, written) in [
        ("xiangqi", "炮二平五", "h2e2 "),
        ("xiangqi", "C2=5", "h2e2 "),
        ("chess", "Nf3", "Nf3 "),
        ("chess", "g1f3", "Nf3 "),
        ("othello", "d3", "d3 "),
    ] {
        let output = play_lines(&[game], &format!("{text}\nrecord\n"));
        assert!(output.contains(written), "{game} {text}:\n{output}");
    }
    // Text that is a move of the chosen dialect is not read in another one.
    let text = play_lines(&["xiangqi"], "h3e3\nboard\nlevel 11\nlevel 2\ndialect wxf\nmoves\n");
    let parts = [
        "as uci10 it would be legal",
        "\"11\" is not a level",
        "plays at level 2",
        "written in WXF notation",
        "C2.5",
    ];
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing:\n{text}");
    }
}

#[test]
fn invalid_input_is_reported_and_the_game_continues() {
    let output = Command::new(PROGRAM)
        .args(["play", "chess", "--level", "1", "--movetime", "50"])
        .env("LC_ALL", "C")
        .write_stdin(&b"\xC5\xDA\xFF\x00\n\n\ne2e4\neval\nresign\nhint\neval\n"[..])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    for part in ["as a move in san", "Black plays ", "White resigns: Black wins", "The game is over."] {
        assert!(text.contains(part), "{part:?} is missing:\n{text}");
    }
}

#[test]
fn the_end_of_a_game_is_reported_with_winner_and_reason() {
    let mate = ["chess", "--fen", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"];
    assert!(play_lines(&mate, "Ra8\n").contains("White wins"));
    // The rook's check completes the third occurrence: the move needs confirmation.
    let mut args = vec!["xiangqi", "--fen", "3k4R/9/9/9/9/9/9/9/9/4K4 b", "--moves"];
    args.extend("d9d8 i9i8 d8d9 i8i9 d9d8 i9i8 d8d9".split(' '));
    let text = play_lines(&args, "i8i9\ni8i9\n");
    for part in ["would lose the game", "Black wins", "check"] {
        assert!(text.contains(part), "{part:?} is missing:\n{text}");
    }
}

/// The flag of the person falls while the input is idle.
#[test]
fn in_line_mode_a_flag_fall_is_reported_at_once() {
    let mut child = std::process::Command::new(PROGRAM)
        .args(["play", "chess", "--side", "2", "--tc", "1", "--level", "1", "--movetime", "50"])
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
    });
    let next = || lines.recv_timeout(TIMEOUT).expect("the flag falls");
    while next() != "Black has run out of time: White wins" {}
    assert_eq!(next(), "Type review to see the largest mistakes, new for another game, quit to leave.");
    drop(input);
    assert_eq!(next(), "over> ");
    assert!(child.wait().unwrap().success());
}

#[test]
fn invalid_arguments_give_one_error_line() {
    for args in [
        ["--level", "11"],
        ["--movetime", "-1"],
        ["--dialect", "klingon"],
        ["--fen", "nonsense"],
        ["--tc", "40/5:00"],
        ["--rules", "klingon"],
    ] {
        let output = Command::new(PROGRAM).arg("play").args(args).env("LC_ALL", "C").output().unwrap();
        assert!(!output.status.success(), "{args:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap().lines().count(), 1, "{args:?}");
    }
}

/// Returns the text of a screen without trailing blanks.
fn screen_text(screen: &vt100::Screen) -> String {
    screen.contents().lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The program in a pseudo-terminal.
struct TerminalProcess {
    child: Box<dyn Child + Send + Sync>,
    terminal: vt100::Parser,
    output: mpsc::Receiver<Vec<u8>>,
    writer: Box<dyn Write + Send>,
    // The terminal hangs up when this is dropped.
    master: Box<dyn MasterPty + Send>,
    /// The user's folder for data.
    data: tempfile::TempDir,
}

impl TerminalProcess {
    fn start(locale: &str, (cols, rows): (u16, u16), args: &[&str]) -> TerminalProcess {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let PtyPair { slave, master } = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(PROGRAM);
        command.args(["play", "--level", "1", "--movetime", "50"]);
        command.args(args);
        command.env("LC_ALL", locale);
        command.env("TERM", "xterm-256color");
        let data = tempfile::tempdir().unwrap();
        command.env("XDG_DATA_HOME", data.path());
        command.cwd(data.path());
        let child = slave.spawn_command(command).unwrap();
        drop(slave);
        let (mut reader, writer) = (master.try_clone_reader().unwrap(), master.take_writer().unwrap());
        let (sender, output) = mpsc::channel();
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
            output,
            writer,
            master,
            data,
        }
    }

    /// Waits until the screen fulfils the condition; returns its text.
    fn wait_until(&mut self, description: &str, condition: impl Fn(&vt100::Screen) -> bool) -> String {
        while !condition(self.terminal.screen()) {
            let contents = self.terminal.screen().contents();
            let bytes = self.output.recv_timeout(TIMEOUT);
            self.terminal
                .process(&bytes.unwrap_or_else(|_| panic!("{description} did not come:\n{contents}")));
        }
        self.terminal.screen().contents()
    }

    fn wait_for_text(&mut self, text: &str) -> String {
        self.wait_until(text, |screen| screen.contents().contains(text))
    }

    fn press(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    fn signal(&self, name: &str) {
        let id = self.child.process_id().unwrap().to_string();
        assert!(std::process::Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    /// Continues the suspended process; repeats the signal, because the screen is restored before the process stops.
    fn resume(&mut self) {
        let start = Instant::now();
        while !self.terminal.screen().alternate_screen() {
            assert!(start.elapsed() < TIMEOUT, "it does not wake up");
            self.signal("-CONT");
            if let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(50)) {
                self.terminal.process(&bytes);
            }
        }
    }

    /// Waits for the exit; the terminal must be restored.
    fn expect_clean_exit(self) {
        self.expect_exit(0);
    }

    /// Waits for the exit with a status; the terminal must be restored.
    fn expect_exit(mut self, status: u32) {
        assert_eq!(self.child.wait().unwrap().exit_code(), status);
        self.expect_terminal_restored();
    }

    /// Presses keys and waits until the screen equals its snapshot. With `ALFIL_WRITE_SCREENS` the snapshot is written
    /// once `expected_text` has appeared and the output is idle.
    fn expect_screen(&mut self, name: &str, keys: &str, expected_text: &str) {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screens");
        let file = folder.join(format!("{name}.txt"));
        self.press(keys);
        if std::env::var_os("ALFIL_WRITE_SCREENS").is_some() {
            self.wait_for_text(expected_text);
            while let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(500)) {
                self.terminal.process(&bytes);
            }
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, screen_text(self.terminal.screen())).unwrap();
        }
        let expected = std::fs::read_to_string(&file).unwrap();
        assert!(!name.contains("ascii") || expected.is_ascii(), "{expected}");
        self.wait_until(&format!("{name}\n{expected}"), |screen| screen_text(screen) == expected);
    }

    fn interrupt(mut self) {
        self.press("\x03");
        self.expect_exit(130);
    }

    fn expect_terminal_restored(&mut self) {
        let is_restored = |screen: &vt100::Screen| {
            let clicks = screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None;
            !screen.alternate_screen() && !clicks && !screen.bracketed_paste()
        };
        self.wait_until("the screen from before", is_restored);
    }
}

#[test]
fn a_full_screen_game_is_played_by_keys() {
    let mut terminal = TerminalProcess::start("C.UTF-8", (80, 24), &["xiangqi"]);
    terminal.wait_for_text("Red to move");
    // Three to the right and two up to the cannon; two to the left.
    terminal.press("\x1b[C\x1b[C\x1b[C\x1b[A\x1b[A\r\x1b[D\x1b[D\r");
    let text = terminal.wait_for_text("Black plays");
    assert!(text.contains('帥') && text.contains("1. h2f2  "), "{text}");
    terminal.press("q");
    terminal.wait_for_text("Leave the game?");
    terminal.press("y");
    terminal.expect_clean_exit();
}

#[test]
fn a_move_can_be_typed_in_full_screen() {
    let mut terminal = TerminalProcess::start("C.UTF-8", (80, 24), &["xiangqi"]);
    terminal.wait_for_text("Red to move");
    terminal.press("h3e3\r");
    terminal.wait_for_text("would be legal");
    terminal.press("\x1b");
    terminal.wait_until("the status", |screen| !screen.contents().contains("Move or command:"));
    terminal.press("炮二平五\r");
    let text = terminal.wait_for_text("Black plays");
    assert!(text.contains("1. h2e2  "), "{text}");
    terminal.interrupt();
}

#[test]
fn the_full_screen_is_ascii_in_the_c_locale() {
    let mut terminal = TerminalProcess::start("C", (120, 40), &["xiangqi"]);
    terminal.wait_for_text("Red to move");
    terminal.press("?");
    let text = terminal.wait_for_text("take back");
    assert!(text.is_ascii() && text.contains("R-----N-----B"), "{text}");
    terminal.press("x\x03");
    terminal.expect_exit(130);
}

#[test]
fn the_terminal_is_restored_on_exit_and_suspension() {
    for (signal, status) in [("-TERM", 143), ("-HUP", 129), ("-INT", 130)] {
        let mut terminal = TerminalProcess::start("C", (80, 24), &["chess"]);
        terminal.wait_for_text("White to move");
        terminal.signal(signal);
        terminal.expect_exit(status);
    }
    let mut terminal = TerminalProcess::start("C", (80, 24), &["chess"]);
    for stop in ["\x1a", "-TSTP"] {
        terminal.wait_for_text("White to move");
        if stop.starts_with('-') {
            terminal.signal(stop)
        } else {
            terminal.press(stop)
        }
        terminal.expect_terminal_restored();
        terminal.resume();
    }
    terminal.wait_for_text("White to move");
    terminal.interrupt();
}

#[test]
fn a_closed_window_ends_the_program() {
    let mut terminal = TerminalProcess::start("C", (80, 24), &["chess"]);
    terminal.wait_for_text("White to move");
    let TerminalProcess { mut child, output, mut writer, master, .. } = terminal;
    // The reader thread holds a copy of the master; it exits when it cannot send any more.
    drop(output);
    writer.write_all(b"?").unwrap();
    drop((writer, master));
    child.wait().unwrap();
}

#[test]
fn the_window_can_shrink_and_grow() {
    let mut terminal = TerminalProcess::start("C.UTF-8", (80, 24), &["xiangqi"]);
    terminal.wait_for_text("Red to move");
    for (cols, rows, expected_text) in [(20, 5, "small: 39 by 23"), (2, 1, ""), (120, 40, "Red to move")] {
        terminal.terminal.screen_mut().set_size(rows.try_into().unwrap(), cols.try_into().unwrap());
        terminal.master.resize(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
        terminal.wait_for_text(expected_text);
    }
    terminal.interrupt();
}

/// A perpetual check by the rook.
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
/// The queen stalemates instead of mating.
const MISSED_MATE_ARGS: &[&str] = &["chess", "--fen", "7k/3N4/4Q1K1/8/8/8/8/8 w - - 0 1", "--moves", "Qf7"];

#[test]
fn line_mode_in_chinese_with_a_clock() {
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
fn line_mode_reviews_and_judges_a_game() {
    let text = play_lines(MISSED_MATE_ARGS, "review\njudge\n");
    for part in ["+ ####", "1. Qf7 loses 15.00; better was Qe8#", "Chess has no rulesets"] {
        assert!(text.contains(part), "{part:?} is missing:\n{text}");
    }
    let text = play_lines(&MISSED_MATE_ARGS[..3], "eval\njudge axf\nmovetime\nlang\n");
    for part in ["#1 Qe8#", "Chess has no rulesets", "takes 50 ms", "languages: en, zh"] {
        assert!(text.contains(part), "{part:?} is missing:\n{text}");
    }
    let text =
        play_lines(PERPETUAL_CHECK_ARGS, "judge elephanteye\njudge\njudge klingon\nrules elephanteye\n");
    for part in [
        "loses by perpetual check (AXF 6)",
        "the fourth",
        "Available rulesets",
        "judged by ElephantEye's rules",
    ] {
        assert!(text.contains(part), "{part:?} is missing:\n{text}");
    }
}

/// The screens of every game in every style and both sizes, of review, ruling and help, equal the snapshots in
/// `tests/screens`; `ALFIL_WRITE_SCREENS` writes them.
#[test]
fn screens_equal_their_snapshots() {
    for (cols, rows) in [(80, 24), (120, 40)] {
        for game in registry::games() {
            for (style, locale) in [("hanzi", "C.UTF-8"), ("letters", "C.UTF-8"), ("ascii", "C")] {
                let mut terminal = TerminalProcess::start(locale, (cols, rows), &[game, "--pieces", style]);
                terminal.expect_screen(&format!("{game}-{style}-{cols}x{rows}"), "", "? help)");
                terminal.interrupt();
            }
            // In Chinese from the locale, with a clock.
            let mut terminal = TerminalProcess::start("zh_CN.UTF-8", (cols, rows), &[game, "--tc", "5:00+3"]);
            terminal.expect_screen(&format!("{game}-chinese-{cols}x{rows}"), "", "? 帮助）");
            terminal.expect_screen(&format!("{game}-chinese-help-{cols}x{rows}"), "?", "离开");
            terminal.interrupt();
        }
        for (name, locale) in [("chinese", "zh_CN.UTF-8"), ("letters", "C.UTF-8"), ("ascii", "C")] {
            let style: &[&str] = if name == "letters" { &["--pieces", "letters"] } else { &[] };
            let expected_text = if name == "chinese" { "更好的是" } else { "better was" };
            let mut terminal =
                TerminalProcess::start(locale, (cols, rows), &[style, MISSED_MATE_ARGS].concat());
            terminal.expect_screen(&format!("review-{name}-{cols}x{rows}"), "s", expected_text);
            terminal.press("\x1b");
            terminal.interrupt();
            let expected_text = if name == "chinese" { "按此规则继续" } else { "play by it" };
            let mut terminal =
                TerminalProcess::start(locale, (cols, rows), &[style, PERPETUAL_CHECK_ARGS].concat());
            terminal.expect_screen(&format!("judge-{name}-{cols}x{rows}"), "j", expected_text);
            terminal.interrupt();
        }
    }
}

/// Plays e4 in full screen, and returns the terminal after the reply.
fn after_the_first_move(args: &[&str]) -> TerminalProcess {
    let mut terminal = TerminalProcess::start("C.UTF-8", (100, 30), &[&["chess"], args].concat());
    terminal.wait_for_text("White to move");
    terminal.press("e4\r");
    terminal.wait_for_text("Black plays");
    terminal
}

/// Returns the only game that is kept in a folder for data.
fn kept_game(data: &tempfile::TempDir) -> (String, String) {
    let folder = data.path().join("alfil/terminal");
    let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files, [folder.join("chess-1.pgn")]);
    (files[0].to_str().unwrap().to_owned(), std::fs::read_to_string(&files[0]).unwrap())
}

#[test]
fn a_game_that_is_left_in_any_way_is_kept_and_goes_on() {
    for (leave, args) in
        [("\x03", &[][..]), ("qy", &[]), ("-TERM", &[]), ("hang up", &[]), ("hang up", &["--plain"])]
    {
        let mut terminal = after_the_first_move(args);
        let data = std::mem::replace(&mut terminal.data, tempfile::tempdir().unwrap());
        match leave {
            "hang up" => {
                let TerminalProcess { mut child, output, writer, master, .. } = terminal;
                drop((output, writer, master));
                child.wait().unwrap();
            }
            "-TERM" => {
                terminal.signal("-TERM");
                terminal.wait_for_text("The game is kept in");
                terminal.expect_exit(143);
            }
            keys => {
                terminal.press(keys);
                let text = terminal.wait_for_text("Go on with:");
                assert!(text.contains("The game is kept in"), "{text}");
                terminal.expect_exit(if keys == "qy" { 0 } else { 130 });
            }
        }
        let (file, pgn) = kept_game(&data);
        assert!(pgn.contains("[White \"Person\"]") && pgn.contains("[Black \"Alfil, level 1\"]"), "{pgn}");
        // The game is the first of the file, and the file names the game.
        let text = play_lines(&["--pgn", &file], "record\n");
        assert!(text.contains("> e4 ") && text.contains("White> "), "{leave}: {text}");
    }
}

#[test]
fn a_game_that_is_begun_again_or_whose_moves_are_taken_back_loses_nothing() {
    let mut terminal = after_the_first_move(&[]);
    let data = std::mem::replace(&mut terminal.data, tempfile::tempdir().unwrap());
    terminal.press(":save mine.pgn\r");
    terminal.wait_for_text("The game is saved in mine.pgn.");
    let saved = std::fs::read_to_string(data.path().join("mine.pgn")).unwrap();
    terminal.press(":undo\r");
    terminal.wait_for_text("White to move");
    terminal.press("d4\r");
    terminal.wait_for_text("Black plays");
    terminal.press("ny");
    terminal.wait_for_text("The game is kept in");
    assert!(kept_game(&data).1.contains("1. d4 "));
    assert_eq!(std::fs::read_to_string(data.path().join("mine.pgn")).unwrap(), saved);
    terminal.press("q");
    terminal.expect_clean_exit();
}

#[test]
fn a_game_is_saved_and_opened_by_keys_and_commands() {
    let mut terminal = after_the_first_move(&[]);
    let data = terminal.data.path().to_owned();
    terminal.press("o");
    terminal.wait_for_text("save chess-1.pgn");
    terminal.press("\r");
    terminal.wait_for_text("The game is saved in chess-1.pgn.");
    let saved = std::fs::read_to_string(data.join("chess-1.pgn")).unwrap();
    assert!(saved.contains("1. e4 "), "{saved}");
    // Another file is never replaced, and its own file is.
    std::fs::write(data.join("other.pgn"), "[Event \"?\"]\n\n1. d4 d5 2. c4 e6 *\n").unwrap();
    terminal.press(":save other.pgn\r");
    terminal.wait_for_text("other.pgn exists. Name another file.");
    terminal.press(":save chess-1.pgn\r");
    terminal.wait_for_text("The game is saved in chess-1.pgn.");
    terminal.press(":load other.pgn\r");
    let text = terminal.wait_for_text("This is the game of other.pgn.");
    assert!(text.contains("1. d4  d5") && text.contains("2. c4  e6"), "{text}");
    terminal.press(":load missing.pgn\r");
    terminal.wait_for_text("missing.pgn: No such file");
    // Nothing is to be kept, so there is no question.
    terminal.press("q");
    terminal.expect_clean_exit();
    assert!(!data.join("alfil").exists());
}

#[test]
fn commands_are_typed_beside_moves() {
    let mut terminal = TerminalProcess::start("C.UTF-8", (100, 30), &["xiangqi"]);
    terminal.wait_for_text("Red to move");
    terminal.press("hint\r");
    terminal.wait_for_text("A good move is ");
    terminal.press("mmovetime 70\r");
    terminal.wait_for_text("takes 70 ms for a move");
    terminal.press("mdialect uci10\r");
    terminal.wait_until("the ranks as they are typed", |screen| screen.contents().contains(" 10  車"));
    terminal.press("mhelp\r");
    terminal.wait_for_text("Keys");
    terminal.press("x");
    terminal.press("mresign\r");
    terminal.wait_for_text("Really resign?");
    terminal.press("y");
    let text = terminal.wait_for_text("Red resigns: Black wins");
    assert!(text.contains("s review"), "{text}");
    // A finished game is left without a question.
    terminal.press("q");
    terminal.expect_clean_exit();
}

#[test]
fn line_mode_saves_and_opens_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (new, old) = (path("new game.pgn"), path("old.pgn"));
    std::fs::write(&old, "1. d4 d5 *\n").unwrap();
    let input = format!("e4\nsave {old}\nsave {new}\nsave\nload {old}\nrecord\nload {new}.missing\n");
    let text = play_lines(&["chess"], &input);
    for part in [
        "old.pgn exists. Name another file.",
        "The game is saved in ",
        "Name a file: save FILE or load FILE.",
        "This is the game of ",
        "d4 d5",
        "No such file",
    ] {
        assert!(text.contains(part), "{part:?} is missing:\n{text}");
    }
    assert!(std::fs::read_to_string(&new).unwrap().contains("1. e4 "));
    // A file of another game is refused.
    let text = play_lines(&["xiangqi"], &format!("load {new}\n"));
    assert!(text.contains("this is a game of chess, not of xiangqi"), "{text}");
}

#[test]
fn an_interrupted_game_line_by_line_is_kept() {
    let mut terminal = TerminalProcess::start("C.UTF-8", (100, 30), &["chess", "--plain"]);
    let data = std::mem::replace(&mut terminal.data, tempfile::tempdir().unwrap());
    terminal.wait_for_text("White>");
    terminal.press("e4\n");
    terminal.wait_for_text("Black plays ");
    terminal.wait_until("the prompt", |screen| screen.contents().matches("White>").count() == 2);
    terminal.press("\x03");
    terminal.wait_for_text("The game is kept in ");
    assert_eq!(terminal.child.wait().unwrap().exit_code(), 130);
    assert!(kept_game(&data).1.contains("1. e4 "));
}
