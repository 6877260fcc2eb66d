//! Transcripts never panic their reader; what reads is a legal game on both boards, and written out it reads as the same one.
#![no_main]

use alfil_kernel::Line;
use alfil_othello::{Bitboard, Mailbox, notation};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut line = Line::<Bitboard>::start_of_game();
    let read = notation::read_transcript(line.position(), text);
    assert_eq!(read, notation::read_transcript(Line::<Mailbox>::start_of_game().position(), text));
    let Ok(mut moves) = read else { return };
    for &mv in &moves {
        line.try_play(mv).expect("a legal move");
    }
    // Passes are left out in writing and put back in reading, where a move comes after them.
    while moves.last().is_some_and(|mv| mv.is_pass()) {
        moves.pop();
    }
    let written = notation::write_transcript(&moves);
    assert_eq!(notation::read_transcript(Line::<Bitboard>::start_of_game().position(), &written), Ok(moves));
});
