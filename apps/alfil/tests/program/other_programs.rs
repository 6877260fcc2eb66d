//! Other programs play with the engine: XBoard (CECP) and GRhino (GTP).
//!
//! They are separate programs under other licences, which are driven and never shipped: `.ci/run` installs them.
//! Without them a test is skipped with a message; `ALFIL_NO_SKIP` makes that a failure.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::{PROGRAM, expect_ok, find_program};

/// Lets XBoard play two games between two engines; returns its debug file and the PGN.
fn play_in_xboard(game: &str, variant: &str, folder: &Path) -> Option<(String, String)> {
    let (xboard, display) = (find_program("xboard")?, find_program("xvfb-run")?);
    let (debug, pgn) = (folder.join("xboard.debug"), folder.join("games.pgn"));
    let engine = format!("{PROGRAM} engine --game {game}");
    let output = Command::new("timeout")
        .args(["-k", "5", "150"])
        .arg(display)
        .arg("-a")
        .arg(xboard)
        .args(["-variant", variant, "-fcp", &engine, "-scp", &engine])
        .args(["-mg", "2", "-matchPause", "0", "-depth", "3", "-tc", "5", "-inc", "1"])
        .args(["-xexit", "-xanimate", "-popupExitMessage", "false", "-debug"])
        .args([Path::new("-debugfile"), &debug, Path::new("-sgf"), &pgn])
        .env("HOME", folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && message.contains("final score"), "{}: {message}", output.status);
    let read = |path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
    Some((read(&debug), read(&pgn)))
}

/// Returns the lines that XBoard sent (`>`) to an engine or received (`<`) from it.
fn lines_of<'a>(debug: &'a str, direction: char, engine: &str) -> Vec<&'a str> {
    let mark = format!(" {direction}{engine}: ");
    // Two texts that are sent together stand on one line.
    debug.lines().filter_map(|line| Some(line.rsplit_once(&mark)?.1)).collect()
}

#[test]
fn xboard_plays_games_of_every_variant_without_a_complaint() {
    for (game, variant) in [("chess", "normal"), ("chess", "fischerandom"), ("xiangqi", "xiangqi")] {
        let folder = tempfile::tempdir().unwrap();
        let Some((debug, pgn)) = play_in_xboard(game, variant, folder.path()) else { return };
        for complaint in ["Illegal move", "Error (", "False ", "forfeit", "unexpectedly", "rejected"] {
            let line = debug.lines().find(|line| line.contains(complaint));
            assert_eq!(line, None, "{variant}: {complaint}");
        }
        let mut move_count = 0;
        for engine in ["first ", "second"] {
            let (sent, received) = (lines_of(&debug, '>', engine), lines_of(&debug, '<', engine));
            let pings = sent.iter().filter_map(|line| line.strip_prefix("ping ")).collect::<Vec<_>>();
            let pongs: Vec<_> = received.iter().filter_map(|line| line.strip_prefix("pong ")).collect();
            // XBoard sends a last ping and `quit` together, and reads no more.
            assert!(
                pongs.len() + 1 >= pings.len() && pings.starts_with(&pongs),
                "{variant}: {pings:?} {pongs:?}"
            );
            assert!(pongs.len() >= 2, "{variant}: {pings:?} {pongs:?}");
            move_count += received.iter().filter(|line| line.starts_with("move ")).count();
        }
        assert!(move_count > 40, "{variant}: {move_count} moves");
        let results = pgn.lines().filter(|line| line.starts_with("[Result ")).collect::<Vec<_>>();
        assert!(results.len() == 2 && !results.contains(&"[Result \"*\"]"), "{variant}: {results:?}");
        // The game that XBoard wrote is read again.
        if game == "chess" {
            let file = folder.path().join("games.pgn");
            expect_ok(&["show", "chess", "--json", "--game", "2", "--pgn", file.to_str().unwrap()]);
        }
    }
}

/// A program that speaks GTP.
struct GtpProgram {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl GtpProgram {
    fn start(program: &Path, args: &[&str]) -> GtpProgram {
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        GtpProgram { child, input, output: BufReader::new(output) }
    }

    /// Returns the answer: its first character, and the text in lower case.
    fn request(&mut self, line: &str) -> (char, String) {
        writeln!(self.input, "{line}").unwrap();
        let mut answer = String::new();
        // An empty line ends the answer.
        while !answer.ends_with("\n\n") {
            let count = self.output.read_line(&mut answer).unwrap();
            assert!(count > 0, "no whole answer to {line:?}: {answer:?}");
            answer = answer.trim_start_matches('\n').to_owned();
        }
        let sign = answer.chars().next().unwrap();
        assert!(['=', '?'].contains(&sign), "{line:?}: {answer:?}");
        (sign, answer[1..].trim().to_lowercase())
    }

