//! Conformance checks that every board must pass.
//!
//! [`check_position`] compares everything that a board computes for one position, [`check_random_game`] does so along
//! random moves, and [`check_boards_agree`] compares two boards of the same game. A failed check panics with the
//! position as text.

use alloc::string::String;
use alloc::vec::Vec;

use crate::board_observer::BoardObserver;
use crate::game::{Game, Move, MoveBits, Piece, Setup, Square, Waivers};
use crate::moves::MoveList;
use crate::position::{MoveOf, PieceOf, Position, SetupOf, SquareOf};
use crate::zobrist::SplitMix64;

/// A board that is built from observed changes alone. It panics if a piece is put on an occupied square, or if a piece
/// is removed that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservedBoard<G: Game> {
    pieces: Vec<Option<G::Piece>>,
}

impl<G: Game> ObservedBoard<G> {
    /// Returns the board with the pieces of `position`.
    pub fn from_position<P: Position<Game = G>>(position: &P) -> Self {
        let pieces = (0..G::SQUARES)
            .map(|index| position.piece_on(G::Square::from_index(index).expect("square indices are dense")))
            .collect();
        ObservedBoard { pieces }
    }
}

impl<G: Game> BoardObserver<G> for ObservedBoard<G> {
    fn put(&mut self, square: G::Square, piece: G::Piece) {
        let previous = self.pieces[square.index()].replace(piece);
        assert!(previous.is_none(), "{piece:?} was put on {square}, which holds {previous:?}");
    }

    fn remove(&mut self, square: G::Square, piece: G::Piece) {
        let previous = self.pieces[square.index()].take();
        assert_eq!(previous, Some(piece), "removed from {square}");
    }

    fn flip(&mut self, square: G::Square, piece: G::Piece) {
        let previous = self.pieces[square.index()].replace(piece);
        assert!(
            previous.is_some_and(|previous| previous.side() != piece.side()),
            "{previous:?} on {square} was flipped to {piece:?}"
        );
    }
}

/// Returns the generated moves in the order of their bits.
fn sorted_moves<M: Move>(fill: impl FnOnce(&mut MoveList<M>)) -> Vec<M> {
    let mut list = MoveList::new();
    fill(&mut list);
    let mut moves = list.to_vec();
    moves.sort_unstable();
    moves
}

/// Returns the legal moves of a position in the order of their bits.
pub fn sorted_legal_moves<P: Position>(position: &P) -> Vec<MoveOf<P>> {
    sorted_moves(|list| position.generate_legal(list))
}

/// Checks that the generators, predicates, keys and conversions of a position agree with each other.
///
/// # Panics
/// If two of them disagree; the message contains the position.
pub fn check_position<P: Position>(position: &mut P) {
    let setup_text = position.to_setup().to_text();
    let setup_text = setup_text.as_str();
    let moves = sorted_legal_moves(position);
    let pseudo = sorted_moves(|list| position.generate_pseudo_legal(list));
    assert!(moves.windows(2).all(|pair| pair[0] != pair[1]), "{setup_text}: a move is generated twice");
    assert!(
        pseudo.windows(2).all(|pair| pair[0] != pair[1]),
        "{setup_text}: a pseudo-legal move is generated twice"
    );

    let filtered: Vec<_> = pseudo.iter().copied().filter(|&mv| position.is_legal(mv)).collect();
    assert_eq!(moves, filtered, "{setup_text}: legal moves are the pseudo-legal ones that pass is_legal");
    let captures = sorted_moves(|list| position.generate_captures(list));
    let capturing: Vec<_> =
        moves.iter().copied().filter(|&mv| position.captured_piece(mv).is_some()).collect();
    assert_eq!(captures, capturing, "{setup_text}: captures are the legal moves with a captured piece");
    assert_eq!(position.count_legal(), moves.len(), "{setup_text}: number of legal moves");
    assert_eq!(position.has_no_legal_move(), moves.is_empty(), "{setup_text}: has_no_legal_move");
    assert_eq!(position.hash_key(), position.compute_hash_key(), "{setup_text}: hash key");

    let rebuilt =
        P::from_setup(&position.to_setup(), &Waivers::All).expect("a board's setup is valid with waivers");
    assert_eq!(rebuilt.to_setup(), position.to_setup(), "{setup_text}: setup round trip");
    assert_eq!(rebuilt.hash_key(), position.hash_key(), "{setup_text}: hash key of the rebuilt board");
    assert_eq!(rebuilt.in_check(), position.in_check(), "{setup_text}: check on the rebuilt board");
    let parsed = SetupOf::<P>::parse(setup_text).expect("a setup's own text can be parsed");
    assert_eq!(parsed, position.to_setup(), "{setup_text}: text round trip");

    for &mv in &pseudo {
        check_move(position, mv, setup_text);
    }
    if !position.in_check() && !moves.is_empty() {
        let (setup, key) = (position.to_setup(), position.hash_key());
        let undo = position.make_null();
        assert_ne!(position.hash_key(), key, "{setup_text}: the side to move is part of the hash key");
        assert_eq!(
            position.hash_key(),
            position.compute_hash_key(),
            "{setup_text}: hash key after a null move"
        );
        position.unmake_null(&undo);
        assert_eq!(
            (position.to_setup(), position.hash_key()),
            (setup, key),
            "{setup_text}: null move unmade"
        );
    }
}

