//! Repetitions from publications and measurements, under every ruleset.

use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::{GameHistory, Outcome, Position as _, Rules, Side, Waivers};
use alfil_xiangqi::rules::{Dispute, ExplainedVerdict, Reading};
use alfil_xiangqi::{Bitboard, Mailbox, Move, Ruleset, RulesetName, Setup};

use crate::common::games::{field, game_from, game_from_row, outcome_key, parse_move, play};

/// Diagrams and tests from public sources, each continued until its last position has occurred three times.
const CASES: &str = include_str!("../testdata/repetitions.jsonl");
/// Random loops, each played twice.
const LOOPS: &str = include_str!("../testdata/loops.jsonl");

/// Returns how many rows have this column, and which of them are judged otherwise.
fn differing_rows(rows: &str, column: &str, ruleset: Ruleset) -> (usize, Vec<String>) {
    let (mut asserted, mut different) = (0, Vec::new());
    for row in rows.lines() {
        let Some(expected) = field(row, column) else { continue };
        let game = game_from_row::<Bitboard>(row);
        let found = ruleset
            .analyse_repetition(&game)
            .map_or("none", |analysis| outcome_key(analysis.verdict.outcome));
        asserted += 1;
        if found != expected {
            different.push(format!("{}: {found}, not {expected}", field(row, "id").unwrap()));
        }
        let other = ruleset.judge(&game_from_row::<Mailbox>(row));
        assert_eq!(ruleset.judge(&game), other, "both boards, {row}");
    }
    (asserted, different)
}

fn assert_column(rows: &str, column: &str, ruleset: Ruleset, count: usize) {
    let (asserted, different) = differing_rows(rows, column, ruleset);
    assert!(different.is_empty(), "{} of {asserted} differ: {different:#?}", different.len());
    assert_eq!(asserted, count);
}

#[test]
fn the_rule_between_engines_agrees_with_measurements() {
    assert_column(CASES, "computer", Ruleset::COMPUTER, 202);
    assert_column(LOOPS, "computer", Ruleset::COMPUTER, 303);
}

#[test]
fn the_asian_rules_agree_with_published_diagrams() {
    assert_column(CASES, "axf", Ruleset::AXF, 141);
    assert_column(CASES, "axf", Ruleset::WXF2018, 141);
    assert_column(LOOPS, "axf", Ruleset::AXF, 303);
}

#[test]
fn the_elephanteye_rules_agree_with_measurements() {
    assert_column(CASES, "elephanteye", Ruleset { occurrences: 3, ..Ruleset::ELEPHANTEYE }, 204);
}

#[test]
fn the_xqwlight_rules_forbid_perpetual_check_only() {
    assert_column(CASES, "xqwlight", Ruleset { occurrences: 3, ..Ruleset::XQWLIGHT }, 204);
}

/// Returns the same game mirrored or with sides exchanged.
fn twin(game: &GameHistory<Bitboard>, setup: &Setup, mv: impl Fn(Move) -> Move) -> GameHistory<Bitboard> {
    let mut twin = GameHistory::new(setup, &Waivers::All).unwrap();
    game.moves().for_each(|played| twin.play(mv(played)));
    twin
}

#[test]
fn verdicts_are_symmetric_under_every_ruleset() {
    for (number, row) in CASES.lines().chain(LOOPS.lines()).enumerate() {
        let game = game_from_row::<Bitboard>(row);
        let mirrored = twin(&game, &game.start_setup().mirrored(), Move::mirrored);
        let swapped = twin(&game, &game.start_setup().swapped(), Move::flipped);
        for ruleset in RulesetName::ALL.map(RulesetName::ruleset) {
            // The ruleset that searches is a thousand times slower: every eighth row.
            if ruleset == Ruleset::CXA2020 && !number.is_multiple_of(8) {
                continue;
            }
            let verdict = ruleset.judge(&game);
            // ElephantEye considers only the first victim, and in a mirror that is another piece.
            if ruleset != Ruleset::ELEPHANTEYE {
                assert_eq!(ruleset.judge(&mirrored), verdict, "{} {row}", ruleset.name);
                let outcome = verdict.map(|verdict| verdict.outcome.swapped());
                assert_eq!(
                    ruleset.judge(&swapped).map(|verdict| verdict.outcome),
                    outcome,
                    "{} {row}",
                    ruleset.name
                );
            }
        }
    }
}

/// The rulesets whose verdicts do not depend on the start of the loop; the one that searches is tested on every eighth
/// row.
const STABLE: [Ruleset; 4] =
    [Ruleset::COMPUTER, Ruleset::AXF, Ruleset { occurrences: 3, ..Ruleset::XQWLIGHT }, Ruleset::CXA2020];

