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
//! joint effect is looked up too. The remaining moves are counted singly:
//!
//! * captures, and moves of the king;
//! * moves near the other king: those that open or close a line or leg to it or to a square to which it can step, or
//!   that enter or leave a square from which such a line is attacked (see [`bitboard`](crate::bitboard)).
//!
//! After such a move the steps of the other king are counted anew, and so are the pieces that are between it and an
//! attacker before or after the move. A captured piece has no replies, and those that protected it can capture now. A
//! move is made on the board only if it gives check, or if its squares have an effect on one of these pieces.
//!
//! Counting replies once for a null move is the method of the newest perft programs for chess (T. Huijbregts,
//! chessbit); the sets of relevant squares are our own.

use core::ops::ControlFlow;

use alfil_kernel::perft::PerftKey;
use alfil_kernel::{BitIndex as _, MoveList, Position as _, Side};

use crate::bitboard::{Bitboard, KingAttackers, LegalityMasks};
use crate::board::Board;
use crate::geometry::{
    ADVISOR_TARGETS, ELEPHANT_TARGETS, EYE_SQUARES, FILE_LINES, HORSE_ORIGINS, HORSE_TARGETS, LEG_SQUARES,
    LineMoves, LineOccupancy, RANK_LINES, SOLDIER_ORIGINS, SOLDIER_TARGETS, file_squares, file_word,
    king_attack_table, rank_squares, rank_word,
};
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::square::{Square, SquareSet, square_at};

mod king_zones;

use king_zones::{KingZones, lines_of_sight};

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
    let sum = match ReplyCounts::new(board, &movers) {
        Some(replies) => movers
            .iter()
            .map(|(origin, targets)| {
                let single = replies.single_targets(board, origin, targets);
                let sum = replies.count_replies(board, origin, targets.difference(single));
                single.iter().fold(sum, |sum, target| match replies.count_after(board, origin, target) {
                    Some(count) => sum + count,
                    None => {
                        individual.push(Move::new(origin, target));
                        sum
                    }
                })
            })
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
    in_check: bool,
}

