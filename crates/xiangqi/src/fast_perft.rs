//! Fast perft: counts the leaves of a tree two plies at a time, without visiting them.
//!
//! Before the last but one ply the replies of the other side are counted once, as if the side to move passed. Most
//! moves change that number little: a quiet move empties one square and fills another, and its effect on the replies is
//! the sum of the effects of the two squares. The effect of a square on a piece is computed beforehand: on a rook,
//! along its lines up to the first piece; on a cannon, up to the second; on a horse, as a leg; on an elephant, as an
//! eye; on the others, none. So the quiet moves of a piece are counted together: their number times the replies, plus
//! the changes of the squares where they arrive.
//!
//! Where a piece moves along a line of an enemy rook or cannon, the effects of its two squares are not independent; the
//! joint effect is looked up too. The remaining moves are counted by making them:
//!
//! * captures, and moves of the king;
//! * moves near the other king: those that open or close a line or leg to it or to a square to which it can step, or
//!   that enter or leave a square from which such a line is attacked (see [`bitboard`](crate::bitboard)).
//!
//! Counting replies once for a null move is the method of the newest perft programs for chess (T. Huijbregts,
//! chessbit); the sets of relevant squares are our own.

use core::ops::ControlFlow;

use alfil_kernel::perft::PerftKey;
use alfil_kernel::{BitIndex as _, MoveList, Position as _};

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::geometry::{
    ELEPHANT_TARGETS, EYE_SQUARES, FILE_LINES, HORSE_TARGETS, KingAttackTable, LEG_SQUARES, LineMoves,
    LineOccupancy, RANK_LINES, file_squares, file_word, king_attack_table, rank_squares, rank_word,
};
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::square::{Square, SquareSet, square_at};

/// Returns the number of legal move paths of `depth` plies, as [`alfil_kernel::perft::perft`] does.
pub fn perft(board: &Bitboard, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => board.count_legal() as u64,
        _ => count_leaves(&mut board.clone(), depth),
    }
}

/// Returns the key of a position for tables of counts: a position and its mirror image have one key. Returns `None` for
/// a waived setup with more than 32 pieces.
pub fn perft_key(board: &impl Board) -> Option<PerftKey> {
    let key = |image: fn(Square) -> Square| {
        let piece_code =
            |square: Square| board.piece_on(image(square)).map(|piece| (square.index(), piece.index() as u8));
        PerftKey::from_pieces(Square::all().filter_map(piece_code), board.side_to_move())
    };
    Some(key(|square| square)?.min(key(Square::mirrored)?))
}

fn count_leaves(board: &mut Bitboard, depth: u32) -> u64 {
    if depth == 2 {
        return count_two_plies(board);
    }
    let mut list = MoveList::new();
    board.generate_legal(&mut list);
    sum_over_moves(board, &list, |board| count_leaves(board, depth - 1))
}

/// Returns the sum of `count` over the positions after each move.
fn sum_over_moves(
    board: &mut Bitboard,
    list: &MoveList<Move>,
    mut count: impl FnMut(&mut Bitboard) -> u64,
) -> u64 {
    let mut sum = 0;
    for &mv in list {
        let undo = board.make(mv, &mut ());
        sum += count(board);
        board.unmake(mv, &undo, &mut ());
    }
    sum
}

/// Returns the sum over all moves of the number of replies.
fn count_two_plies(board: &mut Bitboard) -> u64 {
    let movers = Movers::new(board);
    let mut individual = MoveList::new();
    let sum = match ReplyCounts::new(board, movers.reach) {
        Some(replies) => movers
            .iter()
            .map(|(origin, targets)| replies.count_replies(board, origin, targets, &mut individual))
            .sum(),
        None => {
            board.generate_legal(&mut individual);
            0
        }
    };
    sum + sum_over_moves(board, &individual, |board| board.count_legal() as u64)
}

/// The pieces of the side to move, with origins and targets.
struct Movers {
    pieces: [(u8, SquareSet); 16],
    len: usize,
    /// All squares that are an origin or a target.
    reach: SquareSet,
}

impl Movers {
    fn new(board: &Bitboard) -> Self {
        let mut movers = Movers {
            pieces: [(0, SquareSet::EMPTY); 16],
            len: 0,
            reach: board.occupied_by(board.side_to_move()),
        };
        let _ = board.for_each_legal(&board.legality_masks(), |origin, targets| {
            movers.pieces[movers.len] = (origin.index() as u8, targets);
            movers.len += 1;
            movers.reach = movers.reach | targets;
            ControlFlow::Continue(())
        });
        movers
    }

