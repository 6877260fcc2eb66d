//! Random games on both boards from any double Chess960 start: a byte chooses a legal move, takes one back, or tries an
//! arbitrary move. Unmake restores the position, incremental hash keys equal computed ones, and both boards agree on
//! moves, rulings and repetitions.
#![no_main]

use alfil_chess::{Bitboard, Board, Mailbox, Move, Ruleset, Setup};
use alfil_kernel::conformance::{check_boards_agree, sorted_legal_moves};
use alfil_kernel::{GameHistory, Move as _, Position, Rules, Waivers};
use libfuzzer_sys::fuzz_target;

/// Bytes from here on try an arbitrary move; no position has more than 218 legal moves.
const TRY_ANY: u8 = 240;
/// Bytes from here on take back the last move.
const TAKE_BACK: u8 = 248;
/// Longer games cost more than they find.
const MAX_BYTES: usize = 400;

fuzz_target!(|input: (u16, u16, &[u8])| {
    let (white, black, choices) = input;
    let setup = Setup::double_chess960(usize::from(white) % 960, usize::from(black) % 960).unwrap();
    let mut mailbox = GameHistory::<Mailbox>::new(&setup, &Waivers::None).unwrap();
    let mut bitboard = GameHistory::<Bitboard>::new(&setup, &Waivers::None).unwrap();
    let mut positions = Vec::new();
    let mut choices = choices.iter().copied().take(MAX_BYTES);
    while let Some(choice) = choices.next() {
        let moves = sorted_legal_moves(mailbox.position());
        let chosen = match choice {
            TAKE_BACK.. => None,
            TRY_ANY.. => {
                let bits = u16::from_be_bytes([choices.next().unwrap_or(0), choices.next().unwrap_or(0)]);
                let candidate = Move::from_bits(bits);
                candidate.filter(|&mv| {
                    let is_legal_on_boards =
                        [is_legal(mailbox.position(), mv), is_legal(bitboard.position(), mv)];
                    assert_eq!(
                        is_legal_on_boards,
                        [moves.contains(&mv); 2],
                        "{mv}: a move is legal if and only if it is generated"
                    );
                    is_legal_on_boards[0]
                })
            }
            _ => moves.get(usize::from(choice) % moves.len().max(1)).copied(),
        };
        if let Some(mv) = chosen {
            positions.push(mailbox.to_setup());
            mailbox.play(mv);
            bitboard.play(mv);
        } else if choice >= TAKE_BACK
            && let Some(before) = positions.pop()
        {
            mailbox.pop(&mut ());
            bitboard.pop(&mut ());
            assert_eq!(mailbox.to_setup(), before, "unmake restores the position");
        }
        assert_eq!(mailbox.position().hash_key(), mailbox.position().compute_hash_key());
        check_boards_agree(mailbox.position(), bitboard.position());
        for ruleset in Ruleset::ALL {
            assert_eq!(ruleset.judge(&mailbox), ruleset.judge(&bitboard));
        }
        assert_eq!(mailbox.occurrences(), bitboard.occurrences());
    }
});

/// Returns whether a move is legal, and checks that legal moves are pseudo-legal.
fn is_legal(board: &impl Board, mv: Move) -> bool {
    let legal = board.is_legal(mv);
    assert!(!legal || board.is_pseudo_legal(mv), "{mv}");
    legal
}
