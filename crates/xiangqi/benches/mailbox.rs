//! The structures of the mailbox, each against what it replaces. Rows of one group do the same work on the same positions and
//! are to be read as ratios; `docs/the-mailbox.md` tells the story.
#![allow(missing_docs)]

use std::hint::black_box;

use alfil_kernel::keys::SplitMix64;
use alfil_kernel::{Line, MoveList, Position, Setup as _, Waivers};
use alfil_xiangqi::mailbox::reference;
use alfil_xiangqi::{Kind, Mailbox, Move, Piece, Setup, Square};
use divan::{Bencher, counter::ItemsCount};

fn main() {
    divan::main();
}

/// How many positions a row runs over.
const POSITIONS: usize = 256;

/// The position after `plies` random plies, or sooner where the game ended.
fn played(random: &mut SplitMix64, plies: usize) -> Mailbox {
    let mut board = Mailbox::from_setup(&Setup::start(), &Waivers::None).expect("the start is sound");
    for _ in 0..plies {
        let mut moves = MoveList::new();
        board.moves(&mut moves);
        let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
        board.make(mv, &mut ());
    }
    board
}

fn positions() -> Vec<Mailbox> {
    let mut random = SplitMix64::new(2);
    (0..POSITIONS).map(|i| played(&mut random, i % 128)).collect()
}

/// Runs `of` over all positions; the item of the row is a position.
fn over(bencher: Bencher<'_, '_>, of: impl Fn(&Mailbox) -> u32 + Sync) {
    let positions = positions();
    bencher
        .counter(ItemsCount::new(positions.len()))
        .bench(|| positions.iter().fold(0, |sum: u32, board| sum.wrapping_add(of(black_box(board)))));
}

/// A sink that uses every move.
fn summed(of: impl FnOnce(&mut dyn FnMut(Move))) -> u32 {
    let mut sum = 0;
    of(&mut |mv| sum += u32::from(mv.bits()));
    sum
}

mod line_captures {
    use super::*;

    const SLIDERS: [Kind; 2] = [Kind::Rook, Kind::Cannon];

    #[divan::bench]
    fn bit_lines(bencher: Bencher<'_, '_>) {
        over(bencher, |board| {
            let mut sum = 0;
            SLIDERS.iter().for_each(|&kind| board.captures_of(kind, |mv| sum += u32::from(mv.bits())));
            sum
        });
    }

    #[divan::bench]
    fn ray_loops(bencher: Bencher<'_, '_>) {
        over(bencher, |board| {
            let mut sum = 0;
            let sink = &mut |mv: Move| sum += u32::from(mv.bits());
            SLIDERS.iter().for_each(|&kind| reference::captures_of(board, kind, sink));
            sum
        });
    }
}

mod leapers {
    use super::*;

    const LEAPERS: [Kind; 5] = [Kind::King, Kind::Advisor, Kind::Elephant, Kind::Horse, Kind::Soldier];

    #[divan::bench]
    fn lists(bencher: Bencher<'_, '_>) {
        over(bencher, |board| {
            let mut sum = 0;
            LEAPERS.iter().for_each(|&kind| board.moves_of(kind, |mv| sum += u32::from(mv.bits())));
            sum
        });
    }

    #[divan::bench]
    fn offsets(bencher: Bencher<'_, '_>) {
        over(bencher, |board| {
            let mut sum = 0;
            let sink = &mut |mv: Move| sum += u32::from(mv.bits());
            LEAPERS.iter().for_each(|&kind| reference::moves_of(board, kind, sink));
            sum
        });
    }
}

/// All pseudo-legal moves and captures alone, by the tables and by the reference.
mod generator {
    use super::*;

    #[divan::bench]
    fn moves_by_tables(bencher: Bencher<'_, '_>) {
        over(bencher, |board| {
            let mut list = MoveList::new();
            board.pseudo(&mut list);
            black_box(&list).len() as u32
        });
    }

    #[divan::bench]
    fn moves_by_offsets(bencher: Bencher<'_, '_>) {
        over(bencher, |board| {
            let mut list = MoveList::new();
            reference::pseudo(board, &mut |mv| list.push(mv));
            black_box(&list).len() as u32
        });
    }

    #[divan::bench]
    fn captures_by_tables(bencher: Bencher<'_, '_>) {
        over(bencher, |board| {
            summed(|sink| Kind::ALL.iter().for_each(|&kind| board.captures_of(kind, &mut *sink)))
        });
    }

    #[divan::bench]
    fn captures_by_offsets(bencher: Bencher<'_, '_>) {
        over(bencher, |board| summed(|mut sink| reference::captures(board, &mut sink)));
    }
}