    fn iter(&self) -> impl Iterator<Item = (Square, SquareSet)> + '_ {
        self.pieces[..self.len].iter().map(|&(origin, targets)| (square_at(usize::from(origin)), targets))
    }
}

/// The squares near the enemy king, by kind of piece: quiet moves into or out of them are counted one by one.
#[derive(Clone, Copy)]
struct KingZones {
    /// Squares between the king and its attackers, which matter for every piece that leaves or enters them.
    gaps: SquareSet,
    rook: SquareSet,
    cannon: SquareSet,
    horse: SquareSet,
    soldier: SquareSet,
}

/// The number of replies as if the side to move had passed, and how it depends on single squares.
struct ReplyCounts {
    count: i32,
    /// The change of the count when a square changes between empty and occupied by the side to move.
    deltas: [i8; Square::COUNT],
    /// The squares with a change other than 0.
    delta_squares: SquareSet,
    /// The pieces of the side to move that are visible to an enemy slider along their rank, and along their file, and
    /// may move along it.
    watched_on_line: [SquareSet; 2],
    slider_views: [SliderView; 4],
    slider_count: usize,
    zones: KingZones,
}

impl ReplyCounts {
    /// Returns `None` if the other side is in check already, as in some waived setups. `reach` are the squares whose
    /// changes are needed.
    fn new(board: &Bitboard, reach: SquareSet) -> Option<Self> {
        let passed = board.with_side_flipped();
        let masks = passed.legality_masks();
        if masks.in_check {
            return None;
        }
        let mut replies = ReplyCounts {
            count: passed.count_legal_with(&masks) as i32,
            deltas: [0; Square::COUNT],
            delta_squares: SquareSet::EMPTY,
            watched_on_line: [SquareSet::EMPTY; 2],
            slider_views: [SliderView {
                square: square_at(0),
                lines: [LineView { allowed: 0, reach: 0, is_cannon: false }; 2],
            }; 4],
            slider_count: 0,
            zones: KingZones::new(&passed),
        };
        let reach = reach.difference(passed.occupied_by(passed.side_to_move()));
        let pieces_of = |kind| board.pieces(Piece::new(board.side_to_move(), kind));
        let line_movers =
            pieces_of(PieceKind::Rook) | pieces_of(PieceKind::Cannon) | pieces_of(PieceKind::Soldier);
        for kind in [PieceKind::Rook, PieceKind::Cannon, PieceKind::Horse, PieceKind::Elephant] {
            for piece in passed.pieces(Piece::new(passed.side_to_move(), kind)) {
                let square = piece;
                let allowed = passed.allowed_targets(&masks, square);
                match kind {
                    PieceKind::Horse => replies.add_leaper(
                        square,
                        &HORSE_TARGETS,
                        passed.lines().leg_index(square),
                        &LEG_SQUARES,
                        allowed,
                        reach,
                    ),
                    PieceKind::Elephant => {
                        replies.add_leaper(
                            square,
                            &ELEPHANT_TARGETS,
                            passed.lines().eye_index(square),
                            &EYE_SQUARES,
                            allowed,
                            reach,
                        );
                    }
                    _ => replies.add_slider(
                        square,
                        kind == PieceKind::Cannon,
                        passed.lines(),
                        allowed,
                        reach,
                        line_movers,
                    ),
                }
            }
        }
        Some(replies)
    }

    #[inline(always)]
    fn add_delta(&mut self, square: Square, change: i32) {
        self.deltas[square.index()] += change as i8;
        self.delta_squares = self.delta_squares | SquareSet::from_square(square);
    }

    /// Adds the effects of the squares on both lines of a rook or cannon.
    #[inline(always)]
    fn add_slider(
        &mut self,
        square: Square,
        is_cannon: bool,
        lines: &LineOccupancy,
        allowed: SquareSet,
        reach: SquareSet,
        line_movers: SquareSet,
    ) {
        let (file, rank) = (square.file(), square.rank());
        let views = [
            LineView { allowed: rank_word(allowed, rank), reach: rank_word(reach, rank), is_cannon },
            LineView { allowed: file_word(allowed, file), reach: file_word(reach, file), is_cannon },
        ];
        self.slider_views[self.slider_count] = SliderView { square, lines: views };
        self.slider_count += 1;
        let visible = views[0].for_each_delta(&RANK_LINES[file], lines.rank(rank), |index, change| {
            self.add_delta(Square::from_bit((rank * Square::FILES + index) as u32), change);
        });
        self.watched_on_line[0] = self.watched_on_line[0] | (rank_squares(visible, rank) & line_movers);
        let visible = views[1].for_each_delta(&FILE_LINES[rank], lines.file(file), |index, change| {
            self.add_delta(Square::from_bit((index * Square::FILES + file) as u32), change);
        });
        self.watched_on_line[1] = self.watched_on_line[1] | (file_squares(visible, file) & line_movers);
    }

