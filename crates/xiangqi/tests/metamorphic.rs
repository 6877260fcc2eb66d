//! Metamorphic cases of the Chinese association's rules: each figure (an example of the rule book), and each case
//! constructed from an article, is changed in ways that cannot matter. The ruling on the changed game must follow from
//! the ruling on the original, right or wrong as that may be.

use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::{GameHistory, Outcome, Setup as _, Side, Waivers};
use alfil_xiangqi::{Bitboard, Move, Piece, PieceKind, Ruleset, Setup, Square};

use crate::common::games::{field, game_from_row};

const FIGURES: &str = include_str!("../testdata/figures.jsonl");
const ARTICLES: &str = include_str!("../testdata/articles.jsonl");
const RULESET: Ruleset = Ruleset::CXA2020;

/// A cycle that is played again and again, and the position in which it begins.
#[derive(Clone)]
struct Loop {
    setup: Setup,
    /// Moves that lead to that position.
    entry: Vec<Move>,
    cycle: Vec<Move>,
}

impl Loop {
    /// Returns the cycle of a figure without the moves before it. The rule of nine rounds (`Ruleset::attack_rounds`)
    /// needs these; such a figure is not one of the loops.
    fn of_figure(row: &str) -> Option<Loop> {
        let game = game_from_row::<Bitboard>(row);
        let first = Ruleset { occurrences: 2, ..RULESET }.repetition_start(&game)?;
        let mut start = game.clone();
        while start.ply() > first {
            start.pop(&mut ());
        }
        RULESET.repetition_start(&game)?;
        let cycle = game.moves().skip(first).collect();
        Some(Loop { setup: start.to_setup(), entry: Vec::new(), cycle })
    }

    /// Returns the same loop, begun `plies` later.
    fn entered_later(&self, plies: usize) -> Loop {
        let mut game = GameHistory::<Bitboard>::new(&self.setup, &Waivers::All).unwrap();
        self.cycle[..plies].iter().for_each(|&mv| game.play(mv));
        let mut cycle = self.cycle.clone();
        cycle.rotate_left(plies);
        let setup = game.to_setup().with_counters(self.setup.counters);
        Loop { setup, entry: Vec::new(), cycle }
    }

    fn mapped(&self, setup: Setup, map: fn(Move) -> Move) -> Loop {
        let map_all = |moves: &[Move]| moves.iter().map(|&mv| map(mv)).collect();
        Loop { setup, entry: map_all(&self.entry), cycle: map_all(&self.cycle) }
    }

    fn mirrored(&self) -> Loop {
        self.mapped(self.setup.mirrored(), Move::mirrored)
    }

    fn swapped(&self) -> Loop {
        self.mapped(self.setup.swapped(), Move::flipped)
    }

    /// Returns the positions of the loop, its first one included.
    fn positions(&self) -> Vec<Setup> {
        let mut game = GameHistory::<Bitboard>::new(&self.setup, &Waivers::All).unwrap();
        let mut positions = vec![game.to_setup()];
        for &mv in &self.cycle {
            game.play(mv);
            positions.push(game.to_setup());
        }
        positions
    }

    /// Returns the same loop with a piece added or, with `None`, a square emptied.
    fn with(&self, square: Square, piece: Option<Piece>) -> Loop {
        let mut changed = self.clone();
        changed.setup.board[square.index()] = piece;
        changed
    }

    /// Returns whether a soldier on this square, on its own half, takes part in nothing: in no position of the loop has
    /// its file or rank a rook, cannon or king, is a horse within three steps, or is a piece before or behind it.
    fn is_idle_square(&self, square: Square) -> bool {
        self.positions().iter().all(|setup| {
            let is_empty_line = Square::all()
                .filter(|&at| at != square && (at.file() == square.file() || at.rank() == square.rank()))
                .all(|at| {
                    !setup.board[at.index()].is_some_and(|piece| {
                        matches!(piece.kind(), PieceKind::Rook | PieceKind::Cannon | PieceKind::King)
                    })
                });
            let is_near_horse = Square::all().any(|at| {
                let distance = |a: usize, b: usize| a.abs_diff(b);
                setup.board[at.index()].is_some_and(|piece| piece.kind() == PieceKind::Horse)
                    && distance(at.file(), square.file()) + distance(at.rank(), square.rank()) <= 3
            });
            let is_adjacent_on_file = |at: Square| {
                at.file() == square.file()
                    && at.rank().abs_diff(square.rank()) == 1
                    && setup.board[at.index()].is_some()
            };
            is_empty_line && !is_near_horse && !Square::all().any(is_adjacent_on_file)
        })
    }

    /// Returns the squares at this distance from a side's edge on which a soldier is idle.
    fn idle_squares(&self, side: Side, distance: usize) -> Vec<Square> {
        let rank = if side == Side::First { distance } else { 9 - distance };
        let squares = Square::all().filter(|square| square.rank() == rank && square.file() % 2 == 0);
        squares.filter(|&square| self.is_idle_square(square)).collect()
    }

    fn soldiers_missing(&self, side: Side) -> bool {
        let soldier = Piece::new(side, PieceKind::Soldier);
        self.setup.squares_of(soldier).count() < PieceKind::Soldier.initial_count()
    }