mod click {
    use super::*;

    /// What a hand might click, by position: half of the clicks are moves, half any two points.
    fn clicks(positions: &[Mailbox]) -> Vec<(usize, Move)> {
        let mut random = SplitMix64::new(6);
        let mut clicks = Vec::new();
        for (i, board) in positions.iter().enumerate() {
            let mut list = MoveList::new();
            board.pseudo(&mut list);
            for _ in 0..4 {
                clicks.push((i, list[random.below(list.len())]));
                let origin = list[random.below(list.len())].origin();
                let target = Square::from_index(random.below(Square::COUNT)).filter(|&at| at != origin);
                clicks.extend(target.map(|target| (i, Move::new(origin, target))));
            }
        }
        clicks
    }

    fn judged(bencher: Bencher<'_, '_>, is_move: impl Fn(&Mailbox, Move) -> bool + Sync) {
        let positions = positions();
        let clicks = clicks(&positions);
        bencher.counter(ItemsCount::new(clicks.len())).bench(|| {
            let legal = clicks.iter().filter(|&&(i, mv)| {
                let (board, mv) = (black_box(&positions[i]), black_box(mv));
                is_move(board, mv) && !board.exposes(mv)
            });
            legal.count()
        });
    }

    #[divan::bench]
    fn directly(bencher: Bencher<'_, '_>) {
        judged(bencher, |board, mv| board.is_pseudo_legal(mv));
    }

    #[divan::bench]
    fn among_the_mans_moves(bencher: Bencher<'_, '_>) {
        judged(bencher, |board, mv| {
            let mut list = MoveList::new();
            board.pseudo_from(mv.origin(), |mv| list.push(mv));
            list.contains(&mv)
        });
    }

    #[divan::bench]
    fn among_all_moves(bencher: Bencher<'_, '_>) {
        judged(bencher, |board, mv| {
            let mut list = MoveList::new();
            board.pseudo(&mut list);
            list.contains(&mv)
        });
    }
}

mod check {
    use super::*;

    #[divan::bench]
    fn from_the_general_outward(bencher: Bencher<'_, '_>) {
        over(bencher, |board| u32::from(board.in_check()));
    }

    #[divan::bench]
    fn among_all_replies(bencher: Bencher<'_, '_>) {
        over(bencher, |board| u32::from(reference::in_check(board)));
    }

    /// The replies made by the fast generator instead, and looked through. It never gives a general as a target, so this
    /// finds nothing: the row only says what generating costs at best.
    #[divan::bench]
    fn among_replies_by_tables(bencher: Bencher<'_, '_>) {
        let mut positions = positions();
        positions.iter_mut().for_each(|board| {
            board.make_null();
        });
        bencher.counter(ItemsCount::new(positions.len())).bench(|| {
            positions.iter().fold(0, |found: u32, board| {
                let (board, general) = (black_box(board), black_box(0x7F));
                let mut seen = false;
                let look = &mut |mv: Move| seen |= mv.bits() & 0x7F == general;
                Kind::ALL.iter().for_each(|&kind| board.moves_of(kind, &mut *look));
                found + u32::from(seen)
            })
        });
    }
}

/// Every position along a line asks whether it stood before.
mod repetition {
    use super::*;

    /// `wandering`: quiet moves at random, hardly a position comes back, as in a search. `shuffling`: two men go to and
    /// fro, every position comes back.
    const LINES: [&str; 2] = ["wandering", "shuffling"];

    fn lines(name: &str) -> Vec<Line<Mailbox>> {
        let mut random = SplitMix64::new(8);
        let mut line = Line::<Mailbox>::start_of_game();
        let mut lines = Vec::new();
        while line.ply() < 100 {
            let mut moves = MoveList::new();
            line.position().moves(&mut moves);
            let text = ["b0c2", "b9c7", "c2b0", "c7b9"][line.ply() % 4];
            let back = Move::new(text[..2].parse().expect("a point"), text[2..].parse().expect("a point"));
            moves.retain(|mv| line.position().captured(mv).is_none() && (name == "wandering" || mv == back));
            if let Some(&mv) = moves.get(random.below(moves.len().max(1))) {
                line.play(mv);
                lines.push(line.clone());
            } else {
                // Nothing quiet to play: another way from four plies back.
                for _ in 0..4 {
                    line.pop(&mut ());
                    lines.pop();
                }
            }
        }
        lines
    }

    fn asked(bencher: Bencher<'_, '_>, name: &str, repeated: impl Fn(&Line<Mailbox>) -> bool + Sync) {
        let lines = lines(name);
        bencher
            .counter(ItemsCount::new(lines.len()))
            .bench(|| lines.iter().filter(|line| repeated(black_box(line))).count());
    }

