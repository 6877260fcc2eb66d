//! What stands beside the board: the moves and what is said; in a review its graph and losses, before the judge the ruling.

use alfil_session::PositionView;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::widgets::{Paragraph, Wrap};

use super::super::messages::Word;
use super::super::review::{self, GameReview, format_hundredths};
use super::super::terminal_game::{AnalysisLine, TerminalGame};
use super::{JudgePanel, ScreenState, bordered_block};
use crate::judge::ruling_sentences;

/// How wide a panel must be to say anything.
const MIN_PANEL_COLUMNS: u16 = 16;
/// How high it must be below the board.
const MIN_PANEL_ROWS: u16 = 5;
/// Rows of a graph.
const GRAPH_ROWS: u16 = 8;

/// Where the panel stands: right of the board, else below it; none where there is no room.
pub(super) fn panel_area(board: Rect, screen: Rect) -> Option<Rect> {
    let foot = screen.height - 1;
    let (width, height) = (screen.width.saturating_sub(board.right() + 2), foot - 2);
    if width >= MIN_PANEL_COLUMNS && height > MIN_PANEL_ROWS {
        return Some(Rect::new(board.right() + 1, 2, width, height));
    }
    let below = foot.saturating_sub(board.bottom() + 1);
    let width = screen.width.saturating_sub(2);
    (below >= MIN_PANEL_ROWS && width >= MIN_PANEL_COLUMNS)
        .then(|| Rect::new(1, board.bottom(), width, below))
}

/// Draws what is looked at.
pub(super) fn draw_panel(
    frame: &mut Frame<'_>,
    table: &TerminalGame,
    view: &PositionView,
    pointer: &ScreenState,
    area: Rect,
) {
    if let Some(review) = &pointer.review {
        draw_review(frame, table, review, area);
    } else if let Some(court) = &pointer.judge_panel {
        draw_ruling(frame, table, court, area);
    } else {
        draw_moves(frame, table, view, pointer, area);
    }
}

/// Where the graph of a review is drawn.
pub(super) fn graph_area(area: Rect) -> Rect {
    let height = (GRAPH_ROWS + 3).min(area.height / 2);
    Rect { height, ..area }
}

/// The graph, where one stands in it, and the largest losses.
fn draw_review(frame: &mut Frame<'_>, table: &TerminalGame, review: &GameReview, area: Rect) {
    let graph = graph_area(area);
    let block = bordered_block(table).title(table.format_message(Word::Review, &[]));
    let inner = block.inner(graph);
    let rows = review::render_graph(
        review,
        inner.width as usize,
        inner.height.saturating_sub(1) as usize,
        is_ascii_only(table),
    );
    frame.render_widget(Paragraph::new(rows.join("\n")).block(block), graph);
    let words = Rect { y: area.y + graph.height, height: area.height - graph.height, ..area };
    frame.render_widget(
        Paragraph::new(review_lines(table, review).join("\n")).wrap(Wrap { trim: false }),
        words,
    );
}

/// What a review has found out, line by line: where one stands, then the losses.
pub(crate) fn review_lines(table: &TerminalGame, review: &GameReview) -> Vec<String> {
    let (record, at) = (table.played_moves(), review.shown_ply());
    let counts = [at, review.plies(), review.values.len()].map(|count| count.to_string());
    let mut lines = Vec::new();
    if !review.is_done() {
        lines.push(table.format_message(Word::Reviewing, &[&counts[2], &(review.plies() + 1).to_string()]));
    }
    if let Some(value) = review.values.get(at) {
        let here = if at == 0 {
            table.format_message(Word::Start, &[])
        } else {
            numbered_move(table, &record, at - 1)
        };
        lines.push(table.format_message(Word::Here, &[&here, &counts[0], &counts[1], &value.to_text()]));
    }
    if let Some(best) = review.best_move(at, table.dialect()) {
        lines.push(table.format_message(Word::Best, &[best]));
    }
    lines.push(String::new());
    lines.extend(loss_lines(table, review));
    lines
}

