//! The engine side of the protocols without a process: scripts of input lines and the replies to them.

use std::io::Cursor;

use crate::common::{info_strings, replies, with_prefix};
use alfil_engine::protocols::run;
use alfil_session::registry;
use alfil_session::wdl::wdl_permille;

#[test]
fn an_unknown_game_is_an_error() {
    let error = run(Some("go"), Cursor::new(""), &mut Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), "there is no game \"go\": the games are xiangqi, chess, othello");
}

#[test]
fn the_first_known_line_selects_the_protocol() {
    let output = replies(None, "\nwho are you\nisready\nuci\n");
    assert!(output[0].starts_with("unknown protocol: expected uci"), "{output:?}");
    assert_eq!(output[1], "readyok");
    assert!(output.last().unwrap() == "uciok");
}

#[test]
fn uci_plays_all_games() {
    for (variant, position, first) in [
        ("xiangqi", "startpos moves h3e3", "h10g8"),
        ("chess", "startpos moves e2e4", "e7e5"),
        ("chess", "fen 4k3/8/8/8/8/8/8/4K2R w K -", "h1h8"),
        ("othello", "startpos moves f5", "d6"),
        ("flipello", "startpos moves P@f4", "P@d3"),
        ("reversi", "fen ---------------------------OX------XO--------------------------- X", "f5"),
    ] {
        let script = format!(
            "uci\nsetoption name UCI_Variant value {variant}\nposition {position}\ngo depth 3 searchmoves {first}\nisready\n"
        );
        let replies = replies(None, &script);
        let best = with_prefix(&replies, "bestmove ");
        assert_eq!(best.len(), 1, "{replies:?}");
        assert!(best[0].starts_with(&format!("bestmove {first}")), "{variant}: {replies:?}");
        assert!(info_strings(&replies).is_empty(), "{replies:?}");
    }
}

#[test]
fn ranks_from_one_are_an_option() {
    let wrong = replies(None, "uci\nposition startpos moves h3e3\ngo depth 1\n");
    let remarks = info_strings(&wrong);
    assert_eq!(remarks.len(), 2);
    assert!(remarks[0].contains("uci10") && remarks[0].ends_with("(UCI_Ranks is 0-9)"), "{remarks:?}");
    // The hint is only for dialects that the option selects.
    let wrong = replies(None, "uci\nposition startpos moves 炮二平五\ngo depth 1\n");
    assert!(info_strings(&wrong)[0].contains("chinese"), "{wrong:?}");
    let right = replies(
        None,
        "uci\nsetoption name UCI_Ranks value 1-10\nposition startpos moves h3e3 h10g8\ngo depth 2 searchmoves h1g3\n",
    );
    assert!(with_prefix(&right, "bestmove h1g3 ponder ").len() == 1, "{right:?}");
    assert!(with_prefix(&right, "info depth 2")[0].contains(" pv h1g3 "), "{right:?}");
}

/// Programs of the Fairy-Stockfish family set `UCI_Variant` and number ranks from 1; others do not set it.
#[test]
fn a_client_that_sets_the_variant_has_ranks_from_one_unless_it_sets_the_ranks() {
    let best = |options: &str| {
        let replies =
            replies(None, &format!("uci\n{options}position startpos\ngo depth 1 searchmoves h2e2 h3e3\n"));
        let best = with_prefix(&replies, "bestmove ");
        assert_eq!((best.len(), info_strings(&replies).len()), (1, 1), "{replies:?}");
        best[0].to_owned()
    };
    let (variant, ranks) =
        ("setoption name UCI_Variant value xiangqi\n", "setoption name UCI_Ranks value 0-9\n");
    assert_eq!(best(""), "bestmove h2e2");
    assert_eq!(best(variant), "bestmove h3e3");
    assert_eq!(best(&format!("{variant}{ranks}")), "bestmove h2e2");
    assert_eq!(best(&format!("{ranks}{variant}")), "bestmove h2e2");
}

