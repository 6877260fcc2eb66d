//! The rules again, slowly, straight from the rule book: a plain 9x10 board, every pair of points tried, and after each move a
//! look whether the general could be taken. It shares no table and no code with the boards.

use alfil_kernel::{Setup as _, Side};
use alfil_xiangqi::{Move, Piece, PieceKind, Setup, Square};

/// A plain board: `men[rank][file]`.
#[derive(Clone)]
pub struct Oracle {
    men: [[Option<Piece>; 9]; 10],
    side: Side,
}

impl Oracle {
    pub fn new(setup: &Setup) -> Self {
        let mut men = [[None; 9]; 10];
        for (rank, row) in men.iter_mut().enumerate() {
            for (file, man) in row.iter_mut().enumerate() {
                *man = setup.board[rank * 9 + file];
            }
        }
        Oracle { men, side: setup.side_to_move }
    }

    pub fn setup(&self) -> Setup {
        let mut setup = Setup { side_to_move: self.side, ..Setup::EMPTY };
        for (index, man) in self.men.iter().flatten().enumerate() {
            setup.board[index] = *man;
        }
        setup.with_counters(Default::default())
    }

    fn man(&self, file: i32, rank: i32) -> Option<Piece> {
        self.men[rank as usize][file as usize]
    }

    /// How many men stand strictly between two points of one line.
    fn between(&self, (f0, r0): (i32, i32), (f1, r1): (i32, i32)) -> usize {
        let (df, dr) = ((f1 - f0).signum(), (r1 - r0).signum());
        let distance = (f1 - f0).abs().max((r1 - r0).abs());
        (1..distance).filter(|i| self.man(f0 + i * df, r0 + i * dr).is_some()).count()
    }

    /// Whether the man on one point moves like that to another, generals apart: what it takes may be a general.
    fn reaches(&self, from: (i32, i32), to: (i32, i32)) -> bool {
        let Some(piece) = self.man(from.0, from.1) else { return false };
        let target = self.man(to.0, to.1);
        if from == to || target.is_some_and(|target| target.side() == piece.side()) {
            return false;
        }
        let (df, dr) = (to.0 - from.0, to.1 - from.1);
        let (wide, high) = (df.abs(), dr.abs());
        let red = piece.side() == Side::First;
        let palace = |(file, rank): (i32, i32)| (3..=5).contains(&file) && (rank <= 2 || rank >= 7);
        match piece.kind() {
            PieceKind::King => {
                let facing = wide == 0
                    && self.between(from, to) == 0
                    && target.is_some_and(|target| target.kind() == PieceKind::King);
                facing || (wide + high == 1 && palace(to))
            }
            PieceKind::Advisor => wide == 1 && high == 1 && palace(to),
            PieceKind::Elephant => {
                let stays = (from.1 < 5) == (to.1 < 5);
                wide == 2 && high == 2 && stays && self.man(from.0 + df / 2, from.1 + dr / 2).is_none()
            }
            PieceKind::Horse => match (wide, high) {
                (1, 2) => self.man(from.0, from.1 + dr / 2).is_none(),
                (2, 1) => self.man(from.0 + df / 2, from.1).is_none(),
                _ => false,
            },
            PieceKind::Rook => (wide == 0 || high == 0) && self.between(from, to) == 0,
            PieceKind::Cannon => {
                let screens = if target.is_some() { 1 } else { 0 };
                (wide == 0 || high == 0) && self.between(from, to) == screens
            }
            PieceKind::Soldier => {
                let crossed = if red { from.1 >= 5 } else { from.1 <= 4 };
                (wide == 0 && dr == if red { 1 } else { -1 }) || (crossed && wide == 1 && high == 0)
            }
        }
    }

    fn points() -> impl Iterator<Item = (i32, i32)> {
        (0..10).flat_map(|rank| (0..9).map(move |file| (file, rank)))
    }

    /// Whether a side's general could be taken, were the other side to move. Advisors and elephants cannot come near the
    /// other general; where a waived setup put them there, they give no check.
    pub fn attacked(&self, side: Side) -> bool {
        let king = Piece::new(side, PieceKind::King);
        let at = Self::points().find(|&(file, rank)| self.man(file, rank) == Some(king)).expect("a general");
        Self::points().any(|from| {
            let enemy = self.man(from.0, from.1).filter(|piece| piece.side() != side);
            enemy.is_some_and(|piece| !matches!(piece.kind(), PieceKind::Advisor | PieceKind::Elephant))
                && self.reaches(from, at)
        })
    }

    /// The pseudo-legal moves in the order of their bits: a general is never a target.
    pub fn pseudo(&self) -> Vec<Move> {
        let name = |(file, rank): (i32, i32)| Square::new(file as usize, rank as usize);
        let mut moves = Vec::new();
        for from in Self::points() {
            if self.man(from.0, from.1).is_none_or(|piece| piece.side() != self.side) {
                continue;
            }
            for to in Self::points() {
                let general = self.man(to.0, to.1).is_some_and(|target| target.kind() == PieceKind::King);
                if !general && self.reaches(from, to) {
                    moves.push(Move::new(name(from), name(to)));
                }
            }
        }
        moves.sort_unstable();
        moves
    }

    pub fn play(&mut self, mv: Move) {
        let (from, to) = (mv.origin(), mv.target());
        self.men[to.rank()][to.file()] = self.men[from.rank()][from.file()].take();
        self.side = !self.side;
    }

    /// The legal moves in the order of their bits.
    pub fn moves(&self) -> Vec<Move> {
        let mut moves = self.pseudo();
        moves.retain(|&mv| {
            let mut after = self.clone();
            after.play(mv);
            !after.attacked(self.side)
        });
        moves
    }

    pub fn captures(&self) -> Vec<Move> {
        let mut moves = self.moves();
        moves.retain(|mv| self.men[mv.target().rank()][mv.target().file()].is_some());
        moves
    }

    pub fn in_check(&self) -> bool {
        self.attacked(self.side)
    }

    /// The men of a side that could go to a point if an enemy stood there.
    pub fn attackers(&self, square: Square, by: Side) -> Vec<Square> {
        let to = (square.file() as i32, square.rank() as i32);
        let mut board = self.clone();
        // Whatever stands there is taken for an enemy of the attackers; a general keeps its nature.
        let kind = self.man(to.0, to.1).map_or(PieceKind::Soldier, Piece::kind);
        board.men[square.rank()][square.file()] = Some(Piece::new(!by, kind));
        let from = Self::points().filter(|&(file, rank)| {
            self.man(file, rank).is_some_and(|piece| piece.side() == by) && board.reaches((file, rank), to)
        });
        from.filter(|&from| from != to)
            .map(|(file, rank)| Square::new(file as usize, rank as usize))
            .collect()
    }
}
