//! A board that is a few sets of points: one for each side and one for each kind.
//!
//! Beside the sets it keeps what stands on each point, and the occupancy of each line as a word for the line tables of
//! [`geometry`](crate::geometry). Legal moves come from masks and are not tried: `legality` tells how. How the points
//! that block a horse or an elephant are looked up is a parameter, so that the folded board is this one with two
//! look-ups exchanged.

use core::fmt::Write as _;

use alfil_kernel::{MoveList, Position, SetupError, Side, Watcher};

use crate::board::{Board, Points, SIDE_WORD, WORDS};
use crate::geometry::{ELEPHANT, HORSE, Lines, SOLDIER_FROM, seat_of};
use crate::moves::Move;
use crate::piece::{Kind, Piece};
use crate::setup::{Complaint, Setup};
use crate::square::Square;
use crate::{Xiangqi, fen};

mod generate;
mod legality;

pub use legality::Safety;

/// How a board looks up where horses and elephants go.
pub trait Leapers: Copy + Default + PartialEq + core::fmt::Debug + Send + Sync + 'static {
    /// The name of the board that looks up like this.
    const BOARD: &'static str;
    /// A man was put on the empty point, or lifted from it.
    fn toggle(&mut self, square: Square);
    /// Where a horse goes, own men not considered.
    fn horse(&self, lines: &Lines, square: Square) -> Points;
    /// Where an elephant goes, own men not considered.
    fn elephant(&self, lines: &Lines, square: Square) -> Points;
    /// The number of legal move paths, by the fastest way there is for this board.
    fn perft(board: &Bitboard<Self>, depth: u32) -> u64 {
        alfil_kernel::perft::perft(&mut board.clone(), depth)
    }
    /// The look-up's own state in text, for [`Position::raw`]; empty if it has none.
    fn raw(&self) -> String;
}

/// Four neighbours, four bits, sixteen entries a point: the bits are cut out of the words of the lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dense;

impl Leapers for Dense {
    const BOARD: &'static str = "bitboard";

    #[inline(always)]
    fn toggle(&mut self, _: Square) {}

    #[inline(always)]
    fn horse(&self, lines: &Lines, square: Square) -> Points {
        HORSE[square.index()][lines.legs(square)]
    }

    #[inline(always)]
    fn elephant(&self, lines: &Lines, square: Square) -> Points {
        ELEPHANT[square.index()][lines.eyes(square)]
    }

    fn perft(board: &Bitboard, depth: u32) -> u64 {
        crate::counter::perft(board, depth)
    }

    fn raw(&self) -> String {
        String::new()
    }
}

/// The board of sets.
///
/// ```
/// use alfil_kernel::{Position, Setup as _, Waivers};
/// use alfil_xiangqi::{Bitboard, Setup};
///
/// let board = <Bitboard>::from_setup(&Setup::start(), &Waivers::None).unwrap();
/// assert_eq!((board.count(), board.in_check()), (44, false));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bitboard<L: Leapers = Dense> {
    sides: [Points; 2],
    kinds: [Points; 7],
    /// The number of the piece on each point; [`NOBODY`] if there is none.
    men: [u8; Square::COUNT],
    lines: Lines,
    leapers: L,
    side: Side,
    key: u64,
}

/// Stands on an empty point.
const NOBODY: u8 = Piece::COUNT as u8;

/// What a move destroys: what it took, and the key. The alternative, to keep the old board whole, is measured in
/// `benches/bitboards.rs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undo {
    captured: Option<Piece>,
    key: u64,
}

/// The point of a number that came out of a set of points.
///
/// # Panics
/// If the number is not below 90.
#[inline(always)]
pub fn point(index: usize) -> Square {
    Square::from_index(index).expect("sets hold points of the board only")
}

impl<L: Leapers> Bitboard<L> {
    /// Puts the piece on the empty point, or lifts it: the sets only.
    #[inline(always)]
    fn toggle(&mut self, square: Square, piece: Piece) {
        let bit = Points::of(square.index());
        self.sides[piece.side().index()] = self.sides[piece.side().index()] ^ bit;
        self.kinds[piece.kind() as usize] = self.kinds[piece.kind() as usize] ^ bit;
        self.key ^= WORDS[piece.index()][square.index()];
    }

