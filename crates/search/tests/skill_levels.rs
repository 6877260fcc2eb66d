//! Skill levels: the moves they may play, and that each level beats the one below.

use std::collections::BTreeSet;

use alfil_chess as chess;
use alfil_evaluation::chess::HandcraftedEval as ChessEval;
use alfil_evaluation::othello::HandcraftedEval as OthelloEval;
use alfil_evaluation::xiangqi::HandcraftedEval as XiangqiEval;
use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::{Game as _, GameHistory, MoveOf, Outcome, Position, Rules, Setup, SetupOf, Side, Waivers};
use alfil_othello as othello;
use alfil_search::{SKILL_LEVELS, SearchEvaluator, SearchRequest, SkillLevel, Worker};
use alfil_xiangqi as xiangqi;

use crate::NodeLimit;

/// Returns the move that a level plays.
fn level_move<P: Position, R: Rules<P>, E: SearchEvaluator<P> + Default>(
    game: &GameHistory<P>,
    rules: &R,
    level: u32,
    seed: u64,
) -> MoveOf<P> {
    let mut worker = Worker::new(game.clone(), rules.clone(), E::default(), 1);
    worker
        .search_at_level(SkillLevel::from_number(level), seed, &mut NodeLimit(20_000))
        .mv
        .expect("the game is not over")
}

/// The length at which a game is adjudicated: a side wins if its score is above `WINNING_SCORE`.
const MAX_PLIES: usize = 300;
const WINNING_SCORE: i32 = 400;

/// Plays a game of a level against the one below. Returns 2 for a win and 1 for a draw; the stronger level has the
/// first move in games with an even number.
fn play_game<P: Position, R: Rules<P>, E: SearchEvaluator<P> + Default>(
    rules: &R,
    level: u32,
    number: u64,
) -> u32 {
    let mut game = GameHistory::<P>::from_start_position();
    let strong = if number.is_multiple_of(2) { Side::First } else { Side::Second };
    loop {
        if let Some(verdict) = rules.judge(&game) {
            return match verdict.outcome {
                Outcome::Draw => 1,
                Outcome::Win(side) => 2 * u32::from(side == strong),
            };
        }
        if game.ply() == MAX_PLIES {
            let mut eval = E::default();
            eval.reset(game.position());
            let score = eval.score(game.position()).value();
            let lead = if game.side_to_move() == strong { score } else { -score };
            return u32::from(lead > -WINNING_SCORE) + u32::from(lead > WINNING_SCORE);
        }
        let mover = if game.side_to_move() == strong { level } else { level - 1 };
        let mv = level_move::<P, R, E>(&game, rules, mover, 1_000 * number + game.ply() as u64);
        game.play(mv);
    }
}

fn check_levels<P: Position, R: Rules<P>, E: SearchEvaluator<P> + Default>(rules: &R) {
    for level in 2..=SKILL_LEVELS {
        let points: u32 = (0..60).map(|number| play_game::<P, R, E>(rules, level, number)).sum();
        println!(
            "{}: level {level} scores {points} of 120 half points against level {}",
            P::Game::NAME,
            level - 1
        );
        assert!(points >= 72, "level {level} scores {points} of 120 half points against the level below");
    }
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn each_level_of_xiangqi_beats_the_one_below() {
    check_levels::<xiangqi::Bitboard, _, XiangqiEval>(&xiangqi::Ruleset::default());
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn each_level_of_chess_beats_the_one_below() {
    check_levels::<chess::Bitboard, _, ChessEval>(&chess::Ruleset::default());
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn each_level_of_othello_beats_the_one_below() {
    check_levels::<othello::Bitboard, _, OthelloEval>(&othello::Ruleset::STANDARD);
}

/// Returns the number of different moves that a level plays in this position with 20 seeds.
fn count_distinct_moves(game: &GameHistory<xiangqi::Bitboard>, level: u32) -> usize {
    let play = |seed| level_move::<_, _, XiangqiEval>(game, &xiangqi::Ruleset::default(), level, seed);
    (0..20).map(play).collect::<BTreeSet<_>>().len()
}

#[test]
fn every_level_varies_the_opening_and_the_strongest_then_plays_the_best_move() {
    let mut game = GameHistory::from_start_position();
    assert!(count_distinct_moves(&game, 1) > 5);
    // Where one move is clearly the best, the strongest level plays only that one.
    let mut varied_plies = 0;
    for ply in 0..8 {
        varied_plies += usize::from(count_distinct_moves(&game, SKILL_LEVELS) > 1);
        let mv = level_move::<_, _, XiangqiEval>(&game, &xiangqi::Ruleset::default(), SKILL_LEVELS, ply);
        let again = level_move::<_, _, XiangqiEval>(&game, &xiangqi::Ruleset::default(), SKILL_LEVELS, ply);
        assert_eq!(mv, again, "the same seed picks the same move");
        game.play(mv);
    }
    assert!(varied_plies > 2, "{varied_plies} of 8 plies");
    assert_eq!(count_distinct_moves(&game, SKILL_LEVELS), 1);
    assert!(count_distinct_moves(&game, 1) > 5);
}

#[test]
fn no_level_misses_a_mate_in_one_or_blunders_a_rook() {
    let setup = |fen: &str| SetupOf::<xiangqi::Bitboard>::parse(fen).unwrap();
    let game = |fen| GameHistory::<xiangqi::Bitboard>::new(&setup(fen), &Waivers::None).unwrap();
    let (mate, quiet) =
        (game("3aka3/9/9/9/4C4/9/9/9/9/R3K4 w"), game("2bakab2/9/4r4/9/9/9/9/4R4/4A4/2BAK1B2 w"));
    let rules = xiangqi::Ruleset::default();
    for level in 1..=SKILL_LEVELS {
        for seed in 0..10 {
            let mut after = mate.clone();
            after.play(level_move::<_, _, XiangqiEval>(&mate, &rules, level, seed));
            assert!(sorted_legal_moves(after.position()).is_empty(), "level {level} missed the mate");
            let mut after = quiet.clone();
            after.play(level_move::<_, _, XiangqiEval>(&quiet, &rules, level, seed));
            let mut worker = Worker::new(after, rules, XiangqiEval::default(), 1);
            let request = SearchRequest { max_depth: 2, ..SearchRequest::default() };
            let score = worker.search_with(&request, &mut NodeLimit(20_000)).score.value();
            assert!(score < 900, "level {level} blundered its rook: {score}");
        }
    }
}
