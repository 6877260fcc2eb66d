//! Rounds of attacks that offend without a repetition, and very long games that must be judged quickly.

use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{GameHistory, Outcome, Position as _, Rules, Setup as _, Side, Verdict, Waivers};
use alfil_xiangqi::rules::MoveClass;
use alfil_xiangqi::{Bitboard, Cause, Move, Ruleset, RulesetName, Setup};

use crate::common::games::{game_from, parse_move, play};

const RULESET: Ruleset = Ruleset::CXA2020;

/// Reference figure 8 of the Chinese rules as printed: nine rounds in which a rook checks and chases on six squares. No
/// position has occurred three times yet.
const FIGURE: (&str, &str) = (
    "2R6/3ka4/3a5/9/9/4p4/8c/4B1r2/4A4/3A1KB2 w",
    "c9c8 d8d9 c8c9 d9d8 c9i9 i3h3 i9h9 h3i3 h9i9 i3h3 i9h9 h3i3 h9h3 i3i0 h3h0 i0i3 h0h3 i3i0",
);

#[test]
fn nine_rounds_of_attacks_offend_without_a_repetition() {
    let mut game = game_from(FIGURE.0);
    for text in FIGURE.1.split(' ') {
        assert_eq!(RULESET.judge(&game), None, "at ply {}", game.ply());
        game.play(parse_move(text));
    }
    assert_eq!(RULESET.repetition_start(&game), None);
    let verdict = Verdict::new(Outcome::Win(Side::Second), Cause::Prohibited);
    assert_eq!(RULESET.judge(&game), Some(verdict));
    let analysis = RULESET.analyse_repetition(&game).unwrap();
    assert_eq!((analysis.verdict, analysis.plies.len(), analysis.plies[0].number), (verdict, 18, 1));
    let red = analysis.plies.iter().filter(|ply| ply.side == Side::First);
    assert!(red.map(|ply| ply.class).all(MoveClass::is_attack));
    for other in RulesetName::ALL.map(RulesetName::ruleset).into_iter().filter(|&ruleset| ruleset != RULESET)
    {
        assert_eq!(other.judge(&game), None, "{}: no repetition and no verdict", other.name);
    }
    // A null move before the rounds does not shift them.
    let mut game_after_null_move = game_from(&FIGURE.0.replace(" w", " b"));
    game_after_null_move.push_null(&mut ());
    play(&mut game_after_null_move, FIGURE.1);
    assert_eq!(RULESET.judge(&game_after_null_move), Some(verdict));
    // One round fewer is not enough, and a move that attacks nothing restarts the count.
    assert_eq!(Ruleset { attack_rounds: Some(10), ..RULESET }.judge(&game), None);
    let mut game_with_idle_round = game_from(FIGURE.0);
    for text in ["g0i2", "g2g3", "i2g0", "g3g2"].into_iter().chain(FIGURE.1.split(' ').take(16)) {
        game_with_idle_round.play(parse_move(text));
    }
    assert_eq!(RULESET.judge(&game_with_idle_round), None);
    // If Black moves first, Red's ninth move is the last, and must not be another attack.
    let mut black_first = game_from("2R6/3ka4/3a5/9/9/4p3c/9/4B1r2/4A4/3A1KB2 b");
    for text in ["i4i3"].into_iter().chain(FIGURE.1.split(' ').take(16)) {
        black_first.play(parse_move(text));
    }
    let forbidden_moves = RULESET.forbidden_moves(&black_first);
    assert!(
        RULESET.judge(&black_first).is_none()
            && forbidden_moves.contains(&parse_move("h0h3"))
            && !forbidden_moves.contains(&parse_move("f0e0"))
    );
}

/// A mate that ends nine rounds of attacks wins, and is not forbidden.
#[test]
fn a_mate_after_nine_rounds_of_attacks_is_allowed() {
    let mut game = game_from("3k5/9/c8/9/8R/9/9/9/9/4K4 b");
    play(&mut game, "a7f7 i5f5 f7g7 f5g5 g7h7 g5h5 h7i7 h5i5 i7a7 i5a5 a7b7 a5b5 b7f7 b5f5 f7g7 f5g5 g7g9");
    let (mate, other) = (parse_move("g5d5"), parse_move("g5g6"));
    let forbidden = RULESET.forbidden_moves(&game);
    assert!(!forbidden.contains(&mate) && forbidden.contains(&other), "{forbidden:?}");
    game.play(mate);
    let verdict = Verdict::new(Outcome::Win(Side::First), Cause::NoLegalMove);
    assert_eq!(RULESET.judge(&game), Some(verdict));
}

