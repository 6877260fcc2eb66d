//! Tests of reviews, of moves that are tried instead of mistakes, and of marks.

use std::time::Duration;

use super::*;
use crate::nags;
use crate::review::{DECIDED_CP, Judgement};
use crate::search_task::{SearchLimits, SearchMonitor, SearchReport};
use crate::workers::CurrentThread;

const NOW: Duration = Duration::from_secs(7);

fn opened(game: &str, moves: &[&str]) -> PlayedGame {
    let mut game = PlayedGame::open(GameRecord::new(game), &Waivers::None).unwrap();
    game.play_opening(moves.iter().map(|&text| text.to_owned()).collect()).unwrap();
    game
}

/// Keeps the last report of each line, and ends the search at its limit.
struct Lines {
    limits: SearchLimits,
    reports: Vec<SearchReport>,
}

impl SearchMonitor for Lines {
    fn is_stopped(&mut self, nodes: u64) -> bool {
        self.limits.nodes.is_some_and(|max| nodes >= max)
    }

    fn on_report(&mut self, report: SearchReport) {
        self.reports.retain(|known| known.multipv != report.multipv);
        self.reports.push(report);
    }
}

/// Searches the position of a session; returns the best move and the reports.
fn search(session: &dyn GameSession, limits: &SearchLimits) -> (Option<String>, Vec<SearchReport>) {
    let mut lines = Lines { limits: limits.clone(), reports: Vec::new() };
    let outcome = session.search_task(limits).unwrap().run(&CurrentThread, &mut lines);
    (outcome.best_move, lines.reports)
}

/// Reviews a game as the server does.
fn run_review(game: &mut PlayedGame, nodes: u64) {
    let mut review = game.review(nodes).unwrap();
    loop {
        let mut best = None;
        if review.session().game_end().is_none() {
            loop {
                let (mv, reports) = search(review.session(), &review.search_limits());
                for report in reports {
                    review.set_score(&report);
                }
                best = mv;
                if !review.needs_second_search(best.as_deref()) {
                    break;
                }
            }
        }
        let dialect = game.record().dialect.clone();
        let ReviewedPosition { node, review: found } = review.finish_position(best, dialect.as_deref());
        game.set_review(node, found.unwrap());
        if !review.advance().unwrap() {
            return;
        }
    }
}

/// Moves of each game with a mistake in them.
const GAMES: [(&str, &[&str]); 3] = [
    ("xiangqi", &["h2e2", "h9g7", "h0g2", "i9h9", "e2e6"]),
    ("chess", &["e2e4", "e7e5", "d1h5", "e8e7", "h5e5"]),
    ("othello", &["f5", "d6", "c3", "d3", "c4"]),
];

#[test]
fn two_reviews_of_a_game_say_the_same() {
    assert!(registry::games().eq(GAMES.map(|(name, _)| name)), "every game is reviewed");
    for (name, moves) in GAMES {
        let mut reviews = [3_000, 3_000, 9_000].map(|nodes| {
            let mut game = opened(name, moves);
            run_review(&mut game, nodes);
            game.review_summary().unwrap()
        });
        assert_eq!(reviews[0], reviews[1], "{name}");
        assert_eq!(reviews[0].moves.len(), moves.len());
        assert!(reviews[0].is_complete);
        assert_eq!((reviews[0].nodes, reviews[2].nodes), (3_000, 9_000));
        // The number of nodes makes a difference.
        reviews[2].nodes = 3_000;
        assert_ne!(reviews[0], reviews[2], "{name}");
    }
}

#[test]
fn a_later_analysis_does_not_change_the_review() {
    let mut game = opened("chess", &["f2f3", "e7e5", "g2g4", "d8h4"]);
    run_review(&mut game, 5_000);
    let before = game.review_summary();
    game.set_evaluation(2, NodeScore { value: 700, mate: None, ..NodeScore::default() }, None);
    assert_eq!(game.review_summary(), before);
    let node = game.tree().node(2).unwrap();
    assert_eq!((node.known_score().unwrap().value, node.known_best()), (700, None));
    let node = game.tree().node(3).unwrap();
    assert_eq!(node.known_best(), Some("d8h4"));
}

