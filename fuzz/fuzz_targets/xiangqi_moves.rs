//! Random move streams on all boards in step: a byte chooses a legal move, takes one back, or tries any move at all. What is
//! taken back is restored in every structure, and incremental keys equal full ones.
#![no_main]

use alfil_kernel::conformance::{legal, lockstep};
use alfil_kernel::{Laws, Line, Move as _, Position};
use alfil_xiangqi::{Bitboard, Board, Folded, Mailbox, Move, Ruleset};
use libfuzzer_sys::fuzz_target;

/// No position has as many moves as this, so the bytes above are free for other things.
const TRY_ANY: u8 = 240;
const TAKE_BACK: u8 = 248;
/// Longer games cost more than they find.
const BYTES: usize = 400;

fuzz_target!(|choices: &[u8]| {
    let mut mailbox = Line::<Mailbox>::start_of_game();
    let mut bitboard = Line::<Bitboard>::start_of_game();
    let mut folded = Line::<Folded>::start_of_game();
    let mut left = Vec::new();
    let mut choices = choices.iter().copied().take(BYTES);
    while let Some(choice) = choices.next() {
        let moves = legal(mailbox.position());
        let chosen = match choice {
            TAKE_BACK.. => None,
            TRY_ANY.. => {
                let bits = u16::from_be_bytes([choices.next().unwrap_or(0), choices.next().unwrap_or(0)]);
                let any = Move::from_bits(bits);
                any.filter(|&mv| {
                    let judged = [
                        is_judged_legal(mailbox.position(), mv),
                        is_judged_legal(bitboard.position(), mv),
                        is_judged_legal(folded.position(), mv),
                    ];
                    assert_eq!(judged, [moves.contains(&mv); 3], "{mv}: legal exactly if generated");
                    judged[0]
                })
            }
            _ => moves.get(usize::from(choice) % moves.len().max(1)).copied(),
        };
        if let Some(mv) = chosen {
            left.push(mailbox.position().clone());
            mailbox.play(mv);
            bitboard.play(mv);
            folded.play(mv);
        } else if choice >= TAKE_BACK
            && let Some(before) = left.pop()
        {
            mailbox.pop(&mut ());
            bitboard.pop(&mut ());
            folded.pop(&mut ());
            assert!(*mailbox.position() == before, "every structure is restored");
        }
        assert_eq!(mailbox.position().key(), mailbox.position().full_key());
        lockstep(mailbox.position(), bitboard.position());
        lockstep(mailbox.position(), folded.position());
        for laws in Ruleset::ALL {
            let judged = laws.study(&mailbox);
            assert_eq!(judged, laws.study(&bitboard));
            assert_eq!(laws.judge(&mailbox), laws.judge(&bitboard));
            let _ = laws.banned(&bitboard);
        }
        assert_eq!(mailbox.occurrences(), folded.occurrences());
    }
});

/// A move judged from its two points; what is legal is pseudo-legal too.
fn is_judged_legal(board: &impl Board, mv: Move) -> bool {
    let legal = board.is_legal(mv);
    assert!(!legal || board.is_pseudo_legal(mv), "{mv}");
    legal
}
