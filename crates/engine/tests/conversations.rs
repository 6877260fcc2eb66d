//! The engine's side of the protocols, without a process around it: what is said to a script.

use std::io::Cursor;

use alfil_engine::protocols::run;

/// All that is said to these lines, which end as a closed pipe does.
fn said(game: Option<&str>, script: &str) -> Vec<String> {
    let mut output = Vec::new();
    run(game, Cursor::new(script.to_owned()), &mut output).unwrap();
    String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
}

/// The lines that begin like this.
fn those<'a>(said: &'a [String], start: &str) -> Vec<&'a str> {
    said.iter().map(String::as_str).filter(|line| line.starts_with(start)).collect()
}

#[test]
fn a_game_that_is_not_known_is_refused() {
    let error = run(Some("go"), Cursor::new(""), &mut Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), "there is no game \"go\": the games are xiangqi, chess, othello");
}

#[test]
fn the_first_line_chooses() {
    let said = said(None, "\nwho are you\nisready\nuci\n");
    assert!(said[0].starts_with("the first line names the protocol"), "{said:?}");
    assert_eq!(said[1], "readyok");
    assert!(said.last().unwrap() == "uciok");
}

#[test]
fn uci_plays_all_games() {
    for (variant, position, first) in [
        ("xiangqi", "startpos moves h2e2", "h9g7"),
        ("chess", "startpos moves e2e4", "e7e5"),
        ("chess", "fen 4k3/8/8/8/8/8/8/4K2R w K -", "h1h8"),
        ("othello", "startpos moves f5", "d6"),
        ("flipello", "startpos moves P@f4", "P@d3"),
        ("reversi", "fen ---------------------------OX------XO--------------------------- X", "f5"),
    ] {
        let script = format!(
            "uci\nsetoption name UCI_Variant value {variant}\nposition {position}\ngo depth 3 searchmoves {first}\nisready\n"
        );
        let said = said(None, &script);
        let best = those(&said, "bestmove ");
        assert_eq!(best.len(), 1, "{said:?}");
        assert!(best[0].starts_with(&format!("bestmove {first}")), "{variant}: {said:?}");
        assert!(those(&said, "info string").is_empty(), "{said:?}");
    }
}

#[test]
fn ranks_from_one_are_an_option() {
    let wrong = said(None, "uci\nposition startpos moves h3e3\ngo depth 1\n");
    let remarks = those(&wrong, "info string");
    assert_eq!(remarks.len(), 1);
    assert!(remarks[0].contains("as uci10 it would be legal (UCI_Ranks is 0-9)"), "{remarks:?}");
    // What the option does not change, it is not named for.
    let wrong = said(None, "uci\nposition startpos moves 炮二平五\ngo depth 1\n");
    assert!(those(&wrong, "info string")[0].ends_with("as chinese it would be legal"), "{wrong:?}");
    let right = said(
        None,
        "uci\nsetoption name UCI_Ranks value 1-10\nposition startpos moves h3e3 h10g8\ngo depth 2 searchmoves h1g3\n",
    );
    assert!(those(&right, "bestmove h1g3 ponder ").len() == 1, "{right:?}");
    assert!(those(&right, "info depth 2")[0].contains(" pv h1g3 "), "{right:?}");
}

#[test]
fn castling_in_chess960_is_the_king_taking_its_rook() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for (on, mv) in [(false, "e1g1"), (true, "e1h1")] {
        let script = format!(
            "uci\nsetoption name UCI_Variant value chess\nsetoption name UCI_Chess960 value {on}\n\
             position fen {fen}\ngo depth 1 searchmoves {mv}\n"
        );
        let said = said(None, &script);
        assert_eq!(those(&said, &format!("bestmove {mv}")).len(), 1, "{said:?}");
    }
}

#[test]
fn a_position_of_another_game_names_the_option() {
    let chess = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let said = said(None, &format!("uci\nposition fen {chess}\nposition fen {chess}x\nposition fen\n"));
    let remarks = those(&said, "info string");
    assert!(remarks[0].ends_with("setoption name UCI_Variant value chess"), "{remarks:?}");
    assert!(remarks[1].contains("expected") && remarks.len() == 3, "{remarks:?}");
}

