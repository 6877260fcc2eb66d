//! The ends of games under XQWLight's rules, and repetition detection.

use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{GameHistory, Outcome, Position, RuleProbe, Rules, Setup as _, Side, Verdict, Waivers};
use alfil_xiangqi::rules::homings;
use alfil_xiangqi::{Bitboard, Cause, Move, Ruleset, RulesetName, Setup};

use crate::common::{
    self,
    games::{game_from, parse_move, play},
};

fn judge(game: &GameHistory<Bitboard>) -> Option<Verdict<Cause>> {
    Ruleset::XQWLIGHT.judge(game)
}

/// Returns a shuffling move: usually the inverse of the side's last move, or any quiet move.
fn shuffle(game: &GameHistory<Bitboard>, random: &mut SplitMix64) -> Option<Move> {
    let moves: Vec<_> = sorted_legal_moves(game.position())
        .into_iter()
        .filter(|&mv| random.below(8) == 0 || game.position().captured_piece(mv).is_none())
        .collect();
    let previous = game.ply().checked_sub(2).and_then(|ply| game.records()[ply].mv());
    let inverse = previous
        .map(|previous| Move::new(previous.target(), previous.origin()))
        .filter(|inverse| moves.contains(inverse));
    match inverse {
        Some(inverse) if random.below(3) > 0 => Some(inverse),
        _ if moves.is_empty() => None,
        _ => Some(moves[random.below(moves.len())]),
    }
}

/// Homing, hash keys behind the repetition filter, and comparing positions find the same repetitions.
#[test]
fn homing_equals_comparing_positions() {
    let mut random = SplitMix64::new(41);
    let mut found = 0;
    for game in 0..300 {
        let setup = if game % 2 == 0 { Setup::start() } else { common::scattered(&mut random, false) };
        let mut game = GameHistory::<Bitboard>::new(&setup, &Waivers::None).unwrap();
        let mut seen = vec![game.position().to_setup()];
        for _ in 0..120 {
            let Some(mv) = shuffle(&game, &mut random) else { break };
            game.play(mv);
            let current = game.position().to_setup();
            let first = seen.len() - game.reversible_plies();
            let expected: Vec<_> = (first..seen.len()).rev().filter(|&ply| seen[ply] == current).collect();
            assert_eq!(homings(&game).collect::<Vec<_>>(), expected, "{setup:?} {:?}", game.records());
            assert_eq!(game.earlier_occurrences().collect::<Vec<_>>(), expected);
            assert!(expected.is_empty() || game.may_repeat(), "the repetition filter hid a repetition");
            found += expected.len();
            seen.push(current);
            // Sometimes a move is undone: the filter must not count it any longer.
            if random.below(20) == 0 {
                game.pop(&mut ());
                seen.pop();
            }
        }
    }
    assert!(found > 2_000, "{found} repetitions");
}

/// In shuffling games under every ruleset the analysis agrees with the verdict, and the forbidden moves are those after
/// which their side loses.
#[test]
fn random_shuffles_are_judged_under_every_ruleset() {
    let mut random = SplitMix64::new(43);
    let (mut judged, mut decided) = (0, 0);
    for game in 0..400 {
        let setup = if game % 4 == 0 { Setup::start() } else { common::scattered(&mut random, false) };
        let mut game = GameHistory::<Bitboard>::new(&setup, &Waivers::None).unwrap();
        for _ in 0..40 {
            let Some(mv) = shuffle(&game, &mut random) else { break };
            game.play(mv);
        }
        for ruleset in RulesetName::ALL.map(RulesetName::ruleset) {
            // Judged at the second occurrence, so that there are more repetitions.
            let ruleset = Ruleset { occurrences: 2, ..ruleset };
            let Some(analysis) = ruleset.analyse_repetition(&game) else { continue };
            judged += 1;
            let explained = ruleset.explained_verdict(&game).expect("a repetition is judged");
            assert_eq!(
                Some(explained.verdict),
                ruleset.judge(&game),
                "{} {:?}",
                ruleset.name,
                game.to_setup()
            );
            assert!(analysis.plies.len().is_multiple_of(2), "both sides made as many moves");
            if !game.position().has_no_legal_move() {
                assert_eq!(
                    ruleset.judge(&game),
                    Some(analysis.verdict),
                    "{} {:?}",
                    ruleset.name,
                    game.to_setup()
                );
            }
            let Outcome::Win(winner) = analysis.verdict.outcome else { continue };
            decided += 1;
            let last = game.last_ply().and_then(|record| record.mv()).unwrap();
            if game.side_to_move() == winner {
                let mut before = game.clone();
                before.pop(&mut ());
                // A mate is not forbidden.
                assert_eq!(
                    ruleset.forbidden_moves(&before).contains(&last),
                    !game.position().has_no_legal_move(),
                    "{} {:?}",
                    ruleset.name,
                    game.to_setup()
                );
            }
        }
    }
    assert!(judged > 600 && decided > 30, "{judged} judged, {decided} decided");
}