    /// Returns the text of an answer that must be no error.
    #[track_caller]
    fn expect(&mut self, request: &str) -> String {
        let (sign, text) = self.request(request);
        assert_eq!(sign, '=', "{request:?}: {text}");
        text
    }

    /// Returns the discs of the board, row by row: `.`, `b` and `w`.
    fn board(&mut self) -> String {
        let text = self.expect("showboard");
        let rows = text.lines().map(|line| line.trim_start_matches(|first: char| !".xobw*".contains(first)));
        let is_row = |row: &&str| row.split(' ').all(|cell| cell.len() == 1) && row.split(' ').count() >= 8;
        let cells = rows.filter(is_row).flat_map(|row| row.split(' ').take(8));
        let board: String = cells.map(|cell| cell.replace(['x', '*'], "b").replace('o', "w")).collect();
        assert_eq!(board.len(), 64, "{text}");
        board
    }
}

impl Drop for GtpProgram {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn alfil() -> GtpProgram {
    GtpProgram::start(Path::new(PROGRAM), &["engine", "--game", "othello"])
}

#[test]
fn grhino_plays_a_game_over_gtp() {
    let Some(program) = find_program("gtp-rhino") else { return };
    let (mut rhino, mut alfil) = (GtpProgram::start(&program, &[]), alfil());
    for request in ["set_game Othello", "boardsize 8", "clear_board", "time_settings 4 0 0"] {
        assert_eq!([rhino.expect(request), alfil.expect(request)], ["", ""], "{request}");
    }
    let (mut moves, mut passes) = (0, 0);
    while passes < 2 {
        let colour = ["b", "w"][moves % 2];
        let (mover, other) = if moves % 2 == 0 { (&mut alfil, &mut rhino) } else { (&mut rhino, &mut alfil) };
        let mv = mover.expect(&format!("genmove {colour}"));
        passes = if mv == "pass" { passes + 1 } else { 0 };
        // GRhino passes on its own and rejects `play b pass`; after the last move no program takes a pass.
        let is_sent = mv != "pass" || (moves % 2 == 1 && !is_finished(other));
        if is_sent {
            other.expect(&format!("play {colour} {mv}"));
        }
        moves += 1;
        assert_eq!(alfil.board(), rhino.board(), "after {moves} moves, the last of them {mv}");
    }
    assert!((10..=80).contains(&moves), "{moves} moves");
    assert_eq!(alfil.expect("final_score"), rhino.expect("final_score"));
}

/// Returns whether the game is over: only then has it a score.
fn is_finished(program: &mut GtpProgram) -> bool {
    program.request("final_score").0 != '?'
}

/// Every command of the list is answered, with right and with wrong values.
#[test]
fn every_command_of_gtp_is_answered_once() {
    let mut alfil = alfil();
    let commands = alfil.expect("list_commands");
    let values = [
        "",
        " 8",
        " 9",
        " -1",
        " x",
        " 99999999999999999999",
        " b",
        " w pass",
        " b a1",
        " b 5 0",
        " 1 2 3",
        " 1.5 x",
    ];
    let mut count = 0;
    for command in commands.lines().filter(|&command| command != "quit") {
        assert_eq!(alfil.expect(&format!("known_command {command}")), "true");
        // A search takes a second unless it has a clock.
        alfil.expect("time_settings 1 0 0");
        for value in values {
            alfil.request(&format!("{command}{value}"));
            // An answer too many would come before this one.
            assert_eq!(alfil.expect("protocol_version"), "2", "{command}{value}");
            count += 1;
        }
        alfil.expect("clear_board");
    }
    assert!(count > 250, "{count}");
    for (request, sign) in [
        ("boardsize 9", '?'),
        ("boardsize", '?'),
        ("boardsize 8.5", '?'),
        ("boardsize 8", '='),
        ("set_game go", '?'),
        ("play b f5", '='),
        ("play b f5", '?'),
        ("play w z9", '?'),
        ("play white f6", '='),
        ("undo", '='),
        ("undo", '='),
        ("undo", '?'),
        ("time_left b x 0", '?'),
        ("time_left b 10 0", '='),
        ("genmove green", '?'),
        ("reg_genmove b", '='),
        ("genmove b", '='),
        ("17 genmove w", '='),
        ("final_score", '?'),
        ("nothing", '?'),
        ("quit", '='),
    ] {
        assert_eq!(alfil.request(request).0, sign, "{request}");
    }
}