    #[divan::bench(args = LINES)]
    fn keys_behind_the_hash(bencher: Bencher<'_, '_>, name: &str) {
        asked(bencher, name, |line| line.repeats().next().is_some());
    }

    #[divan::bench(args = LINES)]
    fn keys_walked_always(bencher: Bencher<'_, '_>, name: &str) {
        asked(bencher, name, |line| {
            let (end, key) = (line.ply(), line.position().key());
            (2..=line.reversible()).step_by(2).any(|back| line.key_at(end - back) == key)
        });
    }

    #[divan::bench(args = LINES)]
    fn homing_behind_the_hash(bencher: Bencher<'_, '_>, name: &str) {
        asked(bencher, name, |line| alfil_xiangqi::laws::homings(line).next().is_some());
    }

    #[divan::bench(args = LINES)]
    fn homing_walked_always(bencher: Bencher<'_, '_>, name: &str) {
        asked(bencher, name, homes);
    }

    /// The walk of `laws::homings` without the miniature hash before it.
    fn homes(line: &Line<Mailbox>) -> bool {
        let (end, position) = (line.ply(), line.position());
        let mut travels: Vec<(Square, Square)> = Vec::new();
        (1..=line.reversible()).any(|back| {
            let Some(mv) = line.records()[end - back].mv() else { return false };
            match travels.iter_mut().find(|(_, then)| *then == mv.target()) {
                Some((_, then)) => *then = mv.origin(),
                None => travels.push((mv.target(), mv.origin())),
            }
            back % 2 == 0
                && travels
                    .iter()
                    .all(|&(now, then)| now == then || position.piece_on(then) == position.piece_on(now))
        })
    }
}

/// What a man is: by the range of its number in the list, or by a mask of twelve bits (two for the side, seven for the
/// kind, three for which of them).
mod form {
    use super::*;

    const MEN: usize = 4_096;

    /// Men as they stand on the boards, empty places among them, and the piece each is asked to be.
    fn asked() -> Vec<(Option<Piece>, Piece)> {
        let mut random = SplitMix64::new(9);
        let boards = positions();
        let mut draw = |count| random.below(count);
        let at = |index| Square::from_index(index).expect("a point");
        let man = |board: &Mailbox, index| board.piece_on(at(index));
        (0..MEN)
            .map(|_| {
                let piece = Piece::all().nth(draw(Piece::COUNT)).expect("a piece");
                (man(&boards[draw(POSITIONS)], draw(Square::COUNT)), piece)
            })
            .collect()
    }

    /// A side's first man of each kind in the list, and how many there are.
    const SLOTS: [(u8, u8); 7] = [(0, 1), (1, 2), (3, 2), (5, 2), (7, 2), (9, 2), (11, 5)];

    fn numbers(piece: Piece) -> (u8, u8) {
        let (slot, room) = SLOTS[piece.kind() as usize];
        (16 + 16 * piece.side().index() as u8 + slot, room)
    }

    fn mask(piece: Piece) -> u16 {
        1 << (10 + piece.side().index()) | 1 << (3 + piece.kind() as usize)
    }

    #[divan::bench]
    fn number_in_a_range(bencher: Bencher<'_, '_>) {
        let men: Vec<_> = asked()
            .into_iter()
            .map(|(man, piece)| (man.map_or(0, |man| numbers(man).0), numbers(piece)))
            .collect();
        bencher.counter(ItemsCount::new(MEN)).bench(|| {
            let is = |&&(man, (first, room)): &&(u8, (u8, u8))| black_box(man).wrapping_sub(first) < room;
            men.iter().filter(is).count()
        });
    }

    #[divan::bench]
    fn mask_of_two_bits(bencher: Bencher<'_, '_>) {
        let men: Vec<_> =
            asked().into_iter().map(|(man, piece)| (man.map_or(0, mask), mask(piece))).collect();
        bencher.counter(ItemsCount::new(MEN)).bench(|| {
            let is = |&&(man, mask): &&(u16, u16)| black_box(man) & mask == mask;
            men.iter().filter(is).count()
        });
    }
}

/// The start position, 3,290,240 paths.
#[divan::bench(sample_count = 10)]
fn perft_depth_4(bencher: Bencher<'_, '_>) {
    let board = Mailbox::from_setup(&Setup::start(), &Waivers::None).expect("the start is sound");
    bencher.counter(ItemsCount::new(3_290_240_u64)).bench(|| black_box(&board).perft(4));
}