/// A game with undone moves, sometimes many, is judged as the same game without them.
#[test]
fn a_game_with_undone_moves_is_judged_as_its_replay() {
    let mut random = SplitMix64::new(53);
    let mut judged = 0;
    for game in 0..200 {
        let setup = if game % 4 == 0 { Setup::start() } else { common::scattered(&mut random, false) };
        let mut game = GameHistory::<Bitboard>::new(&setup, &Waivers::None).unwrap();
        for _ in 0..60 {
            let Some(mv) = shuffle(&game, &mut random) else { break };
            game.play(mv);
            if random.below(12) == 0 {
                for _ in 0..=random.below(game.ply()) {
                    game.pop(&mut ());
                }
            }
        }
        let mut replayed = GameHistory::<Bitboard>::new(&setup, &Waivers::None).unwrap();
        game.moves().for_each(|mv| replayed.play(mv));
        for ruleset in RulesetName::ALL.map(RulesetName::ruleset) {
            let ruleset = Ruleset { occurrences: 2, ..ruleset };
            assert_eq!(ruleset.judge(&game), ruleset.judge(&replayed), "{} {setup:?}", ruleset.name);
            let analysis = ruleset.analyse_repetition(&game);
            assert_eq!(analysis, ruleset.analyse_repetition(&replayed), "{} {setup:?}", ruleset.name);
            assert_eq!(ruleset.probe(&game, 0), ruleset.probe(&replayed, 0), "{} {setup:?}", ruleset.name);
            judged += usize::from(analysis.is_some());
        }
    }
    assert!(judged > 200, "{judged} repetitions");
}

#[test]
fn equal_pieces_that_changed_places_are_home() {
    let mut game = game_from("4k4/9/9/9/9/9/9/9/R8/R2K5 w");
    // The two rooks change places, while Black's king moves to and fro.
    play(&mut game, "a0b0 e9e8 a1a0 e8e9 b0b1 e9e8 b1a1 e8e9");
    assert_eq!(homings(&game).collect::<Vec<_>>(), [0]);
    assert_eq!(game.occurrences(), 2);
}

#[test]
fn all_pieces_home_with_the_other_side_to_move_is_no_repetition() {
    // Red's rook returns in three moves, Black's in two: all are home after five plies.
    let mut game = game_from("3k4r/9/9/9/9/9/9/9/9/R4K3 w");
    play(&mut game, "a0a2 i9i8 a2a1 i8i9 a1a0");
    assert_eq!(game.position().to_setup().board, game.start_setup().board);
    assert_eq!(homings(&game).count(), 0);
}

#[test]
fn a_one_sided_perpetual_checker_loses_at_the_fourth_occurrence() {
    let mut game = game_from("3k5/9/9/9/9/9/9/9/4A4/R3K4 w");
    play(&mut game, "a0a9 d9d8 a9a8 d8d9");
    let moves = "a8a9 d9d8 a9a8 d8d9";
    for occurrence in 2..4 {
        play(&mut game, moves);
        assert_eq!((game.occurrences(), judge(&game)), (occurrence, None));
    }
    play(&mut game, moves);
    assert_eq!(game.occurrences(), 4);
    assert_eq!(judge(&game), Some(Verdict::new(Outcome::Win(Side::Second), Cause::PerpetualCheck)));
}

