//! The kernel's examination for every board, and every board in step with the oracle.

mod common;

use alfil_kernel::conformance::{check_all_moves, check_boards_agree, check_position, check_random_game};
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{BoardObserver, GameHistory, MoveList, Rules, Setup as _, Verdict, Waivers};
use alfil_xiangqi::{Bitboard, Board, Cause, Folded, Mailbox, Move, Piece, Ruleset, Setup, Square, Xiangqi};
use common::oracle::Oracle;
use common::{board, played, scattered};

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

/// What the oracle says of a position.
struct Truth {
    setup: Setup,
    pseudo: Vec<Move>,
    moves: Vec<Move>,
    captures: Vec<Move>,
    check: bool,
}

impl Truth {
    fn of(oracle: &Oracle) -> Self {
        let (pseudo, moves, captures) = (oracle.pseudo(), oracle.moves(), oracle.captures());
        Truth { setup: oracle.setup(), pseudo, moves, captures, check: oracle.in_check() }
    }

    /// The same truth of a twin position.
    fn seen(&self, setup: impl Fn(&Setup) -> Setup, mv: impl Fn(Move) -> Move) -> Self {
        let each = |moves: &[Move]| {
            let mut moves: Vec<_> = moves.iter().map(|&here| mv(here)).collect();
            moves.sort_unstable();
            moves
        };
        let (pseudo, moves, captures) = (each(&self.pseudo), each(&self.moves), each(&self.captures));
        Truth { setup: setup(&self.setup), pseudo, moves, captures, check: self.check }
    }

    fn holds<P: Board>(&self, board: &P) {
        let sorted = |fill: &dyn Fn(&mut MoveList<Move>)| {
            let mut list = MoveList::new();
            fill(&mut list);
            list.sort_unstable();
            list
        };
        let here = || format!("{} {:?}", P::BOARD, self.setup);
        assert_eq!(
            sorted(&|list| board.generate_pseudo_legal(list))[..],
            self.pseudo[..],
            "{}: pseudo-legal moves",
            here()
        );
        assert_eq!(sorted(&|list| board.generate_legal(list))[..], self.moves[..], "{}: moves", here());
        assert_eq!(
            sorted(&|list| board.generate_captures(list))[..],
            self.captures[..],
            "{}: captures",
            here()
        );
        assert_eq!(board.count_legal(), self.moves.len(), "{}: count", here());
        assert_eq!(board.in_check(), self.check, "{}: check", here());
        assert_eq!(board.has_no_legal_move(), self.moves.is_empty(), "{}: ended", here());
        assert_eq!(board.to_setup(), self.setup, "{}: setup", here());
    }
}

/// Writes down every announcement.
#[derive(Debug, Default, PartialEq)]
struct Log(Vec<(&'static str, Square, Piece)>);

impl BoardObserver<Xiangqi> for Log {
    fn put(&mut self, square: Square, piece: Piece) {
        self.0.push(("put", square, piece));
    }

    fn remove(&mut self, square: Square, piece: Piece) {
        self.0.push(("lift", square, piece));
    }

    fn flip(&mut self, square: Square, piece: Piece) {
        self.0.push(("turn", square, piece));
    }
}

/// What a board says of the end of its road: the key, the verdict, and what was announced on the last ply.
type Told = (u64, Option<Verdict<Cause>>, Log);

/// One board on the same road, with its mirrored and its colour-swapped twin.
struct Roads<P: Board> {
    here: GameHistory<P>,
    mirrored: P,
    swapped: P,
}

impl<P: Board> Roads<P> {
    fn new(setup: &Setup) -> Self {
        let here = GameHistory::new(setup, &Waivers::All).expect("a setup with two generals");
        Roads { here, mirrored: board(&setup.mirrored()), swapped: board(&setup.swapped()) }
    }

    fn agree(&self, [here, mirrored, swapped]: &[Truth; 3]) {
        here.holds(self.here.position());
        mirrored.holds(&self.mirrored);
        swapped.holds(&self.swapped);
        assert_eq!(self.here.in_check(), here.check, "{} {:?}: check on the road", P::BOARD, here.setup);
    }

    fn play(&mut self, mv: Move) -> Told {
        let mut log = Log::default();
        self.here.push(mv, &mut log);
        self.mirrored.make(mv.mirrored(), &mut ());
        self.swapped.make(mv.flipped(), &mut ());
        (self.here.position().hash_key(), Ruleset::default().judge(&self.here), log)
    }
}

/// Random plies on all three boards at once, in step with the oracle, the mirrored and the colour-swapped twins beside
/// them: moves, captures, counts, keys, checks, announcements and verdicts.
fn in_step(seed: u64, positions: usize, plies: usize) -> usize {
    let mut random = SplitMix64::new(seed);
    let mut total = 0;
    for setup in every_kind_of_position(seed, positions) {
        let (mut mailbox, mut bitboard, mut folded) =
            (Roads::<Mailbox>::new(&setup), Roads::<Bitboard>::new(&setup), Roads::<Folded>::new(&setup));
        let mut oracle = Oracle::new(&setup);
        for _ in 0..plies {
            let truth = Truth::of(&oracle);
            let mirrored = truth.seen(Setup::mirrored, Move::mirrored);
            let swapped = truth.seen(Setup::swapped, Move::flipped);
            let truths = [truth, mirrored, swapped];
            mailbox.agree(&truths);
            bitboard.agree(&truths);
            folded.agree(&truths);
            let moves = &truths[0].moves;
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            oracle.play(mv);
            let told = mailbox.play(mv);
            assert_eq!(told, bitboard.play(mv), "{:?} {mv}", truths[0].setup);
            assert_eq!(told, folded.play(mv), "{:?} {mv}", truths[0].setup);
            total += 1;
        }
    }
    total
}

/// The examination, the exhaustive trial of every move, and the attackers of every point, in all kinds of positions.
fn passes<P: Board>(seed: u64) {
    let mut random = SplitMix64::new(seed);
    for setup in every_kind_of_position(seed, 500) {
        let mut position: P = board(&setup);
        check_all_moves(&position);
        check_position(&mut position);
        check_random_game(&mut position, &mut random, 12);
    }
    for setup in every_kind_of_position(seed + 1, 60) {
        let (position, oracle): (P, _) = (board(&setup), Oracle::new(&setup));
        for square in Square::all() {
            for side in alfil_kernel::Side::BOTH {
                let expected = oracle.attackers(square, side);
                let found: Vec<_> =
                    position.attackers_to(square, side).iter().filter_map(Square::from_index).collect();
                assert_eq!(found, expected, "{setup:?}: {side:?} attacks {square}");
            }
        }
    }
}

#[test]
fn mailbox_passes_the_examination() {
    passes::<Mailbox>(21);
}

#[test]
fn bitboard_passes_the_examination() {
    passes::<Bitboard>(22);
}

#[test]
fn folded_passes_the_examination() {
    passes::<Folded>(23);
}

/// The 200,000 plies that the house asks for, from 2,600 positions of all kinds.
#[test]
fn all_boards_are_in_step_with_the_oracle() {
    assert!(in_step(31, 2_600, 100) > 200_000);
}

#[test]
fn the_boards_are_in_step_with_each_other() {
    let setup = Setup::start();
    check_boards_agree::<Mailbox, Bitboard>(&board(&setup), &board(&setup));
    check_boards_agree::<Bitboard, Folded>(&board(&setup), &board(&setup));
}
