//! The panel beside or below the board: moves, messages and analysis, or a review, or a ruling.

use alfil_session::PositionView;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::super::messages::Message;
use super::super::review::{self, GameReview, format_hundredths};
use super::super::terminal_game::TerminalGame;
use super::{JudgePanel, ScreenState, bordered_block};
use crate::judge::ruling_sentences;

/// The smallest width of a panel.
const MIN_PANEL_COLUMNS: u16 = 16;
/// The smallest height of a panel.
const MIN_PANEL_ROWS: u16 = 5;
/// The rows of a graph.
const GRAPH_ROWS: u16 = 8;

/// Returns the area of the panel: right of the board, else below it, `None` if there is no space.
pub(super) fn panel_area(board: Rect, screen: Rect) -> Option<Rect> {
    let footer_row = screen.height.saturating_sub(1);
    let (width, height) = (screen.width.saturating_sub(board.right() + 2), footer_row.saturating_sub(2));
    if width >= MIN_PANEL_COLUMNS && height > MIN_PANEL_ROWS {
        return Some(Rect::new(board.right() + 1, 2, width, height));
    }
    let below = footer_row.saturating_sub(board.bottom() + 1);
    let width = screen.width.saturating_sub(2);
    (below >= MIN_PANEL_ROWS && width >= MIN_PANEL_COLUMNS)
        .then(|| Rect::new(1, board.bottom(), width, below))
}

/// Draws the panel.
pub(super) fn draw_panel(
    frame: &mut Frame<'_>,
    game: &TerminalGame,
    view: &PositionView,
    state: &ScreenState,
    area: Rect,
) {
    if let Some(review) = &state.review {
        draw_review(frame, game, review, area);
    } else if let Some(panel) = &state.judge_panel {
        draw_ruling(frame, game, panel, area);
    } else {
        draw_moves(frame, game, view, state, area);
    }
}

/// Returns the area of the graph of a review.
pub(super) fn graph_area(area: Rect) -> Rect {
    let height = (GRAPH_ROWS + 3).min(area.height / 2);
    Rect { height, ..area }
}

/// Draws a review: its graph, the shown move and the largest losses.
fn draw_review(frame: &mut Frame<'_>, game: &TerminalGame, review: &GameReview, area: Rect) {
    let graph = graph_area(area);
    let block = bordered_block(game).title(game.format_message(Message::ReviewTitle, &[]));
    let inner = block.inner(graph);
    let (width, height) = (inner.width as usize, inner.height.saturating_sub(1) as usize);
    let rows = review::render_graph(review, width, height, game.is_ascii());
    frame.render_widget(Paragraph::new(rows.join("\n")).block(block), graph);
    let text = Rect { y: area.y + graph.height, height: area.height - graph.height, ..area };
    frame.render_widget(
        Paragraph::new(review_lines(game, review).join("\n")).wrap(Wrap { trim: false }),
        text,
    );
}

/// Returns the text of a review: progress, the shown move, then the losses.
pub(crate) fn review_lines(game: &TerminalGame, review: &GameReview) -> Vec<String> {
    let (played_moves, at) = (game.played_moves(), review.shown_ply());
    let counts = [at, review.plies(), review.values.len()].map(|count| count.to_string());
    let mut lines = Vec::new();
    if !review.is_done() {
        lines.push(game.format_message(Message::Reviewing, &[&counts[2], &(review.plies() + 1).to_string()]));
    }
    if let Some(value) = review.values.get(at) {
        let here = if at == 0 {
            game.format_message(Message::StartPosition, &[])
        } else {
            numbered_move(game, &played_moves, at - 1)
        };
        lines.push(
            game.format_message(Message::ReviewPosition, &[&here, &counts[0], &counts[1], &value.to_text()]),
        );
    }
    if let Some(best) = review.best_move(at, game.dialect()) {
        lines.push(game.format_message(Message::BestMove, &[best]));
    }
    lines.push(String::new());
    lines.extend(loss_lines(game, review));
    lines
}