/// With sides exchanged Black checks and loses. One quiet move in the cycle, and there is no offence.
#[test]
fn perpetual_check_is_symmetric_and_needs_every_move() {
    let swapped = Setup::parse("3k5/9/9/9/9/9/9/4R4/9/5K3 w").unwrap().swapped().to_text();
    for (fen, moves, plies, expected) in [
        (
            &*swapped,
            "e7d7 d0e0 d7e7 e0d0",
            12,
            Verdict::new(Outcome::Win(Side::First), Cause::PerpetualCheck),
        ),
        (
            "3k5/9/9/9/9/9/9/4R4/9/5K3 w",
            // The rook on d2 against d9 occurs twice a cycle, so the fourth occurrence is at ply 13.
            "e2d2 d9e9 d2c2 e9d9 c2d2 d9e9 d2e2 e9d9",
            13,
            Verdict::new(Outcome::Draw, Cause::Repetition),
        ),
    ] {
        let mut game = game_from(fen);
        for text in moves.split(' ').cycle().take(plies) {
            assert_eq!(judge(&game), None, "{fen} at ply {}", game.ply());
            game.play(parse_move(text));
        }
        assert_eq!(judge(&game), Some(expected), "{fen}");
    }
}

/// Red's soldier is a screen on one file or the other, Black's cannon steps aside for its rook and back: each side
/// answers a check by giving one.
#[test]
fn mutual_perpetual_check_is_a_draw() {
    let mut game = game_from("9/4k4/3r5/3c5/3P5/9/9/4C4/9/3K5 w");
    for _ in 0..3 {
        assert_eq!(judge(&game), None);
        play(&mut game, "d5e5 d6e6 e5d5 e6d6");
    }
    assert!(game.records().iter().all(alfil_kernel::PlyRecord::is_check));
    assert_eq!(judge(&game), Some(Verdict::new(Outcome::Draw, Cause::MutualOffence)));
}

/// In a search the first return of a position is final if it draws. A loss is only a bound, and only if the same move
/// led to both occurrences; in the game it is not judged yet.
#[test]
fn a_probe_sees_the_first_return() {
    let mut game = game_from("3k5/9/9/9/9/9/9/9/R8/5K3 w");
    play(&mut game, "a1b1 d9e9 b1a1 e9d9");
    assert_eq!(Ruleset::XQWLIGHT.probe(&game, 0), RuleProbe::Decided(Outcome::Draw));
    assert_eq!(
        Ruleset::XQWLIGHT.probe(&game, 1),
        RuleProbe::Undecided,
        "the position occurred before the root"
    );
    assert_eq!(judge(&game), None);

    let mut checked = game_from("3k5/9/9/9/9/9/9/4R4/9/5K3 w");
    for text in ["e2d2", "d9e9", "d2e2", "e9d9"] {
        assert_eq!(Ruleset::XQWLIGHT.probe(&checked, 0), RuleProbe::Undecided);
        checked.play(parse_move(text));
    }
    assert_eq!(
        Ruleset::XQWLIGHT.probe(&checked, 0),
        RuleProbe::Undecided,
        "no move led to the first position"
    );
    checked.play(parse_move("e2d2"));
    // Black is to move and Red has always checked: Black has a draw at least.
    let at_least = RuleProbe::Bound(Outcome::Draw, alfil_kernel::Bound::Lower);
    assert_eq!(Ruleset::XQWLIGHT.probe(&checked, 0), at_least);
    assert_eq!(judge(&checked), None, "the game continues");
}

