//! Levels: what they may play, and that each beats the one below.

use std::collections::BTreeSet;

use alfil_chess as chess;
use alfil_kernel::conformance::legal;
use alfil_kernel::{
    Control, Evaluate, Game as _, Info, Laws, Line, MoveOf, Outcome, Position, Setup, SetupOf, Side, Waivers,
};
use alfil_othello as othello;
use alfil_search::{Ask, LEVELS, Level, Worker};
use alfil_xiangqi as xiangqi;

/// Stops after so many nodes.
struct Nodes(u64);

impl<M> Control<M> for Nodes {
    fn stop(&mut self, nodes: u64) -> bool {
        nodes >= self.0
    }
    fn report(&mut self, _: &Info<'_, M>) {}
}

/// What a level plays at the end of a line.
fn choice<P: Position, L: Laws<P>, E: Evaluate<P> + Default>(
    line: &Line<P>,
    laws: &L,
    level: u32,
    seed: u64,
) -> MoveOf<P> {
    let mut worker = Worker::new(line.clone(), laws.clone(), E::default(), 1);
    worker.think_at(Level::of(level), seed, &mut Nodes(20_000)).mv.expect("the game is not over")
}

/// Nobody plays on for longer than so many plies: who is ahead by this much then has won.
const LONGEST: usize = 300;
const AHEAD: i32 = 400;

/// A game of a level against the one below: 2 for a win, 1 for a draw. Even games are begun by the stronger.
fn game<P: Position, L: Laws<P>, E: Evaluate<P> + Default>(laws: &L, level: u32, number: u64) -> u32 {
    let mut line = Line::<P>::start_of_game();
    let strong = if number.is_multiple_of(2) { Side::First } else { Side::Second };
    loop {
        if let Some(verdict) = laws.judge(&line) {
            return match verdict.outcome {
                Outcome::Draw => 1,
                Outcome::Win(side) => 2 * u32::from(side == strong),
            };
        }
        if line.ply() == LONGEST {
            let mut eval = E::default();
            eval.reset(line.position());
            let score = eval.score(line.position());
            let lead = if line.side() == strong { score } else { -score };
            return u32::from(lead > -AHEAD) + u32::from(lead > AHEAD);
        }
        let mover = if line.side() == strong { level } else { level - 1 };
        let mv = choice::<P, L, E>(&line, laws, mover, 1_000 * number + line.ply() as u64);
        line.play(mv);
    }
}

fn climbs<P: Position, L: Laws<P>, E: Evaluate<P> + Default>(laws: &L) {
    for level in 2..=LEVELS {
        let points: u32 = (0..60).map(|number| game::<P, L, E>(laws, level, number)).sum();
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
    climbs::<xiangqi::Bitboard, _, alfil_evaluation::xiangqi::Values>(&xiangqi::Ruleset::default());
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn each_level_of_chess_beats_the_one_below() {
    climbs::<chess::Bitboard, _, alfil_evaluation::chess::Values>(&chess::Ruleset::default());
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn each_level_of_othello_beats_the_one_below() {
    climbs::<othello::Bitboard, _, alfil_evaluation::othello::Values>(&othello::Ruleset::STANDARD);
}

/// How many moves a level plays in this position, by lot.
fn variety(line: &Line<xiangqi::Bitboard>, level: u32) -> usize {
    let play = |seed| choice::<_, _, alfil_evaluation::xiangqi::Values>(line, &xiangqi::Ruleset::default(), level, seed);
    (0..20).map(play).collect::<BTreeSet<_>>().len()
}

#[test]
fn games_begin_in_several_ways_and_the_strongest_then_plays_the_best() {
    let mut line = Line::start_of_game();
    assert!(variety(&line, LEVELS) > 1);
    assert!(variety(&line, 1) > 5);
    for ply in 0..8 {
        let mv = choice::<_, _, alfil_evaluation::xiangqi::Values>(&line, &xiangqi::Ruleset::default(), LEVELS, ply);
        let again = choice::<_, _, alfil_evaluation::xiangqi::Values>(&line, &xiangqi::Ruleset::default(), LEVELS, ply);
        assert_eq!(mv, again, "one seed, one move");
        line.play(mv);
    }
    assert_eq!(variety(&line, LEVELS), 1);
    assert!(variety(&line, 1) > 5);
}

#[test]
fn no_level_misses_a_mate_in_one_or_gives_a_rook_away() {
    let setup = |fen: &str| SetupOf::<xiangqi::Bitboard>::read(fen).unwrap();
    let line = |fen| Line::<xiangqi::Bitboard>::new(&setup(fen), &Waivers::None).unwrap();
    let (mate, calm) =
        (line("3aka3/9/9/9/4C4/9/9/9/9/R3K4 w"), line("2bakab2/9/4r4/9/9/9/9/4R4/4A4/2BAK1B2 w"));
    let laws = xiangqi::Ruleset::default();
    for level in 1..=LEVELS {
        for seed in 0..10 {
            let mut after = mate.clone();
            after.play(choice::<_, _, alfil_evaluation::xiangqi::Values>(&mate, &laws, level, seed));
            assert!(legal(after.position()).is_empty(), "level {level} missed it");
            let mut after = calm.clone();
            after.play(choice::<_, _, alfil_evaluation::xiangqi::Values>(&calm, &laws, level, seed));
            let mut worker = Worker::new(after, laws, alfil_evaluation::xiangqi::Values::default(), 1);
            let score = worker.think_about(&Ask { depth: 2, ..Ask::default() }, &mut Nodes(20_000)).score;
            assert!(score < 900, "level {level} gave its rook away: {score}");
        }
    }
}
