//! The export of games as PGN.

use alfil_kernel::Outcome;
use alfil_session::accuracy::set_accuracy_tags;
use alfil_session::played_game::{AnnotatedMove, GameRecord, MoveMark, ROOT, ReviewSummary};
use alfil_session::review::{DECIDED_CP, mate_moves};
use alfil_session::{
    AnnotatedScore, EvalAnnotation, MoveAnnotation, SessionError, TextGame, TextMove, registry,
};

use super::{RESULT_TAG, RESULT_TEXTS};
use crate::open_game::OpenGame;

/// What is exported of a game.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ExportOptions {
    /// The node to which the only exported line leads; `None` for the whole game.
    pub(crate) line_to: Option<usize>,
    /// Whether the scores, the marks and the accuracies of the review are exported, too.
    pub(crate) with_review: bool,
}

/// Returns the PGN of the game with its comments and scores, in the record dialect closest to the chosen dialect.
///
/// # Errors
/// If there is no such node.
pub(crate) fn export_pgn(game: &mut OpenGame, options: &ExportOptions) -> Result<String, SessionError> {
    let line = options.line_to.map(|node| game.tree().path(node));
    if let Some(node) = options.line_to
        && game.tree().node(node).is_none()
    {
        return Err(SessionError::new(format!("this game has no move {node}")));
    }
    let review = if options.with_review { game.played.review_summary() } else { None };
    // Only the whole main line leads to the result: a line that ends before it, or in a variation, has none.
    let is_part = options.line_to.is_some_and(|node| node != game.tree().line_end(ROOT));
    let result = if is_part { None } else { main_line_outcome(game)? };
    let parts = ExportedParts { line, is_part, prefers_review: options.with_review };
    let mut text_game = exported_game(game.record(), result, &parts, review.as_ref());
    if let Some(review) = &review {
        let accuracies = [0, 1].map(|side| review.sides[side].accuracy);
        set_accuracy_tags(&mut text_game.tags, game.session().info(), accuracies);
    }
    let default_dialect = game.session().dialects().first().copied();
    registry::write_game(&text_game, game.record().dialect.as_deref().or(default_dialect))
}

/// The exported parts of a game.
#[derive(Default)]
struct ExportedParts {
    /// The nodes of the only exported line.
    line: Option<Vec<usize>>,
    /// Whether the tag of the result is left out: there is a line, and it is not the whole main line.
    is_part: bool,
    /// Whether the score of a move is that of the review, if it has one, and not that of an analysis.
    prefers_review: bool,
}

/// Returns a game as a record of a file, with a result.
pub(crate) fn text_game_from_record(stored: &GameRecord, result: Option<Outcome>) -> TextGame {
    exported_game(stored, result, &ExportedParts::default(), None)
}

fn exported_game(
    stored: &GameRecord,
    result: Option<Outcome>,
    parts: &ExportedParts,
    review: Option<&ReviewSummary>,
) -> TextGame {
    let mut text_game = TextGame { game: stored.game.clone(), result, ..TextGame::default() };
    text_game.start = Some(stored.start.clone()).filter(|start| start != "startpos");
    for (name, value) in stored.tags.iter().filter(|(name, _)| !parts.is_part || name != RESULT_TAG) {
        text_game.tags.push(name, value);
    }
    let is_exported =
        |node: usize| node == ROOT || parts.line.as_ref().is_none_or(|line| line.contains(&node));
    let moves = stored.tree.filter_map(|number, node| {
        if !is_exported(number) {
            return None;
        }
        let mut annotation = annotation_from_node(node, parts.prefers_review);
        let mark = review.and_then(|review| review.mark(number));
        annotation.nags.extend(mark.and_then(|mark| nag_beside(mark, &node.nags)));
        Some(TextMove { text: node.text.clone(), annotation })
    });
    text_game.moves = moves.unwrap_or_default();
    text_game
}

/// Returns the NAG of a mark of the review beside the NAGs that a person has set. NAGs 1 to 9 judge the move: one of
/// these takes the place of the mark, as on the page.
pub(super) fn nag_beside(mark: MoveMark, nags: &[u8]) -> Option<u8> {
    let is_judged = nags.iter().any(|nag| (1..=9).contains(nag));
    (!is_judged).then(|| mark.nag())
}

/// Returns the outcome of the main line, or that of the tags if the game went on: where the rules end a game that has
/// legal moves, as after a repetition, the players may have played on, and a referee may have ruled otherwise.
fn main_line_outcome(game: &mut OpenGame) -> Result<Option<Outcome>, SessionError> {
    let outcome = game.played.outcome()?;
    let tag = game.record().tags.iter().find(|(name, _)| name == RESULT_TAG);
    let recorded = tag.and_then(|(_, result)| RESULT_TEXTS.iter().find(|(_, text)| text == result));
    let recorded = recorded.map(|&(outcome, _)| outcome);
    Ok(if game.played.has_indisputable_end()? { outcome.or(recorded) } else { recorded.or(outcome) })
}

/// Converts the comment, NAGs, clock times and score of a node to an annotation.
fn annotation_from_node(node: &AnnotatedMove, prefers_review: bool) -> MoveAnnotation {
    let mut annotation = MoveAnnotation { nags: node.nags.clone(), ..MoveAnnotation::default() };
    // The clock times are commands of PGN comments (`[%clk 0:03:00]`), which this call moves to their fields.
    annotation.add_comment_after(&node.clocks);
    annotation.add_comment_after(&node.comment);
    let review = node.review.as_ref().map(|review| review.score).filter(|_| prefers_review);
    let score = review.or(node.known_score()).and_then(|score| match score.mate {
        // A distance to mate is in moves in records, in plies on the page.
        Some(plies) => Some(AnnotatedScore::Mate(mate_moves(plies))),
        // A result by the rules is no score in centipawns, and is not written.
        None => (score.value.abs() < DECIDED_CP).then_some(AnnotatedScore::Centipawns(score.value)),
    });
    annotation.eval = score.map(|score| EvalAnnotation { score, depth: None }).or(annotation.eval);
    annotation
}