    /// Adds the effects of the four neighbours of a horse or elephant.
    #[inline(always)]
    fn add_leaper(
        &mut self,
        square: Square,
        table: &[[SquareSet; 16]; Square::COUNT],
        blocked: usize,
        blockers: &[[u8; 4]; Square::COUNT],
        allowed: SquareSet,
        reach: SquareSet,
    ) {
        let count = |blocked: usize| (table[square.index()][blocked] & allowed).len() as i32;
        let now = count(blocked);
        for (i, &blocker) in blockers[square.index()].iter().enumerate() {
            // A neighbour beyond the edge is the piece's own square, which is never in `reach`.
            let blocker = Square::from_bit(blocker.into());
            if reach.contains(blocker) {
                self.add_delta(blocker, count(blocked ^ 1 << i) - now);
            }
        }
    }

    /// Returns the number of replies to the moves of one piece, apart from the moves that it adds to `individual`.
    #[inline(always)]
    fn count_replies(
        &self,
        board: &Bitboard,
        origin: Square,
        targets: SquareSet,
        individual: &mut MoveList<Move>,
    ) -> u64 {
        let origin_set = SquareSet::from_square(origin);
        let summed = match board.piece_on(origin).and_then(|piece| self.zones.zone_of_kind(piece.kind())) {
            Some(zone) if !zone.intersects(origin_set) => targets.difference(board.occupied() | zone),
            _ => SquareSet::EMPTY,
        };
        for target in targets.difference(summed) {
            individual.push(Move::new(origin, target));
        }
        let mut sum = summed.len() as i32 * (self.count + i32::from(self.deltas[origin.index()]));
        for target in summed & self.delta_squares {
            sum += i32::from(self.deltas[target.index()]);
        }
        if self.watched_on_line[0].intersects(origin_set) {
            sum += self.rank_correction(board.lines(), origin, summed);
        }
        if self.watched_on_line[1].intersects(origin_set) {
            sum += self.file_correction(board.lines(), origin, summed);
        }
        sum as u64
    }

    /// Returns the joint effect of both squares of the moves along a rank, where the same slider is affected by both.
    fn rank_correction(&self, lines: &LineOccupancy, origin: Square, targets: SquareSet) -> i32 {
        let (rank, mut sum) = (origin.rank(), 0);
        let targets = rank_word(targets, rank);
        for slider in self.slider_views().filter(|slider| slider.square.rank() == rank) {
            let table = &RANK_LINES[slider.square.file()];
            sum += slider.lines[0].joint_correction(table, lines.rank(rank), 1 << origin.file(), targets);
        }
        sum
    }

    /// Returns the joint effect of both squares of the moves along a file.
    fn file_correction(&self, lines: &LineOccupancy, origin: Square, targets: SquareSet) -> i32 {
        let (file, mut sum) = (origin.file(), 0);
        let targets = file_word(targets, file);
        for slider in self.slider_views().filter(|slider| slider.square.file() == file) {
            let table = &FILE_LINES[slider.square.rank()];
            sum += slider.lines[1].joint_correction(table, lines.file(file), 1 << origin.rank(), targets);
        }
        sum
    }

    fn slider_views(&self) -> impl Iterator<Item = &SliderView> {
        self.slider_views[..self.slider_count].iter()
    }
}

/// A rook or cannon of the other side, with its view along rank and file.
#[derive(Clone, Copy)]
struct SliderView {
    square: Square,
    lines: [LineView; 2],
}

/// One line from the view of a rook or cannon on it.
#[derive(Clone, Copy)]
struct LineView {
    allowed: u16,
    reach: u16,
    is_cannon: bool,
}

impl LineView {
    #[inline(always)]
    fn count_targets<const N: usize>(&self, table: &[LineMoves; N], word: u16) -> i32 {
        let line = table[usize::from(word >> 1) & (N - 1)];
        let targets = if self.is_cannon { line.cannon_targets(word) } else { line.rook };
        (targets & self.allowed).count_ones() as i32
    }

    /// Returns the sum over the moves from one square of this line to others of their effect beyond the separate
    /// effects of both squares.
    fn joint_correction<const N: usize>(
        &self,
        table: &[LineMoves; N],
        word: u16,
        origin_set: u16,
        targets: u16,
    ) -> i32 {
        let alone = self.count_targets(table, word) - self.count_targets(table, word ^ origin_set);
        let (mut sum, mut unvisited) = (0, targets);
        while unvisited != 0 {
            let to = unvisited & unvisited.wrapping_neg();
            unvisited ^= to;
            sum += self.count_targets(table, word ^ origin_set ^ to) - self.count_targets(table, word ^ to)
                + alone;
        }
        sum
    }

