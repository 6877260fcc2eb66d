//! Eleven errors in judging repetitions, each seen in a real program, and the right verdicts.

use alfil_kernel::{GameHistory, Outcome, Position as _, RuleProbe, Rules, Side, Verdict};
use alfil_xiangqi::rules::{ChaseOptions, ChaseRule, MoveClass, RepetitionAnalysis};
use alfil_xiangqi::{Bitboard, Cause, Ruleset, RulesetName, Square};

use crate::common::games::{game_from, play};

/// The rulesets that judge chases by new threats.
const RULESETS: [Ruleset; 3] = [Ruleset::COMPUTER, Ruleset::AXF, Ruleset::WXF2018];
const RED_LOSES: Outcome = Outcome::Win(Side::Second);

fn game_after(fen: &str, moves: &str) -> GameHistory<Bitboard> {
    let mut game = game_from(fen);
    play(&mut game, moves);
    game
}

fn parse_square(name: &str) -> Square {
    name.parse().unwrap()
}

/// Returns the analysis of a cycle played twice, after which its first position has occurred three times.
fn twice(ruleset: &Ruleset, fen: &str, cycle: &str) -> RepetitionAnalysis {
    ruleset.analyse_repetition(&game_after(fen, &format!("{cycle} {cycle}"))).expect("a repetition")
}

/// A cannon attacks a rook and follows it; Black is to move when the cycle begins.
const CANNON: &str = "2bakabnr/9/r1n1c4/2p1p1p1p/PP7/9/4P1P1P/2C3NC1/9/1NBAKAB1R w";
const CHASE: &str = "a7b7 a2b2 b7a7 b2a2";
const IDLE: &str = "g9i7 i0i1 i7g9 i1i0";

/// (a) A repetition holds as many moves of one side as of the other, and not the move that entered it.
#[test]
fn the_entry_move_is_not_judged() {
    let fen = "5k3/9/9/9/c8/9/9/9/9/R3K4 w";
    let with_entry = game_after(fen, "a0a2 a5b5 a2b2 b5a5 b2a2 a5b5 a2b2 b5a5 b2a2");
    for ruleset in RULESETS {
        let analysis = ruleset.analyse_repetition(&with_entry).unwrap();
        assert_eq!(analysis.verdict, Verdict::new(RED_LOSES, Cause::PerpetualChase), "{}", ruleset.name);
        assert_eq!((analysis.plies.len(), analysis.plies[0].number), (8, 2));
        // Entered by a move that chases nothing: the rook was on its file already.
        let with_quiet_entry =
            game_after("5k3/9/9/9/c8/9/9/R8/9/4K4 w", "e0e1 a5b5 a2b2 b5a5 b2a2 a5b5 a2b2 b5a5 b2a2");
        assert_eq!(
            ruleset.analyse_repetition(&with_quiet_entry).unwrap().verdict,
            analysis.verdict,
            "{}",
            ruleset.name
        );
    }
}

/// (b) Pieces are compared, not squares: the rook is one victim on two files.
#[test]
fn victims_are_compared_by_piece_not_by_square() {
    let mut chased = game_after(CANNON, "c2a2");
    play(&mut chased, &format!("{CHASE} {CHASE}"));
    for ruleset in RULESETS {
        let analysis = ruleset.analyse_repetition(&chased).unwrap();
        let victims: Vec<_> =
            analysis.plies.iter().flat_map(|ply| &ply.attacks).map(|a| a.victim.1).collect();
        assert_eq!(victims, ["b7", "a7", "b7", "a7"].map(parse_square));
        assert_eq!((analysis.verdict.outcome, &*analysis.chased[0]), (RED_LOSES, &[parse_square("a7")][..]));
    }
}

/// (c) Protection is tested after the capture: the rook itself is the screen over which two cannons seem to protect the
/// soldier, and two pieces behind which they only seem not to.
#[test]
fn protection_is_tested_after_the_capture() {
    let cycle = "d5e5 e4d4 e5d5 d4e4";
    for ruleset in RULESETS {
        let behind_it = twice(&ruleset, "3c1k3/4c4/9/9/3R5/4p4/9/5A3/9/5K3 w", cycle);
        assert_eq!(behind_it.verdict.outcome, RED_LOSES, "{}: no recapture", ruleset.name);
        let behind_two = twice(&ruleset, "3cck3/3nn4/9/9/3R5/4p4/9/5A3/9/5K3 w", cycle);
        assert_eq!(behind_two.verdict.outcome, Outcome::Draw, "{}: a cannon recaptures", ruleset.name);
    }
}