/// The counters of the repetition filter are bytes: a full counter stays full, and still hides no repetition.
#[test]
fn a_full_filter_counter_hides_no_repetition() {
    let mut game = GameHistory::<Bitboard>::from_start_position();
    for text in ["b0c2", "b9c7", "c2b0", "c7b9"].iter().cycle().take(4 * 300) {
        game.play(parse_move(text));
        assert_eq!(game.may_repeat(), game.ply() >= 4, "at ply {}", game.ply());
    }
    assert_eq!(game.occurrences(), 301);
    while game.ply() > 4 {
        game.pop(&mut ());
        assert!(game.may_repeat(), "at ply {}", game.ply());
    }
}

#[test]
fn the_last_homing_of_a_very_long_game_is_the_most_recent_one() {
    let mut game = GameHistory::<Bitboard>::from_start_position();
    for text in ["b0c2", "b9c7", "c2b0", "c7b9"].iter().cycle().take(200_000) {
        game.play(parse_move(text));
        assert_eq!(homings(&game).next(), game.ply().checked_sub(4));
    }
}

#[test]
fn quiet_repetition_is_a_draw_at_the_fourth_occurrence() {
    let mut game = GameHistory::<Bitboard>::from_start_position();
    for occurrence in 2..=4 {
        assert_eq!(judge(&game), None);
        play(&mut game, "h2e2 h7e7 e2h2 e7h7");
        assert_eq!(game.occurrences(), occurrence);
    }
    assert_eq!(judge(&game), Some(Verdict::new(Outcome::Draw, Cause::Repetition)));
}

#[test]
fn a_hundred_and_twenty_plies_without_a_capture_are_a_draw() {
    let setup = |game| format!("3k4r/9/9/9/9/9/9/9/9/R4K3 w - - {game} 70");
    let mut game = game_from(&setup(119));
    assert_eq!(judge(&game), None);
    play(&mut game, "a0a1");
    assert_eq!(judge(&game), Some(Verdict::new(Outcome::Draw, Cause::NaturalLimit)));
    game.pop(&mut ());
    assert_eq!((judge(&game), game.halfmove_clock()), (None, 119));
    // Null moves are not counted, and the count goes on after them.
    game.push_null(&mut ());
    game.push_null(&mut ());
    assert_eq!((judge(&game), game.halfmove_clock()), (None, 119));
    play(&mut game, "a0a1");
    assert_eq!(judge(&game), Some(Verdict::new(Outcome::Draw, Cause::NaturalLimit)));
}

#[test]
fn pieces_that_cannot_cross_the_river_draw() {
    assert_eq!(
        judge(&game_from("3k5/4a4/9/9/2b6/9/9/4B4/4A4/4K4 w")),
        Some(Verdict::new(Outcome::Draw, Cause::Material))
    );
    assert_eq!(judge(&game_from("3k5/4a4/9/9/9/9/8P/4B4/4A4/4K4 w")), None);
}

#[test]
fn a_side_without_crossing_pieces_cannot_win() {
    for (fen, red, black) in [
        ("3k5/9/9/9/9/9/9/9/9/RN2K4 w", true, false),
        ("2bak4/9/9/9/9/9/p8/9/9/2BA1K3 w", false, true),
        ("3k4c/9/9/9/9/9/9/9/9/3AK4 w", false, true),
    ] {
        let can_win = Side::BOTH.map(|side| Ruleset::AXF.can_win(game_from(fen).position(), side));
        assert_eq!(can_win, [red, black], "{fen}");
    }
}

#[test]
fn no_legal_move_loses_in_check_or_not() {
    for (fen, check) in [("R2k5/8R/9/9/9/9/9/9/9/4K4 b", true), ("3k5/8R/9/9/9/9/9/9/9/4K4 b", false)] {
        let game = game_from(fen);
        assert_eq!(game.in_check(), check, "{fen}");
        assert_eq!(judge(&game), Some(Verdict::new(Outcome::Win(Side::First), Cause::NoLegalMove)), "{fen}");
    }
}

#[test]
fn no_legal_move_precedes_every_draw() {
    let game = game_from("3k5/8R/9/9/9/9/9/9/9/4K4 b - - 120 90");
    assert_eq!(judge(&game).map(|verdict| verdict.cause), Some(Cause::NoLegalMove));
}
