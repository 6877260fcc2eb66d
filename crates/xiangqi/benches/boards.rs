//! The structures of the mailbox, each beside its alternative. `docs/inside/the-mailbox.md` quotes these rows.

use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{MoveList, Position, Setup as _, Waivers};
use alfil_xiangqi::{Mailbox, Move, Setup, Square};
use divan::{Bencher, black_box, counter::ItemsCount};

fn main() {
    divan::main();
}

/// Returns three middlegame and endgame positions of common perft tables, and random games from the start.
fn boards() -> Vec<Mailbox> {
    let texts = [
        "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w",
        "r2akab1r/3n5/4b3n/p1p1pRp1p/9/2P3P2/P3P3c/N2C3C1/4A4/1RBAK1B2 w",
        "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w",
    ];
    let board = |setup: &Setup| Mailbox::from_setup(setup, &Waivers::None).expect("a valid position");
    let mut boards: Vec<_> =
        texts.iter().map(|text| board(&Setup::parse(text).expect("a valid FEN"))).collect();
    let mut random = SplitMix64::new(5);
    while boards.len() < 100 {
        let mut position = board(&Setup::start());
        for _ in 0..random.below(80) {
            let mut list = MoveList::new();
            position.generate_legal(&mut list);
            if list.is_empty() {
                break;
            }
            position.make(list[random.below(list.len())], &mut ());
        }
        boards.push(position);
    }
    boards
}

/// Runs a function on every board; the time is for all hundred.
fn bench_boards<T>(bencher: Bencher<'_, '_>, function: impl Fn(&Mailbox) -> T + Sync) {
    let boards = boards();
    bencher.counter(ItemsCount::new(boards.len())).bench(|| {
        for board in &boards {
            black_box(function(black_box(board)));
        }
    });
}

/// Returns the number of generated moves; each is passed to `black_box`.
fn count_generated(generate: impl FnOnce(&mut dyn FnMut(Move))) -> usize {
    let mut count = 0;
    generate(&mut |mv| {
        black_box(mv);
        count += 1;
    });
    count
}

#[divan::bench_group]
mod line_captures {
    use super::{Bencher, bench_boards, count_generated};
    use alfil_xiangqi::mailbox::reference;

    #[divan::bench]
    fn by_bit_lines(bencher: Bencher<'_, '_>) {
        bench_boards(bencher, |board| count_generated(|sink| board.generate_line_captures(sink)));
    }

    #[divan::bench]
    fn by_ray_loops(bencher: Bencher<'_, '_>) {
        bench_boards(bencher, |board| count_generated(|sink| reference::generate_line_captures(board, sink)));
    }
}

#[divan::bench_group]
mod leapers {
    use super::{Bencher, bench_boards, count_generated};
    use alfil_xiangqi::mailbox::reference;

    #[divan::bench]
    fn by_lists(bencher: Bencher<'_, '_>) {
        bench_boards(bencher, |board| count_generated(|sink| board.generate_leaper_moves(sink)));
    }

    #[divan::bench]
    fn by_offsets(bencher: Bencher<'_, '_>) {
        bench_boards(bencher, |board| count_generated(|sink| reference::generate_leaper_moves(board, sink)));
    }
}

/// A click is a move that a user tries: half of them are legal, half go from an own piece to any other square.
#[divan::bench_group]
mod click {
    use super::*;

    const CLICKS: usize = 16;

    fn clicks(board: &Mailbox, random: &mut SplitMix64) -> Vec<Move> {
        let mut legal = MoveList::new();
        board.generate_legal(&mut legal);
        let click = |i: usize| {
            let mv = legal[random.below(legal.len())];
            let target = Square::from_index(random.below(Square::COUNT)).expect("the index of a square");
            if i.is_multiple_of(2) || target == mv.origin() { mv } else { Move::new(mv.origin(), target) }
        };
        (0..CLICKS).map(click).collect()
    }

    fn bench_clicks(bencher: Bencher<'_, '_>, is_legal: impl Fn(&Mailbox, Move) -> bool + Sync) {
        let mut random = SplitMix64::new(6);
        let mut boards = boards();
        boards.retain(|board| !board.has_no_legal_move());
        let boards_with_clicks: Vec<_> =
            boards.iter().map(|board| (board, clicks(board, &mut random))).collect();
        let total = boards_with_clicks.len() * CLICKS;
        bencher.counter(ItemsCount::new(total)).bench(|| {
            let count_legal =
                |board, clicks: &[Move]| clicks.iter().filter(|&&mv| is_legal(board, black_box(mv))).count();
            boards_with_clicks.iter().map(|(board, clicks)| count_legal(board, clicks)).sum::<usize>()
        });
    }