    /// Returns the loops with an idle soldier more, and those with one less.
    fn with_idle_soldier(&self) -> Vec<Loop> {
        let mut changed = Vec::new();
        for (side, distance) in Side::BOTH.into_iter().flat_map(|side| [(side, 3), (side, 4)]) {
            let soldier = Piece::new(side, PieceKind::Soldier);
            for square in self.idle_squares(side, distance) {
                match self.setup.board[square.index()] {
                    None if self.soldiers_missing(side) => changed.push(self.with(square, Some(soldier))),
                    Some(piece) if piece == soldier => changed.push(self.with(square, None)),
                    _ => {}
                }
            }
        }
        changed
    }

    /// Returns the loop with an idle soldier more on each side, both of which have just advanced.
    fn entered_by_soldiers(&self) -> Option<Loop> {
        let mut entered = self.clone();
        let first = self.setup.side_to_move;
        for side in [first, !first] {
            let targets = self.idle_squares(side, 4);
            let origin = self.idle_squares(side, 3).into_iter().find(|origin| {
                targets.iter().any(|target| target.file() == origin.file())
                    && targets
                        .iter()
                        .chain([origin])
                        .all(|at| at.file() != origin.file() || self.setup.board[at.index()].is_none())
            })?;
            let target = targets.into_iter().find(|target| target.file() == origin.file())?;
            if !self.soldiers_missing(side) {
                return None;
            }
            entered.setup.board[origin.index()] = Some(Piece::new(side, PieceKind::Soldier));
            entered.entry.push(Move::new(origin, target));
        }
        let mut game = GameHistory::<Bitboard>::new(&entered.setup, &Waivers::All).ok()?;
        for &mv in &entered.entry {
            // A check forbids the entry.
            sorted_legal_moves(game.position()).contains(&mv).then_some(())?;
            game.play(mv);
        }
        Some(entered)
    }

    /// Returns the outcome after `cycles` cycles, and which moves of the last cycle attack.
    fn ruling(&self, cycles: usize) -> Option<Ruling> {
        let mut game = GameHistory::<Bitboard>::new(&self.setup, &Waivers::All).ok()?;
        self.entry.iter().for_each(|&mv| game.play(mv));
        (0..cycles).for_each(|_| self.cycle.iter().for_each(|&mv| game.play(mv)));
        let analysis = RULESET.analyse_repetition(&game)?;
        let plies = &analysis.plies[analysis.plies.len() - self.cycle.len()..];
        Some((analysis.verdict.outcome, plies.iter().map(|ply| ply.class.is_attack()).collect()))
    }
}

/// The outcome of a loop, and which moves of a cycle attack.
type Ruling = (Outcome, Vec<bool>);

fn swapped((outcome, attacks): Ruling) -> Ruling {
    (outcome.swapped(), attacks)
}

/// Returns the symmetric variants of a loop: itself, with the sides exchanged, mirrored, and both. The second value of
/// each says whether the sides are exchanged.
fn symmetric_variants(figure: &Loop) -> [(Loop, bool); 4] {
    let mirrored = figure.mirrored();
    [(figure.clone(), false), (figure.swapped(), true), (mirrored.swapped(), true), (mirrored, false)]
}

/// Returns the number of symmetric variants of a loop whose ruling does not follow from the expected one, and adds all
/// variants to `cases`.
fn different_variants(changed: &Loop, expected: &Ruling, cycles: usize, cases: &mut usize) -> usize {
    let variants = symmetric_variants(changed);
    *cases += variants.len();
    let differs = |(variant, is_swapped): &&(Loop, bool)| {
        let expected = if *is_swapped { swapped(expected.clone()) } else { expected.clone() };
        variant.ruling(cycles) != Some(expected)
    };
    variants.iter().filter(differs).count()
}

/// Mirrored, with sides exchanged, begun at another move, repeated more often, entered by other moves, and with an idle
/// soldier more or less, every figure has the same ruling, and the same moves attack.
#[test]
fn rulings_follow_the_figures() {
    let (mut cases, mut different) = ([0; 3], Vec::new());
    for row in FIGURES.lines().chain(ARTICLES.lines()) {
        let id = field(row, "id").unwrap();
        let Some(figure) = Loop::of_figure(row) else { continue };
        let expected = figure.ruling(2).unwrap();
        let idle = figure.with_idle_soldier();
        for (number, changed) in std::iter::once(&figure).chain(&idle).enumerate() {
            for plies in 0..changed.cycle.len() {
                let later = changed.entered_later(plies);
                let mut expected = expected.clone();
                expected.1.rotate_left(plies);
                for cycles in if number == 0 { 2..=4 } else { 2..=2 } {
                    let case = &mut cases[usize::from(number > 0)];
                    if different_variants(&later, &expected, cycles, case) > 0 {
                        different.push(format!("{id}, soldier {number}, from ply {plies}, {cycles} cycles"));
                    }
                }
                let entered = if number == 0 { later.entered_by_soldiers() } else { None };
                if let Some(entered) = entered
                    && different_variants(&entered, &expected, 2, &mut cases[2]) > 0
                {
                    different.push(format!("{id}, from ply {plies}, entered by soldiers"));
                }
            }
        }
    }
    println!("{cases:?} cases");
    assert!(cases[0] > 2_000 && cases[1] > 3_000 && cases[2] > 50, "{cases:?} cases");
    assert!(different.is_empty(), "{} of {cases:?} differ: {different:#?}", different.len());
}
