use super::*;
use crate::analysis::RulingResult;
use crate::analysis::tests::result;
use crate::chunk::tests::options;
use crate::manifest::tests::{planned, three_games};

/// Returns the result of a position with its best move.
fn scored(ply: usize, score_cp: i32, wdl: [u32; 3], best: &str) -> PositionResult {
    let mut found = result(0, ply, score_cp);
    found.lines[0].wdl = wdl;
    found.lines[0].pv = vec![best.into()];
    found
}

/// Returns the analysis of the game 1. f3 e5 2. g4 Qh4#: f3 costs a little, e5 nothing, g4 everything.
fn fools_mate() -> GameAnalysis {
    let mut last = scored(4, -100_000, [0, 0, 1000], "");
    (last.lines[0].pv, last.end) = (Vec::new(), Some("checkmate".into()));
    let mut before_mate = scored(3, 31_000, [1000, 0, 0], "d8h4");
    before_mate.lines[0].mate_plies = Some(1);
    let mut positions = vec![
        scored(0, 30, [300, 500, 200], "e2e4"),
        scored(1, 60, [350, 500, 150], "e7e5"),
        scored(2, -50, [160, 500, 340], "b1c3"),
        before_mate,
        last,
    ];
    positions[2].ruling = Some(RulingResult { verdict: "draw".into(), cause: "repetition".into() });
    GameAnalysis::new(three_games().swap_remove(0), positions, &OpeningNamesCache::default()).unwrap()
}

#[test]
fn the_loss_of_a_move_is_the_score_before_it_less_the_score_after_it() {
    let rows: Vec<_> = fools_mate().position_rows().collect();
    let losses: Vec<_> = rows.iter().map(|row| (row.loss_cp, row.loss_permille, row.judgement)).collect();
    assert_eq!(
        losses,
        [
            (Some(90), Some(150), Some("mistake")),
            (Some(0), Some(0), None),
            (Some(1_450), Some(410), Some("blunder")),
            (Some(0), Some(0), None),
            (None, None, None),
        ]
    );
    assert_eq!((rows[3].score_cp, rows[3].mate_plies), (None, Some(1)));
    assert_eq!((rows[4].score_cp, rows[4].end.as_deref()), (Some(-100_000), Some("checkmate")));
    assert_eq!((rows[0].move_played.as_deref(), rows[4].move_played.as_deref()), (Some("f2f3"), None));
    assert_eq!((rows[0].side.as_str(), rows[1].side.as_str()), ("white", "black"));
}

#[test]
fn the_row_of_a_game_has_both_sides() {
    let row = fools_mate().game_row();
    assert_eq!((row.result, row.plies, row.positions), (Some("0-1"), 4, 5));
    assert_eq!(
        (row.eco.as_deref(), row.opening.as_deref()),
        (Some("A00"), Some("Barnes Opening: Fool's Mate"))
    );
    let [white, black] = &row.sides;
    assert_eq!((white.player.as_deref(), black.player.as_deref()), (Some("Ann"), Some("Bob")));
    assert_eq!((white.accuracy.map(f64::round), black.accuracy.map(f64::round)), (Some(26.0), Some(98.0)));
    assert_eq!((white.judgements, black.judgements), ([0, 1, 1], [0, 0, 0]));
    assert_eq!(row.ruling, Some((2, "draw".into(), "repetition".into())));
    let json = crate::table::TableRow::to_json(&row).to_string();
    assert!(
        json.contains("\"first_mean_loss_cp\":770.0") && json.contains("\"accuracy_version\":2"),
        "{json}"
    );
}

#[test]
fn a_gap_between_positions_leaves_the_loss_open() {
    let positions = vec![scored(0, 30, [300, 500, 200], "e2e4"), scored(2, -50, [160, 500, 340], "b1c3")];
    let analysis =
        GameAnalysis::new(three_games().swap_remove(0), positions, &OpeningNamesCache::default()).unwrap();
    assert!(analysis.position_rows().all(|row| row.loss_cp.is_none()));
    assert_eq!(analysis.game_row().sides[0].accuracy, None);
}