#[test]
fn castling_in_chess960_is_written_as_king_takes_rook() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for (on, mv) in [(false, "e1g1"), (true, "e1h1")] {
        let script = format!(
            "uci\nsetoption name UCI_Variant value chess\nsetoption name UCI_Chess960 value {on}\n\
             position fen {fen}\ngo depth 1 searchmoves {mv}\n"
        );
        let replies = replies(None, &script);
        assert_eq!(with_prefix(&replies, &format!("bestmove {mv}")).len(), 1, "{replies:?}");
    }
}

#[test]
fn a_position_of_another_game_is_rejected_with_a_hint() {
    let chess = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let replies = replies(None, &format!("uci\nposition fen {chess}\nposition fen {chess}x\nposition fen\n"));
    let remarks = info_strings(&replies);
    assert!(remarks[0].ends_with("setoption name UCI_Variant value chess"), "{remarks:?}");
    assert!(remarks[1].contains("expected") && remarks.len() == 3, "{remarks:?}");
}

#[test]
fn an_invalid_line_changes_nothing() {
    let replies = replies(
        None,
        "uci\nposition startpos moves h2e2 h9g7\nbanmoves a0a9\nwave\nsetoption name Hash value x\n\
         go depth 1 searchmoves b9c7 h0g2\n",
    );
    let remarks = info_strings(&replies);
    assert_eq!(remarks.len(), 4, "{remarks:?}");
    assert!(remarks[3].contains("searchmoves: \"b9c7\""), "{remarks:?}");
    assert_eq!(with_prefix(&replies, "bestmove h0g2").len(), 1, "{replies:?}");
}

#[test]
fn a_finished_game_has_no_best_move() {
    let mated = "3k5/4P4/3R5/9/9/9/9/9/9/4K4 b";
    let replies = replies(None, &format!("uci\nposition fen {mated}\ngo depth 3\n"));
    assert_eq!(with_prefix(&replies, "bestmove"), ["bestmove (none)"], "{replies:?}");
}

#[test]
fn every_go_has_one_best_move() {
    let storm = "go infinite\nstop\ngo infinite\ngo ponder wtime 10 btime 10\nponderhit\ngo depth 2\nposition startpos\n\
                 go movetime 1\nucinewgame\ngo ponder depth 1\nstop\nstop\nponderhit\ngo mate 1\n";
    let replies = replies(None, &format!("uci\n{storm}{storm}"));
    assert_eq!(with_prefix(&replies, "bestmove ").len(), 14, "{replies:?}");
}

#[test]
fn multipv_and_wdl_are_optional() {
    let replies = replies(
        None,
        "uci\nsetoption name MultiPV value 3\nsetoption name uci_showwdl value true\ngo depth 1\nisready\n",
    );
    let infos = with_prefix(&replies, "info depth 1 ");
    assert_eq!(infos.len(), 3, "{replies:?}");
    for (info, rank) in infos.iter().zip(1..) {
        assert!(info.contains(&format!(" multipv {rank} score cp ")), "{info}");
        let numbers =
            |after: &str| info.split(after).nth(1).unwrap().split(' ').map_while(|n| n.parse().ok());
        let score = numbers(" cp ").next().unwrap();
        let wdl: Vec<u32> = numbers(" wdl ").take(3).map(|n| n as u32).collect();
        let curve = &registry::info("xiangqi").unwrap().wdl_curve;
        assert_eq!(wdl, wdl_permille(score, None, curve, 0), "{info}");
    }
}

