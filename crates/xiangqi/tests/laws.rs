//! How games end under XQWLight's book, and what finds it out.

mod common;

use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{GameHistory, Outcome, Position, RuleProbe, Rules, Setup as _, Side, Verdict, Waivers};
use alfil_xiangqi::rules::homings;
use alfil_xiangqi::{Bitboard, Cause, Move, Ruleset, Setup, Square};

fn line(fen: &str) -> GameHistory<Bitboard> {
    GameHistory::new(&Setup::parse(fen).unwrap(), &Waivers::None).unwrap()
}

fn mv(text: &str) -> Move {
    let square = |name: &str| name.parse::<Square>().unwrap();
    Move::new(square(&text[..2]), square(&text[2..]))
}

fn play(line: &mut GameHistory<Bitboard>, moves: &str) {
    moves.split_whitespace().for_each(|text| line.play(mv(text)));
}

fn judge(line: &GameHistory<Bitboard>) -> Option<Verdict<Cause>> {
    Ruleset::XQWLIGHT.judge(line)
}

/// A move that shuffles: mostly one's last move taken back, or any quiet move.
fn shuffle(line: &GameHistory<Bitboard>, random: &mut SplitMix64) -> Option<Move> {
    let moves: Vec<_> = sorted_legal_moves(line.position())
        .into_iter()
        .filter(|&mv| random.below(8) == 0 || line.position().captured_piece(mv).is_none())
        .collect();
    let own = line.ply().checked_sub(2).and_then(|ply| line.records()[ply].mv());
    let back = own.map(|own| Move::new(own.target(), own.origin())).filter(|back| moves.contains(back));
    match back {
        Some(back) if random.below(3) > 0 => Some(back),
        _ if moves.is_empty() => None,
        _ => Some(moves[random.below(moves.len())]),
    }
}

/// Homing, the keys behind the miniature hash, and comparing whole positions find the same repetitions.
#[test]
fn homing_equals_comparing_whole_positions() {
    let mut random = SplitMix64::new(41);
    let mut found = 0;
    for game in 0..300 {
        let setup = if game % 2 == 0 { Setup::start() } else { common::scattered(&mut random, false) };
        let mut line = GameHistory::<Bitboard>::new(&setup, &Waivers::None).unwrap();
        let mut seen = vec![line.position().to_setup()];
        for _ in 0..120 {
            let Some(mv) = shuffle(&line, &mut random) else { break };
            line.play(mv);
            let here = line.position().to_setup();
            let window = seen.len() - line.reversible_plies();
            let expected: Vec<_> = (window..seen.len()).rev().filter(|&ply| seen[ply] == here).collect();
            assert_eq!(homings(&line).collect::<Vec<_>>(), expected, "{setup:?} {:?}", line.records());
            assert_eq!(line.earlier_occurrences().collect::<Vec<_>>(), expected);
            assert!(expected.is_empty() || line.may_repeat(), "the miniature hash hid a repetition");
            found += expected.len();
            seen.push(here);
            // Now and then the game is taken back a little: what was left must be forgotten.
            if random.below(20) == 0 {
                line.pop(&mut ());
                seen.pop();
            }
        }
    }
    assert!(found > 2_000, "{found} repetitions were met");
}

/// Games that shuffle to and fro, under every book: nothing panics, what is studied is what is judged, and the moves that a book
/// bans are those after which it lets their maker lose.
#[test]
fn random_shuffles_are_judged_under_every_book() {
    let mut random = SplitMix64::new(43);
    let (mut judged, mut decided) = (0, 0);
    for game in 0..300 {
        let setup = if game % 4 == 0 { Setup::start() } else { common::scattered(&mut random, false) };
        let mut line = GameHistory::<Bitboard>::new(&setup, &Waivers::None).unwrap();
        for _ in 0..40 {
            let Some(mv) = shuffle(&line, &mut random) else { break };
            line.play(mv);
        }
        for book in Ruleset::ALL {
            // At the second occurrence, so that there is something to judge.
            let book = Ruleset { occurrences: 2, ..book };
            let Some(study) = book.analyse_repetition(&line) else { continue };
            judged += 1;
            assert!(study.plies.len().is_multiple_of(2), "both sides moved as often");
            if !line.position().has_no_legal_move() {
                assert_eq!(book.judge(&line), Some(study.verdict), "{} {:?}", book.name, line.to_setup());
            }
            let Outcome::Win(winner) = study.verdict.outcome else { continue };
            decided += 1;
            let last = line.last_ply().and_then(|record| record.mv()).unwrap();
            if line.side_to_move() == winner {
                let mut before = line.clone();
                before.pop(&mut ());
                assert!(book.forbidden_moves(&before).contains(&last), "{} {:?}", book.name, line.to_setup());
            }
        }
    }
    assert!(judged > 600 && decided > 30, "{judged} judged, {decided} decided");
}

