//! Rounds that offend although no position came back, and games so long that the judge must be sparing.

mod common;

use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{GameHistory, Outcome, Position as _, Rules, Setup as _, Side, Verdict, Waivers};
use alfil_xiangqi::rules::MoveClass;
use alfil_xiangqi::{Bitboard, Cause, Move, Ruleset, Setup};

const BOOK: Ruleset = Ruleset::CXA2020;

fn line(fen: &str) -> GameHistory<Bitboard> {
    GameHistory::new(&Setup::parse(fen).unwrap(), &Waivers::None).unwrap()
}

fn mv(text: &str) -> Move {
    Move::new(text[..2].parse().unwrap(), text[2..].parse().unwrap())
}

/// Reference figure 8 of the Chinese book as it is printed: nine rounds in which a chariot checks and chases on six points. No
/// position stands for the third time yet.
const FIGURE: (&str, &str) = (
    "2R6/3ka4/3a5/9/9/4p4/8c/4B1r2/4A4/3A1KB2 w",
    "c9c8 d8d9 c8c9 d9d8 c9i9 i3h3 i9h9 h3i3 h9i9 i3h3 i9h9 h3i3 h9h3 i3i0 h3h0 i0i3 h0h3 i3i0",
);

#[test]
fn nine_rounds_of_attacks_offend_without_a_repetition() {
    let mut line = line(FIGURE.0);
    for text in FIGURE.1.split(' ') {
        assert_eq!(BOOK.judge(&line), None, "at ply {}", line.ply());
        line.play(mv(text));
    }
    assert_eq!(BOOK.repetition_start(&line), None);
    let verdict = Verdict::new(Outcome::Win(Side::Second), Cause::Prohibited);
    assert_eq!(BOOK.judge(&line), Some(verdict));
    let study = BOOK.analyse_repetition(&line).unwrap();
    assert_eq!((study.verdict, study.plies.len(), study.plies[0].number), (verdict, 18, 1));
    let red = study.plies.iter().filter(|ply| ply.side == Side::First);
    assert!(red.map(|ply| ply.class).all(MoveClass::is_attack));
    for other in Ruleset::ALL.into_iter().filter(|&book| book != BOOK) {
        assert_eq!(other.judge(&line), None, "{}: no repetition, no verdict", other.name);
    }
    // One round fewer is not enough, and a move that attacks nothing begins the count anew.
    assert_eq!(Ruleset { attack_rounds: Some(10), ..BOOK }.judge(&line), None);
    let mut idle = self::line(FIGURE.0);
    for text in ["g0i2", "g2g3", "i2g0", "g3g2"].into_iter().chain(FIGURE.1.split(' ').take(16)) {
        idle.play(mv(text));
    }
    assert_eq!(BOOK.judge(&idle), None);
    // Where Black's moves come first, Red's ninth is the last, and must not be another attack.
    let mut black_first = self::line("2R6/3ka4/3a5/9/9/4p3c/9/4B1r2/4A4/3A1KB2 b");
    for text in ["i4i3"].into_iter().chain(FIGURE.1.split(' ').take(16)) {
        black_first.play(mv(text));
    }
    let banned = BOOK.forbidden_moves(&black_first);
    assert!(
        BOOK.judge(&black_first).is_none() && banned.contains(&mv("h0h3")) && !banned.contains(&mv("f0e0"))
    );
}

/// The same attacks to and fro between two points are an ordinary repetition, and a mating attack by several men goes on.
#[test]
fn two_points_are_no_nine_rounds() {
    let mut line = line("3k5/9/9/9/9/9/9/4R4/9/5K3 w");
    let once = Ruleset { occurrences: 99, ..BOOK };
    for text in ["e2d2", "d9e9", "d2e2", "e9d9"].iter().cycle().take(40) {
        line.play(mv(text));
        assert_eq!(once.judge(&line), None, "at ply {}", line.ply());
    }
    assert_eq!(BOOK.judge(&line).map(|verdict| verdict.cause), Some(Cause::PerpetualCheck));
}

/// A game of so many different rounds, then back by the same ways to its start, and all of it once more.
fn excursion(setup: &Setup, rounds: usize, random: &mut SplitMix64) -> Option<GameHistory<Bitboard>> {
    let back = |mv: Move| Move::new(mv.target(), mv.origin());
    let mut line = GameHistory::<Bitboard>::new(setup, &Waivers::None).ok()?;
    let mut ways = Vec::new();
    while ways.len() < rounds {
        let round = (0..40).find_map(|_| {
            let mut ahead = line.clone();
            let mut round = [mv("a0a1"); 2];
            for mv in &mut round {
                let mut quiet = sorted_legal_moves(ahead.position());
                quiet.retain(|&mv| ahead.position().captured_piece(mv).is_none());
                *mv = *quiet.get(random.below(quiet.len().max(1)))?;
                ahead.play(*mv);
            }
            // It must be possible to take it back, in the same order.
            let mut there = ahead.clone();
            round.iter().try_for_each(|&mv| there.try_play(back(mv))).ok()?;
            Some((round, ahead))
        });
        let (round, ahead) = round?;
        line = ahead;
        ways.push(round);
    }
    let home: Vec<Move> = ways.iter().rev().flatten().map(|&mv| back(mv)).collect();
    let tour: Vec<Move> = ways.iter().flatten().copied().chain(home).collect();
    let mut line = GameHistory::<Bitboard>::new(setup, &Waivers::None).ok()?;
    tour.iter().chain(&tour).for_each(|&mv| line.play(mv));
    Some(line)
}

/// A repetition of 6,000 plies, 3,000 of them different: every book judges it, the one that searches too, because the moves
/// that it may try are shared among all plies.
#[test]
fn a_game_of_thousands_of_plies_is_judged() {
    let mut random = SplitMix64::new(47);
    let setup = Setup::parse("2bakab2/9/2n1c1n2/p3p3p/2p2r3/2P3R2/P3P3P/2N1C1N2/9/2BAKAB2 w").unwrap();
    let line = excursion(&setup, 750, &mut random).expect("a way there and back");
    assert_eq!(line.ply(), 6_000);
    for book in Ruleset::ALL {
        let book = Ruleset { occurrences: 3, ..book };
        let study = book.analyse_repetition(&line).unwrap();
        assert_eq!((study.plies.len(), study.verdict.outcome), (6_000, Outcome::Draw), "{}", book.name);
        assert_eq!(book.judge(&line), Some(study.verdict), "{}", book.name);
    }
}