    /// The test of the board itself: pseudo-legality directly, then check detection.
    #[divan::bench]
    fn directly(bencher: Bencher<'_, '_>) {
        bench_clicks(bencher, |board, mv| board.is_legal(mv));
    }

    #[divan::bench]
    fn among_all_moves(bencher: Bencher<'_, '_>) {
        bench_clicks(bencher, |board, mv| {
            let mut list = MoveList::new();
            board.generate_legal(&mut list);
            list.contains(&mv)
        });
    }

    #[divan::bench]
    fn among_the_moves_of_that_piece(bencher: Bencher<'_, '_>) {
        bench_clicks(bencher, |board, mv| {
            let mut found = false;
            board.generate_pseudo_legal_from(mv.origin(), |pseudo| found |= pseudo == mv);
            found && !board.leaves_king_attacked(mv)
        });
    }
}

#[divan::bench_group]
mod check {
    use super::{Bencher, Position, bench_boards};
    use alfil_xiangqi::mailbox::reference;

    /// The test of the board itself: the enemy pieces that can attack, by the piece list, and the pieces between on the
    /// lines of the king.
    #[divan::bench]
    fn by_the_list(bencher: Bencher<'_, '_>) {
        bench_boards(bencher, Position::in_check);
    }

    #[divan::bench]
    fn from_the_king_outward(bencher: Bencher<'_, '_>) {
        bench_boards(bencher, reference::in_check_from_king);
    }

    #[divan::bench]
    fn by_generating_all_replies(bencher: Bencher<'_, '_>) {
        bench_boards(bencher, reference::in_check);
    }
}

/// Piece identity: the mailbox's numbers of 0 to 47 against ElephantEye's mask form of 12 bits: two for the side, seven
/// for the kind, three for the index, so that a piece's mask is contained in each of its numbers.
#[divan::bench_group]
mod piece_identity {
    use super::*;
    use alfil_xiangqi::Piece;

    const QUERIES: usize = 4096;

    /// Returns the first number of each piece, and how many numbers it has.
    fn slot(piece: usize) -> (u8, u8) {
        [(0, 1), (1, 2), (3, 2), (5, 2), (7, 2), (9, 2), (11, 5)]
            .map(|(first, count)| (16 + 16 * (piece / 7) as u8 + first, count))[piece % 7]
    }

    fn mask(piece: usize) -> u16 {
        1 << (10 + piece / 7) | 1 << (3 + piece % 7)
    }

