//! Counts the leaves of a tree two plies at a time, without visiting them.
//!
//! Before the last but one ply the replies of the other side are counted once, as if we passed. Most of our moves
//! change that number little: a quiet move empties one point and fills another, and what it does to the replies is the
//! sum of what the two points do, each for itself. How a point matters to a man is known beforehand: to a rook, on its
//! lines up to the first man; to a cannon, up to the second; to a horse, as a leg; to an elephant, as an eye; to the
//! others, not at all. So a man's quiet moves are counted together: their number times the replies, plus the changes
//! of the points where they arrive.
//!
//! Where a man moves along a line on which a rook or cannon watches it, its two points are not each for itself; what
//! both together change beyond that is looked up too. What this does not cover is counted by making the move:
//!
//! * captures, and moves of the general;
//! * moves that come near the other general: that open or close a gap towards it or towards a point it can step to, or
//!   enter or leave a place from which such a gap is looked through (see [`bitboard`](crate::bitboard)).
//!
//! The idea of counting replies once for a null move is that of the newest programs for chess (T. Huijbregts, chessbit);
//! the sets of points that matter are worked out here.

use core::ops::ControlFlow;

use alfil_kernel::{MoveList, Position as _};

use crate::bitboard::{Bitboard, square_at};
use crate::board::{Board, SquareSet};
use crate::geometry::{
    ELEPHANT_TARGETS, EYE_SQUARES, FILE_LINES, HORSE_TARGETS, KingAttackTable, LEG_SQUARES, LineMoves,
    LineOccupancy, RANK_LINES, file_squares, file_word, king_attack_table, rank_squares, rank_word,
};
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::square::Square;

/// The number of legal move paths of `depth` plies: what [`kernel::perft`](alfil_kernel::perft::perft) gives.
pub fn perft(board: &Bitboard, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => board.count_legal() as u64,
        _ => count_leaves(&mut board.clone(), depth),
    }
}

fn count_leaves(board: &mut Bitboard, depth: u32) -> u64 {
    if depth == 2 {
        return count_two_plies(board);
    }
    let mut list = MoveList::new();
    board.generate_legal(&mut list);
    sum_over_moves(board, &list, |board| count_leaves(board, depth - 1))
}

/// Makes each move, asks, takes it back; the sum of the answers.
fn sum_over_moves(
    board: &mut Bitboard,
    list: &MoveList<Move>,
    mut ask: impl FnMut(&mut Bitboard) -> u64,
) -> u64 {
    let mut sum = 0;
    for &mv in list {
        let undo = board.make(mv, &mut ());
        sum += ask(board);
        board.unmake(mv, &undo, &mut ());
    }
    sum
}

/// The sum over all moves of the number of replies.
fn count_two_plies(board: &mut Bitboard) -> u64 {
    let movers = Movers::new(board);
    let mut slow = MoveList::new();
    let sum = match ReplyCounts::new(board, movers.reach) {
        Some(replies) => movers
            .iter()
            .map(|(origin, targets)| replies.count_replies(board, origin, targets, &mut slow))
            .sum(),
        None => {
            board.generate_legal(&mut slow);
            0
        }
    };
    sum + sum_over_moves(board, &slow, |board| board.count_legal() as u64)
}

/// The men of the side to move: from where, and where to.
struct Movers {
    pieces: [(u8, SquareSet); 16],
    len: usize,
    /// All points that are moved from or to.
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

/// Which quiet moves come near a general, by the kind of the mover.
#[derive(Clone, Copy)]
struct KingZones {
    /// Points that open or close a gap, whoever leaves or enters them.
    gaps: SquareSet,
    rook: SquareSet,
    cannon: SquareSet,
    horse: SquareSet,
    soldier: SquareSet,
}

/// What the other side could reply if we passed, and how that depends on single points.
struct ReplyCounts {
    count: i32,
    /// By how much the count changes when this point changes between empty and occupied by us.
    deltas: [i8; Square::COUNT],
    /// Where it does change.
    delta_squares: SquareSet,
    /// Our men that are watched along their rank, and along their file, and may move along it.
    watched_on_line: [SquareSet; 2],
    slider_views: [SliderView; 4],
    slider_count: usize,
    zones: KingZones,
}

impl ReplyCounts {
    /// Nothing if the other side is in check already, as in some waived setups. `reach` are the points that will be
    /// asked for.
    fn new(board: &Bitboard, reach: SquareSet) -> Option<Self> {
        let passed = board.with_side_flipped();
        let safety = passed.legality_masks();
        if safety.in_check {
            return None;
        }
        let mut replies = ReplyCounts {
            count: passed.count_legal_with(&safety) as i32,
            deltas: [0; Square::COUNT],
            delta_squares: SquareSet::EMPTY,
            watched_on_line: [SquareSet::EMPTY; 2],
            slider_views: [SliderView {
                square: square_at(0),
                lines: [LineView { wanted: 0, reach: 0, cannon: false }; 2],
            }; 4],
            slider_count: 0,
            zones: KingZones::new(&passed),
        };
        let reach = reach.difference(passed.occupied_by(passed.side_to_move()));
        let steps = |kind| board.pieces(Piece::new(board.side_to_move(), kind));
        let watched = steps(PieceKind::Rook) | steps(PieceKind::Cannon) | steps(PieceKind::Soldier);
        for kind in [PieceKind::Rook, PieceKind::Cannon, PieceKind::Horse, PieceKind::Elephant] {
            for man in passed.pieces(Piece::new(passed.side_to_move(), kind)) {
                let square = square_at(man);
                let wanted = passed.allowed_targets(&safety, square);
                match kind {
                    PieceKind::Horse => replies.add_leaper(
                        square,
                        &HORSE_TARGETS,
                        passed.lines().leg_index(square),
                        &LEG_SQUARES,
                        wanted,
                        reach,
                    ),
                    PieceKind::Elephant => {
                        replies.add_leaper(
                            square,
                            &ELEPHANT_TARGETS,
                            passed.lines().eye_index(square),
                            &EYE_SQUARES,
                            wanted,
                            reach,
                        );
                    }
                    _ => replies.add_slider(
                        square,
                        kind == PieceKind::Cannon,
                        passed.lines(),
                        wanted,
                        reach,
                        watched,
                    ),
                }
            }
        }
        Some(replies)
    }

