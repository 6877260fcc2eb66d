//! The mailbox's structures, each beside what it replaces. The chapter `docs/the-mailbox.md` quotes these rows.

use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{MoveList, Position, Setup as _, Waivers};
use alfil_xiangqi::{Mailbox, Move, Setup, Square};
use divan::{Bencher, black_box, counter::ItemsCount};

fn main() {
    divan::main();
}

/// The three positions of middle and end game that perft tables like, and random games from the start.
fn boards() -> Vec<Mailbox> {
    let made = [
        "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w",
        "r2akab1r/3n5/4b3n/p1p1pRp1p/9/2P3P2/P3P3c/N2C3C1/4A4/1RBAK1B2 w",
        "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w",
    ];
    let board = |setup: &Setup| Mailbox::from_setup(setup, &Waivers::None).expect("a sound position");
    let mut boards: Vec<_> =
        made.iter().map(|text| board(&Setup::parse(text).expect("a sound text"))).collect();
    let mut random = SplitMix64::new(5);
    while boards.len() < 100 {
        let mut here = board(&Setup::start());
        for _ in 0..random.below(80) {
            let mut list = MoveList::new();
            here.generate_legal(&mut list);
            if list.is_empty() {
                break;
            }
            here.make(list[random.below(list.len())], &mut ());
        }
        boards.push(here);
    }
    boards
}

/// Asks every board one question; the figure is for all hundred.
fn ask<T>(bencher: Bencher<'_, '_>, question: impl Fn(&Mailbox) -> T + Sync) {
    let boards = boards();
    bencher.counter(ItemsCount::new(boards.len())).bench(|| {
        for board in &boards {
            black_box(question(black_box(board)));
        }
    });
}

/// How many moves a generator gives, each of them looked at.
fn given(generate: impl FnOnce(&mut dyn FnMut(Move))) -> usize {
    let mut count = 0;
    generate(&mut |mv| {
        black_box(mv);
        count += 1;
    });
    count
}

#[divan::bench_group]
mod line_captures {
    use super::{Bencher, ask, given};
    use alfil_xiangqi::mailbox::reference;

    #[divan::bench]
    fn by_bit_lines(bencher: Bencher<'_, '_>) {
        ask(bencher, |board| given(|sink| board.generate_line_captures(sink)));
    }

    #[divan::bench]
    fn by_ray_loops(bencher: Bencher<'_, '_>) {
        ask(bencher, |board| given(|sink| reference::generate_line_captures(board, sink)));
    }
}

#[divan::bench_group]
mod leapers {
    use super::{Bencher, ask, given};
    use alfil_xiangqi::mailbox::reference;

    #[divan::bench]
    fn by_lists(bencher: Bencher<'_, '_>) {
        ask(bencher, |board| given(|sink| board.generate_leaper_moves(sink)));
    }

    #[divan::bench]
    fn by_offsets(bencher: Bencher<'_, '_>) {
        ask(bencher, |board| given(|sink| reference::generate_leaper_moves(board, sink)));
    }
}

/// A click is a move somebody tries: half of them are legal, half go from an own man to any other point.
#[divan::bench_group]
mod click {
    use super::*;

    const CLICKS: usize = 16;

    fn clicks(board: &Mailbox, random: &mut SplitMix64) -> Vec<Move> {
        let mut legal = MoveList::new();
        board.generate_legal(&mut legal);
        let click = |i: usize| {
            let mv = legal[random.below(legal.len())];
            let target = Square::from_index(random.below(Square::COUNT)).expect("a point");
            if i.is_multiple_of(2) || target == mv.origin() { mv } else { Move::new(mv.origin(), target) }
        };
        (0..CLICKS).map(click).collect()
    }

    fn judge(bencher: Bencher<'_, '_>, judge: impl Fn(&Mailbox, Move) -> bool + Sync) {
        let mut random = SplitMix64::new(6);
        let mut boards = boards();
        boards.retain(|board| !board.has_no_legal_move());
        let clicked: Vec<_> = boards.iter().map(|board| (board, clicks(board, &mut random))).collect();
        let total = clicked.len() * CLICKS;
        bencher.counter(ItemsCount::new(total)).bench(|| {
            let judged =
                |board, clicks: &[Move]| clicks.iter().filter(|&&mv| judge(board, black_box(mv))).count();
            clicked.iter().map(|(board, clicks)| judged(board, clicks)).sum::<usize>()
        });
    }