/// Returns the loops, and the rulesets under which they are judged.
fn stable_cases() -> impl Iterator<Item = (&'static str, &'static [Ruleset])> {
    LOOPS.lines().enumerate().map(|(number, row)| {
        let rulesets = if number.is_multiple_of(8) { &STABLE[..] } else { &STABLE[..3] };
        (row, rulesets)
    })
}

fn outcome(ruleset: &Ruleset, game: &GameHistory<Bitboard>) -> Option<Outcome> {
    ruleset.analyse_repetition(game).map(|analysis| analysis.verdict.outcome)
}

/// Where the loop begins, and how long it lasts, does not change the outcome.
#[test]
fn verdicts_do_not_depend_on_the_start_of_the_loop() {
    for (row, rulesets) in stable_cases() {
        let game = game_from_row::<Bitboard>(row);
        let cycle: Vec<_> = game.moves().take(4).collect();
        for ruleset in rulesets {
            let expected = outcome(ruleset, &game);
            let mut longer = game.clone();
            for (plies, &mv) in cycle.iter().cycle().take(9).enumerate() {
                longer.play(mv);
                assert_eq!(
                    outcome(ruleset, &longer),
                    expected,
                    "{} {} plies later: {row}",
                    ruleset.name,
                    plies + 1
                );
            }
        }
    }
}

/// Returns quiet moves of both sides and their inverses, which restore the position.
fn quiet_shuffle(game: &GameHistory<Bitboard>) -> Option<[Move; 4]> {
    let quiet_moves = |game: &GameHistory<Bitboard>| {
        let mut moves = sorted_legal_moves(game.position());
        moves.retain(|&mv| game.position().captured_piece(mv).is_none());
        moves
    };
    let inverse = |mv: Move| Move::new(mv.target(), mv.origin());
    quiet_moves(game).into_iter().find_map(|first| {
        let mut game = game.clone();
        game.play(first);
        quiet_moves(&game).into_iter().find_map(|second| {
            let mut game = game.clone();
            game.play(second);
            [inverse(first), inverse(second)].into_iter().try_for_each(|mv| game.try_play(mv)).ok()?;
            Some([first, second, inverse(first), inverse(second)])
        })
    })
}

/// A cycle of other moves before the loop, so that its first position occurs once more, does not change the outcome.
#[test]
fn verdicts_do_not_depend_on_earlier_moves() {
    let mut tried = 0;
    for (row, rulesets) in stable_cases() {
        let game = game_from_row::<Bitboard>(row);
        let mut longer = GameHistory::<Bitboard>::new(game.start_setup(), &Waivers::All).unwrap();
        let Some(quiet_shuffle) = quiet_shuffle(&longer) else { continue };
        quiet_shuffle.into_iter().chain(game.moves()).for_each(|mv| longer.play(mv));
        tried += 1;
        for ruleset in rulesets {
            assert_eq!(outcome(ruleset, &longer), outcome(ruleset, &game), "{} {row}", ruleset.name);
        }
        // Entered by the last move of the shuffle alone.
        let mut entry = GameHistory::<Bitboard>::new(game.start_setup(), &Waivers::All).unwrap();
        quiet_shuffle[..3].iter().for_each(|&mv| entry.play(mv));
        let mut entered = GameHistory::<Bitboard>::new(&entry.to_setup(), &Waivers::All).unwrap();
        quiet_shuffle[3..].iter().copied().chain(game.moves()).for_each(|mv| entered.play(mv));
        for ruleset in rulesets {
            assert_eq!(outcome(ruleset, &entered), outcome(ruleset, &game), "{} {row}", ruleset.name);
        }
    }
    assert!(tried > 250, "{tried} loops");
}

