//! A game of chess at a desk, as a page plays it: by gestures, with castling and promotion, to mate.

use std::sync::mpsc;

use alfil_engine::SearchEvent;
use alfil_kernel::{Outcome, Side, Waivers};
use alfil_session::SearchLimits;
use alfil_session::game_session::{BoardChange, GameSession};
use alfil_session::registry;

fn desk(board: &str, fen: &str) -> Box<dyn GameSession> {
    let mut desk = registry::open("chess", Some(board)).unwrap();
    desk.open(fen, &Waivers::None).unwrap();
    desk
}

/// Takes a man up, sets it down, and chooses where a choice is to be made.
fn gesture(desk: &mut dyn GameSession, from: &str, to: &str, choice: Option<char>) -> Vec<BoardChange> {
    let targets = desk.targets(Some(from));
    let meant: Vec<_> = targets
        .iter()
        .filter(|target| target.to.as_deref() == Some(to) && target.promotion == choice)
        .collect();
    assert_eq!(meant.len(), 1, "{from} to {to} {choice:?} among {targets:?}");
    let step = desk.play(&meant[0].text, None).unwrap();
    assert_eq!(step.board_changes, meant[0].board_changes);
    step.board_changes
}

fn best(desk: &dyn GameSession, level: Option<u32>) -> String {
    let (sender, heard) = mpsc::channel();
    let limits = SearchLimits { nodes: Some(20_000), level, ..SearchLimits::default() };
    alfil_engine::start_search(desk, &limits, Box::new(move |thought| drop(sender.send(thought))))
        .unwrap()
        .join();
    let best = heard.try_iter().find_map(|thought| match thought {
        SearchEvent::BestMove(best) => best,
        SearchEvent::Info { .. } | SearchEvent::Failed(_) => None,
    });
    best.expect("a move, while the game goes on")
}

#[test]
fn a_person_castles_promotes_and_mates_the_weak_computer() {
    for board in ["bitboard", "mailbox"] {
        let mut desk = desk(board, "startpos");
        let opening = [
            ("e2", "e4", None),
            ("d7", "d5", None),
            ("e4", "d5", None),
            ("c7", "c6", None),
            ("d5", "c6", None),
            ("e7", "e5", None),
            ("c6", "b7", None),
            ("g8", "f6", None),
            ("b7", "a8", Some('Q')),
            ("f8", "e7", None),
            ("g1", "f3", None),
            // By two squares.
            ("e8", "g8", None),
            ("f1", "c4", None),
            ("d8", "d6", None),
            // Onto the rook.
            ("e1", "h1", None),
        ];
        for (from, to, choice) in opening {
            gesture(desk.as_mut(), from, to, choice);
        }
        assert_eq!(desk.view().last_move, ["e1", "g1"]);
        assert_eq!(
            desk.played_moves(Some("san")).unwrap().join(" "),
            "e4 d5 exd5 c6 dxc6 e5 cxb7 Nf6 bxa8=Q Be7 Nf3 O-O Bc4 Qd6 O-O"
        );
        while desk.game_end().is_none() {
            let level = (desk.view().side_to_move == Side::Second).then_some(1);
            let text = best(desk.as_ref(), level);
            desk.play(&text, None).unwrap();
        }
        let ending = desk.game_end().unwrap();
        assert_eq!((ending.outcome, ending.cause.as_str()), (Outcome::Win(Side::First), "checkmate"));
        assert_eq!(ending.message, "Checkmate: White wins");
        assert!(desk.played_moves(Some("san")).unwrap().last().unwrap().ends_with('#'));
        assert_eq!((desk.view().checked_king.is_some(), desk.targets(None).len()), (true, 0));
        while desk.undo().is_some() {}
        assert_eq!(desk.view().fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    }
}

#[test]
fn castling_is_shown_by_either_gesture_where_both_mean_it() {
    let goals = |fen: &str, king: &str| {
        let targets = desk("bitboard", fen).targets(Some(king));
        // Castling is what moves two men of one's own.
        let castling = targets.into_iter().filter(|target| target.board_changes.len() == 4);
        castling.map(|target| format!("{} {}", target.text, target.to.unwrap())).collect::<Vec<_>>()
    };
    let both = goals("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1");
    assert_eq!(both, ["e1c1 c1", "e1c1 a1", "e1g1 g1", "e1g1 h1"]);
    // The king goes from f1 to g1 whether it castles or not.
    assert_eq!(goals("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1", "f1"), ["f1a1 c1", "f1a1 a1", "f1h1 h1"]);
    // It stays, and the rook goes over it.
    assert_eq!(goals("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1"), ["g1h1 h1"]);
    // It goes where its rook stands.
    assert_eq!(goals("4k3/8/8/8/8/8/8/2R1K3 w C - 0 1", "e1"), ["e1c1 c1"]);
}

#[test]
fn promotion_offers_four_men_of_the_right_colour() {
    for (fen, square, men) in [
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7", ['B', 'N', 'Q', 'R']),
        ("7k/8/8/8/8/8/p7/7K b - - 0 1", "a2", ['b', 'n', 'q', 'r']),
    ] {
        let mut desk = desk("mailbox", fen);
        let choices: Vec<_> =
            desk.targets(Some(square)).iter().filter_map(|target| target.promotion).collect();
        assert_eq!(choices, men);
        assert!(choices.iter().all(|&letter| desk.appearance().piece(letter).is_some()));
        let to = format!("a{}", if square == "a7" { 8 } else { 1 });
        let script = gesture(desk.as_mut(), square, &to, Some(men[1]));
        assert_eq!(script.last(), Some(&BoardChange::Put(to, men[1])));
    }
}

#[test]
fn a_line_is_written_up_to_the_first_move_that_cannot_be_played() {
    for board in ["bitboard", "mailbox"] {
        let desk = desk(board, "startpos");
        let line = ["e2e4", "e7e5", "g1f3", "e5e4", "b8c6"].map(String::from);
        assert_eq!(desk.format_line(&line, Some("san")).unwrap(), ["e4", "e5", "Nf3"]);
        assert_eq!(desk.format_line(&line, None).unwrap(), line[..3]);
        assert!(desk.format_line(&[], Some("klingon")).is_err());
        assert_eq!(desk.view().ply, 0);
    }
}

#[test]
fn every_ending_is_said_in_words() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    for (fen, moves, words) in [
        (start, "f2f3 e7e5 g2g4 d8h4", "Checkmate: Black wins"),
        (start, shuffle, "Drawn: the position stands for the third time"),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6f7", "Stalemate: Black has no move and is not in check, drawn"),
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1e2", "Drawn: neither side has the men to mate"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "e1e2", "Drawn: fifty moves without a capture or a pawn move"),
    ] {
        let mut desk = desk("bitboard", fen);
        assert_eq!(desk.view().game_end, None, "{fen}");
        moves.split_whitespace().for_each(|text| drop(desk.play(text, None).unwrap()));
        assert_eq!(desk.view().status, words);
    }
}

#[test]
fn men_set_up_by_hand_may_castle_where_they_stand_at_home() {
    let desk = desk("bitboard", "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1");
    let mut men = desk.view().pieces;
    let composed = |men: &[(String, char)]| desk.text_from_pieces(men, Side::First);
    assert_eq!(composed(&men), "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    men.retain(|(square, _)| square != "a1" && square != "e8");
    assert_eq!(composed(&men), "r6r/8/8/8/8/8/8/4K2R w K - 0 1");
}
