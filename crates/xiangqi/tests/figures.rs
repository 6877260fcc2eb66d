//! The figures of the Chinese association's rules of 2020: verdicts and move classes.

use alfil_kernel::{GameHistory, Rules, Side, Waivers};
use alfil_xiangqi::rules::{Dispute, MoveClass, Reading, RepetitionAnalysis};
use alfil_xiangqi::{Bitboard, Cause, Mailbox, Move, Piece, PieceKind, Ruleset, Setup, Square};

use crate::common::games::{field, game_from_row, outcome_key};

/// Each figure continued until its last position has occurred three times; the classes are those of the first plies.
const FIGURES: &str = include_str!("../testdata/figures.jsonl");
const RULESET: Ruleset = Ruleset::CXA2020;

/// The figure that is judged otherwise than in the book: in figure 29 capturing the rook that could recapture is part
/// of a kill, as it is in the variant of the same figure.
const VERDICT_DIFFERENCES: [(&str, &str); 1] = [("cxa2020-fig29x1", "draw")];

/// The known differences from the classes of the book: figure, ply and our class.
const CLASS_DIFFERENCES: [(&str, usize, &str); 7] = [
    ("cxa2020-fig17", 3, "kill"),
    ("cxa2020-fig17", 4, "exchange"),
    ("cxa2020-fig29x1", 3, "kill"),
    ("cxa2020-fig29x1", 5, "kill"),
    ("cxa2020-fig30x1", 3, "idle"),
    ("cxa2020-ref32", 1, "exchange"),
    ("cxa2020-ref41", 3, "idle"),
];

fn attacks(class: &str) -> bool {
    matches!(class, "check" | "kill" | "chase")
}

/// Returns the plies for which the book prints a class; the repetition continues after them.
fn printed<'a>(classes: &[&'a str], analysis: &RepetitionAnalysis) -> Vec<(usize, &'a str)> {
    let plies = analysis.plies.iter().enumerate();
    plies.filter_map(|(at, ply)| Some((at, *classes.get(ply.number - 1)?))).collect()
}

#[test]
fn figures_are_judged_as_in_the_book() {
    let (mut one_sided, mut both, mut without_classes, mut differ) = (0, 0, 0, Vec::new());
    for row in FIGURES.lines() {
        let (id, expected) = (field(row, "id").unwrap(), field(row, "cxa2020").unwrap());
        let game = game_from_row::<Bitboard>(row);
        let analysis = RULESET.analyse_repetition(&game).unwrap();
        assert_eq!(RULESET.judge(&game), Some(analysis.verdict), "{id}");
        assert_eq!(
            RULESET.judge(&game_from_row::<Mailbox>(row)),
            Some(analysis.verdict),
            "{id}: both boards"
        );
        let classes: Vec<_> = field(row, "natures").unwrap().split_whitespace().collect();
        let printed = printed(&classes, &analysis);
        let all = |side| {
            printed.iter().filter(|(at, _)| analysis.plies[*at].side == side).all(|(_, class)| attacks(class))
        };
        match all(Side::First) && all(Side::Second) {
            _ if printed.is_empty() => without_classes += 1,
            true => both += 1,
            false => one_sided += 1,
        }
        let found = outcome_key(analysis.verdict.outcome);
        if found != expected {
            differ.push((id, found));
        }
    }
    assert_eq!((one_sided, both, without_classes), (35, 19, 4));
    differ.retain(|difference| !VERDICT_DIFFERENCES.contains(difference));
    assert_eq!(differ, [], "verdicts that agreed with the book before");
}