    /// Squares of the boards, a piece each, and for each board the contents of a square in the given form.
    fn bench_form<Code: Copy + Default + Sync + 'static>(
        bencher: Bencher<'_, '_>,
        encode: impl Fn(usize, u8) -> Code,
        is_piece: impl Fn(Code, usize) -> bool + Sync,
    ) {
        let cells: Vec<[Code; Square::COUNT]> = boards()
            .iter()
            .map(|board| {
                let mut seen = [0; Piece::COUNT];
                let mut cells = [Code::default(); Square::COUNT];
                for at in Square::all() {
                    if let Some(piece) = board.piece_on(at) {
                        cells[at.index()] = encode(piece.index(), seen[piece.index()]);
                        seen[piece.index()] += 1;
                    }
                }
                cells
            })
            .collect();
        let mut random = SplitMix64::new(7);
        let queries: Vec<_> = (0..QUERIES)
            .map(|_| (random.below(cells.len()), random.below(Square::COUNT), random.below(Piece::COUNT)))
            .collect();
        bencher.counter(ItemsCount::new(QUERIES)).bench(|| {
            let is_match = |&&(board, at, piece): &&(usize, usize, usize)| is_piece(cells[board][at], piece);
            black_box(&queries).iter().filter(is_match).count()
        });
    }

    #[divan::bench]
    fn by_number(bencher: Bencher<'_, '_>) {
        let slots: [(u8, u8); Piece::COUNT] = core::array::from_fn(slot);
        bench_form(
            bencher,
            |piece, index| slot(piece).0 + index,
            |number, piece| number.wrapping_sub(slots[piece].0) < slots[piece].1,
        );
    }

    #[divan::bench]
    fn by_mask(bencher: Bencher<'_, '_>) {
        let masks: [u16; Piece::COUNT] = core::array::from_fn(mask);
        bench_form(
            bencher,
            |piece, index| mask(piece) | u16::from(index),
            |number, piece| number & masks[piece] == masks[piece],
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
        Mailbox::from_setup(&Setup::start(), &Waivers::None).expect("the start position is valid")
    }

    #[divan::bench]
    fn mailbox(bencher: Bencher<'_, '_>) {
        bencher.counter(ItemsCount::new(LEAVES)).bench(|| assert_eq!(start().perft(DEPTH), LEAVES as u64));
    }

    /// The first form of ElephantEye's program: offsets, and every move made to test whether the own king is attacked.
    #[divan::bench]
    fn by_offsets_and_make(bencher: Bencher<'_, '_>) {
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

/// Repetition detection after each of a hundred quiet plies: behind the repetition filter, and without it.
#[divan::bench_group]
mod repetition {
    use super::*;
    use alfil_kernel::GameHistory;
    use alfil_xiangqi::rules::homings;

    /// `wandering`: random quiet moves, positions hardly repeat, as in a search. `shuffling`: two pieces move to and
    /// fro, every position repeats.
    const LINES: [&str; 2] = ["wandering", "shuffling"];

    fn games(name: &str) -> Vec<GameHistory<Mailbox>> {
        let mut random = SplitMix64::new(8);
        let mut game = GameHistory::<Mailbox>::from_start_position();
        let mut games = Vec::new();
        while game.ply() < 100 {
            let mut moves = MoveList::new();
            game.position().generate_legal(&mut moves);
            let text = ["b0c2", "b9c7", "c2b0", "c7b9"][game.ply() % 4];
            let way_back = Move::new(
                text[..2].parse().expect("a square name"),
                text[2..].parse().expect("a square name"),
            );
            moves.retain(|mv| {
                game.position().captured_piece(mv).is_none() && (name == "wandering" || mv == way_back)
            });
            if let Some(&mv) = moves.get(random.below(moves.len().max(1))) {
                game.play(mv);
                games.push(game.clone());
            } else {
                // No quiet move: another continuation from four plies back.
                for _ in 0..4 {
                    game.pop(&mut ());
                    games.pop();
                }
            }
        }
        games
    }

    fn bench_games(
        bencher: Bencher<'_, '_>,
        name: &str,
        is_repeated: impl Fn(&GameHistory<Mailbox>) -> bool + Sync,
    ) {
        let games = games(name);
        bencher
            .counter(ItemsCount::new(games.len()))
            .bench(|| games.iter().filter(|game| is_repeated(black_box(game))).count());
    }

    #[divan::bench(args = LINES)]
    fn keys_behind_the_filter(bencher: Bencher<'_, '_>, name: &str) {
        bench_games(bencher, name, |game| game.earlier_occurrences().next().is_some());
    }

    #[divan::bench(args = LINES)]
    fn keys_always_compared(bencher: Bencher<'_, '_>, name: &str) {
        bench_games(bencher, name, |game| {
            let (end, key) = (game.ply(), game.position().hash_key());
            (2..=game.reversible_plies()).step_by(2).any(|plies| game.hash_key_at(end - plies) == key)
        });
    }

    #[divan::bench(args = LINES)]
    fn homing_behind_the_filter(bencher: Bencher<'_, '_>, name: &str) {
        bench_games(bencher, name, |game| homings(game).next().is_some());
    }

    #[divan::bench(args = LINES)]
    fn homing_always(bencher: Bencher<'_, '_>, name: &str) {
        bench_games(bencher, name, is_home_somewhere);
    }

    /// Returns whether the position repeats. Walks the moves back as `rules::homings` does, without the repetition
    /// filter before it.
    fn is_home_somewhere(game: &GameHistory<Mailbox>) -> bool {
        let (end, position) = (game.ply(), game.position());
        let mut displacements: Vec<(Square, Square)> = Vec::new();
        (1..=game.reversible_plies()).any(|plies| {
            let Some(mv) = game.records()[end - plies].mv() else { return false };
            match displacements.iter_mut().find(|(_, then)| *then == mv.target()) {
                Some((_, then)) => *then = mv.origin(),
                None => displacements.push((mv.target(), mv.origin())),
            }
            plies % 2 == 0
                && displacements
                    .iter()
                    .all(|&(now, then)| now == then || position.piece_on(then) == position.piece_on(now))
        })
    }
}
