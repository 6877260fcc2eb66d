//! The transcript parser accepts any text; a parsed game is legal on both boards, and its written form parses back.
#![no_main]

use alfil_kernel::GameHistory;
use alfil_othello::{Bitboard, Mailbox, notation};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut game = GameHistory::<Bitboard>::from_start_position();
    let parsed = notation::parse_transcript(game.position(), text);
    assert_eq!(
        parsed,
        notation::parse_transcript(GameHistory::<Mailbox>::from_start_position().position(), text)
    );
    let Ok(mut moves) = parsed else { return };
    for &mv in &moves {
        game.try_play(mv).expect("a legal move");
    }
    // Writing omits passes. Parsing restores those that precede a move.
    while moves.last().is_some_and(|mv| mv.is_pass()) {
        moves.pop();
    }
    let written = notation::format_transcript(&moves);
    assert_eq!(
        notation::parse_transcript(GameHistory::<Bitboard>::from_start_position().position(), &written),
        Ok(moves)
    );
});
