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

use crate::bitboard::{Bitboard, point};
use crate::board::{Board, Points};
use crate::geometry::{
    ELEPHANT, EYE_POINTS, FILE_LINES, HORSE, LEG_POINTS, Line, Lines, RANK_LINES, Seat, file_points,
    file_word, rank_points, rank_word, seat_of,
};
use crate::moves::Move;
use crate::piece::{Kind, Piece};
use crate::square::Square;

/// The number of legal move paths of `depth` plies: what [`kernel::perft`](alfil_kernel::perft::perft) gives.
pub fn perft(board: &Bitboard, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => board.count() as u64,
        _ => walk(&mut board.clone(), depth),
    }
}

fn walk(board: &mut Bitboard, depth: u32) -> u64 {
    if depth == 2 {
        return two_plies(board);
    }
    let mut list = MoveList::new();
    board.moves(&mut list);
    visit(board, &list, |board| walk(board, depth - 1))
}

/// Makes each move, asks, takes it back; the sum of the answers.
fn visit(board: &mut Bitboard, list: &MoveList<Move>, mut ask: impl FnMut(&mut Bitboard) -> u64) -> u64 {
    let mut sum = 0;
    for &mv in list {
        let undo = board.make(mv, &mut ());
        sum += ask(board);
        board.unmake(mv, &undo, &mut ());
    }
    sum
}

/// The sum over all moves of the number of replies.
fn two_plies(board: &mut Bitboard) -> u64 {
    let movers = Movers::of(board);
    let mut slow = MoveList::new();
    let sum = match Replies::of(board, movers.reach) {
        Some(replies) => {
            movers.men().map(|(origin, targets)| replies.sum(board, origin, targets, &mut slow)).sum()
        }
        None => {
            board.moves(&mut slow);
            0
        }
    };
    sum + visit(board, &slow, |board| board.count() as u64)
}

/// The men of the side to move: from where, and where to.
struct Movers {
    men: [(u8, Points); 16],
    len: usize,
    /// All points that are moved from or to.
    reach: Points,
}

impl Movers {
    fn of(board: &Bitboard) -> Self {
        let mut movers = Movers { men: [(0, Points::EMPTY); 16], len: 0, reach: board.men(board.side()) };
        let _ = board.each_legal(&board.safety(), |origin, targets| {
            movers.men[movers.len] = (origin.index() as u8, targets);
            movers.len += 1;
            movers.reach = movers.reach | targets;
            ControlFlow::Continue(())
        });
        movers
    }

    fn men(&self) -> impl Iterator<Item = (Square, Points)> + '_ {
        self.men[..self.len].iter().map(|&(origin, targets)| (point(usize::from(origin)), targets))
    }
}

/// Which quiet moves come near a general, by the kind of the mover.
#[derive(Clone, Copy)]
struct Zones {
    /// Points that open or close a gap, whoever leaves or enters them.
    gaps: Points,
    rook: Points,
    cannon: Points,
    horse: Points,
    soldier: Points,
}

/// What the other side could reply if we passed, and how that depends on single points.
struct Replies {
    count: i32,
    /// By how much the count changes when this point changes between empty and occupied by us.
    change: [i8; Square::COUNT],
    /// Where it does change.
    changing: Points,
    /// Our men that are watched along their rank, and along their file, and may move along it.
    tied: [Points; 2],
    watchers: [Watcher; 4],
    sliders: usize,
    zones: Zones,
}

impl Replies {
    /// Nothing if the other side is in check already, as in some waived setups. `reach` are the points that will be
    /// asked for.
    fn of(board: &Bitboard, reach: Points) -> Option<Self> {
        let passed = board.passed();
        let safety = passed.safety();
        if safety.check {
            return None;
        }
        let mut replies = Replies {
            count: passed.count_safe(&safety) as i32,
            change: [0; Square::COUNT],
            changing: Points::EMPTY,
            tied: [Points::EMPTY; 2],
            watchers: [Watcher { square: point(0), views: [View { wanted: 0, reach: 0, cannon: false }; 2] };
                4],
            sliders: 0,
            zones: Zones::of(&passed),
        };
        let reach = reach.minus(passed.men(passed.side()));
        let steps = |kind| board.pieces(Piece::new(board.side(), kind));
        let watched = steps(Kind::Rook) | steps(Kind::Cannon) | steps(Kind::Soldier);
        for kind in [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Elephant] {
            for man in passed.pieces(Piece::new(passed.side(), kind)) {
                let square = point(man);
                let wanted = passed.allowed(&safety, square);
                match kind {
                    Kind::Horse => {
                        replies.leap(square, &HORSE, passed.lines().legs(square), &LEG_POINTS, wanted, reach)
                    }
                    Kind::Elephant => {
                        replies.leap(
                            square,
                            &ELEPHANT,
                            passed.lines().eyes(square),
                            &EYE_POINTS,
                            wanted,
                            reach,
                        );
                    }
                    _ => replies.slide(square, kind == Kind::Cannon, passed.lines(), wanted, reach, watched),
                }
            }
        }
        Some(replies)
    }

