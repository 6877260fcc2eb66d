//! The number of replies to all moves of a position, from the number of replies to passing.

use alfil_kernel::{BitIndex as _, Position as _, Side};

use super::Mover;
use super::king_zones::{KingSteps, KingZones};
use super::line_view::{LineView, SliderView};
use super::replying_pieces::ReplyingPieces;
use crate::bitboard::{Bitboard, KingAttackers, LegalityMasks, count_soldier_moves};
use crate::board::Board as _;
use crate::geometry::{
    ELEPHANT_TARGETS, EYE_SQUARES, FILE_LINES, HORSE_TARGETS, LEG_SQUARES, RANK_LINES, file_squares,
    file_word, king_attack_table, rank_squares, rank_word,
};
use crate::piece::PieceKind;
use crate::square::{Square, SquareSet, single_square};

/// The index that stands for any kind of piece.
const ANY_KIND: usize = PieceKind::ALL.len();

/// Returns the kind with the index `KIND`, which the compiler then knows, or `kind` for [`ANY_KIND`].
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn known_kind<const KIND: usize>(kind: PieceKind) -> PieceKind {
    PieceKind::ALL.get(KIND).copied().unwrap_or(kind)
}

/// The most blockers of a side whose targets are kept: two before each of two cannons, one in each of the two other
/// directions, and the legs of two horses.
pub(super) const MAX_BLOCKERS: usize = 8;

/// The number of replies as if the side to move had passed, and how it depends on single squares.
pub(super) struct ReplyCounts<'a> {
    board: &'a Bitboard,
    /// The side that replies.
    side: Side,
    occupied: SquareSet,
    count: i32,
    masks: LegalityMasks,
    attackers: KingAttackers,
    /// The targets that are left to each of the first blockers of the masks, in ascending order of their squares.
    blocker_targets: [SquareSet; MAX_BLOCKERS],
    /// The squares to which the replies may go.
    targets: SquareSet,
    /// Those that checks leave to pieces that are not blockers.
    free_targets: SquareSet,
    /// Whether the replies depend on the square of the king of the side to move: see
    /// [`LookupBitboard::is_king_reachable`](crate::bitboard::LookupBitboard::is_king_reachable).
    depend_on_king: bool,
    /// The change of the count when a square changes between empty and occupied by the side to move. The length is a
    /// power of two, so that a masked index needs no test.
    deltas: [i8; 128],
    /// The squares with a change other than 0.
    delta_squares: SquareSet,
    /// The pieces of the side to move that are visible to an enemy slider along their rank, and along their file, and
    /// may move along it.
    visible_on_line: [SquareSet; 2],
    slider_views: [SliderView; 4],
    slider_count: usize,
    /// The rooks, cannons, soldiers and king of the side to move.
    line_movers: SquareSet,
    /// The squares on which checks and pins depend.
    own_zones: KingZones,
    king_steps: KingSteps,
}