#[test]
fn a_review_marks_the_move_that_lets_the_opponent_mate() {
    let mut game = opened("chess", &["f2f3", "e7e5", "g2g4", "d8h4"]);
    assert_eq!(game.review_summary(), None);
    run_review(&mut game, 5_000);
    let summary = game.review_summary().unwrap();
    let blunder = &summary.moves[2];
    assert_eq!((blunder.node, blunder.side), (3, Side::First));
    assert_eq!(blunder.mark, Some(MoveMark::Loss(Judgement::Blunder)));
    assert!(blunder.best_label.is_some() && blunder.expected_permille == 0, "{blunder:?}");
    // The mate is the best move.
    assert_eq!((summary.moves[3].loss_permille, &summary.moves[3].best_label), (0, &None));
    assert_eq!(summary.turning_points, [3]);
    assert_eq!(summary.sides[0].marks[2], 1);
    let [first, second] = summary.sides.map(|side| side.accuracy.unwrap());
    assert!(first < 90.0 && second > first, "{first} {second}");
    assert_eq!(summary.moves[3].phase, crate::game_phase::GamePhase::Opening);
}

/// Returns a game of Othello, in which the first legal move is always played, with so many moves.
fn first_moves(count: usize) -> PlayedGame {
    let mut game = opened("othello", &[]);
    for _ in 0..count {
        let mv = game.session().legal_moves(None).unwrap().remove(0);
        game.play(&mv, None, NOW).unwrap();
    }
    game
}

#[test]
fn positions_that_may_be_solved_have_a_second_line_in_the_review() {
    let mut game = first_moves(56);
    run_review(&mut game, 2_000);
    let (line, mut choices, mut second_count) = (game.tree().path(game.current_node()), 0, 0);
    for node in line {
        let review = game.tree().node(node).unwrap().review.clone().unwrap();
        game.go_to(node).unwrap();
        let moves = game.session().legal_moves(None).unwrap();
        if game.session().game_end().is_none() && moves.len() > 1 {
            choices += usize::from(review.phase == crate::game_phase::GamePhase::Ending);
            second_count += usize::from(review.second_wdl.is_some());
            assert!(review.second_wdl.is_some(), "{node}: {review:?}");
            assert!(moves.contains(review.best.as_ref().unwrap()), "{node}");
        }
    }
    assert!(choices > 5 && second_count > 20, "{choices} {second_count}");
}

#[test]
fn all_lines_of_an_ending_are_exact() {
    let move_count = |game: &PlayedGame| game.session().legal_moves(None).unwrap().len();
    let game = (44..58).map(first_moves).find(|game| move_count(game) > 3).unwrap();
    let (session, count) = (game.session(), move_count(&game));
    let (best, reports) = search(session, &SearchLimits { multipv: 64, ..SearchLimits::default() });
    assert_eq!(reports.len(), count);
    for report in &reports {
        assert_eq!(report.root_moves_done, Some(count as u32), "{report:?}");
        // The value of the move is that of the position after it.
        let mut after = game.open_copy().unwrap();
        after.play(&report.pv[0], None).unwrap();
        let (_, replies) = search(after.as_ref(), &SearchLimits { multipv: 1, ..SearchLimits::default() });
        assert_eq!(replies[0].score, -report.score, "{report:?}");
    }
    assert_eq!(best, reports.iter().find(|report| report.multipv == 1).map(|report| report.pv[0].clone()));
}

#[test]
fn an_only_move_is_marked_if_every_other_move_would_be_a_blunder() {
    let mut game = opened("chess", &["e2e4", "e7e5"]);
    let review = |wdl, second_wdl, best: &str| NodeReview {
        score: NodeScore { value: 0, mate: None, ..NodeScore::default() },
        wdl,
        second_wdl,
        best: Some(best.into()),
        best_label: None,
        phase: crate::game_phase::GamePhase::Opening,
        nodes: 10,
    };
    let mark = |game: &PlayedGame| game.review_summary().unwrap().moves[1].mark;
    game.set_review(ROOT, review([300, 400, 300], None, "d2d4"));
    game.set_review(1, review([300, 400, 300], Some([500, 400, 100]), "e7e5"));
    game.set_review(2, review([900, 100, 0], None, "g1f3"));
    assert_eq!(mark(&game), Some(MoveMark::OnlyMove));
    assert_eq!(game.review_summary().unwrap().sides[1].marks, [0, 0, 0, 1]);
    game.set_review(1, review([300, 400, 300], Some([400, 500, 100]), "e7e5"));
    assert_eq!(mark(&game), None);
    // The first move lost nothing, although another one was the best.
    assert_eq!(game.review_summary().unwrap().moves[0].mark, None);
}