    #[inline(always)]
    fn add_delta(&mut self, square: usize, change: i32) {
        self.deltas[square] += change as i8;
        self.delta_squares = self.delta_squares | SquareSet::from_square(square);
    }

    /// What the points of its two lines are to a rook or cannon.
    #[inline(always)]
    fn add_slider(
        &mut self,
        square: Square,
        cannon: bool,
        lines: &LineOccupancy,
        wanted: SquareSet,
        reach: SquareSet,
        watched: SquareSet,
    ) {
        let (file, rank) = (square.file(), square.rank());
        let views = [
            LineView { wanted: rank_word(wanted, rank), reach: rank_word(reach, rank), cannon },
            LineView { wanted: file_word(wanted, file), reach: file_word(reach, file), cannon },
        ];
        self.slider_views[self.slider_count] = SliderView { square, lines: views };
        self.slider_count += 1;
        let sight = views[0].for_each_delta(&RANK_LINES[file], lines.rank(rank), |place, change| {
            self.add_delta(rank * Square::FILES + place, change);
        });
        self.watched_on_line[0] = self.watched_on_line[0] | (rank_squares(sight, rank) & watched);
        let sight = views[1].for_each_delta(&FILE_LINES[rank], lines.file(file), |place, change| {
            self.add_delta(place * Square::FILES + file, change);
        });
        self.watched_on_line[1] = self.watched_on_line[1] | (file_squares(sight, file) & watched);
    }

    /// What its four neighbours are to a horse or elephant.
    #[inline(always)]
    fn add_leaper(
        &mut self,
        square: Square,
        table: &[[SquareSet; 16]; Square::COUNT],
        blocked: usize,
        blockers: &[[u8; 4]; Square::COUNT],
        wanted: SquareSet,
        reach: SquareSet,
    ) {
        let count = |blocked: usize| (table[square.index()][blocked] & wanted).len() as i32;
        let now = count(blocked);
        for (i, &blocker) in blockers[square.index()].iter().enumerate() {
            // Beyond the edge stands the man itself, which we cannot reach.
            if reach.contains(usize::from(blocker)) {
                self.add_delta(usize::from(blocker), count(blocked ^ 1 << i) - now);
            }
        }
    }

    /// The replies to the moves of one man, without those to the moves that are put on the slow list.
    #[inline(always)]
    fn count_replies(
        &self,
        board: &Bitboard,
        origin: Square,
        targets: SquareSet,
        slow: &mut MoveList<Move>,
    ) -> u64 {
        let from = SquareSet::from_square(origin.index());
        let easy = match board.piece_on(origin).and_then(|man| self.zones.zone_of_kind(man.kind())) {
            Some(zone) if !zone.intersects(from) => targets.difference(board.occupied() | zone),
            _ => SquareSet::EMPTY,
        };
        for target in targets.difference(easy) {
            slow.push(Move::new(origin, square_at(target)));
        }
        let mut sum = easy.len() as i32 * (self.count + i32::from(self.deltas[origin.index()]));
        for target in easy & self.delta_squares {
            sum += i32::from(self.deltas[target]);
        }
        if self.watched_on_line[0].intersects(from) {
            sum += self.rank_correction(board.lines(), origin, easy);
        }
        if self.watched_on_line[1].intersects(from) {
            sum += self.file_correction(board.lines(), origin, easy);
        }
        sum as u64
    }