    /// The point changes between empty and occupied.
    #[inline(always)]
    fn toggle_lines(&mut self, square: Square) {
        self.lines.toggle(square);
        self.leapers.toggle(square);
    }

    #[inline(always)]
    fn man(&self, square: Square) -> Option<Piece> {
        Piece::from_index(usize::from(self.men[square.index()]))
    }

    /// The men of a kind of a side.
    #[inline(always)]
    fn of(&self, side: Side, kind: Kind) -> Points {
        self.sides[side.index()] & self.kinds[kind as usize]
    }

    #[inline(always)]
    fn all(&self) -> Points {
        self.sides[0] | self.sides[1]
    }

    /// The words of the lines.
    #[inline(always)]
    pub(crate) fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The same board with the other side to move; its key is not kept.
    #[inline(always)]
    pub(crate) fn passed(&self) -> Self {
        Bitboard { side: !self.side, ..*self }
    }

    #[inline(always)]
    fn turn(&mut self) {
        self.side = !self.side;
        self.key ^= SIDE_WORD;
    }
}

impl<L: Leapers> Position for Bitboard<L> {
    type Game = Xiangqi;
    type Undo = Undo;
    const BOARD: &'static str = L::BOARD;

    fn from_setup(setup: &Setup, waivers: &alfil_kernel::Waivers) -> Result<Self, SetupError<Complaint>> {
        alfil_kernel::Setup::accept(setup, waivers)?;
        let mut board = Bitboard {
            sides: [Points::EMPTY; 2],
            kinds: [Points::EMPTY; 7],
            men: [NOBODY; Square::COUNT],
            lines: Lines::default(),
            leapers: L::default(),
            side: Side::First,
            key: 0,
        };
        for square in Square::all() {
            if let Some(piece) = setup.men[square.index()] {
                board.toggle(square, piece);
                board.toggle_lines(square);
                board.men[square.index()] = piece.index() as u8;
            }
        }
        if setup.side == Side::Second {
            board.turn();
        }
        Ok(board)
    }

    fn setup(&self) -> Setup {
        let men = core::array::from_fn(|index| self.man(point(index)));
        Setup { men, side: self.side, ..Setup::EMPTY }
    }

    #[inline(always)]
    fn side(&self) -> Side {
        self.side
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.key
    }

    fn full_key(&self) -> u64 {
        let side = if self.side == Side::Second { SIDE_WORD } else { 0 };
        Piece::all().fold(side, |key, piece| {
            self.of(piece.side(), piece.kind())
                .iter()
                .fold(key, |key, square| key ^ WORDS[piece.index()][square])
        })
    }

    fn raw(&self) -> String {
        let mut text = format!("{}\nkey {:016x}\n", fen::write(&self.setup()), self.key);
        let mut row = |name: &str, set: Points| {
            let squares: Vec<_> = set.iter().map(|square| point(square).to_string()).collect();
            let _ = writeln!(text, "{name:<9}{:023x} {}", set.0, squares.join(" "));
        };
        row("red", self.sides[0]);
        row("black", self.sides[1]);
        Kind::ALL.iter().for_each(|&kind| row(kind.name(), self.kinds[kind as usize]));
        for rank in (0..Square::RANKS).rev() {
            let _ = writeln!(text, "rank {rank}   {:09b}", self.lines.rank(rank));
        }
        for file in 0..Square::FILES {
            let letter = char::from(b'a' + file as u8);
            let _ = writeln!(text, "file {letter}   {:010b}", self.lines.file(file));
        }
        text + &self.leapers.raw()
    }

    #[inline(always)]
    fn piece_on(&self, square: Square) -> Option<Piece> {
        self.man(square)
    }

    fn moves(&self, list: &mut MoveList<Move>) {
        self.list(self.takeable_or_empty(), &self.safety(), list);
    }

    fn captures(&self, list: &mut MoveList<Move>) {
        self.list(self.takeable(), &self.safety(), list);
    }

    fn pseudo(&self, list: &mut MoveList<Move>) {
        self.list(self.takeable_or_empty(), &Safety::WAIVED, list);
    }

    fn count(&self) -> usize {
        self.count_safe(&self.safety())
    }

    fn perft(&self, depth: u32) -> u64 {
        L::perft(self, depth)
    }