/// A position that has occurred three times is a draw in the review, although the players went on.
#[test]
fn a_move_of_a_game_that_was_over_is_no_mistake() {
    let review = |wdl, best: Option<&str>| NodeReview {
        score: NodeScore { value: 0, mate: None, ..NodeScore::default() },
        wdl,
        second_wdl: None,
        best: best.map(str::to_owned),
        best_label: None,
        phase: crate::game_phase::GamePhase::Opening,
        nodes: 10,
    };
    let mut game = opened("chess", &["e2e4", "e7e5", "g1f3"]);
    game.set_review(ROOT, review([300, 400, 300], Some("d2d4")));
    game.set_review(1, review([0, 1000, 0], None));
    game.set_review(2, review([900, 100, 0], Some("d2d4")));
    game.set_review(3, review([700, 100, 200], Some("b8c6")));
    let summary = game.review_summary().unwrap();
    assert_eq!((summary.moves[1].loss_permille, summary.moves[1].mark), (0, None));
    assert_eq!(summary.sides[1], SideReview::default());
    // The moves before and after it are judged as ever.
    assert_eq!((summary.moves[0].loss_permille, summary.moves[2].loss_permille), (0, 200));
    assert_eq!(summary.turning_points, [3]);
}

#[test]
fn a_review_visits_the_main_line_and_scores_its_end() {
    let record =
        GameRecord { start: "3k5/4R4/9/9/9/9/9/9/R8/4K4 w - - 0 1".into(), ..GameRecord::new("xiangqi") };
    let mut game = PlayedGame::open(record, &Waivers::All).unwrap();
    game.play_opening(vec!["a1d1".into()]).unwrap();
    let mut review = game.review(100).unwrap();
    assert_eq!(review.remaining_positions(), 2);
    review.set_score(&SearchReport { multipv: 1, score: 300, ..SearchReport::default() });
    let first = review.finish_position(Some("a1d1".into()), None);
    let found = first.review.unwrap();
    assert_eq!(
        (first.node, found.score),
        (ROOT, NodeScore { value: 300, mate: None, ..NodeScore::default() })
    );
    assert_eq!((found.best.as_deref(), found.best_label.as_deref()), (Some("a1d1"), Some("a1d1")));
    assert!(review.advance().unwrap());
    let end = review.finish_position(None, None);
    let found = end.review.unwrap();
    assert_eq!((end.node, found.score.value, found.best), (1, DECIDED_CP, None));
    assert_eq!(found.wdl, [1000, 0, 0]);
    assert!(!review.advance().unwrap());
    game.go_to(ROOT).unwrap();
    assert_eq!(game.outcome().unwrap(), Some(Outcome::Win(Side::First)));
}

#[test]
fn best_moves_are_labelled_in_the_dialect_to_which_the_game_changed_during_the_review() {
    let mut game = opened("xiangqi", &["h2e2"]);
    let mut review = game.review(100).unwrap();
    game.set_dialect("chinese").unwrap();
    game.label_all().unwrap();
    review.set_score(&SearchReport { multipv: 1, score: 20, ..SearchReport::default() });
    let dialect = game.record().dialect.clone();
    let found = review.finish_position(Some("h2e2".into()), dialect.as_deref()).review.unwrap();
    assert_eq!(found.best_label.as_deref(), Some("炮二平五"));
    game.set_review(ROOT, found);
    // A later change labels the reviewed moves again.
    game.set_dialect("wxf").unwrap();
    game.label_all().unwrap();
    let reviewed = game.tree().node(ROOT).unwrap().review.as_ref().unwrap();
    assert_eq!(reviewed.best_label.as_deref(), Some("C2.5"));
}