#[test]
fn the_result_of_a_finished_game_is_certain() {
    let full_board = format!("{} X", "X".repeat(64));
    for (variant, position, wdl) in [
        ("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", " score cp 0 wdl 0 1000 0 "),
        ("chess", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", " wdl 0 0 1000 "),
        ("othello", full_board.as_str(), " wdl 1000 0 0 "),
    ] {
        let script = format!(
            "uci\nsetoption name UCI_Variant value {variant}\nsetoption name UCI_ShowWDL value true\n\
             position fen {position}\ngo depth 1\n"
        );
        let replies = replies(None, &script);
        let infos = with_prefix(&replies, "info depth 0 ");
        assert!(infos.len() == 1 && infos[0].contains(wdl), "{replies:?}");
    }
}

#[test]
fn a_position_whose_moves_are_banned_has_no_certain_result() {
    let script = "uci\nsetoption name UCI_Variant value chess\nsetoption name UCI_ShowWDL value true\n\
                  position startpos\nbanmoves a2a3 a2a4 b2b3 b2b4 c2c3 c2c4 d2d3 d2d4 e2e3 e2e4 f2f3 f2f4 g2g3 g2g4 \
                  h2h3 h2h4 b1a3 b1c3 g1f3 g1h3\ngo depth 3\n";
    let replies = replies(None, script);
    assert_eq!(with_prefix(&replies, "bestmove"), ["bestmove (none)"], "{replies:?}");
    let infos = with_prefix(&replies, "info depth 0 ");
    assert!(infos.len() == 1 && infos[0].contains(" wdl "), "{replies:?}");
    assert!(!infos[0].contains(" wdl 1000 0 0"), "{replies:?}");
}

#[test]
fn ucci_plays_no_banned_move() {
    let position = "position fen 3ak4/9/9/9/9/9/9/9/4R4/4K4 b - - 0 1\n";
    let played = |script: &str| replies(None, &format!("ucci\n{position}{script}go depth 3\n"));
    let moves = ["d9e8", "e9d8", "e9f9"];
    assert!(with_prefix(&played(""), "bestmove ").len() == 1);
    let replies = played(&format!("banmoves {}\n", moves.join(" ")));
    assert_eq!(with_prefix(&replies, "nobestmove").len(), 1, "{replies:?}");
    // A move that is not legal leaves the others banned.
    assert_eq!(
        with_prefix(&replies, "info message banmoves: \"e9d8\" is illegal here").len(),
        1,
        "{replies:?}"
    );
}

#[test]
fn the_thinking_line_of_reversi_has_one_notation() {
    let script =
        "xboard\nprotover 2\nnew\nvariant reversi\noption OwnBook=0\npost\nsd 4\nst 60\nusermove P@f5\n";
    let replies = replies(None, script);
    let moves = |line: &str| line.split_whitespace().skip(4).map(str::to_owned).collect::<Vec<_>>();
    let lines: Vec<_> = with_prefix(&replies, "4 ").into_iter().map(moves).collect();
    assert!(lines.last().is_some_and(|line| line.len() > 1), "{replies:?}");
    assert!(lines.iter().flatten().all(|mv| mv.starts_with("P@") || mv == "@@@@"), "{replies:?}");
}

/// `edit` is that of GUIs older than `setboard`. Its pieces are no commands, and the engine does not play on from the
/// position before.
#[test]
fn edit_refuses_the_position_up_to_the_next_one() {
    let script =
        "xboard\nprotover 2\nnew\nsd 1\nforce\nedit\n#\nKe1\nc\nKe8\n.\ngo\nnew\nusermove e2e4\nping 1\n";
    let replies = replies(None, script);
    let errors = with_prefix(&replies, "Error ");
    assert_eq!(errors.len(), 2, "{replies:?}");
    assert!(errors[0].ends_with("edit is not supported: use setboard): edit"), "{errors:?}");
    assert!(errors[1].contains("there is no position"), "{errors:?}");
    assert_eq!(with_prefix(&replies, "move ").len(), 1, "{replies:?}");
}

#[test]
fn option_values_are_checked() {
    let replies = replies(
        None,
        "uci\nsetoption name Hash value 0\nsetoption name Hash value much\nsetoption name threads value 2\n\
         setoption name Ruleset value wxf2018\nsetoption name Ruleset value mine\nsetoption name Colour value red\n\
         setoption name Move Overhead value 100\nsetoption name Clear Hash\nsetoption name UCI_Ranks value 3\n\
         setoption name Ponder value perhaps\nsetoption name UCI_Variant value go\ngo depth 4\n",
    );
    let remarks = info_strings(&replies);
    assert_eq!(remarks.len(), 7, "{remarks:?}");
    assert!(remarks[0].ends_with("Hash is a whole number from 1 to 65536, found \"0\""), "{remarks:?}");
    assert_eq!(with_prefix(&replies, "bestmove ").len(), 1);
    assert!(
        !with_prefix(&replies, "option name Ruleset type combo default axf var axf").is_empty(),
        "{replies:?}"
    );
}

#[test]
fn an_overlong_line_is_discarded() {
    let replies = replies(None, &format!("uci\n{}\nisready\n", "go ".repeat(1 << 20)));
    assert_eq!(with_prefix(&replies, "info string a line of more than 1048576 bytes was not read").len(), 1);
    assert_eq!(replies.last().unwrap(), "readyok");
}

#[test]
fn a_game_of_sixty_four_kilobytes_is_played() {
    let moves = "h0g2 h9g7 g2h0 g7h9 ".repeat(3_300);
    assert!(moves.len() > 1 << 16);
    let position = format!("position startpos moves {moves}");
    let replies = replies(None, &format!("uci\n{position}\n{position}h2e2\ngo depth 1 searchmoves h9g7\n"));
    assert_eq!(with_prefix(&replies, "bestmove h9g7").len(), 1, "{:?}", replies.last());
}

#[test]
fn ucci_answers_every_command() {
    let replies = replies(
        None,
        "ucci\nisready\nsetoption usemillisec true\nsetoption batch true\nsetoption hashsize 0\nsetoption bookfiles x\n\
         setoption newgame\nposition startpos moves h2e2\nbanmoves h9g7 b9c7\ngo depth 3\nprobe startpos moves H2-E2\n\
         probe startpos\nposition startpos\ngo depth 0\ngo draw time 50 increment 10 opptime 100 oppincrement 5\nstop\nquit\n",
    );
    assert!(
        with_prefix(&replies, "option ").iter().all(|line| line.split(' ').nth(2) == Some("type")),
        "{replies:?}"
    );
    assert_eq!(with_prefix(&replies, "option usemillisec type check default false").len(), 1);
    assert_eq!((with_prefix(&replies, "ucciok").len(), with_prefix(&replies, "readyok").len()), (1, 1));
    let best = with_prefix(&replies, "bestmove ");
    assert_eq!(best.len(), 2, "{replies:?}");
    assert!(!best[0].starts_with("bestmove h9g7") && !best[0].starts_with("bestmove b9c7"), "{best:?}");
    assert!(with_prefix(&replies, "info depth 3 score ")[0].contains(" pv "), "{replies:?}");
    let pops = with_prefix(&replies, "pophash");
    let first = best[0].split(' ').nth(1).unwrap();
    assert!(pops[0].starts_with(&format!("pophash bestmove {first} lowerbound ")), "{pops:?}");
    assert!(pops[0].contains(" depth 3 upperbound ") && pops[1] == "pophash", "{pops:?}");
    // For `depth 0`, and for `stop` without a search.
    assert_eq!(with_prefix(&replies, "nobestmove").len(), 2, "{replies:?}");
    assert_eq!(with_prefix(&replies, "info depth 0 score ").len(), 1, "{replies:?}");
    assert!(with_prefix(&replies, "info message").is_empty(), "{replies:?}");
    assert_eq!(replies.last().unwrap(), "bye");
}

/// Unlimited searches end with the input, even if several wait.
#[test]
fn ucci_from_a_file_ends() {
    let replies = replies(
        None,
        "ucci\ngo infinite\nsetoption batch true\ngo\ngo depth 2\ngo ponder time 1\nponderhit\ngo infinite\n",
    );
    assert_eq!(with_prefix(&replies, "bestmove ").len(), 5, "{replies:?}");
}

#[test]
fn ucci_accepts_draws_in_worse_positions() {
    // Red is a rook up.
    let fen = "3ak4/9/9/9/9/9/9/9/R8/5K3";
    for (side, is_accepted) in [("b", true), ("w", false)] {
        let replies =
            replies(None, &format!("ucci\nsetoption batch on\nposition fen {fen} {side}\ngo draw depth 2\n"));
        assert_eq!(with_prefix(&replies, "bestmove ")[0].ends_with(" draw"), is_accepted, "{replies:?}");
    }
}

#[test]
fn ucci_supports_only_xiangqi() {
    let replies = replies(
        Some("chess"),
        "ucci\nposition fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nposition startpos moves h3e3\nwave\n",
    );
    let messages = with_prefix(&replies, "info message");
    assert_eq!(messages.len(), 4, "{messages:?}");
    assert!(messages[0].contains("UCCI supports only xiangqi"));
    assert!(
        messages[1].ends_with("this is a position of chess, but the current game is xiangqi"),
        "{messages:?}"
    );
}

/// The script need not wait: replies of GTP come in order even during a search.
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
        ("play w f5", "?14 \"f5\""),
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
    let replies = replies(None, &format!("list_commands\n\n# nothing\n{script}"));
    let answers: Vec<_> = replies.iter().filter(|line| line.starts_with(['=', '?'])).skip(1).collect();
    assert_eq!(answers.len(), requests.len(), "{replies:?}");
    for (answer, (line, expected)) in answers.iter().zip(requests) {
        assert!(answer.starts_with(expected), "{line}: {answer}");
    }
    for moves in [answers[16], answers[18]] {
        assert!(["d6", "f4", "f6"].contains(&&moves[4..]), "{moves}");
    }
}