#[test]
fn a_bad_line_changes_nothing() {
    let said = said(
        None,
        "uci\nposition startpos moves h2e2 h9g7\nposition startpos moves h2e2 h2e2\nposition fen x\ngo depth soon\n\
         go depth 1 searchmoves b9c7\ngo depth 1 searchmoves h0g2\n",
    );
    let remarks = those(&said, "info string");
    assert!(remarks[0].contains("move 2: \"h2e2\" is illegal here"), "{remarks:?}");
    assert_eq!(remarks.len(), 4, "{remarks:?}");
    assert_eq!(those(&said, "bestmove h0g2").len(), 1, "{said:?}");
}

#[test]
fn what_is_over_has_no_move() {
    let mated = "3k5/4P4/3R5/9/9/9/9/9/9/4K4 b";
    let said = said(None, &format!("uci\nposition fen {mated}\ngo depth 3\n"));
    assert_eq!(those(&said, "bestmove"), ["bestmove (none)"], "{said:?}");
}

#[test]
fn every_go_has_one_answer() {
    let storm = "go infinite\nstop\ngo infinite\ngo ponder wtime 10 btime 10\nponderhit\ngo depth 2\nposition startpos\n\
                 go movetime 1\nucinewgame\ngo ponder depth 1\nstop\nstop\nponderhit\ngo mate 1\n";
    let said = said(None, &format!("uci\n{storm}{storm}"));
    assert_eq!(those(&said, "bestmove ").len(), 14, "{said:?}");
}

#[test]
fn lines_and_chances_are_shown_on_demand() {
    let said = said(
        None,
        "uci\nsetoption name MultiPV value 3\nsetoption name uci_showwdl value true\ngo nodes 3000\nisready\n",
    );
    let infos = those(&said, "info depth 1 ");
    assert_eq!(infos.len(), 3, "{said:?}");
    for (info, rank) in infos.iter().zip(1..) {
        assert!(info.contains(&format!(" multipv {rank} score cp ")) && info.contains(" wdl "), "{info}");
    }
}

#[test]
fn settings_are_checked() {
    let said = said(
        None,
        "uci\nsetoption name Hash value 0\nsetoption name Hash value much\nsetoption name threads value 2\n\
         setoption name Ruleset value wxf2018\nsetoption name Ruleset value mine\nsetoption name Colour value red\n\
         setoption name Move Overhead value 100\nsetoption name Clear Hash\nsetoption name UCI_Ranks value 3\n\
         setoption name Ponder value perhaps\nsetoption name UCI_Variant value go\ngo depth 4\n",
    );
    let remarks = those(&said, "info string");
    assert_eq!(remarks.len(), 7, "{remarks:?}");
    assert!(remarks[0].ends_with("Hash is a whole number from 1 to 65536, found \"0\""), "{remarks:?}");
    assert_eq!(those(&said, "bestmove ").len(), 1);
    assert!(!those(&said, "option name Ruleset type combo default axf var axf").is_empty(), "{said:?}");
}

#[test]
fn a_line_without_end_is_not_kept() {
    let said = said(None, &format!("uci\n{}\nisready\n", "go ".repeat(1 << 20)));
    assert_eq!(those(&said, "info string a line of more than 1048576 bytes was not read").len(), 1);
    assert_eq!(said.last().unwrap(), "readyok");
}

#[test]
fn a_game_of_sixty_four_kilobytes_is_played() {
    let moves = "h0g2 h9g7 g2h0 g7h9 ".repeat(3_300);
    assert!(moves.len() > 1 << 16);
    let position = format!("position startpos moves {moves}");
    let said = said(None, &format!("uci\n{position}\n{position}h2e2\ngo depth 1 searchmoves h9g7\n"));
    assert_eq!(those(&said, "bestmove h9g7").len(), 1, "{:?}", said.last());
}

#[test]
fn ucci_answers_every_command() {
    let said = said(
        None,
        "ucci\nisready\nsetoption usemillisec true\nsetoption batch true\nsetoption hashsize 0\nsetoption bookfiles x\n\
         setoption newgame\nposition startpos moves h2e2\nbanmoves h9g7 b9c7\ngo depth 3\nprobe startpos moves H2-E2\n\
         probe startpos\nposition startpos\ngo depth 0\ngo draw time 50 increment 10 opptime 100 oppincrement 5\nstop\nquit\n",
    );
    assert!(those(&said, "option ").iter().all(|line| line.split(' ').nth(2) == Some("type")), "{said:?}");
    assert_eq!(those(&said, "option usemillisec type check default false").len(), 1);
    assert_eq!((those(&said, "ucciok").len(), those(&said, "readyok").len()), (1, 1));
    let best = those(&said, "bestmove ");
    assert_eq!(best.len(), 2, "{said:?}");
    assert!(!best[0].starts_with("bestmove h9g7") && !best[0].starts_with("bestmove b9c7"), "{best:?}");
    assert!(those(&said, "info depth 3 score ")[0].contains(" pv "), "{said:?}");
    let pops = those(&said, "pophash");
    let first = best[0].split(' ').nth(1).unwrap();
    assert!(pops[0].starts_with(&format!("pophash bestmove {first} lowerbound ")), "{pops:?}");
    assert!(pops[0].contains(" depth 3 upperbound ") && pops[1] == "pophash", "{pops:?}");
    // `depth 0`, and `stop` where nothing is thought about.
    assert_eq!(those(&said, "nobestmove").len(), 2, "{said:?}");
    assert_eq!(those(&said, "info depth 0 score ").len(), 1, "{said:?}");
    assert!(those(&said, "info message").is_empty(), "{said:?}");
    assert_eq!(said.last().unwrap(), "bye");
}