#[test]
fn a_tried_move_is_judged_by_the_review_or_by_a_search() {
    let mut game = opened("chess", &["e2e4", "e7e5", "d1h5", "e8e7", "h5e5"]);
    let judged = |game: &PlayedGame, text: &str| match game.try_move(3, text).unwrap() {
        TriedMove::Judged(result) => (true, result),
        TriedMove::Unsearched(mut trial) => {
            let (_, reports) = search(trial.session(), &trial.search_limits());
            for report in reports {
                trial.set_score(&report);
            }
            (false, trial.finish())
        }
    };
    assert!(game.try_move(3, "b8c6").is_err_and(|error| error.to_string().contains("not reviewed")));
    run_review(&mut game, 5_000);
    let best = game.tree().node(3).unwrap().review.as_ref().unwrap().best.clone().unwrap();
    let (known, result) = judged(&game, &best);
    assert!(known && result.is_best && result.judgement.is_none(), "{result:?}");
    let (known, result) = judged(&game, "e8e7");
    assert!(known && !result.is_best, "{result:?}");
    assert_eq!((result.judgement, result.score.mate), (Some(Judgement::Blunder), Some(1)));
    assert_eq!(result.loss_permille, game.review_summary().unwrap().moves[3].loss_permille);
    let (known, result) = judged(&game, "g7g6");
    assert!(!known, "{result:?}");
    assert_eq!(
        result.judgement,
        Some(Judgement::Blunder),
        "the queen takes on e5 and then the rook: {result:?}"
    );
    assert_eq!(judged(&game, "g7g6").1, result);
    assert!(game.try_move(3, "e8e6").is_err() && game.try_move(99, "e8e7").is_err());
    // Nothing was played.
    assert_eq!((game.tree().move_count(), game.current_node()), (5, 5));
}

#[test]
fn marks_and_promotions_are_edits() {
    let mut game = opened("chess", &["e2e4", "e7e5"]);
    game.go_to(1).unwrap();
    game.play("c7c5", None, NOW).unwrap();
    game.set_marks(3, &[1, nags::ONLY_MOVE, 1]).unwrap();
    game.label_all().unwrap();
    assert_eq!(game.tree().node(3).unwrap().label_with_signs(), "c7c5!□");
    assert!(game.promote(2).is_err());
    game.promote(3).unwrap();
    assert_eq!(game.tree().line_end(ROOT), 3);
    assert_eq!(game.undo_edit(NOW).unwrap().summary.kind, EditKind::Promotion);
    assert_eq!(game.tree().line_end(ROOT), 2);
    assert_eq!(game.undo_edit(NOW).unwrap().summary.kind, EditKind::Marks);
    assert!(game.tree().node(3).unwrap().nags.is_empty());
    assert_eq!(game.redo_edit(NOW).unwrap().summary, EditSummary { kind: EditKind::Marks, moves: 0 });
    assert_eq!(game.tree().node(3).unwrap().nags, [1, 7]);
    assert!(game.set_marks(ROOT, &[1]).is_err() && game.set_marks(9, &[1]).is_err());
    assert!(game.set_marks(3, &[0]).is_err() && game.promote(9).is_err() && game.promote(ROOT).is_err());
}

#[test]
fn edits_are_taken_over_by_a_game_with_the_same_text_only() {
    let with_comment = || {
        let mut game = opened("xiangqi", &["h2e2"]);
        game.set_comment(1, "good".into()).unwrap();
        game
    };
    let mut saved = PlayedGame::open(with_comment().record().clone(), &Waivers::All).unwrap();
    saved.set_evaluation(1, NodeScore { value: 12, mate: None, ..NodeScore::default() }, None);
    saved.set_dialect("chinese").unwrap();
    saved.take_over_edits(&mut with_comment());
    assert_eq!(saved.undo_edit(NOW).unwrap().summary.kind, EditKind::Comment);
    // Now the comments differ.
    saved.set_edits(EditHistory::default());
    saved.take_over_edits(&mut with_comment());
    assert_eq!(saved.edits().last_done(), None);
}