/// The same attacks between two squares are an ordinary repetition.
#[test]
fn attacks_between_two_squares_are_no_nine_rounds() {
    let mut game = game_from("3k5/9/9/9/9/9/9/4R4/9/5K3 w");
    let without_repetition = Ruleset { occurrences: 99, ..RULESET };
    for text in ["e2d2", "d9e9", "d2e2", "e9d9"].iter().cycle().take(40) {
        game.play(parse_move(text));
        assert_eq!(without_repetition.judge(&game), None, "at ply {}", game.ply());
    }
    assert_eq!(RULESET.judge(&game).map(|verdict| verdict.cause), Some(Cause::PerpetualCheck));
}

/// Returns a game of different rounds, then their inverses back to the start position, and all of it once more.
fn repeated_rounds(setup: &Setup, rounds: usize, random: &mut SplitMix64) -> Option<GameHistory<Bitboard>> {
    let inverse = |mv: Move| Move::new(mv.target(), mv.origin());
    let mut game = GameHistory::<Bitboard>::new(setup, &Waivers::None).ok()?;
    let mut rounds_played = Vec::new();
    while rounds_played.len() < rounds {
        let round = (0..40).find_map(|_| {
            let mut after_round = game.clone();
            let mut round = [parse_move("a0a1"); 2];
            for mv in &mut round {
                let mut quiet_moves = sorted_legal_moves(after_round.position());
                quiet_moves.retain(|&mv| after_round.position().captured_piece(mv).is_none());
                *mv = *quiet_moves.get(random.below(quiet_moves.len().max(1)))?;
                after_round.play(*mv);
            }
            // The inverse moves must be legal in the same order.
            let mut check = after_round.clone();
            round.iter().try_for_each(|&mv| check.try_play(inverse(mv))).ok()?;
            Some((round, after_round))
        });
        let (round, after_round) = round?;
        game = after_round;
        rounds_played.push(round);
    }
    let inverses: Vec<Move> = rounds_played.iter().rev().flatten().map(|&mv| inverse(mv)).collect();
    let moves: Vec<Move> = rounds_played.iter().flatten().copied().chain(inverses).collect();
    let mut game = GameHistory::<Bitboard>::new(setup, &Waivers::None).ok()?;
    moves.iter().chain(&moves).for_each(|&mv| game.play(mv));
    Some(game)
}

/// A repetition of 6,000 plies, 3,000 of them different: every ruleset judges it, the one that searches too, because
/// the moves that it may try are divided among all plies.
#[test]
fn a_game_of_thousands_of_plies_is_judged() {
    let mut random = SplitMix64::new(47);
    let setup = Setup::parse("2bakab2/9/2n1c1n2/p3p3p/2p2r3/2P3R2/P3P3P/2N1C1N2/9/2BAKAB2 w").unwrap();
    let game = repeated_rounds(&setup, 750, &mut random).expect("the rounds and their inverses exist");
    assert_eq!(game.ply(), 6_000);
    for ruleset in RulesetName::ALL.map(RulesetName::ruleset) {
        let ruleset = Ruleset { occurrences: 3, ..ruleset };
        if ruleset.attack_limits.is_some() {
            // Some of the moves attack, so that it is no repetition of idle moves.
            assert_eq!(ruleset.judge(&game).map(|verdict| verdict.cause), Some(Cause::NaturalLimit));
            continue;
        }
        let analysis = ruleset.analyse_repetition(&game).unwrap();
        assert_eq!(
            (analysis.plies.len(), analysis.verdict.outcome),
            (6_000, Outcome::Draw),
            "{}",
            ruleset.name
        );
        assert_eq!(ruleset.judge(&game), Some(analysis.verdict), "{}", ruleset.name);
    }
}