/// (d) Facing kings pin: the horse between them protects nothing.
#[test]
fn a_piece_pinned_between_the_kings_protects_nothing() {
    let cycle = "h6h8 c8c6 h8h6 c6c8";
    let fen_with_king = |red: &str| format!("4k4/2c6/4n4/7R1/9/9/9/9/9/{red} w");
    for ruleset in RULESETS {
        let outcome = |red| twice(&ruleset, &fen_with_king(red), cycle).verdict.outcome;
        assert_eq!(outcome("4K4"), RED_LOSES, "{}: it is pinned", ruleset.name);
        assert_eq!(outcome("3K5"), Outcome::Draw, "{}: it is not pinned", ruleset.name);
    }
}

/// (e) Before and after a move, threats are found as if its side were to move: an existing threat is not new, and a
/// threat exists although the other side moves next.
#[test]
fn threats_are_found_as_if_the_chasing_side_were_to_move() {
    let fen = "3k5/9/9/2c6/9/9/9/9/9/R4K3 w";
    for ruleset in RULESETS {
        // The rook attacks the cannon with its first move only, and then stays.
        let mut attack_once = game_after(fen, "a0a6 d9d8");
        play(&mut attack_once, "f0f1 d8d9 f1f0 d9d8 f0f1 d8d9 f1f0 d9d8");
        let analysis = ruleset.analyse_repetition(&attack_once).unwrap();
        assert_eq!(analysis.verdict, Verdict::new(Outcome::Draw, Cause::Repetition), "{}", ruleset.name);
        assert!(analysis.plies.iter().all(|ply| ply.class == MoveClass::Idle));
        // The rook attacks with every other move, and only these are chases.
        let alternating = twice(&ruleset, fen, "a0a6 d9d8 a6a0 d8d9");
        let classes: Vec<_> = alternating.plies.iter().map(|ply| ply.class).take(4).collect();
        assert_eq!(
            classes,
            [MoveClass::Chase, MoveClass::Idle, MoveClass::Idle, MoveClass::Idle],
            "{}",
            ruleset.name
        );
    }
}

/// (f) A checking move makes recaptures illegal, so that every piece seems unprotected, unless a check before the
/// capture is ignored.
#[test]
fn a_prior_check_does_not_remove_protection() {
    let fen = "2bak3r/2R1a2C1/2Rcb4/2N2P3/5C2p/9/9/4p4/4p2p1/5K3 w";
    let cycle = "f5e5 e9f9 e5f5 f9e9";
    assert_eq!(twice(&Ruleset::AXF, fen, cycle).verdict.outcome, Outcome::Draw);
    let ChaseRule::NewThreats(options) = Ruleset::AXF.chase_rule else {
        unreachable!("the ruleset judges new threats")
    };
    // Two rooks seem to chase two pieces then, which is allowed.
    let options = ChaseOptions { several_may_chase_several: false, ..options };
    let without_option = ChaseRule::NewThreats(ChaseOptions { ignores_prior_checks: false, ..options });
    let without_option = twice(&Ruleset { chase_rule: without_option, ..Ruleset::AXF }, fen, cycle);
    assert_eq!(without_option.verdict.outcome, RED_LOSES, "without the option the verdict is wrong");
}

/// (g) A repetition of two different cycles is judged over all its moves, not over the last cycle.
#[test]
fn every_cycle_of_the_repetition_counts() {
    for ruleset in RULESETS {
        for (cycles, outcome) in [
            ([CHASE, CHASE], RED_LOSES),
            ([IDLE, CHASE], Outcome::Draw),
            ([CHASE, IDLE], Outcome::Draw),
            ([IDLE, IDLE], Outcome::Draw),
        ] {
            let mut game = game_after(CANNON, "c2a2");
            cycles.iter().for_each(|cycle| play(&mut game, cycle));
            assert_eq!(
                ruleset.analyse_repetition(&game).unwrap().verdict.outcome,
                outcome,
                "{} {cycles:?}",
                ruleset.name
            );
        }
    }
}