    /// As the moves are judged everywhere: directly, then from the general outward.
    #[divan::bench]
    fn directly(bencher: Bencher<'_, '_>) {
        judge(bencher, |board, mv| board.is_legal(mv));
    }

    #[divan::bench]
    fn among_all_moves(bencher: Bencher<'_, '_>) {
        judge(bencher, |board, mv| {
            let mut list = MoveList::new();
            board.generate_legal(&mut list);
            list.contains(&mv)
        });
    }

    #[divan::bench]
    fn among_that_mans_moves(bencher: Bencher<'_, '_>) {
        judge(bencher, |board, mv| {
            let mut found = false;
            board.generate_pseudo_legal_from(mv.origin(), |pseudo| found |= pseudo == mv);
            found && !board.leaves_king_attacked(mv)
        });
    }
}

#[divan::bench_group]
mod check {
    use super::{Bencher, Position, ask};
    use alfil_xiangqi::mailbox::reference;

    /// As the board that plays does: the enemy men that could, by their list, and the men between on the general's lines.
    #[divan::bench]
    fn by_the_list(bencher: Bencher<'_, '_>) {
        ask(bencher, Position::in_check);
    }

    #[divan::bench]
    fn from_the_general_outward(bencher: Bencher<'_, '_>) {
        ask(bencher, reference::in_check_from_king);
    }

    #[divan::bench]
    fn by_generating_all_replies(bencher: Bencher<'_, '_>) {
        ask(bencher, reference::in_check);
    }
}

/// Who is this man? The mailbox's numbers of 0 to 47 against the text's mask form of 12 bits: two for the side, seven for
/// the kind, three for the index, so that a piece's mask is contained in each of its men.
#[divan::bench_group]
mod man {
    use super::*;
    use alfil_xiangqi::Piece;

    const QUESTIONS: usize = 4096;

    /// The first number of each piece's men, and how many there are.
    fn slot(piece: usize) -> (u8, u8) {
        [(0, 1), (1, 2), (3, 2), (5, 2), (7, 2), (9, 2), (11, 5)]
            .map(|(first, room)| (16 + 16 * (piece / 7) as u8 + first, room))[piece % 7]
    }

    fn mask(piece: usize) -> u16 {
        1 << (10 + piece / 7) | 1 << (3 + piece % 7)
    }

    /// Points of the boards, a piece each, and for each board what stands on a point in the form asked for.
    fn answer<Man: Copy + Default + Sync + 'static>(
        bencher: Bencher<'_, '_>,
        form: impl Fn(usize, u8) -> Man,
        is: impl Fn(Man, usize) -> bool + Sync,
    ) {
        let cells: Vec<[Man; Square::COUNT]> = boards()
            .iter()
            .map(|board| {
                let mut met = [0; Piece::COUNT];
                let mut cells = [Man::default(); Square::COUNT];
                for at in Square::all() {
                    if let Some(piece) = board.piece_on(at) {
                        cells[at.index()] = form(piece.index(), met[piece.index()]);
                        met[piece.index()] += 1;
                    }
                }
                cells
            })
            .collect();
        let mut random = SplitMix64::new(7);
        let questions: Vec<_> = (0..QUESTIONS)
            .map(|_| (random.below(cells.len()), random.below(Square::COUNT), random.below(Piece::COUNT)))
            .collect();
        bencher.counter(ItemsCount::new(QUESTIONS)).bench(|| {
            let yes = |&&(board, at, piece): &&(usize, usize, usize)| is(cells[board][at], piece);
            black_box(&questions).iter().filter(yes).count()
        });
    }

    #[divan::bench]
    fn by_number(bencher: Bencher<'_, '_>) {
        let slots: [(u8, u8); Piece::COUNT] = core::array::from_fn(slot);
        answer(
            bencher,
            |piece, index| slot(piece).0 + index,
            |man, piece| man.wrapping_sub(slots[piece].0) < slots[piece].1,
        );
    }

    #[divan::bench]
    fn by_mask(bencher: Bencher<'_, '_>) {
        let masks: [u16; Piece::COUNT] = core::array::from_fn(mask);
        answer(
            bencher,
            |piece, index| mask(piece) | u16::from(index),
            |man, piece| man & masks[piece] == masks[piece],
        );
    }
}