#[test]
fn gtp_passes_and_scores() {
    let illegal = replies(None, "clear_board\nplay b d3\nplay w pass\nplay b c4\n");
    assert!(illegal.iter().any(|line| line.starts_with("? \"pass\"")), "{illegal:?}");
    // The shortest game: Black takes all white discs in nine moves.
    let moves = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"];
    let mut script = String::from("clear_board\n");
    for (number, mv) in moves.iter().enumerate() {
        script += &format!("play {} {mv}\n", if number % 2 == 0 { 'b' } else { 'w' });
    }
    let finished = replies(None, &(script.clone() + "final_score\ngenmove w\ngogui-rules_side_to_move\n"));
    let answers: Vec<_> = finished.iter().filter(|line| line.starts_with(['=', '?'])).collect();
    assert_eq!(&answers[answers.len() - 3..], ["= B+64", "= pass", "= none"], "{finished:?}");
    // The controller takes back its passes after the end first.
    let undone = replies(
        None,
        &(script + "genmove w\nplay b PASS\nundo\nundo\nfinal_score\nundo\ngogui-rules_side_to_move\n"),
    );
    let answers: Vec<_> = undone.iter().filter(|line| line.starts_with(['=', '?'])).collect();
    let expected = ["= pass", "= ", "= ", "= ", "= B+64", "= ", "= black"];
    assert_eq!(&answers[answers.len() - expected.len()..], expected, "{undone:?}");
}