    #[inline(always)]
    fn add(&mut self, square: usize, change: i32) {
        self.change[square] += change as i8;
        self.changing = self.changing | Points::of(square);
    }

    /// What the points of its two lines are to a rook or cannon.
    #[inline(always)]
    fn slide(
        &mut self,
        square: Square,
        cannon: bool,
        lines: &Lines,
        wanted: Points,
        reach: Points,
        watched: Points,
    ) {
        let (file, rank) = (square.file(), square.rank());
        let views = [
            View { wanted: rank_word(wanted, rank), reach: rank_word(reach, rank), cannon },
            View { wanted: file_word(wanted, file), reach: file_word(reach, file), cannon },
        ];
        self.watchers[self.sliders] = Watcher { square, views };
        self.sliders += 1;
        let sight = views[0].changes(&RANK_LINES[file], lines.rank(rank), |place, change| {
            self.add(rank * Square::FILES + place, change);
        });
        self.tied[0] = self.tied[0] | (rank_points(sight, rank) & watched);
        let sight = views[1].changes(&FILE_LINES[rank], lines.file(file), |place, change| {
            self.add(place * Square::FILES + file, change);
        });
        self.tied[1] = self.tied[1] | (file_points(sight, file) & watched);
    }

    /// What its four neighbours are to a horse or elephant.
    #[inline(always)]
    fn leap(
        &mut self,
        square: Square,
        table: &[[Points; 16]; Square::COUNT],
        blocked: usize,
        blockers: &[[u8; 4]; Square::COUNT],
        wanted: Points,
        reach: Points,
    ) {
        let count = |blocked: usize| (table[square.index()][blocked] & wanted).len() as i32;
        let now = count(blocked);
        for (i, &blocker) in blockers[square.index()].iter().enumerate() {
            // Beyond the edge stands the man itself, which we cannot reach.
            if reach.contains(usize::from(blocker)) {
                self.add(usize::from(blocker), count(blocked ^ 1 << i) - now);
            }
        }
    }

    /// The replies to the moves of one man, without those to the moves that are put on the slow list.
    #[inline(always)]
    fn sum(&self, board: &Bitboard, origin: Square, targets: Points, slow: &mut MoveList<Move>) -> u64 {
        let from = Points::of(origin.index());
        let easy = match board.piece_on(origin).and_then(|man| self.zones.of_kind(man.kind())) {
            Some(zone) if !zone.meets(from) => targets.minus(board.occupied() | zone),
            _ => Points::EMPTY,
        };
        for target in targets.minus(easy) {
            slow.push(Move::new(origin, point(target)));
        }
        let mut sum = easy.len() as i32 * (self.count + i32::from(self.change[origin.index()]));
        for target in easy & self.changing {
            sum += i32::from(self.change[target]);
        }
        if self.tied[0].meets(from) {
            sum += self.along_rank(board.lines(), origin, easy);
        }
        if self.tied[1].meets(from) {
            sum += self.along_file(board.lines(), origin, easy);
        }
        sum as u64
    }

    /// What the moves along its rank change beyond the sum of their two points, because the same man watches both.
    fn along_rank(&self, lines: &Lines, origin: Square, targets: Points) -> i32 {
        let (rank, mut sum) = (origin.rank(), 0);
        let targets = rank_word(targets, rank);
        for watcher in self.watchers().filter(|watcher| watcher.square.rank() == rank) {
            let table = &RANK_LINES[watcher.square.file()];
            sum += watcher.views[0].entangled(table, lines.rank(rank), 1 << origin.file(), targets);
        }
        sum
    }

    /// The same along its file.
    fn along_file(&self, lines: &Lines, origin: Square, targets: Points) -> i32 {
        let (file, mut sum) = (origin.file(), 0);
        let targets = file_word(targets, file);
        for watcher in self.watchers().filter(|watcher| watcher.square.file() == file) {
            let table = &FILE_LINES[watcher.square.rank()];
            sum += watcher.views[1].entangled(table, lines.file(file), 1 << origin.rank(), targets);
        }
        sum
    }

    fn watchers(&self) -> impl Iterator<Item = &Watcher> {
        self.watchers[..self.sliders].iter()
    }
}

/// A rook or cannon of the other side, with its view along rank and file.
#[derive(Clone, Copy)]
struct Watcher {
    square: Square,
    views: [View; 2],
}

/// One line as a rook or cannon looks along it.
#[derive(Clone, Copy)]
struct View {
    wanted: u16,
    reach: u16,
    cannon: bool,
}