/// The book prints no offers, followings and blocks: these are idle there.
#[test]
fn classes_agree_with_the_book_but_for_known_differences() {
    let (mut plies, mut differences) = (0, Vec::new());
    for row in FIGURES.lines() {
        let analysis = RULESET.analyse_repetition(&game_from_row::<Bitboard>(row)).unwrap();
        let classes: Vec<_> = field(row, "natures").unwrap().split_whitespace().collect();
        for (at, expected) in printed(&classes, &analysis) {
            let ply = &analysis.plies[at];
            let found = match ply.class {
                MoveClass::Offer | MoveClass::Follow | MoveClass::Block => MoveClass::Idle.name(),
                class => class.name(),
            };
            plies += 1;
            if found != expected {
                differences.push((field(row, "id").unwrap(), ply.number, found));
            }
        }
    }
    assert_eq!(plies, 217);
    differences.retain(|difference| !CLASS_DIFFERENCES.contains(difference));
    assert_eq!(differences, [], "classes that agreed with the book before");
}

/// Every search says how deep it looked, and none about a figure was cut short.
#[test]
fn searches_say_how_deep_they_looked() {
    for row in FIGURES.lines() {
        let id = field(row, "id").unwrap();
        for ply in RULESET.analyse_repetition(&game_from_row::<Bitboard>(row)).unwrap().plies {
            assert!(!ply.was_search_cut_short, "{id}, ply {}", ply.number);
            // A mate by one check is proved by one reply less.
            let least = if ply.class == MoveClass::Kill { 1 } else { 0 };
            assert!(ply.searched_plies >= least, "{id}, ply {}", ply.number);
            assert!(ply.class != MoveClass::Check || ply.searched_plies == 0, "{id}, ply {}", ply.number);
        }
    }
}

/// A kill offends, and so does a mixture; under rulesets without these classes the same moves are allowed.
#[test]
fn kills_and_mixtures_of_attacks_offend() {
    for (id, outcome) in
        [("cxa2020-fig07", "red_loses"), ("cxa2020-fig17", "red_loses"), ("cxa2020-ref19", "red_loses")]
    {
        let row = FIGURES.lines().find(|row| field(row, "id").unwrap() == id).unwrap();
        let game = game_from_row::<Bitboard>(row);
        let verdict = RULESET.judge(&game).unwrap();
        assert_eq!((outcome_key(verdict.outcome), verdict.cause), (outcome, Cause::Prohibited), "{id}");
        assert_ne!(
            Ruleset::AXF.judge(&game).map(|verdict| outcome_key(verdict.outcome)),
            Some(outcome),
            "{id}"
        );
    }
}

/// The same side loses in every figure, wherever the repetition begins and however long it lasts.
#[test]
fn verdicts_do_not_depend_on_the_start_of_the_repetition() {
    for row in FIGURES.lines() {
        let mut game = game_from_row::<Bitboard>(row);
        let expected = RULESET.judge(&game).map(|verdict| verdict.outcome);
        let first = Ruleset { occurrences: 2, ..RULESET }.repetition_start(&game).unwrap();
        let cycle: Vec<_> = game.moves().skip(first).collect();
        for &mv in cycle.iter().chain(&cycle[..1]) {
            game.play(mv);
            let found = RULESET.analyse_repetition(&game).map(|analysis| analysis.verdict.outcome);
            assert!(
                found.is_none() || found == expected,
                "{} at ply {}",
                field(row, "id").unwrap(),
                game.ply()
            );
        }
    }
}

/// Mirrored and with sides exchanged every figure has the same verdict and the same classes.
#[test]
fn figures_are_symmetric() {
    for row in FIGURES.lines() {
        let game = game_from_row::<Bitboard>(row);
        let analysis = RULESET.analyse_repetition(&game).unwrap();
        let classes = |analysis: &RepetitionAnalysis| {
            analysis.plies.iter().map(|ply| (ply.class, ply.counts_under_26_9)).collect::<Vec<_>>()
        };
        let twin = |setup: Setup, map: fn(Move) -> Move| {
            let mut twin = GameHistory::<Bitboard>::new(&setup, &Waivers::None).unwrap();
            game.moves().for_each(|mv| twin.play(map(mv)));
            RULESET.analyse_repetition(&twin).unwrap()
        };
        let mirrored = twin(game.start_setup().mirrored(), Move::mirrored);
        assert_eq!((mirrored.verdict, classes(&mirrored)), (analysis.verdict, classes(&analysis)), "{row}");
        let swapped = twin(game.start_setup().swapped(), Move::flipped);
        let outcome = analysis.verdict.outcome.swapped();
        assert_eq!((swapped.verdict.outcome, classes(&swapped)), (outcome, classes(&analysis)), "{row}");
    }
}