#[test]
fn gtp_undo_takes_back_a_pass_that_was_left_out() {
    // Black has no move after these, and a controller may leave out the pass.
    let mut script = String::from("clear_board\n");
    for (number, mv) in ["c4", "c3", "f5", "b4", "a4", "a5", "b2", "a3"].iter().enumerate() {
        script += &format!("play {} {mv}\n", if number % 2 == 0 { 'b' } else { 'w' });
    }
    let side = "gogui-rules_side_to_move\n";
    script += &format!(
        "reg_genmove w\n{side}play w c1\n{side}undo\n{side}undo\n{side}play w a3\nplay b pass\n{side}undo\n{side}"
    );
    let answers = replies(None, &script);
    let sides: Vec<_> = answers.iter().filter(|line| *line == "= black" || *line == "= white").collect();
    assert_eq!(sides, ["= black", "= black", "= black", "= white", "= white", "= black"], "{answers:?}");
    assert!(!answers.iter().any(|line| line.starts_with('?')), "{answers:?}");
}

#[test]
fn an_illegal_move_does_not_end_the_analysis_of_cecp() {
    let answers =
        replies(None, "xboard\nprotover 2\nnew\nvariant normal\nanalyze\nusermove e2e5\n.\nexit\nping 1\n");
    assert!(answers.iter().any(|line| line.starts_with("Illegal move")), "{answers:?}");
    let illegal = answers.iter().position(|line| line.starts_with("Illegal move")).unwrap();
    assert!(answers[illegal..].iter().any(|line| line.starts_with("stat01: ")), "{answers:?}");
}

