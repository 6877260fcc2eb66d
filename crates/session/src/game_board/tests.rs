//! Tests of the boards.

use super::*;
use crate::recorded_game::to_record;

fn kind_of<T: std::fmt::Debug>(result: Result<T, SessionError>) -> ErrorKind {
    result.unwrap_err().kind
}

/// Plays first moves to the end of the game or of the plies, and takes all of them back.
fn check_game<P: Position>(plies: usize)
where
    P::Game: GameProfile<P>,
{
    let mut board = GameBoard::<P>::new(None, &[]).unwrap();
    let start = board.clone();
    for ply in 0..plies {
        let recent = board.with_last_moves(3).unwrap();
        assert_eq!(recent.played_moves(), &board.played_moves()[ply.saturating_sub(3)..]);
        assert!(
            recent.is_same_position(&board)
                && board.with_last_moves(plies).unwrap().start_fen() == start.fen()
        );
        let moves = board.legal_moves();
        let Some(&mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
        let bits = GameBoard::<P>::move_bits(Some(mv));
        assert_eq!(GameBoard::<P>::move_from_bits(bits), Ok(Some(mv)));
        let text = GameBoard::<P>::move_text(Some(mv));
        assert_eq!(GameBoard::<P>::parse_coordinates(&text), Ok(Some(mv)));
        for &dialect in DialectOf::<P>::ALL {
            let written = board.format(Some(mv), dialect).unwrap();
            assert_eq!(board.parse_in(&written, dialect), Ok(Some(mv)), "{written}");
        }
        assert!(board.is_legal(Some(mv)) && !board.is_legal(None));
        board.push(Some(mv)).unwrap();
    }
    let again = GameBoard::<P>::new(Some(&board.fen()), &["all"]).unwrap();
    assert!(again.is_same_position(&board) && board.without_moves().unwrap().is_same_position(&board));
    assert!(board.root().unwrap().is_same_position(&start));
    assert!(board.played_moves().len() > 20);
    while board.pop().is_ok() {}
    assert_eq!((kind_of(board.pop()), board.fen()), (ErrorKind::NoMove, start.fen()));
}

#[test]
fn moves_are_numbers_and_texts_in_every_dialect() {
    check_game::<alfil_xiangqi::Bitboard>(60);
    check_game::<alfil_chess::Bitboard>(60);
    check_game::<alfil_othello::Bitboard>(60);
}

#[test]
fn errors_have_their_kind() {
    type Chess = GameBoard<alfil_chess::Bitboard>;
    assert_eq!(kind_of(Chess::new(Some("garbage"), &[])), ErrorKind::InvalidPosition);
    assert_eq!(kind_of(Chess::new(None, &["nonsense"])), ErrorKind::Other);
    assert_eq!(kind_of(Chess::new(None, &["all", "nonsense"])), ErrorKind::Other);
    assert_eq!(kind_of(Chess::move_from_bits(u32::MAX)), ErrorKind::InvalidMove);
    let mut board = Chess::new(Some("4k3/8/8/8/8/8/R6R/4K1N1 w - - 0 1"), &[]).unwrap();
    let san = Chess::dialect("san").unwrap();
    assert_eq!(kind_of(board.parse_in("Rd2", san)), ErrorKind::AmbiguousMove);
    assert_eq!(kind_of(board.parse_in("Ke7", san)), ErrorKind::IllegalMove);
    assert_eq!(kind_of(board.parse_in("?", san)), ErrorKind::InvalidMove);
    assert_eq!(board.parse_any("--", san), Ok(None));
    assert_eq!(board.parse_any("0000", san), Ok(None));
    let dialects = alfil_chess::notation::Dialect::ALL;
    let nulls =
        dialects.iter().map(|&dialect| board.parse_in(&board.format(None, dialect).unwrap(), dialect));
    assert!(nulls.into_iter().all(|read| read == Ok(None)));
    let fen = board.fen();
    let illegal = Chess::parse_coordinates("e1e8").unwrap();
    assert_eq!(kind_of(board.push(illegal)), ErrorKind::IllegalMove);
    assert_eq!(board.fen(), fen);
}

#[test]
fn a_text_that_no_dialect_reads_is_refused_in_that_which_looks_like_it() {
    let board = GameBoard::<alfil_xiangqi::Bitboard>::new(None, &[]).unwrap();
    for (text, dialect) in [("炮二平十", "in chinese"), ("C2.0", "in wxf"), ("hello", "in wxf")] {
        let error = board.parse_any(text, alfil_xiangqi::notation::Dialect::Wxf).unwrap_err().to_string();
        assert!(error.contains(dialect), "{error}");
    }
}

#[test]
fn castling_given_as_the_king_captures_its_rook_is_recorded_as_it_is_written() {
    type Chess = GameBoard<alfil_chess::Bitboard>;
    let mv = |text| Chess::parse_coordinates(text).unwrap();
    let mut board = Chess::new(Some("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), &[]).unwrap();
    assert!(board.is_legal(mv("e1h1")));
    board.push(mv("e1h1")).unwrap();
    board.push(mv("e8a8")).unwrap();
    assert_eq!(board.played_moves(), [mv("e1g1"), mv("e8c8")]);
    assert_eq!(to_record(&board).unwrap().main_line(), ["e1g1", "e8c8"]);
    assert_eq!(Chess::from_board(&board).unwrap().played_moves(), board.played_moves());
    assert_eq!(board.pop(), Ok(mv("e8c8")));
}

#[test]
fn a_null_move_is_illegal_while_a_side_is_in_check() {
    type Chess = GameBoard<alfil_chess::Bitboard>;
    for fen in ["4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "4k3/8/8/4R3/8/8/8/3K4 w - - 0 1"] {
        let mut board = Chess::new(Some(fen), &["opponent_in_check"]).unwrap();
        assert_eq!(kind_of(board.push(None)), ErrorKind::IllegalMove);
        assert_eq!((board.fen().as_str(), board.played_moves().len()), (fen, 0));
    }
}

#[test]
fn a_board_at_another_position_of_the_game_has_the_same_waivers() {
    type Chess = GameBoard<alfil_chess::Bitboard>;
    let waivers: [&[&str]; 2] = [&[], &["castling"]];
    for waived in waivers {
        let board = Chess::new(None, waived).unwrap();
        assert_eq!(board.without_moves().unwrap().waived(), waived);
        assert_eq!(board.root().unwrap().waived(), waived);
    }
}
