//! A game of chess in a session as a user interface plays it: by gestures, with castling and promotion, to mate.

use std::sync::mpsc;

use alfil_engine::SearchEvent;
use alfil_kernel::{Outcome, Side, Waivers};
use alfil_session::{BoardChange, GameSession, SearchLimits, registry};

fn session(board: &str, fen: &str) -> Box<dyn GameSession> {
    let mut session = registry::open("chess", Some(board)).unwrap();
    session.open(fen, &Waivers::None).unwrap();
    session
}

/// Drags a piece to a square, with a promotion where one is needed.
fn gesture(session: &mut dyn GameSession, from: &str, to: &str, promotion: Option<char>) -> Vec<BoardChange> {
    let targets = session.targets(Some(from));
    let matching: Vec<_> = targets
        .iter()
        .filter(|target| target.to.as_deref() == Some(to) && target.promotion == promotion)
        .collect();
    assert_eq!(matching.len(), 1, "{from} to {to} {promotion:?} among {targets:?}");
    let result = session.play(&matching[0].text, None).unwrap();
    assert_eq!(result.board_changes, matching[0].board_changes);
    result.board_changes
}

fn best_move(session: &dyn GameSession, level: Option<u32>) -> String {
    let (sender, events) = mpsc::channel();
    let limits = SearchLimits { nodes: Some(20_000), level, ..SearchLimits::default() };
    alfil_engine::start_search(session, &limits, Box::new(move |event| drop(sender.send(event))))
        .unwrap()
        .join();
    let best_move = events.try_iter().find_map(|event| match event {
        SearchEvent::BestMove(best_move) => best_move,
        SearchEvent::Info { .. } | SearchEvent::Failed(_) => None,
    });
    best_move.expect("the game is not over")
}

#[test]
fn a_game_with_castling_and_promotion_ends_in_mate() {
    for board in ["bitboard", "mailbox"] {
        let mut session = session(board, "startpos");
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
            // Castling by a move of two squares.
            ("e8", "g8", None),
            ("f1", "c4", None),
            ("d8", "d6", None),
            // Castling by a move onto the rook.
            ("e1", "h1", None),
        ];
        for (from, to, promotion) in opening {
            gesture(session.as_mut(), from, to, promotion);
        }
        assert_eq!(session.view().last_move, ["e1", "g1"]);
        assert_eq!(
            session.played_moves(Some("san")).unwrap().join(" "),
            "e4 d5 exd5 c6 dxc6 e5 cxb7 Nf6 bxa8=Q Be7 Nf3 O-O Bc4 Qd6 O-O"
        );
        while session.game_end().is_none() {
            let level = (session.view().side_to_move == Side::Second).then_some(1);
            let text = best_move(session.as_ref(), level);
            session.play(&text, None).unwrap();
        }
        let end = session.game_end().unwrap();
        assert_eq!((end.outcome, end.cause.as_str()), (Outcome::Win(Side::First), "checkmate"));
        assert_eq!(end.message, "Checkmate: White wins");
        assert!(session.played_moves(Some("san")).unwrap().last().unwrap().ends_with('#'));
        assert_eq!((session.view().checked_king.is_some(), session.targets(None).len()), (true, 0));
        while session.undo().is_some() {}
        assert_eq!(session.view().fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    }
}

#[test]
fn castling_has_two_gestures_where_both_are_unambiguous() {
    let gestures = |fen: &str, king: &str| {
        let targets = session("bitboard", fen).targets(Some(king));
        // Only castling changes two own pieces: four board changes.
        let castling = targets.into_iter().filter(|target| target.board_changes.len() == 4);
        castling.map(|target| format!("{} {}", target.text, target.to.unwrap())).collect::<Vec<_>>()
    };
    let both = gestures("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1");
    assert_eq!(both, ["e1c1 c1", "e1c1 a1", "e1g1 g1", "e1g1 h1"]);
    // The king's move from f1 to g1 is also a normal move.
    assert_eq!(gestures("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1", "f1"), ["f1a1 c1", "f1a1 a1", "f1h1 h1"]);
    // The king stays, and the rook jumps over it.
    assert_eq!(gestures("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1"), ["g1h1 h1"]);
    // The king moves to the square of its rook.
    assert_eq!(gestures("4k3/8/8/8/8/8/8/2R1K3 w C - 0 1", "e1"), ["e1c1 c1"]);
}

#[test]
fn promotion_offers_four_pieces_of_the_own_colour() {
    for (fen, square, pieces) in [
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7", ['B', 'N', 'Q', 'R']),
        ("7k/8/8/8/8/8/p7/7K b - - 0 1", "a2", ['b', 'n', 'q', 'r']),
    ] {
        let mut session = session("mailbox", fen);
        let promotions: Vec<_> =
            session.targets(Some(square)).iter().filter_map(|target| target.promotion).collect();
        assert_eq!(promotions, pieces);
        assert!(promotions.iter().all(|&letter| session.appearance().piece(letter).is_some()));
        let to = format!("a{}", if square == "a7" { 8 } else { 1 });
        let changes = gesture(session.as_mut(), square, &to, Some(pieces[1]));
        assert_eq!(changes.last(), Some(&BoardChange::Put(to, pieces[1])));
    }
}

#[test]
fn a_line_is_formatted_up_to_the_first_illegal_move() {
    for board in ["bitboard", "mailbox"] {
        let session = session(board, "startpos");
        let moves = ["e2e4", "e7e5", "g1f3", "e5e4", "b8c6"].map(String::from);
        assert_eq!(session.format_line(&moves, Some("san")).unwrap(), ["e4", "e5", "Nf3"]);
        assert_eq!(session.format_line(&moves, None).unwrap(), moves[..3]);
        assert!(session.format_line(&[], Some("klingon")).is_err());
        assert_eq!(session.view().ply, 0);
    }
}

#[test]
fn every_end_has_a_message() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    for (fen, moves, status) in [
        (start, "f2f3 e7e5 g2g4 d8h4", "Checkmate: Black wins"),
        (start, shuffle, "Drawn: the position has occurred three times"),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6f7", "Stalemate: Black has no move and is not in check, drawn"),
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1e2", "Drawn: neither side has enough material to mate"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "e1e2", "Drawn: fifty moves without a capture or a pawn move"),
    ] {
        let mut session = session("bitboard", fen);
        assert_eq!(session.view().game_end, None, "{fen}");
        moves.split_whitespace().for_each(|text| drop(session.play(text, None).unwrap()));
        assert_eq!(session.view().status, status);
    }
}

#[test]
fn pieces_set_up_by_hand_may_castle_from_their_start_squares() {
    let session = session("bitboard", "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1");
    let mut pieces = session.view().pieces;
    let text = |pieces: &[(String, char)]| session.text_from_pieces(pieces, Side::First, None).unwrap();
    assert_eq!(text(&pieces), "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    pieces.retain(|(square, _)| square != "a1" && square != "e8");
    assert_eq!(text(&pieces), "r6r/8/8/8/8/8/8/4K2R w K - 0 1");
}

#[test]
fn castling_rights_are_kept_when_only_the_side_to_move_changes() {
    let before = "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1";
    let session = session("bitboard", before);
    let pieces = session.view().pieces;
    let text = session.text_from_pieces(&pieces, Side::Second, Some(before)).unwrap();
    assert_eq!(text, "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1");
    assert!(session.text_from_pieces(&pieces, Side::Second, Some("r3k2r")).is_err());
}
