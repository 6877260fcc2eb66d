//! Random move streams on all boards in step: each byte chooses a legal move, or takes one back.
#![no_main]

use alfil_kernel::conformance::{legal, lockstep};
use alfil_kernel::{Laws, Line};
use alfil_xiangqi::{Bitboard, Folded, Mailbox, Ruleset};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|choices: &[u8]| {
    let mut mailbox = Line::<Mailbox>::start_of_game();
    let mut bitboard = Line::<Bitboard>::start_of_game();
    let mut folded = Line::<Folded>::start_of_game();
    for &choice in choices {
        let moves = legal(mailbox.position());
        if choice == u8::MAX && mailbox.ply() > 0 {
            mailbox.pop(&mut ());
            bitboard.pop(&mut ());
            folded.pop(&mut ());
        } else if let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) {
            mailbox.play(mv);
            bitboard.play(mv);
            folded.play(mv);
        }
        lockstep(mailbox.position(), bitboard.position());
        lockstep(mailbox.position(), folded.position());
        let laws = Ruleset::default();
        assert_eq!(laws.judge(&mailbox), laws.judge(&bitboard));
        assert_eq!(mailbox.occurrences(), folded.occurrences());
    }
});