/// A game in which moves were taken back, now and then many, is judged as the same game played straight through.
#[test]
fn a_game_gone_on_after_taking_back_is_judged_as_a_new_one() {
    let mut random = SplitMix64::new(53);
    let mut judged = 0;
    for game in 0..200 {
        let setup = if game % 4 == 0 { Setup::start() } else { common::scattered(&mut random, false) };
        let mut line = GameHistory::<Bitboard>::new(&setup, &Waivers::None).unwrap();
        for _ in 0..60 {
            let Some(mv) = shuffle(&line, &mut random) else { break };
            line.play(mv);
            if random.below(12) == 0 {
                for _ in 0..=random.below(line.ply()) {
                    line.pop(&mut ());
                }
            }
        }
        let mut fresh = GameHistory::<Bitboard>::new(&setup, &Waivers::None).unwrap();
        line.moves().for_each(|mv| fresh.play(mv));
        for book in Ruleset::ALL {
            let book = Ruleset { occurrences: 2, ..book };
            assert_eq!(book.judge(&line), book.judge(&fresh), "{} {setup:?}", book.name);
            let study = book.analyse_repetition(&line);
            assert_eq!(study, book.analyse_repetition(&fresh), "{} {setup:?}", book.name);
            assert_eq!(book.probe(&line, 0), book.probe(&fresh, 0), "{} {setup:?}", book.name);
            judged += usize::from(study.is_some());
        }
    }
    assert!(judged > 200, "{judged} repetitions were judged");
}

#[test]
fn like_men_that_changed_places_are_home() {
    let mut line = line("4k4/9/9/9/9/9/9/9/R8/R2K5 w");
    // The two chariots change places, while Black's general goes and comes back.
    play(&mut line, "a0b0 e9e8 a1a0 e8e9 b0b1 e9e8 b1a1 e8e9");
    assert_eq!(homings(&line).collect::<Vec<_>>(), [0]);
    assert_eq!(line.occurrences(), 2);
}

#[test]
fn home_with_the_other_side_to_move_is_no_repetition() {
    // Red's chariot goes round a triangle in three moves, Black's shuttles in two: all are home after five plies.
    let mut line = line("3k4r/9/9/9/9/9/9/9/9/R4K3 w");
    play(&mut line, "a0a2 i9i8 a2a1 i8i9 a1a0");
    assert_eq!(line.position().to_setup().board, line.start_setup().board);
    assert_eq!(homings(&line).count(), 0);
}

#[test]
fn a_one_sided_perpetual_checker_loses_at_the_fourth_occurrence() {
    let mut line = line("3k5/9/9/9/9/9/9/9/4A4/R3K4 w");
    play(&mut line, "a0a9 d9d8 a9a8 d8d9");
    let cycle = "a8a9 d9d8 a9a8 d8d9";
    for occurrence in 2..4 {
        play(&mut line, cycle);
        assert_eq!((line.occurrences(), judge(&line)), (occurrence, None));
    }
    play(&mut line, cycle);
    assert_eq!(line.occurrences(), 4);
    assert_eq!(judge(&line), Some(Verdict::new(Outcome::Win(Side::Second), Cause::PerpetualCheck)));
}

/// The same with the colours exchanged: Black checks and loses. One quiet move in the cycle, and nobody offends.
#[test]
fn perpetual_check_knows_no_colour_and_needs_every_move() {
    let swapped = Setup::parse("3k5/9/9/9/9/9/9/4R4/9/5K3 w").unwrap().swapped().to_text();
    for (fen, cycle, plies, expected) in [
        (
            &*swapped,
            "e7d7 d0e0 d7e7 e0d0",
            12,
            Verdict::new(Outcome::Win(Side::First), Cause::PerpetualCheck),
        ),
        (
            "3k5/9/9/9/9/9/9/4R4/9/5K3 w",
            // The chariot on d2 against d9 comes twice a cycle, so the fourth time is ply 13.
            "e2d2 d9e9 d2c2 e9d9 c2d2 d9e9 d2e2 e9d9",
            13,
            Verdict::new(Outcome::Draw, Cause::Repetition),
        ),
    ] {
        let mut line = line(fen);
        for text in cycle.split(' ').cycle().take(plies) {
            assert_eq!(judge(&line), None, "{fen} at ply {}", line.ply());
            line.play(mv(text));
        }
        assert_eq!(judge(&line), Some(expected), "{fen}");
    }
}

/// Red's soldier is a screen on one file or the other, Black's cannon steps aside for its chariot and back: each answers a
/// check by giving one.
#[test]
fn mutual_perpetual_check_is_a_draw() {
    let mut line = line("9/4k4/3r5/3c5/3P5/9/9/4C4/9/3K5 w");
    for _ in 0..3 {
        assert_eq!(judge(&line), None);
        play(&mut line, "d5e5 d6e6 e5d5 e6d6");
    }
    assert!(line.records().iter().all(alfil_kernel::PlyRecord::is_check));
    assert_eq!(judge(&line), Some(Verdict::new(Outcome::Draw, Cause::MutualOffence)));
}

