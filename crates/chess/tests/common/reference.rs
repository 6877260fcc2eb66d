//! The reference implementation: a slow implementation of the rules on an 8x8 array, written from the rule book. It
//! stores nothing incrementally and shares no code with the boards. A move is legal if the king cannot be captured
//! after it.

use alfil_chess::{Move, Piece, PieceKind, Setup, Square};
use alfil_kernel::Side;

/// A position of the reference implementation.
#[derive(Clone)]
pub(crate) struct ReferencePosition {
    board: [[Option<Piece>; 8]; 8],
    side_to_move: Side,
    /// The rooks that may still castle.
    castling_rooks: Vec<Square>,
    en_passant: Option<Square>,
}

impl ReferencePosition {
    /// Creates a position from a setup. Invalid castling rights and an invalid en passant square are dropped.
    pub(crate) fn new(setup: &Setup) -> Self {
        let mut reference = ReferencePosition {
            board: [[None; 8]; 8],
            side_to_move: setup.side_to_move,
            castling_rooks: Vec::new(),
            en_passant: None,
        };
        for square in Square::all() {
            reference.board[square.rank()][square.file()] = setup.board[square.index()];
        }
        for (side, back) in [(Side::First, 0), (Side::Second, 7)] {
            let king = reference.king_square(side);
            let is_rook = |file: &usize| {
                setup.castling[side.index()] >> file & 1 != 0
                    && reference.board[back][*file] == Some(Piece::new(side, PieceKind::Rook))
            };
            if king.rank() == back {
                let left = (0..king.file()).find(is_rook);
                let right = (king.file()..8).rfind(is_rook);
                reference
                    .castling_rooks
                    .extend(left.into_iter().chain(right).map(|file| Square::new(file, back)));
            }
        }
        if let Some(square) = setup.en_passant {
            reference.set_en_passant(square);
        }
        reference
    }

    /// Sets the en passant square if a pawn of the side to move attacks it.
    fn set_en_passant(&mut self, square: Square) {
        let up = self.forward();
        let enemy_pawn = Some(Piece::new(!self.side_to_move, PieceKind::Pawn));
        let own_pawn = Some(Piece::new(self.side_to_move, PieceKind::Pawn));
        let at = |ranks| square.step(0, ranks).and_then(|square| self.piece_on(square));
        let rank = if self.side_to_move == Side::First { 5 } else { 2 };
        let is_passed = square.rank() == rank
            && self.piece_on(square).is_none()
            && at(up).is_none()
            && at(-up) == enemy_pawn;
        let is_attacked = [-1, 1]
            .iter()
            .filter_map(|&files| square.step(files, -up))
            .any(|from| self.piece_on(from) == own_pawn);
        self.en_passant = (is_passed && is_attacked).then_some(square);
    }

    fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square.rank()][square.file()]
    }

    fn put(&mut self, square: Square, piece: Option<Piece>) {
        self.board[square.rank()][square.file()] = piece;
    }

    fn forward(&self) -> isize {
        if self.side_to_move == Side::First { 1 } else { -1 }
    }

    fn king_square(&self, side: Side) -> Square {
        Square::all()
            .find(|&square| self.piece_on(square) == Some(Piece::new(side, PieceKind::King)))
            .expect("a king")
    }

    /// Returns whether the piece on `from` attacks `to`.
    fn is_attacking(&self, from: Square, to: Square) -> bool {
        let Some(piece) = self.piece_on(from) else { return false };
        let (files, ranks) =
            (to.file() as isize - from.file() as isize, to.rank() as isize - from.rank() as isize);
        let (wide, high) = (files.abs(), ranks.abs());
        let line = (files == 0) != (ranks == 0);
        let diagonal = wide == high && wide != 0;
        let up = if piece.side() == Side::First { 1 } else { -1 };
        match piece.kind() {
            PieceKind::Pawn => wide == 1 && ranks == up,
            PieceKind::Knight => wide * high == 2,
            PieceKind::King => wide.max(high) == 1,
            PieceKind::Bishop => diagonal && self.is_clear(from, to),
            PieceKind::Rook => line && self.is_clear(from, to),
            PieceKind::Queen => (line || diagonal) && self.is_clear(from, to),
        }
    }

    fn is_clear(&self, from: Square, to: Square) -> bool {
        let (files, ranks) = (
            (to.file() as isize - from.file() as isize).signum(),
            (to.rank() as isize - from.rank() as isize).signum(),
        );
        let mut at = from.step(files, ranks).unwrap();
        while at != to {
            if self.piece_on(at).is_some() {
                return false;
            }
            at = at.step(files, ranks).unwrap();
        }
        true
    }

    pub(crate) fn attackers_to(&self, square: Square, by: Side) -> Vec<Square> {
        let enemy = |&from: &Square| self.piece_on(from).is_some_and(|piece| piece.side() == by);
        Square::all().filter(enemy).filter(|&from| self.is_attacking(from, square)).collect()
    }

    pub(crate) fn in_check(&self) -> bool {
        !self.attackers_to(self.king_square(self.side_to_move), !self.side_to_move).is_empty()
    }

    fn is_castling(&self, from: Square, to: Square) -> bool {
        let own = |square, kind| self.piece_on(square) == Some(Piece::new(self.side_to_move, kind));
        own(from, PieceKind::King) && own(to, PieceKind::Rook) && self.castling_rooks.contains(&to)
    }

    fn castling_destinations(king: Square, rook: Square) -> (Square, Square) {
        let files = if rook.file() > king.file() { (6, 5) } else { (2, 3) };
        (Square::new(files.0, king.rank()), Square::new(files.1, king.rank()))
    }

    /// Returns whether the move between two squares is pseudo-legal.
    fn is_pseudo_legal(&self, from: Square, to: Square) -> bool {
        let Some(piece) = self.piece_on(from).filter(|piece| piece.side() == self.side_to_move && from != to)
        else {
            return false;
        };
        if self.is_castling(from, to) {
            let (king, rook) = Self::castling_destinations(from, to);
            let files = [from, to, king, rook].map(Square::file);
            let (low, high) = (files.into_iter().min().unwrap(), files.into_iter().max().unwrap());
            return (low..=high)
                .map(|file| Square::new(file, from.rank()))
                .all(|square| square == from || square == to || self.piece_on(square).is_none());
        }
        let target = self.piece_on(to);
        if target.is_some_and(|piece| piece.side() == self.side_to_move || piece.kind() == PieceKind::King) {
            return false;
        }
        if piece.kind() != PieceKind::Pawn {
            return self.is_attacking(from, to);
        }
        let up = self.forward();
        let pawn_rank = if self.side_to_move == Side::First { 1 } else { 6 };
        let empty = |ranks| from.step(0, ranks).is_some_and(|square| self.piece_on(square).is_none());
        let is_single_step = from.step(0, up) == Some(to) && empty(up);
        let is_double_step =
            from.rank() == pawn_rank && from.step(0, 2 * up) == Some(to) && empty(up) && empty(2 * up);
        let is_capture = self.is_attacking(from, to) && (target.is_some() || self.en_passant == Some(to));
        is_single_step || is_double_step || is_capture
    }

    pub(crate) fn pseudo_legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in Square::all() {
            for to in Square::all().filter(|&to| self.is_pseudo_legal(from, to)) {
                let is_pawn = self.piece_on(from).is_some_and(|piece| piece.kind() == PieceKind::Pawn);
                if is_pawn && to.rank() == if self.side_to_move == Side::First { 7 } else { 0 } {
                    moves.extend(PieceKind::PROMOTIONS.map(|kind| Move::with_promotion(from, to, kind)));
                } else {
                    moves.push(Move::new(from, to));
                }
            }
        }
        moves.sort_unstable();
        moves
    }

    fn is_king_safe(&self, mv: Move) -> bool {
        if self.is_castling(mv.origin(), mv.target()) {
            let (king, _) = Self::castling_destinations(mv.origin(), mv.target());
            let (low, high) = (king.file().min(mv.origin().file()), king.file().max(mv.origin().file()));
            for file in low..=high {
                // The king is removed from its square; the rook is still on its own.
                let mut without_king = self.clone();
                without_king.put(mv.origin(), None);
                let square = Square::new(file, king.rank());
                if !without_king.attackers_to(square, !self.side_to_move).is_empty() {
                    return false;
                }
            }
            if self.in_check() {
                return false;
            }
        }
        let mut after = self.clone();
        after.play(mv);
        after.attackers_to(after.king_square(self.side_to_move), !self.side_to_move).is_empty()
    }

    pub(crate) fn legal_moves(&self) -> Vec<Move> {
        self.pseudo_legal_moves().into_iter().filter(|&mv| self.is_king_safe(mv)).collect()
    }

    pub(crate) fn legal_captures(&self) -> Vec<Move> {
        let is_capture = |mv: &Move| {
            let is_pawn = self.piece_on(mv.origin()).is_some_and(|piece| piece.kind() == PieceKind::Pawn);
            let has_victim =
                self.piece_on(mv.target()).is_some_and(|piece| piece.side() != self.side_to_move);
            has_victim || is_pawn && mv.origin().file() != mv.target().file()
        };
        self.legal_moves().into_iter().filter(is_capture).collect()
    }

    pub(crate) fn play(&mut self, mv: Move) {
        let (from, to) = (mv.origin(), mv.target());
        let piece = self.piece_on(from).expect("a piece on the origin");
        if piece.kind() == PieceKind::King && self.is_castling(from, to) {
            let (king, rook) = Self::castling_destinations(from, to);
            self.put(from, None);
            self.put(to, None);
            self.put(king, Some(piece));
            self.put(rook, Some(Piece::new(self.side_to_move, PieceKind::Rook)));
        } else {
            if piece.kind() == PieceKind::Pawn && from.file() != to.file() && self.piece_on(to).is_none() {
                self.put(Square::new(to.file(), from.rank()), None);
            }
            self.put(from, None);
            self.put(to, Some(mv.promotion_kind().map_or(piece, |kind| Piece::new(self.side_to_move, kind))));
        }
        let back_rank = if self.side_to_move == Side::First { 0 } else { 7 };
        let king_moved = piece.kind() == PieceKind::King;
        self.castling_rooks
            .retain(|&rook| rook != from && rook != to && !(king_moved && rook.rank() == back_rank));
        self.side_to_move = !self.side_to_move;
        self.en_passant = None;
        if piece.kind() == PieceKind::Pawn && from.rank().abs_diff(to.rank()) == 2 {
            self.set_en_passant(Square::new(from.file(), (from.rank() + to.rank()) / 2));
        }
    }

    pub(crate) fn to_setup(&self) -> Setup {
        let mut setup =
            Setup { side_to_move: self.side_to_move, en_passant: self.en_passant, ..Setup::EMPTY };
        for square in Square::all() {
            setup.board[square.index()] = self.piece_on(square);
        }
        for rook in &self.castling_rooks {
            setup.castling[usize::from(rook.rank() != 0)] |= 1 << rook.file();
        }
        setup
    }

    pub(crate) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let count_after = |mv| {
            let mut after = self.clone();
            after.play(mv);
            after.perft(depth - 1)
        };
        self.legal_moves().into_iter().map(count_after).sum()
    }
}