#[test]
fn a_new_game_does_not_end_the_analysis_of_cecp() {
    for new in ["new", "new\nvariant xiangqi"] {
        let answers = replies(None, &format!("xboard\nprotover 2\nnew\nanalyze\n{new}\n.\nexit\n"));
        assert_eq!(with_prefix(&answers, "stat01: ").len(), 1, "{new}: {answers:?}");
    }
}

#[test]
fn uci_marks_bounds_and_gives_no_probabilities_for_them() {
    // The solver knows the winner before the score.
    let position = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    let answers = replies(
        None,
        &format!(
            "uci\nsetoption name UCI_Variant value othello\nsetoption name UCI_ShowWDL value true\nposition fen {position}\ngo depth 30\n"
        ),
    );
    let infos = with_prefix(&answers, "info depth ");
    let (bounds, exact): (Vec<&str>, Vec<&str>) = infos.iter().partition(|line| line.contains("bound "));
    assert!(!bounds.is_empty() && !exact.is_empty(), "{answers:?}");
    assert!(bounds.iter().all(|line| !line.contains(" wdl ")), "{bounds:?}");
    assert!(exact.iter().all(|line| line.contains(" wdl ")), "{exact:?}");
}

#[test]
fn nboard_answers_every_command() {
    let game = "(;GM[Othello]PC[NBoard]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]\
                B[F5//1.2]W[d6];)";
    let replies = replies(
        None,
        &format!(
            "nboard 2\nset depth 3\nset contempt 0\nset game {game}\nmove C3/0.5/1\nlearn\nwave\nmove C3\nping 1\nset game (;B[a1];)\n\
             set game x\nhint 2\n"
        ),
    );
    assert_eq!(with_prefix(&replies, "set myname Alfil").len(), 1);
    assert_eq!((with_prefix(&replies, "learned").len(), with_prefix(&replies, "pong 1").len()), (1, 1));
    let remarks: Vec<_> =
        with_prefix(&replies, "status ").into_iter().filter(|line| !line.ends_with("Thinking")).collect();
    // The hint is refused too, because the last game was.
    assert_eq!(remarks.len(), 5, "{remarks:?}");
    assert!(remarks[1].contains("c3") && remarks[2].contains("move 1: "), "{remarks:?}");
    assert!(remarks[4].contains("there is no position"), "{remarks:?}");
}

#[test]
fn each_protocol_sets_the_skill_level() {
    // Level 1 searches one ply, whatever depth is requested.
    for (hello, shown) in [
        ("uci\nsetoption name Skill Level value 1\ngo depth 9\n", "info depth "),
        (
            "uci\nsetoption name UCI_LimitStrength value true\nsetoption name uci_elo value 0\ngo depth 9\n",
            "info depth ",
        ),
        ("ucci\nsetoption batch on\nsetoption skilllevel 1\nposition startpos\ngo depth 9\n", "info depth "),
    ] {
        let replies = replies(None, hello);
        let lines = with_prefix(&replies, shown);
        assert!(
            !lines.is_empty() && lines.iter().all(|line| line.starts_with("info depth 1 ")),
            "{replies:?}"
        );
        assert_eq!(with_prefix(&replies, "bestmove ").len(), 1, "{replies:?}");
    }
    let gtp = replies(None, "level 1\nlevel 0\nlevel x\nsetoption\ngenmove b\n");
    assert_eq!(gtp[0], "= ", "{gtp:?}");
    assert_eq!(with_prefix(&gtp, "? ").len(), 3, "{gtp:?}");
    let uci =
        replies(None, "uci\nsetoption name UCI_Elo value 99999\nsetoption name Skill Level value zero\n");
    assert_eq!(info_strings(&uci).len(), 2, "{uci:?}");
    let all = [
        "option name Skill Level type spin default 10 min 1 max 10",
        "option name UCI_LimitStrength type check",
    ];
    assert!(all.iter().all(|option| with_prefix(&uci, option).len() == 1), "{uci:?}");
    // UCI has no options for draws and resignation.
    assert!(
        with_prefix(&uci, "option name Resign").is_empty()
            && with_prefix(&uci, "option name Draws").is_empty()
    );
}

