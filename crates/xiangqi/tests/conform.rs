//! The kernel's conformance tests for every board, and every board in lockstep with the reference implementation.

use crate::common::reference::ReferencePosition;
use crate::common::{board, played, scattered};
use alfil_kernel::conformance::{check_all_moves, check_boards_agree, check_position, check_random_game};
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{BoardObserver, GameHistory, MoveList, Position, Rules, Verdict, Waivers};
use alfil_xiangqi::{Bitboard, Board, Cause, Folded, Mailbox, Move, Piece, Ruleset, Setup, Square, Xiangqi};

fn every_kind_of_position(seed: u64, count: usize) -> impl Iterator<Item = Setup> {
    let mut random = SplitMix64::new(seed);
    (0..count).map(move |i| match i % 4 {
        0 => {
            let plies = random.below(120);
            played(&mut random, plies)
        }
        1 | 2 => scattered(&mut random, false),
        _ => scattered(&mut random, true),
    })
}

#[test]
fn the_expected_key_is_the_key_after_the_move() {
    for setup in every_kind_of_position(31, 200) {
        let position: Bitboard = board(&setup);
        for &mv in &position.legal_moves() {
            let mut after = position;
            after.make_without_undo(mv);
            assert_eq!(position.expected_key_after(mv), Some(after.hash_key()), "{setup:?}: {mv:?}");
        }
    }
}

/// The data of a position by the reference implementation.
struct ReferenceData {
    setup: Setup,
    pseudo: Vec<Move>,
    moves: Vec<Move>,
    captures: Vec<Move>,
    check: bool,
}

impl ReferenceData {
    fn from_reference(reference: &ReferencePosition) -> Self {
        let (pseudo, moves, captures) =
            (reference.pseudo_legal_moves(), reference.legal_moves(), reference.legal_captures());
        ReferenceData { setup: reference.to_setup(), pseudo, moves, captures, check: reference.in_check() }
    }

    /// Returns the same data of a transformed position.
    fn transformed(&self, setup: impl Fn(&Setup) -> Setup, mv: impl Fn(Move) -> Move) -> Self {
        let each = |moves: &[Move]| {
            let mut moves: Vec<_> = moves.iter().map(|&here| mv(here)).collect();
            moves.sort_unstable();
            moves
        };
        let (pseudo, moves, captures) = (each(&self.pseudo), each(&self.moves), each(&self.captures));
        ReferenceData { setup: setup(&self.setup), pseudo, moves, captures, check: self.check }
    }

    fn assert_holds_on<P: Board>(&self, board: &P) {
        let sorted_moves = |fill: &dyn Fn(&mut MoveList<Move>)| {
            let mut list = MoveList::new();
            fill(&mut list);
            list.sort_unstable();
            list
        };
        let context = || format!("{} {:?}", P::BOARD, self.setup);
        assert_eq!(
            sorted_moves(&|list| board.generate_pseudo_legal(list))[..],
            self.pseudo[..],
            "{}: pseudo-legal moves",
            context()
        );
        assert_eq!(
            sorted_moves(&|list| board.generate_legal(list))[..],
            self.moves[..],
            "{}: moves",
            context()
        );
        assert_eq!(
            sorted_moves(&|list| board.generate_captures(list))[..],
            self.captures[..],
            "{}: captures",
            context()
        );
        assert_eq!(board.count_legal(), self.moves.len(), "{}: count", context());
        assert_eq!(board.in_check(), self.check, "{}: check", context());
        assert_eq!(board.has_no_legal_move(), self.moves.is_empty(), "{}: ended", context());
        assert_eq!(board.to_setup(), self.setup, "{}: setup", context());
    }
}