#[test]
fn the_second_line_has_a_row_without_a_loss() {
    let mut first = scored(0, 30, [300, 500, 200], "e2e4");
    first.lines.push(LineResult { pv: vec!["d2d4".into()], ..first.lines[0].clone() });
    let positions = vec![first, scored(1, 60, [350, 500, 150], "e7e5")];
    let analysis =
        GameAnalysis::new(three_games().swap_remove(0), positions, &OpeningNamesCache::default()).unwrap();
    let rows: Vec<_> = analysis.position_rows().map(|row| (row.ply, row.line, row.loss_cp)).collect();
    assert_eq!(rows, [(0, 1, Some(90)), (0, 2, None), (1, 1, None)]);
}

/// The tags of an analysis of 1000 nodes.
const ANNOTATOR: &str =
    concat!("[Annotator \"Alfil ", env!("CARGO_PKG_VERSION"), ", 1000 nodes a position\"]");
const EVALUATION_BY: &str =
    concat!("[EvaluationBy \"Alfil ", env!("CARGO_PKG_VERSION"), ", 1000 nodes a position\"]");

#[test]
fn a_record_keeps_its_comments_and_variations_beside_the_evaluations() {
    let pgn = fools_mate().pgn(&options(1_000)).unwrap();
    assert!(pgn.contains(ANNOTATOR), "{pgn}");
    assert!(pgn.contains("[ECO \"A00\"]\n[Opening \"Barnes"), "{pgn}");
    assert!(pgn.contains("[WhiteAccuracy \"25.5\"]") && pgn.contains("[AccuracyVersion \"2\"]"), "{pgn}");
    let text = pgn.split("\n\n").nth(1).unwrap().replace('\n', " ");
    assert!(text.contains("{[%eval 0.30,3]} 1. f3 $2 {[%eval -0.60,3] weak} (1. e4 e5)"), "{text}");
    assert!(text.contains("2. g4 $4 {[%eval #-1,3]}"), "{text}");
    assert!(text.ends_with("Qh4# 0-1 ") || text.ends_with("Qh4# 0-1"), "{text}");
    let read = planned(&pgn);
    assert_eq!(read[0].moves, three_games()[0].moves);
    // A second analysis replaces the name and the judgements of the first one, and leaves those of a person.
    for (annotator, expected) in [
        ("", &[EVALUATION_BY, "1. f3 $4 $18 "][..]),
        ("Alfil 0.0.9, 1 nodes a position", &[ANNOTATOR, "1. f3 $18 $2 "]),
        ("A Person", &["[Annotator \"A Person\"]", EVALUATION_BY, "1. f3 $4 $18 "]),
    ] {
        let mut analysis = fools_mate();
        if !annotator.is_empty() {
            analysis.record.tags.set("Annotator", annotator);
        }
        let first = analysis.record.moves.main_line().next().unwrap();
        analysis.record.moves[first].annotation.nags = vec![4, 18];
        let pgn = analysis.pgn(&options(1_000)).unwrap();
        assert!(expected.iter().all(|tag| pgn.contains(tag)), "{pgn}");
        assert_eq!(pgn.matches("Annotator").count(), usize::from(!annotator.is_empty()));
    }
    // Without a loss there is no accuracy, and that of the first one goes.
    let positions = vec![scored(0, 30, [300, 500, 200], "e2e4")];
    let mut analysis =
        GameAnalysis::new(three_games().swap_remove(0), positions, &OpeningNamesCache::default()).unwrap();
    analysis.record.tags.set("WhiteAccuracy", "50.0");
    analysis.record.tags.set("AccuracyVersion", "1");
    for (by, other, expected) in [("Annotator", "", ANNOTATOR), ("EvaluationBy", "A Person", EVALUATION_BY)] {
        analysis.record.tags.set("Annotator", other);
        analysis.record.tags.set(by, "Alfil 0.0.9, 1 nodes a position");
        let pgn = analysis.pgn(&options(1_000)).unwrap();
        assert!(pgn.contains(expected) && !pgn.contains("Accuracy"), "{pgn}");
    }
}