    fn is_pseudo_legal(&self, mv: Move) -> bool {
        let origin = mv.origin();
        match self.man(origin) {
            Some(piece) if piece.side() == self.side => {
                let targets = self.targets(piece.kind(), origin) & self.takeable_or_empty();
                targets.contains(mv.target().index())
            }
            _ => false,
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv) && self.is_safe(mv)
    }

    #[inline(always)]
    fn captured(&self, mv: Move) -> Option<Piece> {
        self.man(mv.target())
    }

    #[inline(always)]
    fn is_irreversible(&self, mv: Move) -> bool {
        self.captured(mv).is_some()
    }

    #[inline]
    fn make<W: Watcher<Xiangqi>>(&mut self, mv: Move, watcher: &mut W) -> Undo {
        let (origin, target) = (mv.origin(), mv.target());
        let undo = Undo { captured: self.man(target), key: self.key };
        if let Some(captured) = undo.captured {
            self.toggle(target, captured);
            watcher.lift(target, captured);
        } else {
            self.toggle_lines(target);
        }
        // A move of nobody is not pseudo-legal: it leaves a wrong position, as the contract says.
        if let Some(mover) = self.man(origin) {
            self.toggle(origin, mover);
            self.toggle_lines(origin);
            watcher.lift(origin, mover);
            self.toggle(target, mover);
            watcher.put(target, mover);
        }
        self.men[target.index()] = self.men[origin.index()];
        self.men[origin.index()] = NOBODY;
        self.turn();
        undo
    }

    #[inline]
    fn unmake<W: Watcher<Xiangqi>>(&mut self, mv: Move, undo: &Undo, watcher: &mut W) {
        let (origin, target) = (mv.origin(), mv.target());
        if let Some(mover) = self.man(target) {
            watcher.lift(target, mover);
            self.toggle(target, mover);
            self.toggle(origin, mover);
            self.toggle_lines(origin);
            watcher.put(origin, mover);
        }
        self.men[origin.index()] = self.men[target.index()];
        if let Some(captured) = undo.captured {
            self.men[target.index()] = captured.index() as u8;
            self.toggle(target, captured);
            watcher.put(target, captured);
        } else {
            self.men[target.index()] = NOBODY;
            self.toggle_lines(target);
        }
        self.side = !self.side;
        self.key = undo.key;
    }

    fn make_null(&mut self) -> Undo {
        let undo = Undo { captured: None, key: self.key };
        self.turn();
        undo
    }

    fn unmake_null(&mut self, _: &Undo) {
        self.turn();
    }

    fn in_check(&self) -> bool {
        self.safety().check
    }

    fn ended(&self) -> bool {
        self.has_no_move()
    }
}

impl<L: Leapers> Board for Bitboard<L> {
    #[inline(always)]
    fn pieces(&self, piece: Piece) -> Points {
        self.of(piece.side(), piece.kind())
    }

    #[inline(always)]
    fn men(&self, side: Side) -> Points {
        self.sides[side.index()]
    }

    #[inline(always)]
    fn occupied(&self) -> Points {
        self.all()
    }

    #[inline(always)]
    fn king(&self, side: Side) -> Square {
        point(self.of(side, Kind::King).first().expect("each side has a general: no setup without passes"))
    }

    #[inline(always)]
    fn lines_of_men(&self) -> Lines {
        self.lines
    }

    /// By looking from the point: see [`Board::attackers`].
    fn attackers(&self, square: Square, by: Side) -> Points {
        let (index, of) = (square.index(), |kind| self.of(by, kind));
        let sight = self.lines.rook(square);
        let mut found = (sight & of(Kind::Rook)) | (self.lines.cannon(square) & of(Kind::Cannon));
        found = found | (SOLDIER_FROM[by.index()][index] & of(Kind::Soldier));
        for kind in [Kind::Horse, Kind::Elephant, Kind::Advisor, Kind::King] {
            for man in of(kind) {
                if self.targets(kind, point(man)).contains(index) {
                    found = found | Points::of(man);
                }
            }
        }
        if square == self.king(!by) {
            // The generals may not face each other, so each attacks the other along an empty file.
            found = found | (sight & seat_of(square).file & of(Kind::King));
        }
        found
    }
}