/// Records every notification of a board.
#[derive(Debug, Default, PartialEq)]
struct Log(Vec<(&'static str, Square, Piece)>);

impl BoardObserver<Xiangqi> for Log {
    fn put(&mut self, square: Square, piece: Piece) {
        self.0.push(("put", square, piece));
    }

    fn remove(&mut self, square: Square, piece: Piece) {
        self.0.push(("remove", square, piece));
    }

    fn flip(&mut self, square: Square, piece: Piece) {
        self.0.push(("flip", square, piece));
    }
}

/// The report of a board after a ply: the hash key, the verdict, and the notifications.
type Report = (u64, Option<Verdict<Cause>>, Log);

/// A board with its history, and its images: mirrored, and with the sides exchanged.
struct SymmetricBoards<P: Board> {
    game: GameHistory<P>,
    mirrored: P,
    swapped: P,
}

impl<P: Board> SymmetricBoards<P> {
    fn new(setup: &Setup) -> Self {
        let game = GameHistory::new(setup, &Waivers::All).expect("a setup with two kings");
        SymmetricBoards { game, mirrored: board(&setup.mirrored()), swapped: board(&setup.swapped()) }
    }

    fn assert_equal_to(&self, [data, mirrored, swapped]: &[ReferenceData; 3]) {
        data.assert_holds_on(self.game.position());
        mirrored.assert_holds_on(&self.mirrored);
        swapped.assert_holds_on(&self.swapped);
        assert_eq!(self.game.in_check(), data.check, "{} {:?}: check in the history", P::BOARD, data.setup);
    }

    fn play(&mut self, mv: Move) -> Report {
        let mut log = Log::default();
        self.game.push(mv, &mut log);
        self.mirrored.make(mv.mirrored(), &mut ());
        self.swapped.make(mv.flipped(), &mut ());
        (self.game.position().hash_key(), Ruleset::default().judge(&self.game), log)
    }
}

/// Plays random plies on all three boards at once, in lockstep with the reference implementation and with mirrored and
/// side-swapped images, and compares moves, captures, counts, keys, checks, notifications and verdicts.
fn plies_in_lockstep(seed: u64, positions: usize, plies: usize) -> usize {
    let mut random = SplitMix64::new(seed);
    let mut total = 0;
    for setup in every_kind_of_position(seed, positions) {
        let mut mailbox = SymmetricBoards::<Mailbox>::new(&setup);
        let mut bitboard = SymmetricBoards::<Bitboard>::new(&setup);
        let mut folded = SymmetricBoards::<Folded>::new(&setup);
        let mut reference = ReferencePosition::new(&setup);
        for _ in 0..plies {
            let expected = ReferenceData::from_reference(&reference);
            let mirrored = expected.transformed(Setup::mirrored, Move::mirrored);
            let swapped = expected.transformed(Setup::swapped, Move::flipped);
            let expected = [expected, mirrored, swapped];
            mailbox.assert_equal_to(&expected);
            bitboard.assert_equal_to(&expected);
            folded.assert_equal_to(&expected);
            let moves = &expected[0].moves;
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            reference.play(mv);
            let report = mailbox.play(mv);
            assert_eq!(report, bitboard.play(mv), "{:?} {mv}", expected[0].setup);
            assert_eq!(report, folded.play(mv), "{:?} {mv}", expected[0].setup);
            total += 1;
        }
    }
    total
}

/// Runs the conformance tests and the exhaustive test of every move, and compares the attackers of every square, in all
/// kinds of positions.
fn passes_conformance<P: Board>(seed: u64) {
    let mut random = SplitMix64::new(seed);
    for setup in every_kind_of_position(seed, 500) {
        let mut position: P = board(&setup);
        check_all_moves(&position);
        check_position(&mut position);
        check_random_game(&mut position, &mut random, 12);
    }
    for setup in every_kind_of_position(seed + 1, 60) {
        let (position, reference): (P, _) = (board(&setup), ReferencePosition::new(&setup));
        for square in Square::all() {
            for side in alfil_kernel::Side::BOTH {
                let expected = reference.attackers_to(square, side);
                let found: Vec<_> = position.attackers_to(square, side).iter().collect();
                assert_eq!(found, expected, "{setup:?}: {side:?} attacks {square}");
            }
        }
    }
}

#[test]
fn mailbox_conforms() {
    passes_conformance::<Mailbox>(21);
}

#[test]
fn bitboard_conforms() {
    passes_conformance::<Bitboard>(22);
}

#[test]
fn folded_conforms() {
    passes_conformance::<Folded>(23);
}

/// At least 200,000 plies, from 2,600 positions of all kinds.
#[test]
fn all_boards_agree_with_the_reference() {
    assert!(plies_in_lockstep(31, 2_600, 100) > 200_000);
}

#[test]
fn the_boards_agree_with_each_other() {
    for setup in every_kind_of_position(24, 200) {
        check_boards_agree::<Mailbox, Bitboard>(&board(&setup), &board(&setup));
        check_boards_agree::<Bitboard, Folded>(&board(&setup), &board(&setup));
    }
}
