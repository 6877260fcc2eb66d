//! Random games on all boards: a byte chooses a legal move, takes one back, or tries an arbitrary move. Unmake restores
//! every structure, incremental hash keys equal computed ones, and the boards agree on moves and rulings.
#![no_main]

use alfil_kernel::conformance::{check_boards_agree, sorted_legal_moves};
use alfil_kernel::{GameHistory, Move as _, Position, Rules};
use alfil_xiangqi::{Bitboard, Board, Folded, Mailbox, Move, RulesetName};
use libfuzzer_sys::fuzz_target;

/// Bytes from here on try an arbitrary move; no position has so many legal moves.
const TRY_ANY: u8 = 240;
/// Bytes from here on take back the last move.
const TAKE_BACK: u8 = 248;
/// Longer games cost more than they find.
const MAX_BYTES: usize = 400;

fuzz_target!(|choices: &[u8]| {
    let mut mailbox = GameHistory::<Mailbox>::from_start_position();
    let mut bitboard = GameHistory::<Bitboard>::from_start_position();
    let mut folded = GameHistory::<Folded>::from_start_position();
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
                    let is_legal_on_boards = [
                        is_legal(mailbox.position(), mv),
                        is_legal(bitboard.position(), mv),
                        is_legal(folded.position(), mv),
                    ];
                    assert_eq!(
                        is_legal_on_boards,
                        [moves.contains(&mv); 3],
                        "{mv}: a move is legal if and only if it is generated"
                    );
                    is_legal_on_boards[0]
                })
            }
            _ => moves.get(usize::from(choice) % moves.len().max(1)).copied(),
        };
        if let Some(mv) = chosen {
            positions.push(mailbox.position().clone());
            mailbox.play(mv);
            bitboard.play(mv);
            folded.play(mv);
        } else if choice >= TAKE_BACK
            && let Some(before) = positions.pop()
        {
            mailbox.pop(&mut ());
            bitboard.pop(&mut ());
            folded.pop(&mut ());
            assert!(*mailbox.position() == before, "unmake restores every structure");
        }
        assert_eq!(mailbox.position().hash_key(), mailbox.position().compute_hash_key());
        check_boards_agree(mailbox.position(), bitboard.position());
        check_boards_agree(mailbox.position(), folded.position());
        for ruleset in RulesetName::ALL.map(RulesetName::ruleset) {
            let analysis = ruleset.analyse_repetition(&mailbox);
            assert_eq!(analysis, ruleset.analyse_repetition(&bitboard));
            assert_eq!(ruleset.judge(&mailbox), ruleset.judge(&bitboard));
            let _ = ruleset.forbidden_moves(&bitboard);
        }
        assert_eq!(mailbox.occurrences(), folded.occurrences());
    }
});

/// Returns whether a move is legal, and checks that legal moves are pseudo-legal.
fn is_legal(board: &impl Board, mv: Move) -> bool {
    let legal = board.is_legal(mv);
    assert!(!legal || board.is_pseudo_legal(mv), "{mv}");
    legal
}