/// The other reading is reported for these published repetitions and for no others.
#[test]
fn disputes_are_reported_for_these_cases_only() {
    let draws = |id, dispute| (id, "draw", dispute);
    let expected = [
        ("fsf-L1177", "black_loses", Dispute::CheckedSoldier),
        ("pr466-15", "black_loses", Dispute::CheckedSoldier),
        draws("fsf-L1193", Dispute::HorsePinnedAttacker),
        draws("fsf-L1195", Dispute::HorsePinnedAttacker),
        draws("orange-L434", Dispute::HorsePinnedAttacker),
        draws("orange-L436", Dispute::HorsePinnedAttacker),
        draws("orange-L437", Dispute::HorsePinnedAttacker),
        draws("orange-L438", Dispute::HorsePinnedAttacker),
        draws("orange-L513", Dispute::CounterattackingRook),
        ("orange-L550", "red_loses", Dispute::SeveralAttackers),
        draws("pr466-20", Dispute::MutualPin),
        draws("cdb7-28", Dispute::OverKing),
        draws("cdb7-29", Dispute::MutualPin),
        draws("fsf55-30", Dispute::DiscoveredAttack),
        draws("fsf55-31", Dispute::DiscoveredAttack),
    ];
    let mut found = Vec::new();
    for row in CASES.lines() {
        let game = game_from_row::<Bitboard>(row);
        let Some(analysis) = Ruleset::AXF.analyse_repetition(&game) else { continue };
        for (outcome, dispute) in Ruleset::AXF.disputes(&game, &analysis) {
            assert_ne!(outcome, analysis.verdict.outcome, "{row}");
            found.push((field(row, "id").unwrap(), outcome_key(outcome), dispute));
        }
    }
    assert_eq!(found, expected);
}

/// Returns the verdict on a repetition with its explanation, that begins at a FEN.
fn explained_verdict(ruleset: RulesetName, fen: &str, moves: &str) -> ExplainedVerdict {
    let mut game = game_from(fen);
    play(&mut game, moves);
    ruleset.ruleset().explained_verdict(&game).expect("a repetition")
}

#[test]
fn explained_verdicts_list_the_readings_of_both_chase_rules_and_of_the_sources() {
    let [red, black] = Side::BOTH.map(Outcome::loss);
    let moves = "f4d4 f5d5 d4f4 d5f5 f4d4 f5d5 d4f4 d5f5";
    for (ruleset, outcomes) in [
        (RulesetName::Axf, [red, Outcome::Draw, black]),
        (RulesetName::Wxf2018, [red, Outcome::Draw, black]),
        (RulesetName::Computer, [Outcome::Draw, red, black]),
    ] {
        let explained = explained_verdict(ruleset, "5k3/9/9/5C3/5c3/5C3/9/9/5p3/4K4 w", moves);
        let (found, readings): (Vec<_>, Vec<_>) = explained.readings.into_iter().unzip();
        assert_eq!((explained.verdict.outcome, &found[..]), (outcomes[0], &outcomes[..]), "{ruleset}");
        let other = if ruleset == RulesetName::Computer { RulesetName::Axf } else { RulesetName::Computer };
        assert_eq!(readings[..2], [Reading::Ruleset(ruleset), Reading::Ruleset(other)], "{ruleset}");
        assert!(readings[2..].iter().all(|reading| matches!(reading, Reading::Dispute(_))), "{ruleset}");
    }
    let moves = "b9b7 e7f9 b7b9 f9e7 b9b7 e7f9 b7b9 f9e7";
    let explained = explained_verdict(RulesetName::Axf, "1RC1k4/9/4n4/9/9/9/9/4B4/9/4K4 w", moves);
    let readings = [(red, Reading::Own), (Outcome::Draw, Reading::Dispute(Dispute::OverKing))];
    assert_eq!(explained.readings, readings);
}

#[test]
fn explained_verdicts_list_the_moves_instead_of_the_offending_one() {
    let fen = "2bakabnr/9/r1n1c4/2p1p1p1p/PP7/9/4P1P1P/2C3NC1/9/1NBAKAB1R w";
    let explained = explained_verdict(RulesetName::Axf, fen, "c2a2 a7b7 a2b2 b7a7 b2a2 a7b7 a2b2 b7a7 b2a2");
    assert_eq!((explained.verdict.outcome, explained.alternatives_ply), (Outcome::loss(Side::First), 8));
    assert!(explained.alternatives.contains(&parse_move("i0i1")));
    assert!(!explained.alternatives.contains(&parse_move("b2a2")) && explained.readings.is_empty());
}

/// The pieces that could take back are found after the capture: the cannon on e7 over the horse on c7.
#[test]
fn attacks_name_the_pieces_that_could_take_back() {
    let fen = "2bakabnr/9/r1n1c4/2p1p1p1p/PP7/9/4P1P1P/2C3NC1/9/1NBAKAB1R w";
    let mut game = game_from(fen);
    play(&mut game, "c2a2 a7b7 a2b2 b7a7 b2a2 a7b7 a2b2 b7a7 b2a2");
    let explained = Ruleset::AXF.explained_verdict(&game).expect("a repetition");
    let attack = explained.analysis.unwrap().plies[1].attacks[0];
    game.pop(&mut ());
    game.pop(&mut ());
    assert_eq!(attack.victim.1.to_string(), "b7");
    assert_eq!(attack.protectors(game.position()), ["e7".parse().unwrap()]);
}