/// Returns the moves that lost most, a line each, below a title.
pub(crate) fn loss_lines(game: &TerminalGame, review: &GameReview) -> Vec<String> {
    let played_moves = game.played_moves();
    let losses = review.largest_losses();
    if losses.is_empty() {
        return if review.is_done() { vec![game.format_message(Message::NoLosses, &[])] } else { Vec::new() };
    }
    let line = |loss: &review::MoveLoss| {
        let best = review.best_move(loss.ply, game.dialect()).unwrap_or_default();
        let lost = format_hundredths(loss.loss);
        let parts = [&numbered_move(game, &played_moves, loss.ply), lost.trim_start_matches('+'), best];
        game.format_message(Message::MoveLoss, &parts)
    };
    [game.format_message(Message::LossesTitle, &[])].into_iter().chain(losses.iter().map(line)).collect()
}

/// Draws a ruling from its scroll position on.
fn draw_ruling(frame: &mut Frame<'_>, game: &TerminalGame, panel: &JudgePanel, area: Rect) {
    let block = bordered_block(game)
        .title(game.format_message(Message::RulingTitle, &[game.ruleset_title(panel.ruling.ruleset)]));
    let text: Vec<_> = ruling_sentences(&panel.ruling).skip(panel.scroll).collect();
    frame.render_widget(Paragraph::new(text.join("\n")).wrap(Wrap { trim: true }).block(block), area);
}

/// Draws the moves, the messages and the analysis.
fn draw_moves(
    frame: &mut Frame<'_>,
    game: &TerminalGame,
    view: &PositionView,
    state: &ScreenState,
    area: Rect,
) {
    let analysis_rows =
        if game.has_endless_analysis() { game.analysis_lines.len().max(1) as u16 + 2 } else { 0 };
    let text = Paragraph::new(remark_text(game, view, state)).wrap(Wrap { trim: true });
    // At least two lines, so that the layout is stable.
    let height = (text.line_count(area.width) as u16).clamp(2, area.height.saturating_sub(6).max(2));
    let [moves_area, message_area, analysis_area] = Layout::vertical([
        Constraint::Fill(1),
        Constraint::Length(height),
        Constraint::Length(analysis_rows),
    ])
    .areas(area);
    let rows = move_rows(game);
    let visible_rows = moves_area.height.saturating_sub(2) as usize;
    let last = rows[rows.len().saturating_sub(visible_rows)..].join("\n");
    let title = game.format_message(Message::MovesTitle, &[game.dialect_name()]);
    frame.render_widget(Paragraph::new(last).block(bordered_block(game).title(title)), moves_area);
    frame.render_widget(text, message_area);
    if analysis_rows > 0 {
        let depth = game.analysis_lines.first().map_or(0, |line| line.depth);
        let columns = usize::from(analysis_area.width.saturating_sub(2));
        let fits = |text: &str| Line::from(text).width() <= columns;
        let text: Vec<_> = game.analysis_lines.iter().map(|line| line.to_text(fits)).collect();
        let block =
            bordered_block(game).title(game.format_message(Message::AnalysisTitle, &[&depth.to_string()]));
        frame.render_widget(Paragraph::new(text.join("\n")).block(block), analysis_area);
    }
}

/// Returns the messages about the game and, while a move is typed, the moves with that prefix.
fn remark_text(game: &TerminalGame, view: &PositionView, state: &ScreenState) -> String {
    let mut parts = vec![game.message.clone(), game.remark(view)];
    if let Some(typed) = state.typed_move.as_deref().filter(|typed| !typed.is_empty()) {
        let matching = game.legal_moves().into_iter().filter(|text| text.starts_with(typed));
        parts.push(matching.collect::<Vec<_>>().join(" "));
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// Returns the moves in rows of two, numbered from the start position on.
pub(super) fn move_rows(game: &TerminalGame) -> Vec<String> {
    let mut played_moves = game.played_moves();
    let (first, second) = game.move_number(0);
    if second && !played_moves.is_empty() {
        played_moves.insert(0, "...".into());
    }
    played_moves
        .chunks(2)
        .zip(first..)
        .map(|(pair, number)| format!("{number:>3}. {}", pair.join("  ")))
        .collect()
}

/// Formats a move with its number: `3. h2e2`, `3... h9g7`.
fn numbered_move(game: &TerminalGame, played_moves: &[String], ply: usize) -> String {
    let (number, second) = game.move_number(ply);
    let text = played_moves.get(ply).map_or("", String::as_str);
    format!("{number}{} {text}", if second { "..." } else { "." })
}