impl Movers {
    fn new(board: &Bitboard) -> Self {
        let masks = board.legality_masks();
        let mut movers = Movers {
            pieces: [(0, SquareSet::EMPTY); 16],
            len: 0,
            reach: board.occupied_by(board.side_to_move()),
            in_check: masks.in_check,
        };
        let _ = board.for_each_legal(&masks, |origin, targets| {
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

/// The most blockers of a side whose targets are kept: on each line to the king two matter, and the four legs.
const MAX_BLOCKERS: usize = 8;

/// The number of replies as if the side to move had passed, and how it depends on single squares.
struct ReplyCounts {
    count: i32,
    /// The part of the king.
    king_count: i32,
    masks: LegalityMasks,
    king_attackers: KingAttackers,
    /// The targets that are left to each of the first blockers of the masks, in ascending order of their squares.
    blocker_targets: [SquareSet; MAX_BLOCKERS],
    /// The squares to which the replies may go.
    targets: SquareSet,
    /// Whether the replies depend on the square of the king of the side to move: see
    /// [`LookupBitboard::has_watched_king`](crate::bitboard::LookupBitboard::has_watched_king).
    is_king_watched: bool,
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
    /// The part of the zones on which checks and pins depend.
    king_lines: KingZones,
    /// The file of the other king, on which the kings must not face each other.
    king_file: SquareSet,
}

impl ReplyCounts {
    /// Returns `None` if the other side is in check already, as in some waived setups. `movers` have the
    /// squares whose changes are needed.
    fn new(board: &Bitboard, movers: &Movers) -> Option<Self> {
        let passed = board.with_side_flipped();
        let king_attackers = passed.king_attackers();
        let masks = king_attackers.masks();
        if masks.in_check || masks.blockers.len() > MAX_BLOCKERS {
            return None;
        }
        let (zones, king_lines) = KingZones::new(&passed);
        let mut replies = ReplyCounts {
            count: 0,
            king_count: king_attackers.king_targets().len() as i32,
            masks,
            king_attackers,
            blocker_targets: [SquareSet::EMPTY; MAX_BLOCKERS],
            targets: passed.move_targets(),
            is_king_watched: movers.in_check || board.has_watched_king(),
            deltas: [0; Square::COUNT],
            delta_squares: SquareSet::EMPTY,
            watched_on_line: [SquareSet::EMPTY; 2],
            slider_views: [SliderView {
                square: square_at(0),
                lines: [LineView { allowed: 0, reach: 0, is_cannon: false }; 2],
            }; 4],
            slider_count: 0,
            zones,
            king_lines,
            king_file: king_attack_table(passed.king_square(passed.side_to_move())).file,
        };
        for (targets, blocker) in replies.blocker_targets.iter_mut().zip(masks.blockers) {
            *targets = king_attackers.blocker_targets(blocker);
        }
        let reach = movers.reach.difference(passed.occupied_by(passed.side_to_move()));
        let pieces_of = |kind| board.pieces(Piece::new(board.side_to_move(), kind));
        let line_movers = pieces_of(PieceKind::Rook)
            | pieces_of(PieceKind::Cannon)
            | pieces_of(PieceKind::Soldier)
            | pieces_of(PieceKind::King);
        let by = passed.side_to_move();
        for kind in [PieceKind::Rook, PieceKind::Cannon] {
            for square in passed.pieces(Piece::new(by, kind)) {
                let allowed = replies.targets & replies.allowed_before(square);
                let is_cannon = kind == PieceKind::Cannon;
                replies.add_slider(square, is_cannon, passed.lines(), allowed, reach, line_movers);
            }
        }
        for square in passed.pieces(Piece::new(by, PieceKind::Horse)) {
            let (blocked, allowed) =
                (passed.lines().leg_index(square), replies.targets & replies.allowed_before(square));
            replies.add_leaper(square, &HORSE_TARGETS, blocked, &LEG_SQUARES, allowed, reach);
        }
        for square in passed.pieces(Piece::new(by, PieceKind::Elephant)) {
            let (blocked, allowed) =
                (passed.lines().eye_index(square), replies.targets & replies.allowed_before(square));
            replies.add_leaper(square, &ELEPHANT_TARGETS, blocked, &EYE_SQUARES, allowed, reach);
        }
        for square in passed.pieces(Piece::new(by, PieceKind::Advisor)) {
            let allowed = replies.targets & replies.allowed_before(square);
            replies.count += (ADVISOR_TARGETS[square.index()] & allowed).len() as i32;
        }
        let soldiers = passed.pieces(Piece::new(by, PieceKind::Soldier));
        let free = replies.targets & replies.masks.free_targets;
        replies.count += passed.count_soldier_moves(soldiers.difference(masks.blockers), free) as i32;
        for square in soldiers & masks.blockers {
            let allowed = replies.targets & replies.allowed_before(square);
            replies.count += (SOLDIER_TARGETS[by.index()][square.index()] & allowed).len() as i32;
        }
        replies.count += replies.king_count;
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
        self.count += views[0].count_targets(&RANK_LINES[file], lines.rank(rank))
            + views[1].count_targets(&FILE_LINES[rank], lines.file(file));
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
        self.count += now;
        for (i, &blocker) in blockers[square.index()].iter().enumerate() {
            // A neighbour beyond the edge is the piece's own square, which is never in `reach`.
            let blocker = Square::from_bit(blocker.into());
            if reach.contains(blocker) {
                self.add_delta(blocker, count(blocked ^ 1 << i) - now);
            }
        }
    }

    /// Returns the targets of a piece whose replies are not summed.
    #[inline(always)]
    fn single_targets(&self, board: &Bitboard, origin: Square, targets: SquareSet) -> SquareSet {
        match board.piece_on(origin).and_then(|piece| self.zones.zone_of_kind(piece.kind())) {
            Some(zone) if !zone.contains(origin) => targets & (board.occupied() | zone),
            _ => targets,
        }
    }

    /// Returns the number of replies to quiet moves of one piece away from the other king.
    #[inline(always)]
    fn count_replies(&self, board: &Bitboard, origin: Square, targets: SquareSet) -> u64 {
        let mut sum = targets.len() as i32 * self.count;
        sum += self.quiet_change(board.lines(), origin, targets);
        sum as u64
    }

    /// Returns the sum of the changes of the count by quiet moves of a piece, apart from the king and from checks.
    #[inline(always)]
    fn quiet_change(&self, lines: &LineOccupancy, origin: Square, targets: SquareSet) -> i32 {
        let mut sum = targets.len() as i32 * i32::from(self.deltas[origin.index()]);
        for target in targets & self.delta_squares {
            sum += i32::from(self.deltas[target.index()]);
        }
        if self.watched_on_line[0].contains(origin) {
            sum += self.rank_correction(lines, origin, targets);
        }
        if self.watched_on_line[1].contains(origin) {
            sum += self.file_correction(lines, origin, targets);
        }
        sum
    }

    /// Returns the number of replies to a move near the other king, to a move of the own king or to a capture: the king
    /// and the blockers are counted on the sets of the position after the move, the other pieces as before. Returns
    /// `None` if the move gives check or restricts all pieces otherwise, or if the squares of the move have an effect
    /// on a blocker or on the captured piece.
    #[inline(always)]
    fn count_after(&self, board: &Bitboard, origin: Square, target: Square) -> Option<u64> {
        let (mover, moved) = (board.side_to_move(), board.piece_on(origin)?.kind());
        if moved == PieceKind::King && self.is_king_watched {
            return None;
        }
        let captured = board.piece_on(target).map(|piece| (piece.kind(), target));
        let target_set = SquareSet::from_square(target);
        let squares = SquareSet::from_square(origin) | target_set;
        let mut count = self.count - self.king_count;
        match captured {
            None => count += self.quiet_change(board.lines(), origin, target_set),
            Some((kind, _)) if self.depends_on(board, kind, target, SquareSet::from_square(origin)) => {
                return None;
            }
            Some((kind, _)) => {
                let allowed = self.allowed_before(target);
                count += i32::from(self.deltas[origin.index()]);
                count -= (self.targets_of(board, !mover, kind, target) & allowed).len() as i32;
            }
        }
        let mut attackers = self.king_attackers;
        attackers.move_enemy(moved, SquareSet::from_square(origin), target_set);
        let is_near = match self.king_lines.zone_of_kind(moved) {
            Some(zone) => zone.intersects(squares),
            None => (self.king_lines.gaps | self.king_file).intersects(squares),
        };
        let masks = if is_near { attackers.masks() } else { self.masks };
        if is_near {
            count += self.count_restricted(board, &attackers, &masks, squares)?;
        }
        count += attackers.king_targets().len() as i32;
        if captured.is_some() {
            count += count_recaptures(board, &attackers, &masks, origin, target);
        }
        Some(count as u64)
    }

    /// Returns the change of the count because other pieces are blockers, or the same with other targets. `board` is
    /// the position before the move, `attackers` and `masks` are those of the position after it.
    #[inline(always)]
    fn count_restricted(
        &self,
        board: &Bitboard,
        attackers: &KingAttackers,
        masks: &LegalityMasks,
        squares: SquareSet,
    ) -> Option<i32> {
        if masks.in_check || masks.free_targets != self.masks.free_targets {
            return None;
        }
        let mut change = 0;
        // Most positions have no blockers, before and after.
        for blocker in masks.blockers | (self.masks.blockers & attackers.own) {
            let (before, after) =
                (self.allowed_before(blocker), attackers.targets_allowed_by(masks, blocker));
            if before != after {
                let kind = board.piece_on(blocker)?.kind();
                if self.depends_on(board, kind, blocker, squares) {
                    return None;
                }
                let targets = self.targets_of(board, !board.side_to_move(), kind, blocker);
                change += (targets & after).len() as i32 - (targets & before).len() as i32;
            }
        }
        Some(change)
    }

    /// Returns the squares that checks and pins leave to a piece in the replies.
    #[inline(always)]
    fn allowed_before(&self, square: Square) -> SquareSet {
        let mut blockers = self.masks.blockers.iter().zip(&self.blocker_targets);
        let found = blockers.find(|(blocker, _)| *blocker == square);
        found.map_or(self.masks.free_targets, |(_, &targets)| targets)
    }

    /// Returns the targets of a piece of a side in the replies, apart from checks and pins.
    #[inline(always)]
    fn targets_of(&self, board: &Bitboard, side: Side, kind: PieceKind, square: Square) -> SquareSet {
        let targets = match kind {
            PieceKind::Soldier => SOLDIER_TARGETS[side.index()][square.index()],
            _ => board.targets(kind, square),
        };
        targets & self.targets
    }

    /// Returns whether the targets of a piece depend on one of the squares.
    #[inline(always)]
    fn depends_on(&self, board: &Bitboard, kind: PieceKind, square: Square, squares: SquareSet) -> bool {
        let blockers = |table: &[[u8; 4]; Square::COUNT]| {
            table[square.index()].iter().any(|&index| squares.contains(Square::from_bit(index.into())))
        };
        match kind {
            PieceKind::Rook | PieceKind::Cannon => {
                lines_of_sight(board.lines(), square)[1].intersects(squares)
            }
            PieceKind::Horse => blockers(&LEG_SQUARES),
            PieceKind::Elephant => blockers(&EYE_SQUARES),
            _ => false,
        }
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

/// Returns how many pieces other than the king can capture on a square where one of them stood: `board` is the position
/// before its capture from `origin`, `attackers` and `masks` are those of the position after it.
#[inline(always)]
fn count_recaptures(
    board: &Bitboard,
    attackers: &KingAttackers,
    masks: &LegalityMasks,
    origin: Square,
    target: Square,
) -> i32 {
    let (by, index) = (!board.side_to_move(), target.index());
    let pieces = |kind| board.pieces(Piece::new(by, kind)) & attackers.own;
    let mut lines = *board.lines();
    lines.toggle(origin);
    let neighbours = lines.eye_index(target);
    let mut found = (lines.rook_targets(target) & pieces(PieceKind::Rook))
        | (lines.cannon_targets(target) & pieces(PieceKind::Cannon))
        | (HORSE_ORIGINS[index][neighbours] & pieces(PieceKind::Horse))
        | (ELEPHANT_TARGETS[index][neighbours] & pieces(PieceKind::Elephant))
        | (SOLDIER_ORIGINS[by.index()][index] & pieces(PieceKind::Soldier));
    if target.is_in_palace(Side::First) || target.is_in_palace(Side::Second) {
        let diagonal = EYE_SQUARES[index].map(|square| Square::from_bit(square.into()));
        found = found | (SquareSet::from_squares(diagonal) & pieces(PieceKind::Advisor));
    }
    if found.intersects(masks.blockers) {
        let can_capture = |&piece: &Square| attackers.targets_allowed_by(masks, piece).contains(target);
        found.iter().filter(can_capture).count() as i32
    } else if masks.free_targets.contains(target) {
        found.len() as i32
    } else {
        0
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
