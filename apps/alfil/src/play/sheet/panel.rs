//! What stands beside the board: the moves and what is said; in a review its graph and losses, before the judge the ruling.

use alfil_hall::View;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::widgets::{Paragraph, Wrap};

use super::super::review::{self, Review, hundredths};
use super::super::table::{Finding, Table};
use super::super::words::Word;
use super::{Court, Pointer, framed};
use crate::judge::sentences;

/// How wide a panel must be to say anything.
const NARROWEST: u16 = 16;
/// How high it must be below the board.
const LOWEST: u16 = 5;
/// Rows of a graph.
const GRAPH: u16 = 8;

/// Where the panel stands: right of the board, else below it; none where there is no room.
pub(super) fn area(board: Rect, screen: Rect) -> Option<Rect> {
    let foot = screen.height - 1;
    let (width, height) = (screen.width.saturating_sub(board.right() + 2), foot - 2);
    if width >= NARROWEST && height > LOWEST {
        return Some(Rect::new(board.right() + 1, 2, width, height));
    }
    let below = foot.saturating_sub(board.bottom() + 1);
    let width = screen.width.saturating_sub(2);
    (below >= LOWEST && width >= NARROWEST).then(|| Rect::new(1, board.bottom(), width, below))
}

/// Draws what is looked at.
pub(super) fn draw(frame: &mut Frame<'_>, table: &Table, view: &View, pointer: &Pointer, area: Rect) {
    if let Some(review) = &pointer.review {
        reviewed(frame, table, review, area);
    } else if let Some(court) = &pointer.court {
        ruled(frame, table, court, area);
    } else {
        played(frame, table, view, pointer, area);
    }
}

/// Where the graph of a review is drawn.
pub(super) fn graph_area(area: Rect) -> Rect {
    let height = (GRAPH + 3).min(area.height / 2);
    Rect { height, ..area }
}

/// The graph, where one stands in it, and the largest losses.
fn reviewed(frame: &mut Frame<'_>, table: &Table, review: &Review, area: Rect) {
    let graph = graph_area(area);
    let block = framed(table).title(table.say(Word::Review, &[]));
    let inner = block.inner(graph);
    let rows =
        review::graph(review, inner.width as usize, inner.height.saturating_sub(1) as usize, is_ascii(table));
    frame.render_widget(Paragraph::new(rows.join("\n")).block(block), graph);
    let words = Rect { y: area.y + graph.height, height: area.height - graph.height, ..area };
    frame.render_widget(Paragraph::new(found(table, review).join("\n")).wrap(Wrap { trim: false }), words);
}

/// What a review has found out, line by line: where one stands, then the losses.
pub(crate) fn found(table: &Table, review: &Review) -> Vec<String> {
    let (record, at) = (table.record(), review.at());
    let counts = [at, review.plies(), review.values.len()].map(|count| count.to_string());
    let mut lines = Vec::new();
    if !review.is_done() {
        lines.push(table.say(Word::Reviewing, &[&counts[2], &(review.plies() + 1).to_string()]));
    }
    if let Some(value) = review.values.get(at) {
        let here = if at == 0 { table.say(Word::Start, &[]) } else { numbered(table, &record, at - 1) };
        lines.push(table.say(Word::Here, &[&here, &counts[0], &counts[1], &value.words()]));
    }
    if let Some(best) = review.best(at, table.dialect()) {
        lines.push(table.say(Word::Best, &[best]));
    }
    lines.push(String::new());
    lines.extend(losses(table, review));
    lines
}

/// The largest losses, a line each, under their title.
pub(crate) fn losses(table: &Table, review: &Review) -> Vec<String> {
    let record = table.record();
    let losses = review.losses();
    if losses.is_empty() {
        return if review.is_done() { vec![table.say(Word::NoLosses, &[])] } else { Vec::new() };
    }
    let line = |loss: &review::Loss| {
        let best = review.best(loss.ply, table.dialect()).unwrap_or_default();
        let lost = hundredths(loss.lost);
        let parts = [&numbered(table, &record, loss.ply), lost.trim_start_matches('+'), best];
        table.say(Word::Loss, &parts)
    };
    [table.say(Word::Losses, &[])].into_iter().chain(losses.iter().map(line)).collect()
}

/// The ruling, from where it was read.
fn ruled(frame: &mut Frame<'_>, table: &Table, court: &Court, area: Rect) {
    let block = framed(table).title(table.say(Word::Judge, &[table.book_title(court.ruling.rules)]));
    let words: Vec<_> = sentences(&court.ruling).skip(court.read).collect();
    frame.render_widget(Paragraph::new(words.join("\n")).wrap(Wrap { trim: true }).block(block), area);
}

/// Whether nothing may be drawn that is not ASCII.
fn is_ascii(table: &Table) -> bool {
    table.pieces == alfil_hall::draw::Pieces::Ascii
}

/// The moves, what was said, and the engine's lines.
fn played(frame: &mut Frame<'_>, table: &Table, view: &View, pointer: &Pointer, area: Rect) {
    let engine = if table.analyses() { table.findings.len().max(1) as u16 + 2 } else { 0 };
    let words = Paragraph::new(remarks(table, view, pointer)).wrap(Wrap { trim: true });
    // Two lines always, so that the frames do not jump at every word.
    let height = (words.line_count(area.width) as u16).clamp(2, area.height.saturating_sub(6).max(2));
    let [moves, said, lines] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(height), Constraint::Length(engine)])
            .areas(area);
    let rows = rows(table);
    let room = moves.height.saturating_sub(2) as usize;
    let last = rows[rows.len().saturating_sub(room)..].join("\n");
    let title = table.say(Word::Moves, &[table.dialect_name()]);
    frame.render_widget(Paragraph::new(last).block(framed(table).title(title)), moves);
    frame.render_widget(words, said);
    if engine > 0 {
        let depth = table.findings.first().map_or(0, |finding| finding.depth);
        let text: Vec<_> = table.findings.iter().map(Finding::words).collect();
        let block = framed(table).title(table.say(Word::Engine, &[&depth.to_string()]));
        frame.render_widget(Paragraph::new(text.join("\n")).block(block), lines);
    }
}

/// What was said, what is to be said of the position, and while a move is typed the moves that begin so.
fn remarks(table: &Table, view: &View, pointer: &Pointer) -> String {
    let mut parts = vec![table.said.clone(), table.remark(view)];
    if let Some(typed) = pointer.typed.as_deref().filter(|typed| !typed.is_empty()) {
        let fitting = table.moves().into_iter().filter(|text| text.starts_with(typed));
        parts.push(fitting.collect::<Vec<_>>().join(" "));
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// The moves, a pair a row, numbered as the start position's text numbers them.
pub(super) fn rows(table: &Table) -> Vec<String> {
    let mut record = table.record();
    let (first, second) = table.numbered(0);
    if second && !record.is_empty() {
        record.insert(0, "...".into());
    }
    record.chunks(2).zip(first..).map(|(pair, number)| format!("{number:>3}. {}", pair.join("  "))).collect()
}

/// A move with its number: `3. h2e2`, `3... h9g7`.
fn numbered(table: &Table, record: &[String], ply: usize) -> String {
    let (number, second) = table.numbered(ply);
    let text = record.get(ply).map_or("", String::as_str);
    format!("{number}{} {text}", if second { "..." } else { "." })
}