fn check_move<P: Position>(position: &mut P, mv: MoveOf<P>, setup_text: &str) {
    assert!(position.is_pseudo_legal(mv), "{setup_text}: the generated move {mv:?} is not pseudo-legal");
    assert_eq!(MoveOf::<P>::from_bits(mv.bits()), Some(mv), "{setup_text}: bits round trip of {mv:?}");
    assert_ne!(mv.bits().to_u64(), 0, "{setup_text}: the bits of a move are never zero");
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
    let mut observed = before.3.clone();
    let undo = position.make(mv, &mut observed);
    assert_eq!(
        observed,
        ObservedBoard::from_position(position),
        "{setup_text}: the observed changes of {mv:?} rebuild the board"
    );
    assert_eq!(position.hash_key(), position.compute_hash_key(), "{setup_text}: hash key after {mv:?}");
    assert_eq!(position.side_to_move(), !mover, "{setup_text}: side to move after {mv:?}");
    position.unmake(mv, &undo, &mut observed);
    assert_eq!(observed, before.3, "{setup_text}: the observed changes of unmaking {mv:?} restore the board");
    let after = (
        position.to_setup(),
        position.hash_key(),
        position.in_check(),
        ObservedBoard::from_position(position),
    );
    assert!(after == before, "{setup_text}: {mv:?} unmade");
}

/// Checks that `is_legal` and `is_pseudo_legal` hold exactly for the generated moves, over all values of the
/// lowest 16 bits of a move.
///
/// # Panics
/// If one of them differs from the generator; the message contains the position and the move.
pub fn check_all_moves<P: Position>(position: &P) {
    let (moves, pseudo) =
        (sorted_legal_moves(position), sorted_moves(|list| position.generate_pseudo_legal(list)));
    for bits in 0..=u64::from(u16::MAX) {
        let bits = <MoveOf<P> as Move>::Bits::from_u64(bits);
        let Some(mv) = MoveOf::<P>::from_bits(bits) else { continue };
        let (is_legal, is_pseudo_legal) =
            (moves.binary_search(&mv).is_ok(), pseudo.binary_search(&mv).is_ok());
        if position.is_pseudo_legal(mv) != is_pseudo_legal || position.is_legal(mv) != is_legal {
            let setup_text: String = position.to_setup().to_text();
            panic!(
                "{setup_text}: {mv:?} is generated as legal: {is_legal}, as pseudo-legal: {is_pseudo_legal}; \
                 the predicates disagree"
            );
        }
    }
}

/// Plays up to `plies` random legal moves and checks every position on the way. Returns the number of moves played.
pub fn check_random_game<P: Position>(position: &mut P, random: &mut SplitMix64, plies: usize) -> usize {
    for played in 0..plies {
        check_position(position);
        let moves = sorted_legal_moves(position);
        if moves.is_empty() {
            return played;
        }
        position.make(moves[random.below(moves.len())], &mut ());
    }
    check_position(position);
    plies
}

