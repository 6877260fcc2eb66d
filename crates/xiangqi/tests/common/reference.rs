//! A reference implementation: the rules once more, slow and straight from the rule book. A plain 9x10 board, every
//! pair of squares tried, and after each move a test whether the king could be captured. It shares no table and no code
//! with the boards.

use alfil_kernel::{Setup as _, Side};
use alfil_xiangqi::{Move, Piece, PieceKind, Setup, Square};

/// A plain board, indexed by rank and file.
#[derive(Clone)]
pub(crate) struct ReferencePosition {
    board: [[Option<Piece>; 9]; 10],
    side: Side,
}

impl ReferencePosition {
    pub(crate) fn new(setup: &Setup) -> Self {
        let mut board = [[None; 9]; 10];
        for (rank, row) in board.iter_mut().enumerate() {
            for (file, piece) in row.iter_mut().enumerate() {
                *piece = setup.board[rank * 9 + file];
            }
        }
        ReferencePosition { board, side: setup.side_to_move }
    }

    pub(crate) fn to_setup(&self) -> Setup {
        let mut setup = Setup { side_to_move: self.side, ..Setup::EMPTY };
        for (index, piece) in self.board.iter().flatten().enumerate() {
            setup.board[index] = *piece;
        }
        setup.with_counters(Default::default())
    }

    fn piece_on(&self, file: i32, rank: i32) -> Option<Piece> {
        self.board[rank as usize][file as usize]
    }

    /// Returns how many pieces are strictly between two squares of one line.
    fn count_between(&self, (f0, r0): (i32, i32), (f1, r1): (i32, i32)) -> usize {
        let (df, dr) = ((f1 - f0).signum(), (r1 - r0).signum());
        let distance = (f1 - f0).abs().max((r1 - r0).abs());
        (1..distance).filter(|i| self.piece_on(f0 + i * df, r0 + i * dr).is_some()).count()
    }

    /// Returns whether the piece on one square moves to another; a king counts as a possible victim.
    fn can_reach(&self, from: (i32, i32), to: (i32, i32)) -> bool {
        let Some(piece) = self.piece_on(from.0, from.1) else { return false };
        let target = self.piece_on(to.0, to.1);
        if from == to || target.is_some_and(|target| target.side() == piece.side()) {
            return false;
        }
        let (df, dr) = (to.0 - from.0, to.1 - from.1);
        let (file_distance, rank_distance) = (df.abs(), dr.abs());
        let red = piece.side() == Side::First;
        let palace = |(file, rank): (i32, i32)| (3..=5).contains(&file) && (rank <= 2 || rank >= 7);
        match piece.kind() {
            PieceKind::King => {
                let facing = file_distance == 0
                    && self.count_between(from, to) == 0
                    && target.is_some_and(|target| target.kind() == PieceKind::King);
                facing || (file_distance + rank_distance == 1 && palace(to))
            }
            PieceKind::Advisor => file_distance == 1 && rank_distance == 1 && palace(to),
            PieceKind::Elephant => {
                let stays_in_half = (from.1 < 5) == (to.1 < 5);
                file_distance == 2
                    && rank_distance == 2
                    && stays_in_half
                    && self.piece_on(from.0 + df / 2, from.1 + dr / 2).is_none()
            }
            PieceKind::Horse => match (file_distance, rank_distance) {
                (1, 2) => self.piece_on(from.0, from.1 + dr / 2).is_none(),
                (2, 1) => self.piece_on(from.0 + df / 2, from.1).is_none(),
                _ => false,
            },
            PieceKind::Rook => {
                (file_distance == 0 || rank_distance == 0) && self.count_between(from, to) == 0
            }
            PieceKind::Cannon => {
                let screens = if target.is_some() { 1 } else { 0 };
                (file_distance == 0 || rank_distance == 0) && self.count_between(from, to) == screens
            }
            PieceKind::Soldier => {
                let crossed = if red { from.1 >= 5 } else { from.1 <= 4 };
                (file_distance == 0 && dr == if red { 1 } else { -1 })
                    || (crossed && file_distance == 1 && rank_distance == 0)
            }
        }
    }

    fn coordinates() -> impl Iterator<Item = (i32, i32)> {
        (0..10).flat_map(|rank| (0..9).map(move |file| (file, rank)))
    }

    /// Returns whether a side's king could be captured if the other side were to move. Advisors and elephants cannot
    /// come near the other king; a waived setup can put them there, but they give no check.
    pub(crate) fn is_king_attacked(&self, side: Side) -> bool {
        let king = Piece::new(side, PieceKind::King);
        let at = Self::coordinates()
            .find(|&(file, rank)| self.piece_on(file, rank) == Some(king))
            .expect("a king");
        Self::coordinates().any(|from| {
            let enemy = self.piece_on(from.0, from.1).filter(|piece| piece.side() != side);
            enemy.is_some_and(|piece| !matches!(piece.kind(), PieceKind::Advisor | PieceKind::Elephant))
                && self.can_reach(from, at)
        })
    }

    /// Returns the pseudo-legal moves in the order of their bits: a king is never a target.
    pub(crate) fn pseudo_legal_moves(&self) -> Vec<Move> {
        let square = |(file, rank): (i32, i32)| Square::new(file as usize, rank as usize);
        let mut moves = Vec::new();
        for from in Self::coordinates() {
            if self.piece_on(from.0, from.1).is_none_or(|piece| piece.side() != self.side) {
                continue;
            }
            for to in Self::coordinates() {
                let is_king =
                    self.piece_on(to.0, to.1).is_some_and(|target| target.kind() == PieceKind::King);
                if !is_king && self.can_reach(from, to) {
                    moves.push(Move::new(square(from), square(to)));
                }
            }
        }
        moves.sort_unstable();
        moves
    }

    pub(crate) fn play(&mut self, mv: Move) {
        let (from, to) = (mv.origin(), mv.target());
        self.board[to.rank()][to.file()] = self.board[from.rank()][from.file()].take();
        self.side = !self.side;
    }

    /// Returns the legal moves in the order of their bits.
    pub(crate) fn legal_moves(&self) -> Vec<Move> {
        let mut moves = self.pseudo_legal_moves();
        moves.retain(|&mv| {
            let mut after = self.clone();
            after.play(mv);
            !after.is_king_attacked(self.side)
        });
        moves
    }

    pub(crate) fn legal_captures(&self) -> Vec<Move> {
        let mut moves = self.legal_moves();
        moves.retain(|mv| self.board[mv.target().rank()][mv.target().file()].is_some());
        moves
    }

    pub(crate) fn in_check(&self) -> bool {
        self.is_king_attacked(self.side)
    }

    /// Returns the pieces of a side that could move to a square if an enemy piece were there.
    pub(crate) fn attackers_to(&self, square: Square, by: Side) -> Vec<Square> {
        let to = (square.file() as i32, square.rank() as i32);
        let mut board = self.clone();
        // Whatever is there is treated as an enemy of the attackers; a king remains a king.
        let kind = self.piece_on(to.0, to.1).map_or(PieceKind::Soldier, Piece::kind);
        board.board[square.rank()][square.file()] = Some(Piece::new(!by, kind));
        let from = Self::coordinates().filter(|&(file, rank)| {
            self.piece_on(file, rank).is_some_and(|piece| piece.side() == by)
                && board.can_reach((file, rank), to)
        });
        from.filter(|&from| from != to)
            .map(|(file, rank)| Square::new(file as usize, rank as usize))
            .collect()
    }
}