/// What has no end of its own is ended where the input ends, however many such thoughts wait.
#[test]
fn ucci_from_a_file_comes_to_an_end() {
    let said = said(
        None,
        "ucci\ngo infinite\nsetoption batch true\ngo\ngo depth 2\ngo ponder time 1\nponderhit\ngo infinite\n",
    );
    assert_eq!(those(&said, "bestmove ").len(), 5, "{said:?}");
}

#[test]
fn ucci_offers_of_a_draw_are_accepted_where_it_stands_worse() {
    // A chariot up, and a chariot down.
    let fen = "3ak4/9/9/9/9/9/9/9/R8/5K3";
    for (side, accepts) in [("b", true), ("w", false)] {
        let said =
            said(None, &format!("ucci\nsetoption batch on\nposition fen {fen} {side}\ngo draw depth 2\n"));
        assert_eq!(those(&said, "bestmove ")[0].ends_with(" draw"), accepts, "{said:?}");
    }
}

#[test]
fn ucci_speaks_of_xiangqi_alone() {
    let said = said(
        Some("chess"),
        "ucci\nposition fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nposition startpos moves h3e3\nwave\n",
    );
    let messages = those(&said, "info message");
    assert_eq!(messages.len(), 4, "{messages:?}");
    assert!(messages[0].contains("xiangqi alone"));
    assert!(messages[1].ends_with("this is a position of chess, and xiangqi is played"), "{messages:?}");
}

/// Waits for nothing: the answers of GTP come in order whatever it thinks about.
#[test]
fn gtp_answers_every_command() {
    let requests = [
        ("protocol_version", "=1 2"),
        ("name", "=2 Alfil"),
        ("version", "=3 "),
        ("known_command genmove", "=4 true"),
        ("known_command dance", "=5 false"),
        ("list_games", "=6 Othello"),
        ("set_game Othello", "=7 "),
        ("boardsize 8", "=8 "),
        ("boardsize 19", "?9 unacceptable size"),
        ("clear_board", "=10 "),
        ("komi 6.5", "=11 "),
        ("time_settings 0 1 10", "=12 "),
        ("play b f5", "=13 "),
        ("play w f5", "?14 \"f5\" is illegal here: a disc stands on f5"),
        ("play b e6", "?15 it is not black's turn"),
        ("time_left w 1 0", "=16 "),
        ("genmove w", "=17 "),
        ("undo", "=18 "),
        ("reg_genmove white", "=19 "),
        ("gogui-rules_side_to_move", "=20 white"),
        ("gogui-rules_legal_moves", "=21 d6 f4 f6"),
        ("gogui-rules_board_size", "=22 8"),
        ("gogui-rules_game_id", "=23 Othello"),
        ("gogui-rules_final_result", "?24 cannot score"),
        ("showboard", "=25 . . . . . . . ."),
        ("dance", "?26 unknown command"),
        ("genmove red", "?27 expected a colour"),
        ("undo", "=28 "),
        ("undo", "?29 cannot undo"),
        ("quit", "=30 "),
    ];
    let script: String = requests.iter().zip(1..).map(|((line, _), id)| format!("{id} {line}\n")).collect();
    let said = said(None, &format!("list_commands\n\n# nothing\n{script}"));
    let answers: Vec<_> = said.iter().filter(|line| line.starts_with(['=', '?'])).skip(1).collect();
    assert_eq!(answers.len(), requests.len(), "{said:?}");
    for (answer, (line, expected)) in answers.iter().zip(requests) {
        assert!(answer.starts_with(expected), "{line}: {answer}");
    }
    for moves in [answers[16], answers[18]] {
        assert!(["d6", "f4", "f6"].contains(&&moves[4..]), "{moves}");
    }
}

