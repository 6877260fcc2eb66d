//! The slow oracle: chess as a rule book tells it, on an array of eight ranks, with nothing kept and nothing shared with
//! the boards. A move is legal when the king cannot be taken after it.

use alfil_chess::{Move, Piece, PieceKind, Setup, Square};
use alfil_kernel::Side;

#[derive(Clone)]
pub struct Oracle {
    men: [[Option<Piece>; 8]; 8],
    side: Side,
    /// The rooks that may still castle.
    rooks: Vec<Square>,
    en_passant: Option<Square>,
}

impl Oracle {
    /// What cannot be castled or taken en passant here is left out.
    pub fn new(setup: &Setup) -> Self {
        let mut oracle =
            Oracle { men: [[None; 8]; 8], side: setup.side_to_move, rooks: Vec::new(), en_passant: None };
        for square in Square::all() {
            oracle.men[square.rank()][square.file()] = setup.board[square.index()];
        }
        for (side, back) in [(Side::First, 0), (Side::Second, 7)] {
            let king = oracle.king(side);
            let is_rook = |file: &usize| {
                setup.castling[side.index()] >> file & 1 != 0
                    && oracle.men[back][*file] == Some(Piece::new(side, PieceKind::Rook))
            };
            if king.rank() == back {
                let left = (0..king.file()).find(is_rook);
                let right = (king.file()..8).rfind(is_rook);
                oracle.rooks.extend(left.into_iter().chain(right).map(|file| Square::new(file, back)));
            }
        }
        if let Some(square) = setup.en_passant {
            oracle.offer(square);
        }
        oracle
    }

    /// Remembers an en passant square if a pawn could take there.
    fn offer(&mut self, square: Square) {
        let up = self.forward();
        let pawn = Some(Piece::new(!self.side, PieceKind::Pawn));
        let own = Some(Piece::new(self.side, PieceKind::Pawn));
        let at = |ranks| square.step(0, ranks).and_then(|square| self.man(square));
        let rank = if self.side == Side::First { 5 } else { 2 };
        let stepped =
            square.rank() == rank && self.man(square).is_none() && at(up).is_none() && at(-up) == pawn;
        let beside =
            [-1, 1].iter().filter_map(|&files| square.step(files, -up)).any(|from| self.man(from) == own);
        self.en_passant = (stepped && beside).then_some(square);
    }

    fn man(&self, square: Square) -> Option<Piece> {
        self.men[square.rank()][square.file()]
    }

    fn put(&mut self, square: Square, man: Option<Piece>) {
        self.men[square.rank()][square.file()] = man;
    }

    fn forward(&self) -> isize {
        if self.side == Side::First { 1 } else { -1 }
    }

    fn king(&self, side: Side) -> Square {
        Square::all()
            .find(|&square| self.man(square) == Some(Piece::new(side, PieceKind::King)))
            .expect("a king")
    }

    /// Whether the man on `from` attacks `to`.
    fn attacks(&self, from: Square, to: Square) -> bool {
        let Some(man) = self.man(from) else { return false };
        let (files, ranks) =
            (to.file() as isize - from.file() as isize, to.rank() as isize - from.rank() as isize);
        let (wide, high) = (files.abs(), ranks.abs());
        let line = (files == 0) != (ranks == 0);
        let diagonal = wide == high && wide != 0;
        let up = if man.side() == Side::First { 1 } else { -1 };
        match man.kind() {
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
            if self.man(at).is_some() {
                return false;
            }
            at = at.step(files, ranks).unwrap();
        }
        true
    }

    pub fn attackers(&self, square: Square, by: Side) -> Vec<Square> {
        let enemy = |&from: &Square| self.man(from).is_some_and(|man| man.side() == by);
        Square::all().filter(enemy).filter(|&from| self.attacks(from, square)).collect()
    }

    pub fn in_check(&self) -> bool {
        !self.attackers(self.king(self.side), !self.side).is_empty()
    }

    fn is_castling(&self, from: Square, to: Square) -> bool {
        let own = |square, kind| self.man(square) == Some(Piece::new(self.side, kind));
        own(from, PieceKind::King) && own(to, PieceKind::Rook) && self.rooks.contains(&to)
    }

    fn castled(king: Square, rook: Square) -> (Square, Square) {
        let files = if rook.file() > king.file() { (6, 5) } else { (2, 3) };
        (Square::new(files.0, king.rank()), Square::new(files.1, king.rank()))
    }