    /// Calls `sink` with the effect of each square within `reach`; returns all squares that have an effect.
    #[inline(always)]
    fn for_each_delta<const N: usize>(
        &self,
        table: &[LineMoves; N],
        word: u16,
        mut sink: impl FnMut(usize, i32),
    ) -> u16 {
        let rook = |word: u16| table[usize::from(word >> 1) & (N - 1)].rook;
        let mut visible = rook(word);
        if self.is_cannon {
            // A cannon also depends on the squares behind the first piece each way.
            visible |= rook(word & !visible);
        }
        let now = self.count_targets(table, word);
        let mut unvisited = visible & self.reach;
        while unvisited != 0 {
            let index = unvisited.trailing_zeros() as usize;
            unvisited &= unvisited - 1;
            sink(index, self.count_targets(table, word ^ 1 << index) - now);
        }
        visible
    }
}

/// Returns the squares visible along rank and file up to and with the first piece, the second, the third.
#[inline(always)]
fn lines_of_sight(lines: &LineOccupancy, square: Square) -> [SquareSet; 3] {
    let (file, rank) = (square.file(), square.rank());
    let along_rank = sight_layers(&RANK_LINES[file], lines.rank(rank));
    let along_file = sight_layers(&FILE_LINES[rank], lines.file(file));
    core::array::from_fn(|i| rank_squares(along_rank[i], rank) | file_squares(along_file[i], file))
}

#[inline(always)]
fn sight_layers<const N: usize>(table: &[LineMoves; N], mut word: u16) -> [u16; 3] {
    core::array::from_fn(|_| {
        let visible = table[usize::from(word >> 1) & (N - 1)].rook;
        word &= !visible;
        visible
    })
}

impl KingZones {
    /// Returns the zones around the king of the side to move of `passed`; the moves of its enemy are counted.
    fn new(passed: &Bitboard) -> Self {
        let (king, occupied) = (passed.king_square(passed.side_to_move()), passed.occupied());
        let table = king_attack_table(king);
        let [_, second, third] = lines_of_sight(passed.lines(), king);
        let mut zones = KingZones {
            gaps: SquareSet::EMPTY,
            // From these squares at most one piece is between, or two for a cannon.
            rook: second,
            cannon: third,
            horse: table.horses,
            soldier: table.soldiers,
        };
        // With this many pieces between an attack depends on the moves; with one more it does once one of them leaves.
        zones.add_gaps(passed, table, occupied, [1, 2]);
        let without_king = occupied.difference(SquareSet::from_square(king));
        let mut lines = *passed.lines();
        lines.toggle(king);
        for target in table.steps.difference(passed.occupied_by(passed.side_to_move())) {
            let table = king_attack_table(target);
            let [first, second, _] = lines_of_sight(&lines, target);
            zones.rook = zones.rook | first;
            zones.cannon = zones.cannon | second.difference(first);
            zones.horse = zones.horse | table.horses;
            zones.soldier = zones.soldier | table.soldiers;
            zones.add_gaps(passed, table, without_king, [0, 1]);
        }
        zones
    }

    #[inline(always)]
    fn add_gaps(&mut self, passed: &Bitboard, table: &KingAttackTable, occupied: SquareSet, max: [usize; 2]) {
        let by = !passed.side_to_move();
        let attackers = [passed.direct_attackers(table, by), passed.cannon_attackers(table, by)];
        for (attackers, max) in attackers.into_iter().zip(max) {
            for attacker in attackers {
                let pieces = table.between[attacker.index()] & occupied;
                match pieces.len() {
                    len if len <= max => self.gaps = self.gaps | table.between[attacker.index()],
                    len if len == max + 1 => self.gaps = self.gaps | pieces,
                    _ => {}
                }
            }
        }
    }

    /// Returns the squares that a piece of this kind may neither leave nor enter; `None` for a king, whose moves are
    /// always counted one by one.
    #[inline(always)]
    fn zone_of_kind(&self, kind: PieceKind) -> Option<SquareSet> {
        let own = match kind {
            PieceKind::King => return None,
            PieceKind::Advisor | PieceKind::Elephant => SquareSet::EMPTY,
            PieceKind::Horse => self.horse,
            PieceKind::Rook => self.rook,
            PieceKind::Cannon => self.cannon,
            PieceKind::Soldier => self.soldier,
        };
        Some(self.gaps | own)
    }
}
