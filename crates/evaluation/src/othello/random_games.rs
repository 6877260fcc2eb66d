//! Random games of Othello, for tests of evaluations.

use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{Evaluator, GameHistory, Position as _, Score, Setup as _, Waivers};
use alfil_othello::geometry::Symmetry;
use alfil_othello::{Bitboard, Mailbox};

/// Makes and unmakes random games. At every position, the incrementally updated score equals that of an evaluation
/// reset on the mailbox, and on bitboards of all symmetric positions with sides exchanged; `check` gets the game, the
/// evaluation and its score. Returns the evaluation after each game with all moves unmade.
pub(super) fn check_random_games<E>(
    seed: u64,
    count: usize,
    eval: &E,
    mut check: impl FnMut(&GameHistory<Bitboard>, &E, Score),
) -> Vec<E>
where
    E: Evaluator<Bitboard> + Evaluator<Mailbox> + Clone,
{
    let mut random = SplitMix64::new(seed);
    let mut unmade = Vec::new();
    for _ in 0..count {
        let mut game = GameHistory::<Bitboard>::from_start_position();
        let (mut eval, mut fresh) = (eval.clone(), eval.clone());
        Evaluator::<Bitboard>::reset(&mut eval, game.position());
        loop {
            let setup = game.position().to_setup();
            let mailbox = Mailbox::from_setup(&setup, &Waivers::All).unwrap();
            let expected = Evaluator::<Bitboard>::score(&mut eval, game.position());
            fresh.reset(&mailbox);
            assert_eq!(fresh.score(&mailbox), expected);
            for symmetry in Symmetry::all() {
                let image = Bitboard::from_setup_unchecked(&setup.transformed(symmetry).swapped());
                fresh.reset(&image);
                assert_eq!(fresh.score(&image), expected, "{}", setup.to_text());
            }
            check(&game, &eval, expected);
            let moves = sorted_legal_moves(game.position());
            if moves.is_empty() {
                break;
            }
            game.push(moves[random.below(moves.len())], &mut eval);
        }
        while game.ply() > 0 {
            game.pop(&mut eval);
        }
        unmade.push(eval);
    }
    unmade
}