/// In a search the first return of a position is final if it draws. A loss is no more than a bound, and only where the road into
/// both occurrences is the same; at the board the game goes on.
#[test]
fn a_glance_sees_the_first_return() {
    let mut quiet = line("3k5/9/9/9/9/9/9/9/R8/5K3 w");
    play(&mut quiet, "a1b1 d9e9 b1a1 e9d9");
    assert_eq!(Ruleset::XQWLIGHT.probe(&quiet, 0), RuleProbe::Decided(Outcome::Draw));
    assert_eq!(Ruleset::XQWLIGHT.probe(&quiet, 1), RuleProbe::Undecided, "it stood before the root");
    assert_eq!(judge(&quiet), None);

    let mut checked = line("3k5/9/9/9/9/9/9/4R4/9/5K3 w");
    for text in ["e2d2", "d9e9", "d2e2", "e9d9"] {
        assert_eq!(Ruleset::XQWLIGHT.probe(&checked, 0), RuleProbe::Undecided);
        checked.play(mv(text));
    }
    assert_eq!(
        Ruleset::XQWLIGHT.probe(&checked, 0),
        RuleProbe::Undecided,
        "the first position has no road into it"
    );
    checked.play(mv("e2d2"));
    // Black is to move, and Red has checked all along: Black has a draw at least.
    let at_least = RuleProbe::Bound(Outcome::Draw, alfil_kernel::Bound::Lower);
    assert_eq!(Ruleset::XQWLIGHT.probe(&checked, 0), at_least);
    assert_eq!(judge(&checked), None, "the game itself goes on");
}

/// The counters of the miniature hash are bytes: full ones stay full, and still never hide a repetition.
#[test]
fn a_full_counter_hides_nothing() {
    let mut line = GameHistory::<Bitboard>::from_start_position();
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

#[test]
fn quiet_repetition_is_a_draw_at_the_fourth_occurrence() {
    let mut line = GameHistory::<Bitboard>::from_start_position();
    for occurrence in 2..=4 {
        assert_eq!(judge(&line), None);
        play(&mut line, "h2e2 h7e7 e2h2 e7h7");
        assert_eq!(line.occurrences(), occurrence);
    }
    assert_eq!(judge(&line), Some(Verdict::new(Outcome::Draw, Cause::Repetition)));
}

#[test]
fn a_hundred_and_twenty_plies_without_a_capture_are_a_draw() {
    let setup = |quiet| format!("3k4r/9/9/9/9/9/9/9/9/R4K3 w - - {quiet} 70");
    let mut line = line(&setup(119));
    assert_eq!(judge(&line), None);
    play(&mut line, "a0a1");
    assert_eq!(judge(&line), Some(Verdict::new(Outcome::Draw, Cause::NaturalLimit)));
    line.pop(&mut ());
    assert_eq!((judge(&line), line.halfmove_clock()), (None, 119));
}

#[test]
fn men_that_cannot_cross_the_river_draw() {
    assert_eq!(
        judge(&line("3k5/4a4/9/9/2b6/9/9/4B4/4A4/4K4 w")),
        Some(Verdict::new(Outcome::Draw, Cause::Material))
    );
    assert_eq!(judge(&line("3k5/4a4/9/9/9/9/8P/4B4/4A4/4K4 w")), None);
}

#[test]
fn who_has_nothing_that_crosses_the_river_cannot_win() {
    for (fen, red, black) in [
        ("3k5/9/9/9/9/9/9/9/9/RN2K4 w", true, false),
        ("2bak4/9/9/9/9/9/p8/9/9/2BA1K3 w", false, true),
        ("3k4c/9/9/9/9/9/9/9/9/3AK4 w", false, true),
    ] {
        let can = Side::BOTH.map(|side| Ruleset::AXF.can_win(line(fen).position(), side));
        assert_eq!(can, [red, black], "{fen}");
    }
}

#[test]
fn having_no_move_loses_in_check_or_not() {
    for (fen, check) in [("R2k5/8R/9/9/9/9/9/9/9/4K4 b", true), ("3k5/8R/9/9/9/9/9/9/9/4K4 b", false)] {
        let line = line(fen);
        assert_eq!(line.in_check(), check, "{fen}");
        assert_eq!(judge(&line), Some(Verdict::new(Outcome::Win(Side::First), Cause::NoLegalMove)), "{fen}");
    }
}

#[test]
fn having_no_move_comes_before_every_draw() {
    let line = line("3k5/8R/9/9/9/9/9/9/9/4K4 b - - 120 90");
    assert_eq!(judge(&line).map(|verdict| verdict.cause), Some(Cause::NoLegalMove));
}
