//! The engine's side of the protocols, without a process around it: what is said to a script.

use std::io::Cursor;

use alfil_hall::dialogue::talk;

/// All that is said to these lines, which end as a closed pipe does.
fn said(game: Option<&str>, script: &str) -> Vec<String> {
    let mut output = Vec::new();
    talk(game, Cursor::new(script.to_owned()), &mut output).unwrap();
    String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
}

/// The lines that begin like this.
fn those<'a>(said: &'a [String], start: &str) -> Vec<&'a str> {
    said.iter().map(String::as_str).filter(|line| line.starts_with(start)).collect()
}

#[test]
fn a_game_that_is_not_known_is_refused() {
    let error = talk(Some("go"), Cursor::new(""), &mut Vec::new()).unwrap_err();
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
