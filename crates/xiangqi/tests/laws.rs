//! The laws on whole games: repetition against comparing positions, and every way a game ends.

mod common;

use std::collections::HashMap;

use alfil_kernel::conformance::legal;
use alfil_kernel::keys::SplitMix64;
use alfil_kernel::{Game, Glance, Laws, Line, Outcome, Position, Setup as _, Side, Verdict, Waivers};
use alfil_xiangqi::laws::homings;
use alfil_xiangqi::{Board, Cause, Mailbox, Move, Ruleset, Setup, Square, Xiangqi};

fn line<P: Board>(fen: &str) -> Line<P> {
    Line::new(&Setup::read(fen).unwrap(), &Waivers::None).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn mv(text: &str) -> Move {
    Move::new(text[..2].parse().unwrap(), text[2..].parse().unwrap())
}

fn judge<P: Board>(line: &Line<P>) -> Option<Verdict<Cause>> {
    Ruleset::XQWLIGHT.judge(line)
}

/// Plays a cycle of moves again and again until the laws end the game; returns the verdict and the plies played.
fn cycle<P: Board>(fen: &str, moves: &str) -> (Verdict<Cause>, usize) {
    let mut line = line::<P>(fen);
    for text in moves.split(' ').cycle() {
        if let Some(verdict) = judge(&line) {
            return (verdict, line.ply());
        }
        line.play(mv(text));
    }
    unreachable!("a cycle has no end")
}

/// The plies before which the very position at the end stood, found by comparing whole positions, the latest first.
fn compared(positions: &[Setup]) -> Vec<usize> {
    let (now, before) = positions.split_last().unwrap();
    (0..before.len()).rev().filter(|&ply| before[ply] == *now).collect()
}

/// A game in which men go to and fro: mostly the few men given, half of the time straight back.
fn shuffle<P: Board>(start: &str, seed: u64, plies: usize, mut look: impl FnMut(&Line<P>, &[Setup])) {
    let mut random = SplitMix64::new(seed);
    let mut line = line::<P>(start);
    let mut positions = vec![line.position().setup()];
    for _ in 0..plies {
        let mut moves = legal(line.position());
        if random.below(40) > 0 {
            // Rarely a capture, or there would soon be nothing left to shuffle.
            let quiet: Vec<_> =
                moves.iter().copied().filter(|&mv| line.position().captured(mv).is_none()).collect();
            moves = if quiet.is_empty() { moves } else { quiet };
        }
        if moves.is_empty() {
            break;
        }
        let back = (line.ply() >= 2)
            .then(|| line.records()[line.ply() - 2].mv().unwrap())
            .map(|last| Move::new(last.target(), last.origin()))
            .filter(|back| moves.contains(back) && random.below(2) == 0);
        line.play(back.unwrap_or_else(|| moves[random.below(moves.len())]));
        positions.push(line.position().setup());
        look(&line, &positions);
    }
}

/// Few men, and like ones beside each other: positions come back often, also with like men in each other's places.
const SHUFFLING: [&str; 4] = [
    "4k4/9/9/9/9/9/9/9/9/R2K4R w",
    "3k1n3/4a4/9/9/9/9/9/9/4A4/3N1K3 w",
    "2bk1ab2/9/9/9/9/9/9/9/9/2BA1K3 b",
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
];

/// Homing finds exactly the plies at which the whole position, side to move included, stood before.
fn homing_equals_comparing<P: Board>() {
    let (mut found, mut several) = (0, 0);
    for (i, start) in SHUFFLING.iter().enumerate() {
        for game in 0..25 {
            shuffle::<P>(start, 100 * i as u64 + game, 160, |line, positions| {
                let expected = compared(positions);
                let homed: Vec<_> = homings(line).collect();
                assert_eq!(homed, expected, "{} {}", P::BOARD, line.setup().write());
                assert_eq!(line.repeats().collect::<Vec<_>>(), expected, "by keys");
                found += usize::from(!expected.is_empty());
                several += usize::from(expected.len() >= 3);
            });
        }
    }
    assert!(found > 1_000 && several > 50, "{found} repetitions, {several} fourfold");
}

/// A position that stood before is never hidden, also after moves were taken back and others played.
fn the_miniature_hash_never_hides<P: Board>() {
    let mut random = SplitMix64::new(77);
    let (mut stood, mut denied) = (0, 0);
    for start in SHUFFLING {
        let mut line = line::<P>(start);
        let mut seen: HashMap<Setup, usize> = HashMap::new();
        let mut road = Vec::new();
        for _ in 0..8_000 {
            let moves = legal(line.position());
            if line.ply() > 0 && (moves.is_empty() || random.below(3) == 0) {
                line.pop(&mut ());
                *seen.get_mut(&road.pop().unwrap()).unwrap() -= 1;
            } else {
                let here = line.position().setup();
                *seen.entry(here.clone()).or_default() += 1;
                road.push(here);
                line.play(moves[random.below(moves.len())]);
            }
            let before = seen.get(&line.position().setup()).copied().unwrap_or(0);
            assert!(before == 0 || line.may_repeat(), "{} hidden", line.setup().write());
            stood += usize::from(before > 0);
            denied += usize::from(!line.may_repeat());
        }
    }
    assert!(stood > 1_000 && denied > 1_000, "{stood} stood before, {denied} denied");
}

/// The counters of the miniature hash are bytes: full ones stay full and still never hide anything.
fn a_full_counter_never_hides<P: Board>() {
    let mut line = Line::<P>::start_of_game();
    for text in ["b0c2", "b9c7", "c2b0", "c7b9"].iter().cycle().take(4 * 300) {
        line.play(mv(text));
        assert_eq!(line.may_repeat(), line.ply() >= 4, "at ply {}", line.ply());
    }
    assert_eq!(line.occurrences(), 301);
    while line.ply() > 4 {
        line.pop(&mut ());
        assert!(line.may_repeat(), "at ply {}", line.ply());
    }
}

/// Rooks that changed places are home; the same men home with the other side to move are not.
fn places_exchanged_and_the_wrong_side<P: Board>() {
    // Both Red rooks go round each other's corner while Black's general steps to and fro: a0 to b1, b1 to a0.
    let mut exchange = line::<P>("4k4/9/9/9/9/9/9/9/1R7/R2K5 w");
    for text in ["a0a1", "e9e8", "b1b0", "e8e9", "a1b1", "e9e8", "b0a0", "e8e9"] {
        assert_eq!(homings(&exchange).next(), None);
        exchange.play(mv(text));
    }
    assert_eq!(homings(&exchange).collect::<Vec<_>>(), [0], "the rooks changed places");

    // Red's rook needs three moves for its way round, Black's two: after five plies all men stand as before, but it is
    // the other side's turn.
    let mut triangle = line::<P>("3k5/9/9/8r/9/9/9/9/9/R4K3 w");
    for text in ["a0a1", "i6i5", "a1b1", "i5i6", "b1b0"] {
        triangle.play(mv(text));
        assert_eq!(homings(&triangle).next(), None);
    }
    for text in ["i6i5", "b0a0", "i5i6"] {
        triangle.play(mv(text));
    }
    assert_eq!(homings(&triangle).collect::<Vec<_>>(), [0]);

    let mut wrong = line::<P>("3k5/9/9/8r/9/9/9/9/9/R4K3 w");
    for text in ["a0b0", "i6i5", "b0c0", "i5i6", "c0a0"] {
        wrong.play(mv(text));
    }
    let mut turned = wrong.position().setup();
    assert_eq!(turned.side, Side::Second);
    turned.side = Side::First;
    assert_eq!(turned.men, Setup::read("3k5/9/9/8r/9/9/9/9/9/R4K3 w").unwrap().men, "all men are home");
    assert_eq!(homings(&wrong).next(), None, "but the other side is to move");
}

fn repetition_is_judged_at_the_fourth_occurrence<P: Board>() {
    // Red's rook checks along the rank and Black's general has but two points: Red offends alone and loses.
    let perpetual = "3k5/9/9/9/9/9/9/4R4/9/5K3 w";
    let (verdict, plies) = cycle::<P>(perpetual, "e2d2 d9e9 d2e2 e9d9");
    assert_eq!((verdict.outcome, verdict.cause), (Outcome::Win(Side::Second), Cause::PerpetualCheck));
    assert_eq!(plies, 12, "three times round is the fourth occurrence");
    // The colours exchanged, Black offends.
    let swapped = Setup::read(perpetual).unwrap().swapped().write();
    let (verdict, plies) = cycle::<P>(&swapped, "e7d7 d0e0 d7e7 e0d0");
    assert_eq!((verdict.outcome, verdict.cause), (Outcome::Win(Side::First), Cause::PerpetualCheck));
    assert_eq!(plies, 12);

    // One quiet move in the cycle and nobody offends.
    let (verdict, plies) = cycle::<P>(perpetual, "e2d2 d9e9 d2c2 e9d9 c2d2 d9e9 d2e2 e9d9");
    assert_eq!((verdict.outcome, verdict.cause), (Outcome::Draw, Cause::Repetition));
    assert_eq!(plies, 13, "the rook on d2 against d9 comes twice a cycle");

    let start = Setup::start().write();
    let (verdict, plies) = cycle::<P>(&start, "b0c2 b9c7 c2b0 c7b9");
    assert_eq!((verdict.outcome, verdict.cause, plies), (Outcome::Draw, Cause::Repetition, 12));
}

/// Both sides check with every move. Red's soldier is a screen on one file or the other, Black's cannon steps aside for
/// its rook and back: each answers a check by giving one.
fn mutual_checks_draw<P: Board>() {
    let fen = "9/4k4/3r5/3c5/3P5/9/9/4C4/9/3K5 w";
    let (verdict, plies) = cycle::<P>(fen, "d5e5 d6e6 e5d5 e6d6");
    assert_eq!((verdict.outcome, verdict.cause, plies), (Outcome::Draw, Cause::Mutual, 12));
}

/// A search takes the first return for what the last would be judged.
fn a_glance_sees_the_first_return<P: Board>() {
    let mut line = line::<P>("3k5/9/9/9/9/9/9/4R4/9/5K3 w");
    for text in ["e2d2", "d9e9", "d2e2"] {
        line.play(mv(text));
        assert_eq!(Ruleset::XQWLIGHT.glance(&line, 0), Glance::Nothing);
    }
    line.play(mv("e9d9"));
    assert_eq!(Ruleset::XQWLIGHT.glance(&line, 0), Glance::Result(Outcome::Win(Side::Second)));
    assert_eq!(judge(&line), None, "the game itself goes on");
}

fn limits_draw<P: Board>() {
    // 119 plies were played without a capture; the next ends the game, unless it takes something.
    let mut limit = line::<P>("3k5/9/9/9/9/9/p8/R8/9/5K3 w - - 119 80");
    assert_eq!(judge(&limit), None);
    limit.play(mv("a2b2"));
    let verdict = judge(&limit).unwrap();
    assert_eq!((verdict.outcome, verdict.cause), (Outcome::Draw, Cause::NaturalLimit));
    limit.pop(&mut ());
    limit.play(mv("a2a3"));
    assert_eq!((limit.quiet(), judge(&limit)), (0, None), "a capture starts the count again");

    // The last man that can cross the river is taken.
    let mut bare = line::<P>("2bk1ab2/9/9/9/9/9/9/9/4p4/3A1K3 w");
    assert_eq!(judge(&bare), None);
    bare.play(mv("d0e1"));
    let verdict = judge(&bare).unwrap();
    assert_eq!((verdict.outcome, verdict.cause), (Outcome::Draw, Cause::Material));
}

fn no_legal_move_loses<P: Board>() {
    // Mate by two rooks; stalemate: the general is not attacked and cannot move.
    for (fen, check) in [
        ("3k5/9/9/9/9/9/9/9/8r/2r2K3 w", true),
        ("4k4/9/9/9/9/9/9/9/4p4/3K5 w", false),
        ("3k5/4P4/9/9/9/9/9/9/9/4K4 b", false),
    ] {
        let line = line::<P>(fen);
        assert_eq!(line.check(), check, "{fen}");
        let verdict = judge(&line).unwrap_or_else(|| panic!("{fen} is not over"));
        assert_eq!(
            (verdict.outcome, verdict.cause),
            (Outcome::loss(line.side()), Cause::NoLegalMove),
            "{fen}"
        );
    }
}

/// No legal move comes before every draw: a mating move on the last ply of the limit wins.
fn mate_comes_before_the_limit<P: Board>() {
    let mut line = line::<P>("5k3/9/R8/1R7/9/9/9/9/9/4K4 w - - 119 90");
    line.play(mv("b6b9"));
    assert_eq!((line.quiet(), judge(&line)), (120, Some(Verdict::new(Outcome::Draw, Cause::NaturalLimit))));
    line = self::line::<P>("5k3/R8/9/1R7/9/9/9/9/9/4K4 w - - 119 90");
    line.play(mv("b6b9"));
    let verdict = judge(&line).unwrap();
    assert_eq!((verdict.outcome, verdict.cause), (Outcome::Win(Side::First), Cause::NoLegalMove));
}

macro_rules! for_both_boards {
    ($($name:ident),* $(,)?) => {
        mod mailbox { $(#[test] fn $name() { super::$name::<<super::Xiangqi as super::Game>::Mailbox>(); })* }
        mod bitboard { $(#[test] fn $name() { super::$name::<<super::Xiangqi as super::Game>::Bitboard>(); })* }
    };
}

for_both_boards!(
    homing_equals_comparing,
    the_miniature_hash_never_hides,
    a_full_counter_never_hides,
    places_exchanged_and_the_wrong_side,
    repetition_is_judged_at_the_fourth_occurrence,
    mutual_checks_draw,
    a_glance_sees_the_first_return,
    limits_draw,
    no_legal_move_loses,
    mate_comes_before_the_limit,
);