#[test]
fn lost_games_are_resigned_if_enabled() {
    // Two advisors against two rooks, three moves in a row. Red has a single legal answer each time.
    let fen = "rr1k5/9/9/9/9/9/9/9/9/5K3 w";
    let moves = ["", " moves f0f1 d9d8", " moves f0f1 d9d8 f1f0 d8d9"];
    let play = |option: &str| {
        let commands = moves.map(|moves| format!("position fen {fen}{moves}\ngo depth 2\n"));
        replies(None, &format!("ucci\nsetoption batch on\n{option}\n{}", commands.concat()))
    };
    let plays_on = play("setoption resign 0");
    assert!(
        with_prefix(&plays_on, "bestmove ").iter().all(|line| !line.ends_with(" resign")),
        "{plays_on:?}"
    );
    let resigning = play("setoption resign 600");
    let best = with_prefix(&resigning, "bestmove ");
    assert_eq!(best.iter().map(|line| line.ends_with(" resign")).collect::<Vec<_>>(), [false, false, true]);
    // A position of another game, just as lost and at the same ply.
    let other = "5k1rr/9/9/9/9/9/9/9/9/3K5 w moves d0d1 f9f8 d1d0 f8f9";
    let commands = [&format!("{fen}{}", moves[0]), &format!("{fen}{}", moves[1]), other]
        .map(|place| format!("position fen {place}\ngo depth 2\n"));
    let two =
        replies(None, &format!("ucci\nsetoption batch on\nsetoption resign 600\n{}", commands.concat()));
    let best = with_prefix(&two, "bestmove ");
    assert!(best.len() == 3 && best.iter().all(|line| !line.ends_with(" resign")), "{two:?}");
}

/// Each protocol rejects invalid numbers in its own way and keeps the old value.
#[test]
fn invalid_numbers_change_nothing() {
    let bad =
        ["st -1", "st 0", "sd 0", "memory 0", "cores 0", "level 40 5 -1", "level 0 0 0", "undo", "remove"];
    let script = format!(
        "xboard\nprotover 2\nnew\nvariant normal\nforce\n{}\nsetboard 4k3/8/8/8/8/8/8/4K2R w K -\n\
                          usermove h1h2\nremove\nusermove e8d8\nsd 1\npost\nst 0\nsd 0\ngo\n",
        bad.join("\n")
    );
    let xboard = replies(None, &script);
    let errors = with_prefix(&xboard, "Error (");
    // Also `remove` after one move, and the two commands before `go`.
    assert_eq!(errors.len(), bad.len() + 3, "{xboard:?}");
    for (error, line) in errors.iter().zip(bad) {
        assert!(error.ends_with(&format!("): {line}")), "{error}");
    }
    // The position and the depth limit are unchanged.
    assert!(
        with_prefix(&xboard, "Illegal").is_empty() && with_prefix(&xboard, "move ").len() == 1,
        "{xboard:?}"
    );
    assert!(with_prefix(&xboard, "2 ").is_empty(), "{xboard:?}");

    let nboard = replies(None, "nboard 2\nset depth 2\nset depth 0\nset depth -3\nhint 0\nhint 1\n");
    let remarks: Vec<_> =
        with_prefix(&nboard, "status ").into_iter().filter(|line| !line.ends_with("Thinking")).collect();
    assert_eq!(remarks.len(), 3, "{nboard:?}");
    assert!(remarks[0].contains("at least 1") && remarks[2].contains("at least 1"), "{remarks:?}");
    let depths: Vec<_> =
        with_prefix(&nboard, "search ").iter().map(|line| line.rsplit(' ').next().unwrap()).collect();
    assert_eq!(depths, ["1", "2"], "{nboard:?}");

    let gtp =
        replies(None, "time_settings 0 0 0\ntime_settings -1 0 0\ntime_left b -5 0\nlevel 0\nboardsize 0\n");
    assert_eq!(with_prefix(&gtp, "? ").len(), 5, "{gtp:?}");

    let uci = replies(
        None,
        "uci\nsetoption name Hash value 0\nsetoption name Threads value 0\nsetoption name MultiPV value 0\n",
    );
    assert_eq!(info_strings(&uci).len(), 3, "{uci:?}");
}