#[test]
fn gtp_passes_and_scores() {
    let refused = said(None, "clear_board\nplay b d3\nplay w pass\nplay b c4\n");
    assert!(
        refused.iter().any(|line| line.starts_with("? ") && line.contains("must not pass")),
        "{refused:?}"
    );
    // The shortest game: Black wipes White out with nine moves.
    let moves = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"];
    let mut script = String::from("clear_board\n");
    for (number, mv) in moves.iter().enumerate() {
        script += &format!("play {} {mv}\n", if number % 2 == 0 { 'b' } else { 'w' });
    }
    let over = said(None, &(script + "final_score\ngenmove w\ngogui-rules_side_to_move\n"));
    let answers: Vec<_> = over.iter().filter(|line| line.starts_with(['=', '?'])).collect();
    assert_eq!(&answers[answers.len() - 3..], ["= B+64", "= pass", "= none"], "{over:?}");
}

#[test]
fn nboard_answers_every_command() {
    let game = "(;GM[Othello]PC[NBoard]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]\
                B[F5//1.2]W[d6];)";
    let said = said(
        None,
        &format!(
            "nboard 2\nset depth 3\nset contempt 0\nset game {game}\nmove C3/0.5/1\nlearn\nwave\nmove C3\nping 1\nset game (;B[a1];)\n\
             set game x\nhint 2\n"
        ),
    );
    assert_eq!(those(&said, "set myname Alfil").len(), 1);
    assert_eq!((those(&said, "learned").len(), those(&said, "pong 1").len()), (1, 1));
    let remarks: Vec<_> =
        those(&said, "status ").into_iter().filter(|line| !line.ends_with("Thinking")).collect();
    assert_eq!(remarks.len(), 4, "{remarks:?}");
    assert!(remarks[1].contains("a disc stands on c3") && remarks[2].contains("move 1: "), "{remarks:?}");
}

#[test]
fn a_level_is_chosen_in_the_words_of_each_protocol() {
    // One ply is all that level 1 looks, however deep it is asked to.
    for (hello, shown) in [
        ("uci\nsetoption name Skill Level value 1\ngo depth 9\n", "info depth "),
        (
            "uci\nsetoption name UCI_LimitStrength value true\nsetoption name uci_elo value 0\ngo depth 9\n",
            "info depth ",
        ),
        ("ucci\nsetoption batch on\nsetoption skilllevel 1\nposition startpos\ngo depth 9\n", "info depth "),
    ] {
        let said = said(None, hello);
        let lines = those(&said, shown);
        assert!(!lines.is_empty() && lines.iter().all(|line| line.starts_with("info depth 1 ")), "{said:?}");
        assert_eq!(those(&said, "bestmove ").len(), 1, "{said:?}");
    }
    let gtp = said(None, "level 1\nlevel 0\nlevel x\nsetoption\ngenmove b\n");
    assert_eq!(gtp[0], "= ", "{gtp:?}");
    assert_eq!(those(&gtp, "? ").len(), 3, "{gtp:?}");
    let uci = said(None, "uci\nsetoption name UCI_Elo value 99999\nsetoption name Skill Level value zero\n");
    assert_eq!(those(&uci, "info string ").len(), 2, "{uci:?}");
    let all = [
        "option name Skill Level type spin default 10 min 1 max 10",
        "option name UCI_LimitStrength type check",
    ];
    assert!(all.iter().all(|option| those(&uci, option).len() == 1), "{uci:?}");
    // Draws and resigning are no matter of UCI.
    assert!(those(&uci, "option name Resign").is_empty() && those(&uci, "option name Draws").is_empty());
}