impl<'a> ReplyCounts<'a> {
    /// Returns counts of no piece yet; `in_check` says whether the side to move is in check. The other side is not, and
    /// has at most [`MAX_BLOCKERS`] blockers.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn new(
        board: &'a Bitboard,
        attackers: KingAttackers,
        masks: LegalityMasks,
        in_check: bool,
    ) -> Self {
        let side = !board.side_to_move();
        let targets = board.move_targets_of(side);
        let pieces_of = |kind| board.pieces_of(!side, kind);
        ReplyCounts {
            board,
            side,
            occupied: board.occupied(),
            count: 0,
            masks,
            attackers,
            blocker_targets: [SquareSet::EMPTY; MAX_BLOCKERS],
            targets,
            free_targets: targets & masks.free_targets,
            depend_on_king: in_check || board.is_king_reachable(),
            deltas: [0; 128],
            delta_squares: SquareSet::EMPTY,
            line_movers: pieces_of(PieceKind::Rook)
                | pieces_of(PieceKind::Cannon)
                | pieces_of(PieceKind::Soldier)
                | pieces_of(PieceKind::King),
            visible_on_line: [SquareSet::EMPTY; 2],
            slider_views: [SliderView::EMPTY; 4],
            slider_count: 0,
            own_zones: KingZones::of_king(board, side, attackers.king),
            king_steps: KingSteps::EMPTY,
        }
    }

    /// Counts the steps of the king, and finds what checks and pins leave to the other pieces.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn add_king(&mut self) {
        self.king_steps.add_all(self.board, self.side, &self.attackers);
        self.count += self.king_steps.count;
        for (targets, blocker) in self.blocker_targets.iter_mut().zip(self.masks.blockers) {
            *targets = self.targets & self.attackers.blocker_targets(blocker);
        }
    }

    /// Counts the replies of all pieces other than the king, and the effects of the squares of `reach`.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn add_pieces(&mut self, reach: SquareSet) {
        let (board, side) = (self.board, self.side);
        let of_kind = |kind| board.pieces_of(side, kind);
        for square in of_kind(PieceKind::Rook) {
            self.add_slider::<false>(square, reach);
        }
        for square in of_kind(PieceKind::Cannon) {
            self.add_slider::<true>(square, reach);
        }
        for square in of_kind(PieceKind::Horse) {
            let blocked = board.lines().leg_index(square);
            self.add_leaper(square, &HORSE_TARGETS, blocked, &LEG_SQUARES, reach);
        }
        for square in of_kind(PieceKind::Elephant) {
            let blocked = board.lines().eye_index(square);
            self.add_leaper(square, &ELEPHANT_TARGETS, blocked, &EYE_SQUARES, reach);
        }
        let pieces = ReplyingPieces { board, side, lines: *board.lines() };
        for square in of_kind(PieceKind::Advisor) {
            let targets = pieces.targets(PieceKind::Advisor, square);
            self.count += (targets & self.allowed_before(square)).len() as i32;
        }
        let soldiers = of_kind(PieceKind::Soldier);
        let movable = soldiers.difference(self.masks.blockers);
        self.count += count_soldier_moves(side, movable, self.free_targets) as i32;
        for square in soldiers & self.masks.blockers {
            let targets = pieces.targets(PieceKind::Soldier, square);
            self.count += (targets & self.allowed_before(square)).len() as i32;
        }
    }

    /// Adds the moves of a rook or cannon, and the effects of the squares on both of its lines.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn add_slider<const IS_CANNON: bool>(&mut self, square: Square, reach: SquareSet) {
        let (file, rank) = (square.file(), square.rank());
        let lines = self.board.lines();
        let allowed = self.allowed_before(square);
        let view = LineView { allowed: rank_word(allowed, rank).into(), is_cannon: IS_CANNON };
        let along_rank = view.for_each_delta(
            &RANK_LINES[file],
            lines.rank(rank).into(),
            rank_word(reach, rank).into(),
            |index, change| self.deltas[(rank * Square::FILES + index) & 127] += change as i8,
        );
        let file_view = LineView { allowed: file_word(allowed, file).into(), is_cannon: IS_CANNON };
        let along_file = file_view.for_each_delta(
            &FILE_LINES[rank],
            lines.file(file).into(),
            file_word(reach, file).into(),
            |index, change| self.deltas[(index * Square::FILES + file) & 127] += change as i8,
        );
        self.count += along_rank.count + along_file.count;
        self.delta_squares = self.delta_squares
            | rank_squares(along_rank.changed as u16, rank)
            | file_squares(along_file.changed as u16, file);
        self.visible_on_line[0] =
            self.visible_on_line[0] | (rank_squares(along_rank.visible as u16, rank) & self.line_movers);
        self.visible_on_line[1] =
            self.visible_on_line[1] | (file_squares(along_file.visible as u16, file) & self.line_movers);
        self.slider_views[self.slider_count] =
            SliderView { file: file as u8, rank: rank as u8, lines: [view, file_view] };
        self.slider_count += 1;
    }

    /// Adds the moves of a horse or elephant, and the effects of its four neighbours.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn add_leaper(
        &mut self,
        square: Square,
        table: &[[SquareSet; 16]; Square::COUNT],
        blocked: usize,
        blockers: &[[u8; 4]; Square::COUNT],
        reach: SquareSet,
    ) {
        let allowed = self.allowed_before(square);
        let count = |blocked: usize| (table[square.index()][blocked] & allowed).len() as i32;
        let now = count(blocked);
        self.count += now;
        for (i, &blocker) in blockers[square.index()].iter().enumerate() {
            // A neighbour beyond the edge is the piece's own square, which is never in `reach`.
            let blocker = Square::from_bit(blocker.into());
            if reach.contains(blocker) {
                self.deltas[blocker.index()] += (count(blocked ^ 1 << i) - now) as i8;
                self.delta_squares = self.delta_squares | SquareSet::from_square(blocker);
            }
        }
    }

    /// Returns the squares to which checks and pins let a piece reply after passing.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn allowed_before(&self, square: Square) -> SquareSet {
        if !self.masks.blockers.intersects(single_square(square)) {
            return self.free_targets;
        }
        let mut blockers = self.masks.blockers.iter().zip(&self.blocker_targets);
        let found = blockers.find(|(blocker, _)| *blocker == square);
        found.map_or(self.free_targets, |(_, &targets)| targets)
    }

    /// Returns the number of replies to all moves of a piece.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn count_after_moves(&self, mover: &Mover) -> u64 {
        // The modules for browsers are to be small.
        if cfg!(target_family = "wasm") {
            return self.count_after_moves_of::<ANY_KIND>(mover);
        }
        match mover.kind {
            PieceKind::King => self.count_after_moves_of::<{ PieceKind::King as usize }>(mover),
            PieceKind::Advisor => self.count_after_moves_of::<{ PieceKind::Advisor as usize }>(mover),
            PieceKind::Elephant => self.count_after_moves_of::<{ PieceKind::Elephant as usize }>(mover),
            PieceKind::Horse => self.count_after_moves_of::<{ PieceKind::Horse as usize }>(mover),
            PieceKind::Rook => self.count_after_moves_of::<{ PieceKind::Rook as usize }>(mover),
            PieceKind::Cannon => self.count_after_moves_of::<{ PieceKind::Cannon as usize }>(mover),
            PieceKind::Soldier => self.count_after_moves_of::<{ PieceKind::Soldier as usize }>(mover),
        }
    }

    /// Returns the number of replies to all moves of a piece of the kind with the index `KIND`, or [`ANY_KIND`].
    fn count_after_moves_of<const KIND: usize>(&self, mover: &Mover) -> u64 {
        let (origin, targets, kind) = (mover.origin, mover.targets, known_kind::<KIND>(mover.kind));
        let origin_set = single_square(origin);
        let single = if kind == PieceKind::King {
            targets
        } else {
            let zone = self.own_zones.of_kind(kind) | self.king_steps.zones.of_kind(kind);
            if zone.intersects(origin_set) { targets } else { targets & (self.occupied | zone) }
        };
        let quiet = targets.difference(single);
        let mut sum = quiet.len() as i32 * self.count + self.quiet_change(origin, origin_set, quiet);
        for target in single {
            sum += self.count_after::<KIND>(kind, origin, target);
        }
        sum as u64
    }

    /// Returns the sum of the changes of the count by quiet moves of a piece, apart from the king and from checks.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn quiet_change(&self, origin: Square, origin_set: SquareSet, targets: SquareSet) -> i32 {
        let mut sum = targets.len() as i32 * i32::from(self.deltas[origin.index()]);
        let changing = targets & self.delta_squares;
        for (word, base) in [(changing.0 as u64, 0), ((changing.0 >> 64) as u64, 64)] {
            let mut rest = word;
            while rest != 0 {
                sum += i32::from(self.deltas[base + (rest.trailing_zeros() & 63) as usize]);
                rest &= rest - 1;
            }
        }
        if self.visible_on_line[0].intersects(origin_set) {
            sum += self.rank_correction(origin, targets);
        }
        if self.visible_on_line[1].intersects(origin_set) {
            sum += self.file_correction(origin, targets);
        }
        sum
    }

    /// Returns the number of replies to a move near the other king, to a move of the own king or to a capture.
    ///
    /// If the move gives check or restricts all pieces otherwise, the replies are counted on the sets of the position
    /// after it. Else only the king and the blockers are, and what can recapture.
    // Inlined, it takes registers from the sums of quiet moves.
    #[inline(never)]
    fn count_after<const KIND: usize>(&self, kind: PieceKind, origin: Square, target: Square) -> i32 {
        let kind = known_kind::<KIND>(kind);
        let (origin_set, target_set) = (single_square(origin), single_square(target));
        let squares = origin_set | target_set;
        let mut attackers = self.attackers;
        attackers.move_enemy(kind, origin_set, target_set);
        let table = king_attack_table(self.attackers.king);
        let own_zone = match kind {
            PieceKind::King => self.own_zones.of_kind(kind) | table.file,
            _ => self.own_zones.of_kind(kind),
        };
        let is_near = own_zone.intersects(squares);
        let masks = if is_near { attackers.masks() } else { self.masks };
        let captured =
            if self.attackers.own.intersects(target_set) { self.board.piece_on(target) } else { None };
        let after = || {
            let mut lines = *self.board.lines();
            lines.toggle(origin);
            if captured.is_none() {
                lines.toggle(target);
            }
            ReplyingPieces { board: self.board, side: self.side, lines }
        };
        let is_king_move = kind == PieceKind::King;
        if masks.in_check
            || masks.free_targets != self.masks.free_targets
            || is_king_move && self.depend_on_king
        {
            let targets = self.targets | target_set;
            let targets = if is_king_move { (targets | origin_set).difference(target_set) } else { targets };
            return after().count_legal(&attackers, &masks, targets);
        }
        let mut count = self.count;
        if is_king_move {
            count += attackers.king_targets().len() as i32 - self.king_steps.count;
        } else if captured.is_some() || self.king_steps.zones.of_kind(kind).intersects(squares) {
            count += self.king_steps.count_after(&attackers, kind, squares, captured.is_some());
            count -= self.king_steps.count;
        }
        let pieces = match captured {
            None => {
                count += self.quiet_change(origin, origin_set, target_set);
                if !is_near || (masks.blockers | self.masks.blockers).is_empty() {
                    return count;
                }
                after()
            }
            Some(captured) => {
                let pieces = after();
                let lost = pieces.targets(captured.kind(), target) & self.allowed_before(target);
                count += i32::from(self.deltas[origin.index()]) - lost.len() as i32;
                count += pieces.count_recaptures(&attackers, &masks, target);
                pieces
            }
        };
        if is_near {
            count += self.restricted_change(&pieces, &attackers, &masks);
        }
        count
    }

    /// Returns the change of the count because other pieces are blockers, or the same with other targets. `pieces`,
    /// `attackers` and `masks` are those of the position after the move.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn restricted_change(
        &self,
        pieces: &ReplyingPieces<'_>,
        attackers: &KingAttackers,
        masks: &LegalityMasks,
    ) -> i32 {
        let mut change = 0;
        // Most positions have no blockers, before and after.
        for blocker in (masks.blockers | self.masks.blockers) & attackers.own {
            let before = self.allowed_before(blocker);
            let after = attackers.targets_allowed_by(masks, blocker) & self.targets;
            if before != after
                && let Some(piece) = self.board.piece_on(blocker)
            {
                let targets = pieces.targets(piece.kind(), blocker);
                change += (targets & after).len() as i32 - (targets & before).len() as i32;
            }
        }
        change
    }

    /// Returns the joint effect of both squares of the moves along a rank, where the same slider is affected by both.
    fn rank_correction(&self, origin: Square, targets: SquareSet) -> i32 {
        let (rank, mut sum) = (origin.rank(), 0);
        let (targets, word) = (rank_word(targets, rank).into(), self.board.lines().rank(rank).into());
        for slider in self.slider_views().filter(|slider| usize::from(slider.rank) == rank) {
            let table = &RANK_LINES[usize::from(slider.file)];
            sum += slider.lines[0].joint_correction(table, word, 1 << origin.file(), targets);
        }
        sum
    }

    /// Returns the joint effect of both squares of the moves along a file.
    fn file_correction(&self, origin: Square, targets: SquareSet) -> i32 {
        let (file, mut sum) = (origin.file(), 0);
        let (targets, word) = (file_word(targets, file).into(), self.board.lines().file(file).into());
        for slider in self.slider_views().filter(|slider| usize::from(slider.file) == file) {
            let table = &FILE_LINES[usize::from(slider.rank)];
            sum += slider.lines[1].joint_correction(table, word, 1 << origin.rank(), targets);
        }
        sum
    }

    fn slider_views(&self) -> impl Iterator<Item = &SliderView> {
        self.slider_views[..self.slider_count].iter()
    }
}