#[test]
fn material_is_compared_with_the_start_of_the_game() {
    let mut game = opened("chess", &["e2e4", "d7d5", "e4d5"]);
    assert_eq!(game.material().unwrap().captured, [vec![], vec!['p']]);
    game.go_to(2).unwrap();
    assert_eq!(game.material().unwrap().difference, 0);
    assert_eq!(opened("othello", &["f5"]).material(), None);
}

/// Returns the summary of a review of a game.
fn reviewed(game: &str, moves: &[&str], nodes: u64) -> ReviewSummary {
    let mut game = opened(game, moves);
    run_review(&mut game, nodes);
    game.review_summary().unwrap()
}

#[test]
fn moves_that_are_images_of_each_other_have_the_same_value() {
    let game = opened("othello", &[]);
    let (_, reports) =
        search(game.session(), &SearchLimits { nodes: Some(5_000), multipv: 64, ..SearchLimits::default() });
    let mut first: Vec<_> = reports.iter().map(|report| report.pv[0].as_str()).collect();
    first.sort_unstable();
    assert_eq!(first, ["c4", "d3", "e6", "f5"]);
    assert!(reports.iter().all(|report| report.score == reports[0].score), "{reports:?}");
    assert!(reports.iter().map(|report| report.multipv).eq(1..=4));
    // Of a part of the lines there are as many as were wanted.
    let limits = SearchLimits { nodes: Some(5_000), multipv: 3, ..SearchLimits::default() };
    assert_eq!(search(game.session(), &limits).1.len(), 3);
    // None of them loses anything.
    for text in first {
        let summary = reviewed("othello", &[text, "pass"][..1], 1_000);
        assert_eq!((summary.moves[0].loss_permille, &summary.moves[0].best), (0, &None), "{text}");
    }
}

#[test]
fn an_ending_is_solved_and_its_mistakes_are_proved() {
    let mut game = first_moves(60);
    run_review(&mut game, 2_000);
    let summary = game.review_summary().unwrap();
    let (node, empties) = summary.solved_from.unwrap();
    assert!(empties >= 8, "{empties}");
    game.go_to(node).unwrap();
    let view = game.session().view();
    assert_eq!(view.pieces.len() + empties, 64);
    let exact = game.tree().node(node).unwrap().review.clone().unwrap();
    // A solved position is won, drawn or lost for certain.
    assert!(exact.score.is_exact && exact.wdl.contains(&1000), "{exact:?}");
    assert!(exact.score.value % 100 == 0);
}

#[test]
fn a_turning_point_has_only_a_proved_reason() {
    let reason = |moves: &[&str], node: usize| {
        let summary = reviewed("chess", moves, 5_000);
        summary.moves.iter().find(|mv| mv.node == node).unwrap().reason.clone()
    };
    assert_eq!(reason(&["f2f3", "e7e5", "g2g4", "d8h4"], 3), Some(LossReason::AllowsMate(1)));
    let hanging = reason(&["e2e4", "d7d5", "d1g4", "g8f6"], 3);
    assert_eq!(hanging, Some(LossReason::HangsPiece { reply: "c8g4".into() }));
    let missed = reason(&["f2f3", "e7e5", "g2g4", "a7a6", "a2a3"], 4);
    assert_eq!(missed, Some(LossReason::MissesMate(1)));
}

#[test]
fn a_forbidden_repetition_is_the_reason_of_its_last_move() {
    let start = "R2k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1".to_owned();
    let record = GameRecord { start, ..GameRecord::new("xiangqi") };
    let mut game = PlayedGame::open(record, &Waivers::None).unwrap();
    let moves = "d9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9 a8a9".split(' ').map(str::to_owned).collect();
    game.play_opening(moves).unwrap();
    run_review(&mut game, 2_000);
    let summary = game.review_summary().unwrap();
    let reason = summary.moves.last().unwrap().reason.clone();
    let Some(LossReason::LosesByRule { message, message_zh }) = reason else { panic!("{reason:?}") };
    assert!(message.contains("Black wins") && message_zh.contains("长将"), "{message} {message_zh}");
}