#[test]
fn a_hopeless_game_is_given_up_on_request() {
    // Two advisers against two chariots, three moves in a row; Red has one legal answer each time, or plays on.
    let fen = "rr1k5/9/9/9/9/9/9/9/9/5K3 w";
    let moves = ["", " moves f0f1 d9d8", " moves f0f1 d9d8 f1f0 d8d9"];
    let ask = |option: &str| {
        let asks = moves.map(|moves| format!("position fen {fen}{moves}\ngo depth 2\n"));
        said(None, &format!("ucci\nsetoption batch on\n{option}\n{}", asks.concat()))
    };
    let plays_on = ask("setoption resign 0");
    assert!(those(&plays_on, "bestmove ").iter().all(|line| !line.ends_with(" resign")), "{plays_on:?}");
    let resigns = ask("setoption resign 600");
    let best = those(&resigns, "bestmove ");
    assert_eq!(best.iter().map(|line| line.ends_with(" resign")).collect::<Vec<_>>(), [false, false, true]);
    // As hopeless, and as far on, but of another game.
    let other = "5k1rr/9/9/9/9/9/9/9/9/3K5 w moves d0d1 f9f8 d1d0 f8f9";
    let asks = [&format!("{fen}{}", moves[0]), &format!("{fen}{}", moves[1]), other]
        .map(|place| format!("position fen {place}\ngo depth 2\n"));
    let two = said(None, &format!("ucci\nsetoption batch on\nsetoption resign 600\n{}", asks.concat()));
    let best = those(&two, "bestmove ");
    assert!(best.len() == 3 && best.iter().all(|line| !line.ends_with(" resign")), "{two:?}");
}

/// A number that makes no sense is refused in the protocol's own way, and what stood before stands.
#[test]
fn numbers_that_make_no_sense_change_nothing() {
    let bad =
        ["st -1", "st 0", "sd 0", "memory 0", "cores 0", "level 40 5 -1", "level 0 0 0", "undo", "remove"];
    let script = format!(
        "xboard\nprotover 2\nnew\nvariant normal\nforce\n{}\nsetboard 4k3/8/8/8/8/8/8/4K2R w K -\n\
                          usermove h1h2\nremove\nusermove e8d8\nsd 1\npost\nst 0\nsd 0\ngo\n",
        bad.join("\n")
    );
    let xboard = said(None, &script);
    let errors = those(&xboard, "Error (");
    // And `remove` after one move, and the two before `go`.
    assert_eq!(errors.len(), bad.len() + 3, "{xboard:?}");
    for (error, line) in errors.iter().zip(bad) {
        assert!(error.ends_with(&format!("): {line}")), "{error}");
    }
    // It stands where it stood, and is played no deeper than was said before.
    assert!(those(&xboard, "Illegal").is_empty() && those(&xboard, "move ").len() == 1, "{xboard:?}");
    assert!(those(&xboard, "2 ").is_empty(), "{xboard:?}");

    let nboard = said(None, "nboard 2\nset depth 2\nset depth 0\nset depth -3\nhint 0\nhint 1\n");
    let remarks: Vec<_> =
        those(&nboard, "status ").into_iter().filter(|line| !line.ends_with("Thinking")).collect();
    assert_eq!(remarks.len(), 3, "{nboard:?}");
    assert!(remarks[0].contains("at least 1") && remarks[2].contains("at least 1"), "{remarks:?}");
    let depths: Vec<_> =
        those(&nboard, "search ").iter().map(|line| line.rsplit(' ').next().unwrap()).collect();
    assert_eq!(depths, ["1", "2"], "{nboard:?}");

    let gtp =
        said(None, "time_settings 0 0 0\ntime_settings -1 0 0\ntime_left b -5 0\nlevel 0\nboardsize 0\n");
    assert_eq!(those(&gtp, "? ").len(), 5, "{gtp:?}");

    let uci = said(
        None,
        "uci\nsetoption name Hash value 0\nsetoption name Threads value 0\nsetoption name MultiPV value 0\n",
    );
    assert_eq!(those(&uci, "info string ").len(), 3, "{uci:?}");
}

/// Every `go` has its answer, and whoever asked for nothing is told what he gets.
#[test]
fn a_thought_without_any_length_is_remarked_on_and_answered() {
    for go in ["depth 0", "nodes 0", "movetime 0", "mate 0 depth 2", "movestogo 0 wtime 100 btime 100"] {
        let uci = said(None, &format!("uci\nposition startpos\ngo {go}\nisready\n"));
        let remarks = those(&uci, "info string ");
        assert!(remarks.len() == 1 && remarks[0].contains("is at least 1, found 0"), "{go}: {uci:?}");
        assert_eq!(those(&uci, "bestmove ").len(), 1, "{go}: {uci:?}");
    }
    for go in ["nodes 0", "movestogo 0 time 1"] {
        let ucci = said(None, &format!("ucci\nsetoption batch on\nposition startpos\ngo {go}\n"));
        let remarks = those(&ucci, "info message ");
        assert!(remarks.len() == 1 && remarks[0].contains("is at least 1, found 0"), "{go}: {ucci:?}");
        assert_eq!(those(&ucci, "bestmove ").len(), 1, "{go}: {ucci:?}");
    }
}