    /// Whether a man may go there, own king's safety aside.
    fn goes(&self, from: Square, to: Square) -> bool {
        let Some(man) = self.man(from).filter(|man| man.side() == self.side && from != to) else {
            return false;
        };
        if self.is_castling(from, to) {
            let (king, rook) = Self::castled(from, to);
            let files = [from, to, king, rook].map(Square::file);
            let (low, high) = (files.into_iter().min().unwrap(), files.into_iter().max().unwrap());
            return (low..=high)
                .map(|file| Square::new(file, from.rank()))
                .all(|square| square == from || square == to || self.man(square).is_none());
        }
        let target = self.man(to);
        if target.is_some_and(|man| man.side() == self.side || man.kind() == PieceKind::King) {
            return false;
        }
        if man.kind() != PieceKind::Pawn {
            return self.attacks(from, to);
        }
        let up = self.forward();
        let home = if self.side == Side::First { 1 } else { 6 };
        let empty = |ranks| from.step(0, ranks).is_some_and(|square| self.man(square).is_none());
        let one = from.step(0, up) == Some(to) && empty(up);
        let two = from.rank() == home && from.step(0, 2 * up) == Some(to) && empty(up) && empty(2 * up);
        let takes = self.attacks(from, to) && (target.is_some() || self.en_passant == Some(to));
        one || two || takes
    }

    pub fn pseudo(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in Square::all() {
            for to in Square::all().filter(|&to| self.goes(from, to)) {
                let pawn = self.man(from).is_some_and(|man| man.kind() == PieceKind::Pawn);
                if pawn && to.rank() == if self.side == Side::First { 7 } else { 0 } {
                    moves.extend(PieceKind::PROMOTIONS.map(|kind| Move::with_promotion(from, to, kind)));
                } else {
                    moves.push(Move::new(from, to));
                }
            }
        }
        moves.sort_unstable();
        moves
    }

    fn is_safe(&self, mv: Move) -> bool {
        if self.is_castling(mv.origin(), mv.target()) {
            let (king, _) = Self::castled(mv.origin(), mv.target());
            let (low, high) = (king.file().min(mv.origin().file()), king.file().max(mv.origin().file()));
            for file in low..=high {
                // The king walks, the rook waits.
                let mut walked = self.clone();
                walked.put(mv.origin(), None);
                let square = Square::new(file, king.rank());
                if !walked.attackers(square, !self.side).is_empty() {
                    return false;
                }
            }
            if self.in_check() {
                return false;
            }
        }
        let mut after = self.clone();
        after.play(mv);
        after.attackers(after.king(self.side), !self.side).is_empty()
    }

    pub fn moves(&self) -> Vec<Move> {
        self.pseudo().into_iter().filter(|&mv| self.is_safe(mv)).collect()
    }

    pub fn captures(&self) -> Vec<Move> {
        let takes = |mv: &Move| {
            let pawn = self.man(mv.origin()).is_some_and(|man| man.kind() == PieceKind::Pawn);
            let taken = self.man(mv.target()).is_some_and(|man| man.side() != self.side);
            taken || pawn && mv.origin().file() != mv.target().file()
        };
        self.moves().into_iter().filter(takes).collect()
    }

    pub fn play(&mut self, mv: Move) {
        let (from, to) = (mv.origin(), mv.target());
        let man = self.man(from).expect("a man to move");
        if man.kind() == PieceKind::King && self.is_castling(from, to) {
            let (king, rook) = Self::castled(from, to);
            self.put(from, None);
            self.put(to, None);
            self.put(king, Some(man));
            self.put(rook, Some(Piece::new(self.side, PieceKind::Rook)));
        } else {
            if man.kind() == PieceKind::Pawn && from.file() != to.file() && self.man(to).is_none() {
                self.put(Square::new(to.file(), from.rank()), None);
            }
            self.put(from, None);
            self.put(to, Some(mv.promotion_kind().map_or(man, |kind| Piece::new(self.side, kind))));
        }
        let home = if self.side == Side::First { 0 } else { 7 };
        let king_moved = man.kind() == PieceKind::King;
        self.rooks.retain(|&rook| rook != from && rook != to && !(king_moved && rook.rank() == home));
        self.side = !self.side;
        self.en_passant = None;
        if man.kind() == PieceKind::Pawn && from.rank().abs_diff(to.rank()) == 2 {
            self.offer(Square::new(from.file(), (from.rank() + to.rank()) / 2));
        }
    }

    pub fn setup(&self) -> Setup {
        let mut setup = Setup { side_to_move: self.side, en_passant: self.en_passant, ..Setup::EMPTY };
        for square in Square::all() {
            setup.board[square.index()] = self.man(square);
        }
        for rook in &self.rooks {
            setup.castling[usize::from(rook.rank() != 0)] |= 1 << rook.file();
        }
        setup
    }

    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let child = |mv| {
            let mut after = self.clone();
            after.play(mv);
            after.perft(depth - 1)
        };
        self.moves().into_iter().map(child).sum()
    }
}