#[divan::bench_group(sample_count = 10)]
mod perft {
    use super::*;
    use alfil_xiangqi::mailbox::reference;

    const DEPTH: u32 = 4;
    const LEAVES: usize = 3_290_240;

    fn start() -> Mailbox {
        Mailbox::from_setup(&Setup::start(), &Waivers::None).expect("the start position is sound")
    }

    #[divan::bench]
    fn mailbox(bencher: Bencher<'_, '_>) {
        bencher.counter(ItemsCount::new(LEAVES)).bench(|| assert_eq!(start().perft(DEPTH), LEAVES as u64));
    }

    /// The first form of the text's program: offsets, and every move made to see whether its maker's general is attacked.
    #[divan::bench]
    fn by_offsets_and_trying(bencher: Bencher<'_, '_>) {
        fn count(board: &mut Mailbox, depth: u32) -> u64 {
            let mut list = MoveList::new();
            reference::generate_pseudo_legal(board, |mv| list.push(mv));
            let mut nodes = 0;
            for &mv in &list {
                if let Some((undo, _)) = reference::try_make(board, mv) {
                    nodes += if depth == 1 { 1 } else { count(board, depth - 1) };
                    board.unmake(mv, &undo, &mut ());
                }
            }
            nodes
        }
        bencher
            .counter(ItemsCount::new(LEAVES))
            .bench(|| assert_eq!(count(&mut start(), DEPTH), LEAVES as u64));
    }
}

/// Whether the position stood before, asked after each of a hundred quiet plies: with the miniature hash in front, and
/// walking always.
#[divan::bench_group]
mod repetition {
    use super::*;
    use alfil_kernel::GameHistory;
    use alfil_xiangqi::rules::homings;

    /// `wandering`: quiet moves at random, hardly a position comes back, as in a search. `shuffling`: two men go to and
    /// fro, every position comes back.
    const LINES: [&str; 2] = ["wandering", "shuffling"];

    fn lines(name: &str) -> Vec<GameHistory<Mailbox>> {
        let mut random = SplitMix64::new(8);
        let mut line = GameHistory::<Mailbox>::from_start_position();
        let mut lines = Vec::new();
        while line.ply() < 100 {
            let mut moves = MoveList::new();
            line.position().generate_legal(&mut moves);
            let text = ["b0c2", "b9c7", "c2b0", "c7b9"][line.ply() % 4];
            let back = Move::new(text[..2].parse().expect("a point"), text[2..].parse().expect("a point"));
            moves.retain(|mv| {
                line.position().captured_piece(mv).is_none() && (name == "wandering" || mv == back)
            });
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

    fn asked(bencher: Bencher<'_, '_>, name: &str, repeated: impl Fn(&GameHistory<Mailbox>) -> bool + Sync) {
        let lines = lines(name);
        bencher
            .counter(ItemsCount::new(lines.len()))
            .bench(|| lines.iter().filter(|line| repeated(black_box(line))).count());
    }

    #[divan::bench(args = LINES)]
    fn keys_behind_the_hash(bencher: Bencher<'_, '_>, name: &str) {
        asked(bencher, name, |line| line.earlier_occurrences().next().is_some());
    }

    #[divan::bench(args = LINES)]
    fn keys_walked_always(bencher: Bencher<'_, '_>, name: &str) {
        asked(bencher, name, |line| {
            let (end, key) = (line.ply(), line.position().hash_key());
            (2..=line.reversible_plies()).step_by(2).any(|back| line.hash_key_at(end - back) == key)
        });
    }

    #[divan::bench(args = LINES)]
    fn homing_behind_the_hash(bencher: Bencher<'_, '_>, name: &str) {
        asked(bencher, name, |line| homings(line).next().is_some());
    }

    #[divan::bench(args = LINES)]
    fn homing_walked_always(bencher: Bencher<'_, '_>, name: &str) {
        asked(bencher, name, homes);
    }

    /// The walk of `laws::homings` without the miniature hash before it.
    fn homes(line: &GameHistory<Mailbox>) -> bool {
        let (end, position) = (line.ply(), line.position());
        let mut travels: Vec<(Square, Square)> = Vec::new();
        (1..=line.reversible_plies()).any(|back| {
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