/// Checks that two boards of one game with the same setup agree.
///
/// # Panics
/// If they disagree; the message contains the position.
pub fn check_boards_agree<A: Position, B: Position<Game = A::Game>>(a: &A, b: &B) {
    let setup_text = a.to_setup().to_text();
    assert_eq!(a.to_setup(), b.to_setup(), "{setup_text}: setup");
    assert_eq!(a.hash_key(), b.hash_key(), "{setup_text}: hash key");
    assert_eq!(a.side_to_move(), b.side_to_move(), "{setup_text}: side to move");
    assert_eq!(a.in_check(), b.in_check(), "{setup_text}: check");
    assert_eq!(a.has_no_legal_move(), b.has_no_legal_move(), "{setup_text}: has_no_legal_move");
    assert_eq!(sorted_legal_moves(a), sorted_legal_moves(b), "{setup_text}: legal moves");
    assert_eq!(
        sorted_moves(|list| a.generate_captures(list)),
        sorted_moves(|list| b.generate_captures(list)),
        "{setup_text}: captures"
    );
    assert_eq!(
        sorted_moves(|list| a.generate_pseudo_legal(list)),
        sorted_moves(|list| b.generate_pseudo_legal(list)),
        "{setup_text}: pseudo-legal moves"
    );
    assert_eq!(a.count_legal(), b.count_legal(), "{setup_text}: number of legal moves");
    for index in 0..<A::Game as Game>::SQUARES {
        let square = SquareOf::<A>::from_index(index).expect("square indices are dense");
        assert_eq!(a.piece_on(square), b.piece_on(square), "{setup_text}: {square}");
    }
    assert!(PieceOf::<A>::from_index(<A::Game as Game>::PIECES).is_none(), "piece indices are dense");
}

/// Checks that a position, its setup, a move and all squares are serialised as their texts and read back, and that no
/// square and no position is read from other values.
///
/// # Panics
/// If a text is not that of `Display`, a value is not read back unchanged, or a wrong value is accepted.
#[cfg(feature = "serde")]
pub fn check_serde_texts<P>(position: &P, mv: MoveOf<P>)
where
    P: Position + SerdeText,
    SetupOf<P>: SerdeText,
    MoveOf<P>: SerdeText,
    SquareOf<P>: SerdeText,
{
    let read = read_serialised(position);
    assert_eq!(read.to_setup(), position.to_setup());
    assert_eq!(read_serialised(&position.to_setup()), position.to_setup());
    assert_eq!(read_serialised(&mv), mv);
    for index in 0..<P::Game as Game>::SQUARES {
        let square = SquareOf::<P>::from_index(index).expect("square indices are dense");
        assert_eq!(read_serialised(&square), square);
    }
    check_wrong_values::<P>();
    check_wrong_values::<SetupOf<P>>();
    check_wrong_values::<SquareOf<P>>();
}

/// A value that is serialised as the text of `Display`.
#[cfg(feature = "serde")]
pub trait SerdeText: serde::Serialize + serde::de::DeserializeOwned + core::fmt::Display {}

#[cfg(feature = "serde")]
impl<T: serde::Serialize + serde::de::DeserializeOwned + core::fmt::Display> SerdeText for T {}

/// Serialises a value, compares the text with that of `Display`, and reads it back.
#[cfg(feature = "serde")]
fn read_serialised<T: SerdeText>(value: &T) -> T {
    use alloc::string::ToString;
    use serde::de::IntoDeserializer;

    let text = value.to_string();
    let serialised = core::fmt::from_fn(|f| value.serialize(f)).to_string();
    assert_eq!(serialised, text);
    let deserializer: serde::de::value::StrDeserializer<'_, serde::de::value::Error> =
        text.as_str().into_deserializer();
    T::deserialize(deserializer).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Checks that wrong texts, a number and the unit are errors.
#[cfg(feature = "serde")]
fn check_wrong_values<T: serde::de::DeserializeOwned>() {
    use serde::de::value::{Error, StrDeserializer, U64Deserializer, UnitDeserializer};

    for wrong in ["zz", ""] {
        assert!(T::deserialize(StrDeserializer::<Error>::new(wrong)).is_err(), "{wrong:?} was accepted");
    }
    assert!(T::deserialize(U64Deserializer::<Error>::new(7)).is_err(), "7 was accepted");
    assert!(T::deserialize(UnitDeserializer::<Error>::new()).is_err(), "the unit was accepted");
}
