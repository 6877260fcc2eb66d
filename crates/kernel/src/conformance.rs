//! The examination that every board must pass.
//!
//! [`examine`] asks one position everything it can be asked and holds the answers against each other; [`wander`] leads
//! it along random plies; [`lockstep`] holds two boards of the same game against each other. A failed examination
//! panics with the position in words, so that it can be looked at.

use alloc::string::String;
use alloc::vec::Vec;

use crate::board_observer::BoardObserver;
use crate::game::{Game, Move, Piece, Setup, Square, Waivers};
use crate::moves::MoveList;
use crate::position::{MoveOf, PieceOf, Position, SetupOf, SquareOf};
use crate::zobrist::SplitMix64;

/// A board that knows only what it was told: a square that is announced full twice, or empty when something is
/// lifted from it, is a mistake of the announcer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservedBoard<G: Game> {
    pieces: Vec<Option<G::Piece>>,
}

impl<G: Game> ObservedBoard<G> {
    /// What stands on the squares of a position now.
    pub fn from_position<P: Position<Game = G>>(position: &P) -> Self {
        let men = (0..G::SQUARES)
            .map(|index| position.piece_on(G::Square::from_index(index).expect("a dense square")))
            .collect();
        ObservedBoard { pieces: men }
    }
}

impl<G: Game> BoardObserver<G> for ObservedBoard<G> {
    fn put(&mut self, square: G::Square, piece: G::Piece) {
        let was = self.pieces[square.index()].replace(piece);
        assert!(was.is_none(), "{piece:?} was put on {square}, where {was:?} stood");
    }

    fn remove(&mut self, square: G::Square, piece: G::Piece) {
        let was = self.pieces[square.index()].take();
        assert_eq!(was, Some(piece), "lifted from {square}");
    }

    fn flip(&mut self, square: G::Square, piece: G::Piece) {
        let was = self.pieces[square.index()].replace(piece);
        assert!(
            was.is_some_and(|was| was.side() != piece.side()),
            "{was:?} on {square} was turned to {piece:?}"
        );
    }
}

/// The moves a list holds, in the order of their bits.
fn sorted_moves<M: Move>(fill: impl FnOnce(&mut MoveList<M>)) -> Vec<M> {
    let mut list = MoveList::new();
    fill(&mut list);
    let mut moves = list.to_vec();
    moves.sort_unstable();
    moves
}

/// The legal moves of a position in the order of their bits.
pub fn sorted_legal_moves<P: Position>(position: &P) -> Vec<MoveOf<P>> {
    sorted_moves(|list| position.generate_legal(list))
}

/// Asks one position everything and holds the answers against each other.
///
/// # Panics
/// With the position in words, where two answers disagree.
pub fn check_position<P: Position>(position: &mut P) {
    let here = position.to_setup().to_text();
    let here = here.as_str();
    let moves = sorted_legal_moves(position);
    let pseudo = sorted_moves(|list| position.generate_pseudo_legal(list));
    assert!(moves.windows(2).all(|pair| pair[0] != pair[1]), "{here}: a move is generated twice");
    assert!(
        pseudo.windows(2).all(|pair| pair[0] != pair[1]),
        "{here}: a pseudo-legal move is generated twice"
    );

    let filtered: Vec<_> = pseudo.iter().copied().filter(|&mv| position.is_legal(mv)).collect();
    assert_eq!(moves, filtered, "{here}: legal moves are the pseudo-legal ones that pass is_legal");
    let captures = sorted_moves(|list| position.generate_captures(list));
    let taking: Vec<_> = moves.iter().copied().filter(|&mv| position.captured_piece(mv).is_some()).collect();
    assert_eq!(captures, taking, "{here}: captures are the moves that take something");
    assert_eq!(position.count_legal(), moves.len(), "{here}: count");
    assert_eq!(position.has_no_legal_move(), moves.is_empty(), "{here}: ended");
    assert_eq!(position.hash_key(), position.compute_hash_key(), "{here}: key");

    let rebuilt =
        P::from_setup(&position.to_setup(), &Waivers::All).expect("the setup of a board makes a board");
    assert_eq!(rebuilt.to_setup(), position.to_setup(), "{here}: setup round trip");
    assert_eq!(rebuilt.hash_key(), position.hash_key(), "{here}: key of the rebuilt board");
    assert_eq!(rebuilt.in_check(), position.in_check(), "{here}: check on the rebuilt board");
    let text = SetupOf::<P>::parse(here).expect("the text of a setup reads");
    assert_eq!(text, position.to_setup(), "{here}: text round trip");

    for &mv in &pseudo {
        check_move(position, mv, here);
    }
    if !position.in_check() && !moves.is_empty() {
        let (setup, key) = (position.to_setup(), position.hash_key());
        let undo = position.make_null();
        assert_ne!(position.hash_key(), key, "{here}: the side is part of the key");
        assert_eq!(position.hash_key(), position.compute_hash_key(), "{here}: key after a null move");
        position.unmake_null(&undo);
        assert_eq!((position.to_setup(), position.hash_key()), (setup, key), "{here}: null move and back");
    }
}