/// Every `go` gets a best move, and a limit of zero is reported.
#[test]
fn a_zero_limit_is_reported_and_answered() {
    for go in ["depth 0", "nodes 0", "movetime 0", "mate 0 depth 2"] {
        let uci = replies(None, &format!("uci\nposition startpos\ngo {go}\nisready\n"));
        let remarks = info_strings(&uci);
        assert!(remarks[0].contains("is at least 1, found 0"), "{go}: {uci:?}");
        let others: &[&str] =
            if go.starts_with("mate") { &["info string no mate in 1 was found"] } else { &[] };
        assert_eq!(remarks[1..], *others, "{go}: {uci:?}");
        assert_eq!(with_prefix(&uci, "bestmove ").len(), 1, "{go}: {uci:?}");
    }
    // Without moves to the next time control there is none.
    for (go, expected) in [("nodes 0", &["is at least 1, found 0"][..]), ("movestogo 0 time 1", &[])] {
        let ucci = replies(None, &format!("ucci\nsetoption batch on\nposition startpos\ngo {go}\n"));
        let remarks = with_prefix(&ucci, "info message ");
        assert!(remarks.len() == expected.len(), "{go}: {ucci:?}");
        assert!(remarks.iter().zip(expected).all(|(text, part)| text.contains(part)), "{go}: {ucci:?}");
        assert_eq!(with_prefix(&ucci, "bestmove ").len(), 1, "{go}: {ucci:?}");
    }
}

#[test]
fn moves_of_the_opening_book_are_announced_and_can_be_switched_off() {
    let uci = |options: &str, go: &str| {
        let script =
            format!("uci\nsetoption name UCI_Variant value othello\n{options}position startpos\n{go}\n");
        let replies = replies(None, &script);
        assert_eq!(with_prefix(&replies, "bestmove ").len(), 1, "{replies:?}");
        info_strings(&replies).contains(&"info string a move of the opening book")
    };
    assert!(uci("", "go movetime 50"));
    assert!(uci("", "go wtime 1000 btime 1000"));
    assert!(!uci("setoption name OwnBook value false\n", "go movetime 50"));
    assert!(!uci("setoption name MultiPV value 2\n", "go movetime 50"));
    for search in [
        "go depth 2",
        "go nodes 50",
        "go movetime 50 depth 2",
        "go movetime 50 searchmoves f5",
        "go movetime 50 mate 3",
        "go infinite movetime 50\nstop",
    ] {
        assert!(!uci("", search), "{search}");
    }

    let nboard = |go: &str| {
        let replies = replies(None, &format!("nboard 2\nset depth 2\n{go}\n"));
        with_prefix(&replies, "status Book").len()
    };
    assert_eq!((nboard("go"), nboard("hint 1"), nboard("analyze")), (1, 0, 0));

    let gtp = replies(Some("othello"), "genmove b\n");
    assert!(gtp[0].starts_with("= "), "{gtp:?}");
    let cecp = |option: &str| {
        let script = format!("xboard\nprotover 2\nnew\nvariant reversi\n{option}post\nst 1\nusermove P@f5\n");
        let replies = replies(None, &script);
        assert_eq!(with_prefix(&replies, "move ").len(), 1, "{replies:?}");
        // The depth, the score, the time and the nodes of a line.
        replies.iter().any(|line| line.starts_with("0 ") && line.split(' ').nth(3) == Some("0"))
    };
    assert!(cecp(""));
    assert!(!cecp("option OwnBook=0\nsd 2\n"));
}