/// An unattacked soldier on the edge of the board changes no verdict.
#[test]
fn an_unrelated_soldier_changes_no_verdict() {
    let (mut tried, mut differ) = (0, Vec::new());
    for row in FIGURES.lines() {
        let game = game_from_row::<Bitboard>(row);
        let expected = RULESET.judge(&game).map(|verdict| verdict.outcome);
        for (side, names) in [(Side::First, ["a3", "i3"]), (Side::Second, ["a6", "i6"])] {
            for name in names {
                let square: Square = name.parse().unwrap();
                let mut setup = game.start_setup().clone();
                let soldier = Piece::new(side, PieceKind::Soldier);
                let is_full = setup.squares_of(soldier).count() == PieceKind::Soldier.initial_count();
                // It may not block a line of any piece nor become a screen.
                let is_on_line =
                    |at: Square| at != square && (at.file() == square.file() || at.rank() == square.rank());
                let is_isolated =
                    Square::all().filter(|&at| is_on_line(at)).all(|at| setup.board[at.index()].is_none());
                let is_crossed = game.moves().any(|mv| {
                    [mv.origin(), mv.target()].into_iter().any(|at| is_on_line(at) || at == square)
                });
                if is_full || !is_isolated || is_crossed || setup.board[square.index()].is_some() {
                    continue;
                }
                setup.board[square.index()] = Some(soldier);
                let Ok(mut with_bystander) = GameHistory::<Bitboard>::new(&setup, &Waivers::None) else {
                    continue;
                };
                game.moves().for_each(|mv| with_bystander.play(mv));
                tried += 1;
                if RULESET.judge(&with_bystander).map(|verdict| verdict.outcome) != expected {
                    differ.push((field(row, "id").unwrap(), name));
                }
            }
        }
    }
    assert!(tried > 12, "{tried} bystanders");
    assert_eq!(differ, []);
}

/// Where the text leaves two readings, the verdicts of both are reported: for these figures and no others.
#[test]
fn other_readings_of_the_text_are_reported() {
    let mut found = Vec::new();
    for row in FIGURES.lines() {
        let game = game_from_row::<Bitboard>(row);
        let explained = RULESET.explained_verdict(&game).unwrap();
        for (outcome, reading) in explained.readings.iter().skip(1) {
            assert_ne!(*outcome, explained.verdict.outcome, "{row}");
            let Reading::Dispute(dispute) = reading else { panic!("{row}") };
            found.push((&field(row, "id").unwrap()[8..], outcome_key(*outcome), *dispute));
        }
    }
    let expected = [
        ("fig03", "black_loses", Dispute::InterposedChecks),
        ("fig11", "draw", Dispute::PinnedProtectors),
        ("fig17", "draw", Dispute::TradingKill),
        ("fig29x1", "black_loses", Dispute::TradingKill),
        ("fig29x2", "black_loses", Dispute::TradingKill),
        ("ref14", "draw", Dispute::PinnedProtectors),
        ("ref21", "draw", Dispute::EscapesRenewAttacks),
        ("ref32", "red_loses", Dispute::KingsCaptureElsewhere),
        ("ref38", "draw", Dispute::EscapesRenewAttacks),
        ("ref39", "draw", Dispute::EscapesRenewAttacks),
        ("fig04", "draw", Dispute::WinningExchange),
        ("fig09", "draw", Dispute::OffersTakePart),
    ];
    assert_eq!(found, expected);
}