    /// What the moves along its rank change beyond the sum of their two points, because the same man watches both.
    fn rank_correction(&self, lines: &LineOccupancy, origin: Square, targets: SquareSet) -> i32 {
        let (rank, mut sum) = (origin.rank(), 0);
        let targets = rank_word(targets, rank);
        for watcher in self.slider_views().filter(|watcher| watcher.square.rank() == rank) {
            let table = &RANK_LINES[watcher.square.file()];
            sum += watcher.lines[0].joint_correction(table, lines.rank(rank), 1 << origin.file(), targets);
        }
        sum
    }

    /// The same along its file.
    fn file_correction(&self, lines: &LineOccupancy, origin: Square, targets: SquareSet) -> i32 {
        let (file, mut sum) = (origin.file(), 0);
        let targets = file_word(targets, file);
        for watcher in self.slider_views().filter(|watcher| watcher.square.file() == file) {
            let table = &FILE_LINES[watcher.square.rank()];
            sum += watcher.lines[1].joint_correction(table, lines.file(file), 1 << origin.rank(), targets);
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

/// One line as a rook or cannon looks along it.
#[derive(Clone, Copy)]
struct LineView {
    wanted: u16,
    reach: u16,
    cannon: bool,
}

impl LineView {
    #[inline(always)]
    fn count_targets<const N: usize>(&self, table: &[LineMoves; N], word: u16) -> i32 {
        let line = table[usize::from(word >> 1) & (N - 1)];
        let targets = if self.cannon { line.cannon_targets(word) } else { line.rook };
        (targets & self.wanted).count_ones() as i32
    }

    /// The sum over the moves from one point to others of this line of what both points together change beyond what
    /// each changes for itself.
    fn joint_correction<const N: usize>(
        &self,
        table: &[LineMoves; N],
        word: u16,
        from: u16,
        targets: u16,
    ) -> i32 {
        let alone = self.count_targets(table, word) - self.count_targets(table, word ^ from);
        let (mut sum, mut rest) = (0, targets);
        while rest != 0 {
            let to = rest & rest.wrapping_neg();
            rest ^= to;
            sum += self.count_targets(table, word ^ from ^ to) - self.count_targets(table, word ^ to) + alone;
        }
        sum
    }

    /// Tells the change at each point that can be reached; returns all that matter, reached or not.
    #[inline(always)]
    fn for_each_delta<const N: usize>(
        &self,
        table: &[LineMoves; N],
        word: u16,
        mut tell: impl FnMut(usize, i32),
    ) -> u16 {
        let rook = |word: u16| table[usize::from(word >> 1) & (N - 1)].rook;
        let mut sight = rook(word);
        if self.cannon {
            // Through the first man each way.
            sight |= rook(word & !sight);
        }
        let now = self.count_targets(table, word);
        let mut rest = sight & self.reach;
        while rest != 0 {
            let place = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            tell(place, self.count_targets(table, word ^ 1 << place) - now);
        }
        sight
    }
}

/// What is seen along rank and file up to and with the first man, the second man, the third.
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
        let sight = table[usize::from(word >> 1) & (N - 1)].rook;
        word &= !sight;
        sight
    })
}

impl KingZones {
    /// Around the general of the side to move, which its enemy's moves come near.
    fn new(passed: &Bitboard) -> Self {
        let (king, all) = (passed.king_square(passed.side_to_move()), passed.occupied());
        let seat = king_attack_table(king);
        let [_, second, third] = lines_of_sight(passed.lines(), king);
        let mut zones = KingZones {
            gaps: SquareSet::EMPTY,
            // From here no more than one man is between; from there no more than two.
            rook: second,
            cannon: third,
            horse: seat.horses,
            soldier: seat.soldiers,
        };
        // A gap with this many men asks something of the moves; with one more it does when one of them leaves.
        zones.add_gaps(passed, seat, all, [1, 2]);
        let rest = all.difference(SquareSet::from_square(king.index()));
        let mut lines = *passed.lines();
        lines.toggle(king);
        for target in seat.steps.difference(passed.occupied_by(passed.side_to_move())) {
            let target = square_at(target);
            let seat = king_attack_table(target);
            let [first, second, _] = lines_of_sight(&lines, target);
            zones.rook = zones.rook | first;
            zones.cannon = zones.cannon | second.difference(first);
            zones.horse = zones.horse | seat.horses;
            zones.soldier = zones.soldier | seat.soldiers;
            zones.add_gaps(passed, seat, rest, [0, 1]);
        }
        zones
    }

    #[inline(always)]
    fn add_gaps(&mut self, passed: &Bitboard, seat: &KingAttackTable, all: SquareSet, most: [usize; 2]) {
        let by = !passed.side_to_move();
        let attackers = [passed.direct_attackers(seat, by), passed.cannon_attackers(seat, by)];
        for (attackers, most) in attackers.into_iter().zip(most) {
            for attacker in attackers {
                let inside = seat.between[attacker] & all;
                match inside.len() {
                    men if men <= most => self.gaps = self.gaps | seat.between[attacker],
                    men if men == most + 1 => self.gaps = self.gaps | inside,
                    _ => {}
                }
            }
        }
    }

    /// What a man of this kind may neither leave nor enter; nothing for a general, which is never quiet enough.
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