/// The largest losses, a line each, under their title.
pub(crate) fn loss_lines(table: &TerminalGame, review: &GameReview) -> Vec<String> {
    let record = table.played_moves();
    let losses = review.largest_losses();
    if losses.is_empty() {
        return if review.is_done() { vec![table.format_message(Word::NoLosses, &[])] } else { Vec::new() };
    }
    let line = |loss: &review::MoveLoss| {
        let best = review.best_move(loss.ply, table.dialect()).unwrap_or_default();
        let lost = format_hundredths(loss.loss);
        let parts = [&numbered_move(table, &record, loss.ply), lost.trim_start_matches('+'), best];
        table.format_message(Word::Loss, &parts)
    };
    [table.format_message(Word::Losses, &[])].into_iter().chain(losses.iter().map(line)).collect()
}

/// The ruling, from where it was read.
fn draw_ruling(frame: &mut Frame<'_>, table: &TerminalGame, court: &JudgePanel, area: Rect) {
    let block = bordered_block(table)
        .title(table.format_message(Word::Judge, &[table.ruleset_title(court.ruling.ruleset)]));
    let words: Vec<_> = ruling_sentences(&court.ruling).skip(court.scroll).collect();
    frame.render_widget(Paragraph::new(words.join("\n")).wrap(Wrap { trim: true }).block(block), area);
}

/// Whether nothing may be drawn that is not ASCII.
fn is_ascii_only(table: &TerminalGame) -> bool {
    table.pieces == alfil_session::render::PieceStyle::Ascii
}

/// The moves, what was said, and the engine's lines.
fn draw_moves(
    frame: &mut Frame<'_>,
    table: &TerminalGame,
    view: &PositionView,
    pointer: &ScreenState,
    area: Rect,
) {
    let engine = if table.is_analysing() { table.analysis_lines.len().max(1) as u16 + 2 } else { 0 };
    let words = Paragraph::new(remark_text(table, view, pointer)).wrap(Wrap { trim: true });
    // Two lines always, so that the frames do not jump at every word.
    let height = (words.line_count(area.width) as u16).clamp(2, area.height.saturating_sub(6).max(2));
    let [moves, said, lines] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(height), Constraint::Length(engine)])
            .areas(area);
    let rows = move_rows(table);
    let room = moves.height.saturating_sub(2) as usize;
    let last = rows[rows.len().saturating_sub(room)..].join("\n");
    let title = table.format_message(Word::Moves, &[table.dialect_name()]);
    frame.render_widget(Paragraph::new(last).block(bordered_block(table).title(title)), moves);
    frame.render_widget(words, said);
    if engine > 0 {
        let depth = table.analysis_lines.first().map_or(0, |finding| finding.depth);
        let text: Vec<_> = table.analysis_lines.iter().map(AnalysisLine::to_text).collect();
        let block = bordered_block(table).title(table.format_message(Word::Engine, &[&depth.to_string()]));
        frame.render_widget(Paragraph::new(text.join("\n")).block(block), lines);
    }
}

/// What was said, what is to be said of the position, and while a move is typed the moves that begin so.
fn remark_text(table: &TerminalGame, view: &PositionView, pointer: &ScreenState) -> String {
    let mut parts = vec![table.message.clone(), table.remark(view)];
    if let Some(typed) = pointer.typed_move.as_deref().filter(|typed| !typed.is_empty()) {
        let fitting = table.legal_moves().into_iter().filter(|text| text.starts_with(typed));
        parts.push(fitting.collect::<Vec<_>>().join(" "));
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// The moves, a pair a row, numbered as the start position's text numbers them.
pub(super) fn move_rows(table: &TerminalGame) -> Vec<String> {
    let mut record = table.played_moves();
    let (first, second) = table.move_number(0);
    if second && !record.is_empty() {
        record.insert(0, "...".into());
    }
    record.chunks(2).zip(first..).map(|(pair, number)| format!("{number:>3}. {}", pair.join("  "))).collect()
}

/// A move with its number: `3. h2e2`, `3... h9g7`.
fn numbered_move(table: &TerminalGame, record: &[String], ply: usize) -> String {
    let (number, second) = table.move_number(ply);
    let text = record.get(ply).map_or("", String::as_str);
    format!("{number}{} {text}", if second { "..." } else { "." })
}
