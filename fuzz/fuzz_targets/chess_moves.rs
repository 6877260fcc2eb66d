//! Random move streams on both boards in step, from any of the starts of double Fischer Random: a byte chooses a legal move,
//! takes one back, or tries any move at all. What is taken back is restored, incremental keys equal full ones, and laws and
//! repetitions are the same.
#![no_main]

use alfil_chess::{Bitboard, Board, Mailbox, Move, Ruleset, Setup};
use alfil_kernel::conformance::{legal, lockstep};
use alfil_kernel::{Laws, Line, Move as _, Position, Waivers};
use libfuzzer_sys::fuzz_target;

/// No position has more than 218 moves, so the bytes above are free for other things.
const TRY_ANY: u8 = 240;
const TAKE_BACK: u8 = 248;
/// Longer games cost more than they find.
const BYTES: usize = 400;

fuzz_target!(|given: (u16, u16, &[u8])| {
    let (white, black, choices) = given;
    let setup = Setup::double_fischer(usize::from(white) % 960, usize::from(black) % 960).unwrap();
    let mut mailbox = Line::<Mailbox>::new(&setup, &Waivers::None).unwrap();
    let mut bitboard = Line::<Bitboard>::new(&setup, &Waivers::None).unwrap();
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
                    let judged =
                        [is_judged_legal(mailbox.position(), mv), is_judged_legal(bitboard.position(), mv)];
                    assert_eq!(judged, [moves.contains(&mv); 2], "{mv}: legal exactly if generated");
                    judged[0]
                })
            }
            _ => moves.get(usize::from(choice) % moves.len().max(1)).copied(),
        };
        if let Some(mv) = chosen {
            left.push(mailbox.setup());
            mailbox.play(mv);
            bitboard.play(mv);
        } else if choice >= TAKE_BACK
            && let Some(before) = left.pop()
        {
            mailbox.pop(&mut ());
            bitboard.pop(&mut ());
            assert_eq!(mailbox.setup(), before, "what is taken back is restored");
        }
        assert_eq!(mailbox.position().key(), mailbox.position().full_key());
        lockstep(mailbox.position(), bitboard.position());
        for laws in Ruleset::ALL {
            assert_eq!(laws.judge(&mailbox), laws.judge(&bitboard));
        }
        assert_eq!(mailbox.occurrences(), bitboard.occurrences());
    }
});

/// A move judged from its two squares; what is legal is pseudo-legal too.
fn is_judged_legal(board: &impl Board, mv: Move) -> bool {
    let legal = board.is_legal(mv);
    assert!(!legal || board.is_pseudo_legal(mv), "{mv}");
    legal
}