/// (h) A FEN has no history, whatever its counters: its own position is the first that can repeat.
#[test]
fn a_fen_has_no_history() {
    let fen = "5k3/9/9/9/c8/9/9/R8/9/4K4 b - - 60 40";
    let cycle = "a5b5 a2b2 b5a5 b2a2";
    for ruleset in RulesetName::ALL.map(RulesetName::ruleset) {
        if ruleset.attack_limits.is_some() {
            // The rook chases with every move, which such a ruleset refuses and does not judge.
            continue;
        }
        let mut game = game_after(fen, "");
        for _ in 1..ruleset.occurrences {
            assert_eq!(
                (ruleset.judge(&game), ruleset.repetition_start(&game)),
                (None, None),
                "{}",
                ruleset.name
            );
            play(&mut game, cycle);
        }
        assert_eq!(ruleset.repetition_start(&game), Some(0), "{}", ruleset.name);
        assert!(ruleset.judge(&game).is_some());
    }
}

/// (i) A probe depends on the path, so it must be kept apart from the value of the position itself: the same position
/// by another path is undecided, and a loss at the second occurrence is never decided.
#[test]
fn a_probe_depends_on_the_path() {
    for ruleset in RulesetName::ALL.map(RulesetName::ruleset) {
        let repeated = game_after(CANNON, &format!("c2a2 {CHASE} a7b7"));
        let direct = game_after(CANNON, "c2a2 a7b7");
        assert_eq!(repeated.position().hash_key(), direct.position().hash_key());
        assert_eq!(ruleset.probe(&direct, 0), RuleProbe::Undecided, "{}", ruleset.name);
        match ruleset.probe(&repeated, 0) {
            RuleProbe::Bound(Outcome::Draw, _) | RuleProbe::Decided(Outcome::Draw) => {}
            other => panic!("{}: {other:?}", ruleset.name),
        }
        // Two moves lead to this position, so there may be another line: the probe is undecided.
        let earlier_position = game_after(CANNON, &format!("c2a2 {CHASE}"));
        assert!(
            !matches!(ruleset.probe(&earlier_position, 0), RuleProbe::Decided(Outcome::Win(_))),
            "{}",
            ruleset.name
        );
    }
}

/// (j) A soldier's step neither resets the natural limit nor ends a repetition: a sideways step can be reversed.
#[test]
fn a_soldier_step_resets_neither_limit_nor_repetition() {
    for ruleset in RulesetName::ALL.map(RulesetName::ruleset) {
        let limit = ruleset.natural_limit_plies.expect("every ruleset has a limit");
        let fen = format!("3k5/9/9/9/4P4/9/9/9/9/R4K3 w - - {} 70", limit - 1);
        for step in ["e5e6", "e5d5"] {
            let game = game_after(&fen, step);
            assert_eq!(game.halfmove_clock(), limit);
            assert_eq!(ruleset.judge(&game).map(|verdict| verdict.cause), Some(Cause::NaturalLimit));
        }
        let aside = game_after(
            "3k5/9/9/9/4P4/9/9/9/9/R4K3 w",
            &"e5f5 d9d8 f5e5 d8d9 ".repeat(ruleset.occurrences - 1),
        );
        assert_eq!(
            ruleset.judge(&aside).map(|verdict| verdict.cause),
            Some(Cause::Repetition),
            "{}",
            ruleset.name
        );
    }
}

/// (k) Plies that the natural limit does not count belong to the repetition all the same.
#[test]
fn the_repetition_may_be_longer_than_the_natural_count() {
    let mut game = game_after("3k5/9/9/9/9/9/4R4/9/9/5K3 w", "e3e2 d9d8");
    for _ in 0..8 {
        play(&mut game, "e2d2 d8e8 d2e2 e8d8");
    }
    // 34 plies: of sixteen checks ten count, with their replies.
    let natural = |limit| Ruleset { natural_limit_plies: Some(limit), occurrences: 99, ..Ruleset::COMPUTER };
    let cause = |game: &GameHistory<Bitboard>, limit| natural(limit).judge(game).map(|verdict| verdict.cause);
    assert_eq!((cause(&game, 22), cause(&game, 23)), (Some(Cause::NaturalLimit), None));
    play(&mut game, "e2e3 d8d9 e3e2 d9d8 e2e3 d8d9");
    // The third occurrence of the first position: its first lies further back than 28 plies.
    assert_eq!((game.ply(), cause(&game, 28), cause(&game, 29)), (40, Some(Cause::NaturalLimit), None));
    assert_eq!(Ruleset::COMPUTER.repetition_start(&game), Some(0));
    assert_eq!(Ruleset::COMPUTER.judge(&game), Some(Verdict::new(Outcome::Draw, Cause::Repetition)));
}