fn check_move<P: Position>(position: &mut P, mv: MoveOf<P>, here: &str) {
    assert!(position.is_pseudo_legal(mv), "{here}: {mv:?} is generated, so it is pseudo-legal");
    assert_eq!(MoveOf::<P>::from_bits(mv.bits()), Some(mv), "{here}: the bits of {mv:?}");
    assert_ne!(mv.bits(), 0, "{here}: a move is never zero");
    if !position.is_legal(mv) {
        return;
    }
    let before = (
        position.to_setup(),
        position.hash_key(),
        position.in_check(),
        ObservedBoard::from_position(position),
    );
    let mover = position.side_to_move();
    let mut told = before.3.clone();
    let undo = position.make(mv, &mut told);
    assert_eq!(
        told,
        ObservedBoard::from_position(position),
        "{here}: announcements of {mv:?} rebuild the board"
    );
    assert_eq!(position.hash_key(), position.compute_hash_key(), "{here}: key after {mv:?}");
    assert_eq!(position.side_to_move(), !mover, "{here}: the side after {mv:?}");
    position.unmake(mv, &undo, &mut told);
    assert_eq!(told, before.3, "{here}: announcements of unmaking {mv:?} restore the board");
    let after = (
        position.to_setup(),
        position.hash_key(),
        position.in_check(),
        ObservedBoard::from_position(position),
    );
    assert!(after == before, "{here}: {mv:?} and back");
}

/// `is_legal(mv)` exactly for the generated moves and `is_pseudo_legal(mv)` exactly for the pseudo-legal ones, over
/// every value two bytes can have.
///
/// # Panics
/// With the position and the move where an answer differs.
pub fn check_all_moves<P: Position>(position: &P) {
    let (moves, pseudo) =
        (sorted_legal_moves(position), sorted_moves(|list| position.generate_pseudo_legal(list)));
    for bits in 0..=u16::MAX {
        let Some(mv) = MoveOf::<P>::from_bits(bits) else { continue };
        let (generated, movable) = (moves.binary_search(&mv).is_ok(), pseudo.binary_search(&mv).is_ok());
        if position.is_pseudo_legal(mv) != movable || position.is_legal(mv) != generated {
            let here: String = position.to_setup().to_text();
            panic!(
                "{here}: {mv:?} is generated: {generated}, pseudo-legal: {movable}, but is judged otherwise"
            );
        }
    }
}

/// Plays up to `plies` random legal moves, examining every position on the way; stops where there is no move.
/// Returns how many were played.
pub fn check_random_game<P: Position>(position: &mut P, random: &mut SplitMix64, plies: usize) -> usize {
    for played in 0..plies {
        check_position(position);
        let moves = sorted_legal_moves(position);
        if moves.is_empty() {
            return played;
        }
        position.make(moves[random.below(moves.len())], &mut ());
    }
    plies
}

/// Holds two boards of one game, set up alike, against each other.
///
/// # Panics
/// With the position in words, where they disagree.
pub fn check_boards_agree<A: Position, B: Position<Game = A::Game>>(a: &A, b: &B) {
    let here = a.to_setup().to_text();
    assert_eq!(a.to_setup(), b.to_setup(), "{here}: setup");
    assert_eq!(a.hash_key(), b.hash_key(), "{here}: key");
    assert_eq!(a.side_to_move(), b.side_to_move(), "{here}: side");
    assert_eq!(a.in_check(), b.in_check(), "{here}: check");
    assert_eq!(a.has_no_legal_move(), b.has_no_legal_move(), "{here}: ended");
    assert_eq!(sorted_legal_moves(a), sorted_legal_moves(b), "{here}: moves");
    assert_eq!(
        sorted_moves(|list| a.generate_captures(list)),
        sorted_moves(|list| b.generate_captures(list)),
        "{here}: captures"
    );
    assert_eq!(
        sorted_moves(|list| a.generate_pseudo_legal(list)),
        sorted_moves(|list| b.generate_pseudo_legal(list)),
        "{here}: pseudo-legal moves"
    );
    assert_eq!(a.count_legal(), b.count_legal(), "{here}: count");
    for index in 0..<A::Game as Game>::SQUARES {
        let square = SquareOf::<A>::from_index(index).expect("a dense square");
        assert_eq!(a.piece_on(square), b.piece_on(square), "{here}: {square}");
    }
    assert!(PieceOf::<A>::from_index(<A::Game as Game>::PIECES).is_none(), "pieces are numbered densely");
}
