//! Fast perft of a random position to a random depth: pieces on any squares of any game, or a position of a game. It
//! equals the perft of the kernel, which makes every move, on both boards.
#![no_main]

use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::{Position, Setup as _, SetupOf, Waivers};
use alfil_othello::PassConvention;
use alfil_othello::bitboard::simd::Isa;
use libfuzzer_sys::fuzz_target;

/// Longer counts cost more than they find.
const MAX_LEAVES: u64 = 200_000;

fuzz_target!(|input: (u8, u8, &str, &[u8])| {
    let (game, depth, text, choices) = input;
    let depth = u32::from(depth % 4);
    match game % 3 {
        0 => check_chess(text, choices, depth),
        1 => check_xiangqi(text, choices, depth),
        _ => check_othello(choices, depth),
    }
});

/// Returns the position of a text, or of the start if it is none, after the chosen moves; a byte chooses a legal move.
fn position<P: Position>(text: &str, choices: &[u8]) -> Option<P> {
    let setup = SetupOf::<P>::parse(text).unwrap_or_else(|_| SetupOf::<P>::start());
    let mut position = P::from_setup(&setup, &Waivers::All).ok()?;
    for &choice in choices.iter().take(200) {
        let moves = sorted_legal_moves(&position);
        let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
        position.make_without_undo(mv);
    }
    Some(position)
}

/// Returns the perft of the kernel, which both boards have; `None` if there are too many leaves.
fn expected<A: Position, B: Position<Game = A::Game>>(first: &A, depth: u32) -> Option<u64> {
    let mut count = 1;
    for depth in 1..=depth {
        if count > MAX_LEAVES / 100 {
            return None;
        }
        count = alfil_kernel::perft::perft(&mut first.clone(), depth);
    }
    let mut second =
        B::from_setup(&first.to_setup(), &Waivers::All).expect("a board from the setup of another");
    assert_eq!(alfil_kernel::perft::perft(&mut second, depth), count, "{first:?} depth {depth}");
    Some(count)
}

fn check_chess(text: &str, choices: &[u8], depth: u32) {
    use alfil_chess::{Bitboard, Mailbox, fast_perft};

    let Some(board) = position::<Bitboard>(text, choices) else { return };
    let Some(count) = expected::<Bitboard, Mailbox>(&board, depth) else { return };
    let found = [fast_perft::perft(&board, depth), fast_perft::perft_scalar(&board, depth)];
    assert_eq!(found, [count; 2], "{board:?} depth {depth}");
}

fn check_xiangqi(text: &str, choices: &[u8], depth: u32) {
    use alfil_xiangqi::{Bitboard, Mailbox, fast_perft};

    let Some(board) = position::<Bitboard>(text, choices) else { return };
    let Some(count) = expected::<Bitboard, Mailbox>(&board, depth) else { return };
    assert_eq!(fast_perft::perft(&board, depth), count, "{board:?} depth {depth}");
}

/// The bytes are the discs: one bit for a disc, one for its side.
fn check_othello(discs: &[u8], depth: u32) {
    use alfil_othello::{Bitboard, Mailbox, fast_perft};

    let Some((words, _)) = discs.split_first_chunk::<16>() else { return };
    let words = u128::from_le_bytes(*words);
    let (occupied, side) = (words as u64, (words >> 64) as u64);
    let mut board = Bitboard::new(occupied & side, occupied & !side, alfil_kernel::Side::First);
    let mut mailbox = Mailbox::from_setup(&board.to_setup(), &Waivers::All).expect("discs on any squares");
    for convention in PassConvention::ALL {
        let count = fast_perft::perft(&mut board, depth, convention);
        assert_eq!(
            fast_perft::perft(&mut mailbox, depth, convention),
            count,
            "{board:?} {convention} {depth}"
        );
        for isa in Isa::all() {
            let found = fast_perft::fast_perft_with_isa(isa, &board, depth, convention);
            assert_eq!(found, count, "{} {board:?} {convention} depth {depth}", isa.name());
        }
    }
}
