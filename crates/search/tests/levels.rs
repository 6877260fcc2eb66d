//! Levels: what they may play, and that each beats the one below.

use std::collections::BTreeSet;

use alfil_chess as chess;
use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::{
    Evaluate, Game as _, GameHistory, MoveOf, Outcome, Position, Rules, SearchControl, SearchInfo, Setup,
    SetupOf, Side, Waivers,
};
use alfil_othello as othello;
use alfil_search::{SKILL_LEVELS, SearchRequest, SkillLevel, Worker};
use alfil_xiangqi as xiangqi;

/// Stops after so many nodes.
struct NodeLimit(u64);

impl<M> SearchControl<M> for NodeLimit {
    fn is_stopped(&mut self, nodes: u64) -> bool {
        nodes >= self.0
    }
    fn report(&mut self, _: &SearchInfo<'_, M>) {}
}

/// What a level plays at the end of a line.
fn level_move<P: Position, L: Rules<P>, E: Evaluate<P> + Default>(
    line: &GameHistory<P>,
    laws: &L,
    level: u32,
    seed: u64,
) -> MoveOf<P> {
    let mut worker = Worker::new(line.clone(), laws.clone(), E::default(), 1);
    worker
        .search_at_level(SkillLevel::from_number(level), seed, &mut NodeLimit(20_000))
        .mv
        .expect("the game is not over")
}

/// Nobody plays on for longer than so many plies: who is ahead by this much then has won.
const MAX_PLIES: usize = 300;
const WINNING_SCORE: i32 = 400;

/// A game of a level against the one below: 2 for a win, 1 for a draw. Even games are begun by the stronger.
fn play_game<P: Position, L: Rules<P>, E: Evaluate<P> + Default>(laws: &L, level: u32, number: u64) -> u32 {
    let mut line = GameHistory::<P>::from_start_position();
    let strong = if number.is_multiple_of(2) { Side::First } else { Side::Second };
    loop {
        if let Some(verdict) = laws.judge(&line) {
            return match verdict.outcome {
                Outcome::Draw => 1,
                Outcome::Win(side) => 2 * u32::from(side == strong),
            };
        }
        if line.ply() == MAX_PLIES {
            let mut eval = E::default();
            eval.reset(line.position());
            let score = eval.score(line.position());
            let lead = if line.side_to_move() == strong { score } else { -score };
            return u32::from(lead > -WINNING_SCORE) + u32::from(lead > WINNING_SCORE);
        }
        let mover = if line.side_to_move() == strong { level } else { level - 1 };
        let mv = level_move::<P, L, E>(&line, laws, mover, 1_000 * number + line.ply() as u64);
        line.play(mv);
    }
}

fn check_levels<P: Position, L: Rules<P>, E: Evaluate<P> + Default>(laws: &L) {
    for level in 2..=SKILL_LEVELS {
        let points: u32 = (0..60).map(|number| play_game::<P, L, E>(laws, level, number)).sum();
        println!(
            "{}: level {level} has {points} of 120 half points against level {}",
            P::Game::NAME,
            level - 1
        );
        assert!(points >= 72, "level {level} has {points} of 120 half points against the one below");
    }
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn each_level_of_xiangqi_beats_the_one_below() {
    check_levels::<xiangqi::Bitboard, _, alfil_evaluation::xiangqi::HandcraftedEval>(
        &xiangqi::Ruleset::default(),
    );
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn each_level_of_chess_beats_the_one_below() {
    check_levels::<chess::Bitboard, _, alfil_evaluation::chess::HandcraftedEval>(&chess::Ruleset::default());
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn each_level_of_othello_beats_the_one_below() {
    check_levels::<othello::Bitboard, _, alfil_evaluation::othello::HandcraftedEval>(
        &othello::Ruleset::STANDARD,
    );
}

/// How many moves a level plays in this position, by lot.
fn count_distinct_moves(line: &GameHistory<xiangqi::Bitboard>, level: u32) -> usize {
    let play = |seed| {
        level_move::<_, _, alfil_evaluation::xiangqi::HandcraftedEval>(
            line,
            &xiangqi::Ruleset::default(),
            level,
            seed,
        )
    };
    (0..20).map(play).collect::<BTreeSet<_>>().len()
}

#[test]
fn games_begin_in_several_ways_and_the_strongest_then_plays_the_best() {
    let mut line = GameHistory::from_start_position();
    assert!(count_distinct_moves(&line, SKILL_LEVELS) > 1);
    assert!(count_distinct_moves(&line, 1) > 5);
    for ply in 0..8 {
        let mv = level_move::<_, _, alfil_evaluation::xiangqi::HandcraftedEval>(
            &line,
            &xiangqi::Ruleset::default(),
            SKILL_LEVELS,
            ply,
        );
        let again = level_move::<_, _, alfil_evaluation::xiangqi::HandcraftedEval>(
            &line,
            &xiangqi::Ruleset::default(),
            SKILL_LEVELS,
            ply,
        );
        assert_eq!(mv, again, "one seed, one move");
        line.play(mv);
    }
    assert_eq!(count_distinct_moves(&line, SKILL_LEVELS), 1);
    assert!(count_distinct_moves(&line, 1) > 5);
}

#[test]
fn no_level_misses_a_mate_in_one_or_gives_a_rook_away() {
    let setup = |fen: &str| SetupOf::<xiangqi::Bitboard>::parse(fen).unwrap();
    let line = |fen| GameHistory::<xiangqi::Bitboard>::new(&setup(fen), &Waivers::None).unwrap();
    let (mate, calm) =
        (line("3aka3/9/9/9/4C4/9/9/9/9/R3K4 w"), line("2bakab2/9/4r4/9/9/9/9/4R4/4A4/2BAK1B2 w"));
    let laws = xiangqi::Ruleset::default();
    for level in 1..=SKILL_LEVELS {
        for seed in 0..10 {
            let mut after = mate.clone();
            after.play(level_move::<_, _, alfil_evaluation::xiangqi::HandcraftedEval>(
                &mate, &laws, level, seed,
            ));
            assert!(sorted_legal_moves(after.position()).is_empty(), "level {level} missed it");
            let mut after = calm.clone();
            after.play(level_move::<_, _, alfil_evaluation::xiangqi::HandcraftedEval>(
                &calm, &laws, level, seed,
            ));
            let mut worker =
                Worker::new(after, laws, alfil_evaluation::xiangqi::HandcraftedEval::default(), 1);
            let score = worker
                .search_with(
                    &SearchRequest { max_depth: 2, ..SearchRequest::default() },
                    &mut NodeLimit(20_000),
                )
                .score;
            assert!(score < 900, "level {level} gave its rook away: {score}");
        }
    }
}