impl View {
    #[inline(always)]
    fn count<const N: usize>(&self, table: &[Line; N], word: u16) -> i32 {
        let line = table[usize::from(word >> 1) & (N - 1)];
        let targets = if self.cannon { line.cannon_targets(word) } else { line.rook };
        (targets & self.wanted).count_ones() as i32
    }

    /// The sum over the moves from one point to others of this line of what both points together change beyond what
    /// each changes for itself.
    fn entangled<const N: usize>(&self, table: &[Line; N], word: u16, from: u16, targets: u16) -> i32 {
        let alone = self.count(table, word) - self.count(table, word ^ from);
        let (mut sum, mut rest) = (0, targets);
        while rest != 0 {
            let to = rest & rest.wrapping_neg();
            rest ^= to;
            sum += self.count(table, word ^ from ^ to) - self.count(table, word ^ to) + alone;
        }
        sum
    }

    /// Tells the change at each point that can be reached; returns all that matter, reached or not.
    #[inline(always)]
    fn changes<const N: usize>(&self, table: &[Line; N], word: u16, mut tell: impl FnMut(usize, i32)) -> u16 {
        let rook = |word: u16| table[usize::from(word >> 1) & (N - 1)].rook;
        let mut sight = rook(word);
        if self.cannon {
            // Through the first man each way.
            sight |= rook(word & !sight);
        }
        let now = self.count(table, word);
        let mut rest = sight & self.reach;
        while rest != 0 {
            let place = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            tell(place, self.count(table, word ^ 1 << place) - now);
        }
        sight
    }
}

/// What is seen along rank and file up to and with the first man, the second man, the third.
#[inline(always)]
fn sights(lines: &Lines, square: Square) -> [Points; 3] {
    let (file, rank) = (square.file(), square.rank());
    let along_rank = through(&RANK_LINES[file], lines.rank(rank));
    let along_file = through(&FILE_LINES[rank], lines.file(file));
    core::array::from_fn(|i| rank_points(along_rank[i], rank) | file_points(along_file[i], file))
}

#[inline(always)]
fn through<const N: usize>(table: &[Line; N], mut word: u16) -> [u16; 3] {
    core::array::from_fn(|_| {
        let sight = table[usize::from(word >> 1) & (N - 1)].rook;
        word &= !sight;
        sight
    })
}

impl Zones {
    /// Around the general of the side to move, which its enemy's moves come near.
    fn of(passed: &Bitboard) -> Self {
        let (king, all) = (passed.king(passed.side()), passed.occupied());
        let seat = seat_of(king);
        let [_, second, third] = sights(passed.lines(), king);
        let mut zones = Zones {
            gaps: Points::EMPTY,
            // From here no more than one man is between; from there no more than two.
            rook: second,
            cannon: third,
            horse: seat.horses,
            soldier: seat.soldiers,
        };
        // A gap with this many men asks something of the moves; with one more it does when one of them leaves.
        zones.watch(passed, seat, all, [1, 2]);
        let rest = all.minus(Points::of(king.index()));
        let mut lines = *passed.lines();
        lines.toggle(king);
        for target in seat.steps.minus(passed.men(passed.side())) {
            let target = point(target);
            let seat = seat_of(target);
            let [first, second, _] = sights(&lines, target);
            zones.rook = zones.rook | first;
            zones.cannon = zones.cannon | second.minus(first);
            zones.horse = zones.horse | seat.horses;
            zones.soldier = zones.soldier | seat.soldiers;
            zones.watch(passed, seat, rest, [0, 1]);
        }
        zones
    }

    #[inline(always)]
    fn watch(&mut self, passed: &Bitboard, seat: &Seat, all: Points, most: [usize; 2]) {
        let by = !passed.side();
        let attackers = [passed.direct(seat, by), passed.indirect(seat, by)];
        for (attackers, most) in attackers.into_iter().zip(most) {
            for attacker in attackers {
                let inside = seat.gap[attacker] & all;
                match inside.len() {
                    men if men <= most => self.gaps = self.gaps | seat.gap[attacker],
                    men if men == most + 1 => self.gaps = self.gaps | inside,
                    _ => {}
                }
            }
        }
    }

    /// What a man of this kind may neither leave nor enter; nothing for a general, which is never quiet enough.
    #[inline(always)]
    fn of_kind(&self, kind: Kind) -> Option<Points> {
        let own = match kind {
            Kind::King => return None,
            Kind::Advisor | Kind::Elephant => Points::EMPTY,
            Kind::Horse => self.horse,
            Kind::Rook => self.rook,
            Kind::Cannon => self.cannon,
            Kind::Soldier => self.soldier,
        };
        Some(self.gaps | own)
    }
}
