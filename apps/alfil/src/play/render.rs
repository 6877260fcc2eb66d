//! What the whole-screen mode shows, drawn from the table alone.

mod panel;

use std::time::Instant;

use alfil_kernel::Side;
use alfil_session::render;
use alfil_session::render::PieceStyle;
use alfil_session::{Appearance, GameSession, Layout as Placing, PositionView, Ruling, Target};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Margin, Position, Rect, Size};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Padding, Paragraph, Wrap};

use super::clock::{LOW_TIME, format_time};
use super::messages::Word;
use super::review::{self, GameReview};
use super::terminal_game::TerminalGame;
pub(crate) use panel::loss_lines;

/// What the person points at and is asked.
#[derive(Default)]
pub(crate) struct ScreenState {
    /// File and rank of the cursor, counted from the first player's left corner.
    pub(crate) cursor: (usize, usize),
    /// The square of the man that was taken up.
    pub(crate) selected_square: Option<String>,
    /// Moves between the same squares, to be told apart by a letter.
    pub(crate) choices: Vec<Target>,
    /// A move that is being typed.
    pub(crate) typed_move: Option<String>,
    /// A question to be answered by `y`.
    pub(crate) confirmation: Option<Confirmation>,
    /// How many lines of the help were read, while it is open.
    pub(crate) help_scroll: Option<usize>,
    /// The game looked at again, position after position.
    pub(crate) review: Option<GameReview>,
    /// What the judge says.
    pub(crate) judge_panel: Option<JudgePanel>,
    /// Whether colours are wanted.
    pub(crate) has_colours: bool,
}

impl ScreenState {
    /// Whether something is read beside the board.
    pub(crate) fn has_reading_panel(&self) -> bool {
        self.review.is_some() || self.judge_panel.is_some()
    }

    /// Whether the next key answers something.
    pub(crate) fn has_open_dialog(&self) -> bool {
        self.help_scroll.is_some() || self.confirmation.is_some() || !self.choices.is_empty()
    }
}

/// A ruling that is read.
#[derive(Clone, Debug)]
pub(crate) struct JudgePanel {
    /// By which of the game's books.
    pub(crate) ruleset_index: usize,
    pub(crate) ruling: Ruling,
    /// How many of its sentences were read.
    pub(crate) scroll: usize,
}

/// What is asked before it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Confirmation {
    New,
    Resign,
    Quit,
}

/// Columns before the board, columns a square.
const BOARD_LEFT_COLUMNS: u16 = 4;
const SQUARE_COLUMNS: u16 = 4;

/// How many lines a rank takes.
fn rank_rows(look: &Appearance) -> u16 {
    if look.layout == Placing::Intersections { 2 } else { 1 }
}

/// How wide and high a board is, names included.
fn board_size(look: &Appearance) -> (u16, u16) {
    let (files, ranks) = (look.files as u16, look.ranks as u16);
    (BOARD_LEFT_COLUMNS + SQUARE_COLUMNS * (files - 1) + 2, rank_rows(look) * (ranks - 1) + 2)
}

/// Where the board stands on the screen: title above, one column of room.
pub(crate) fn board_area(look: &Appearance) -> Rect {
    let (width, height) = board_size(look);
    Rect::new(1, 2, width, height)
}

/// The square under a point of the screen.
pub(crate) fn square_at(look: &Appearance, below: Side, column: u16, row: u16) -> Option<(usize, usize)> {
    let area = board_area(look);
    let x = (column.checked_sub(area.x)? + 1).checked_sub(BOARD_LEFT_COLUMNS)?;
    let y = row.checked_sub(area.y)?;
    let (file, line) = ((x / SQUARE_COLUMNS) as usize, (y / rank_rows(look)) as usize);
    // A glyph is two columns wide; what lies between two squares belongs to neither.
    let on = x % SQUARE_COLUMNS < 3 && y % rank_rows(look) == 0 && file < look.files && line < look.ranks;
    let seen = on.then(|| (file, look.ranks - 1 - line))?;
    Some(rotate_square(look, below, seen))
}

/// The position of a review under a point of the screen, where its graph is.
pub(crate) fn graph_at(look: &Appearance, review: &GameReview, screen: Size, at: Position) -> Option<usize> {
    let screen = Rect::new(0, 0, screen.width, screen.height);
    let graph = panel::graph_area(panel::panel_area(board_area(look), screen)?);
    // The frame is no part of it.
    let inner = graph.inner(Margin::new(1, 1));
    let inside = inner.contains(at).then(|| (at.x - inner.x) as usize)?;
    review::ply_at_column(review, inside, inner.width as usize)
}

/// Board and screen turn into each other by the same half turn.
fn rotate_square(look: &Appearance, below: Side, (file, rank): (usize, usize)) -> (usize, usize) {
    if below == Side::Second { (look.files - 1 - file, look.ranks - 1 - rank) } else { (file, rank) }
}

/// The name of a square.
pub(crate) fn square_name(look: &Appearance, (file, rank): (usize, usize)) -> String {
    format!("{}{}", look.file_names[file], look.rank_names[rank])
}

/// Draws everything.
pub(crate) fn draw_screen(frame: &mut Frame<'_>, table: &TerminalGame, pointer: &ScreenState) {
    let desk = shown_session(table, pointer);
    let (look, view) = (desk.appearance(), desk.view());
    let board = board_area(look);
    let screen = frame.area();
    if screen.width < board.right() || screen.height < board.bottom() + 1 {
        let sizes = [board.right(), board.bottom() + 1].map(|size| size.to_string());
        let words = table.format_message(Word::TooSmall, &[&sizes[0], &sizes[1]]);
        frame.render_widget(Paragraph::new(words).wrap(Wrap { trim: true }), screen);
        return;
    }
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let row = |y| Rect::new(1, y, screen.width.saturating_sub(2), 1);
    frame.render_widget(Line::styled(title_line(table, &view), bold), row(0));
    frame.render_widget(clock_line(table, pointer), row(1));
    let text = render::render_text_from(look, &view, table.pieces, table.bottom_side);
    frame.render_widget(Paragraph::new(text), board);
    paint_board(frame, table, pointer, &view);
    let side = panel::panel_area(board, screen);
    if let Some(side) = side {
        panel::draw_panel(frame, table, &view, pointer, side);
    }
    let foot = row(screen.height - 1);
    let mut words =
        prompt_text(table, pointer).unwrap_or_else(|| status_line(table, pointer, &view, foot.width));
    if pointer.typed_move.is_some() {
        let column = foot.x + Line::raw(words.as_str()).width() as u16;
        frame.set_cursor_position(Position::new(column.min(foot.right()), foot.y));
    }
    if side.is_none() {
        words = foot_without_panel(table, pointer, words);
    }
    frame.render_widget(Line::styled(words, bold), foot);
    if let Some(read) = pointer.help_scroll {
        draw_help(frame, table, read);
    }
}

/// The desk whose position is seen.
fn shown_session<'a>(table: &'a TerminalGame, pointer: &'a ScreenState) -> &'a dyn GameSession {
    pointer.review.as_ref().map_or(table.session.as_ref(), |review| review.shown_session.as_ref())
}

/// What a panel would say, where there is no room for one, in the line at the foot: its words, or more important ones.
fn foot_without_panel(table: &TerminalGame, pointer: &ScreenState, words: String) -> String {
    let plain = pointer.confirmation.is_none() && pointer.choices.is_empty();
    match pointer {
        ScreenState { typed_move: Some(_), .. } if plain => format!("{words}  {}", table.message),
        ScreenState { review: Some(review), .. } if plain => {
            let mut lines = panel::review_lines(table, review);
            lines.retain(|line| !line.is_empty());
            lines.join("  ")
        }
        ScreenState { judge_panel: Some(court), .. } if plain => {
            format!("{}: {}", table.ruleset_title(court.ruling.ruleset), court.ruling.heading)
        }
        _ if plain && !table.is_over() && !table.message.is_empty() => table.message.clone(),
        _ => words,
    }
}

/// How it stands, and which keys are of use if there is room to say so.
fn status_line(table: &TerminalGame, pointer: &ScreenState, view: &PositionView, width: u16) -> String {
    if pointer.review.is_some() {
        return table.format_message(Word::ReviewKeys, &[]);
    }
    if pointer.judge_panel.is_some() {
        return table.format_message(Word::JudgeKeys, &[]);
    }
    let keys = match table.is_over() {
        true if table.flagged_side().is_some() => Word::NewKey,
        true => Word::OverKeys,
        false => Word::TypeMove,
    };
    let status = table.status(view);
    let words = table.format_message(Word::Foot, &[&status, &table.format_message(keys, &[])]);
    if Line::raw(words.as_str()).width() > width as usize { status } else { words }
}

/// The keys, in the middle of the screen, from the line on that was read where they are too many.
fn draw_help(frame: &mut Frame<'_>, table: &TerminalGame, read: usize) {
    let screen = frame.area();
    let words = table.format_message(Word::Help, &[]);
    let lines = words.lines().count() as u16;
    let width = words.lines().map(|line| Line::raw(line).width()).max().unwrap_or_default() as u16;
    let [_, middle, _] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(lines + 2), Constraint::Fill(1)])
            .areas(screen);
    let [_, area, _] =
        Layout::horizontal([Constraint::Fill(1), Constraint::Length(width + 4), Constraint::Fill(1)])
            .areas(middle);
    frame.render_widget(Clear, area);
    let below = lines.saturating_sub(area.height.saturating_sub(2));
    let title = if below > 0 { Word::MoreKeys } else { Word::Keys };
    let block = bordered_block(table).title(table.format_message(title, &[])).padding(Padding::horizontal(1));
    let words = Paragraph::new(words).scroll(((read as u16).min(below), 0));
    frame.render_widget(words.block(block), area);
}

/// The game, who plays whom, and in games won by counting how it stands.
fn title_line(table: &TerminalGame, view: &PositionView) -> String {
    let [first, second] = Side::BOTH.map(|side| table.side_name(side));
    let tally =
        view.piece_counts.map_or(String::new(), |[one, two]| format!("   {first} {one}, {second} {two}"));
    let names = [
        table.game_title(),
        table.side_name(table.person),
        table.side_name(!table.person),
        &table.level.to_string(),
    ];
    table.format_message(Word::Title, &names) + &tally
}

/// Both sides' time: whose runs, is bold; who has little, is warned.
fn clock_line(table: &TerminalGame, pointer: &ScreenState) -> Line<'static> {
    let Some(clock) = table.clock() else { return Line::default() };
    let now = Instant::now();
    let span = |side| {
        let left = clock.remaining(side, now);
        let mut style = Style::new();
        if clock.running() == Some(side) {
            style = style.add_modifier(Modifier::BOLD);
        }
        if left < LOW_TIME && pointer.has_colours {
            style = style.fg(Color::LightRed);
        }
        // Without bold type it must be seen, too.
        let mark = if clock.running() == Some(side) { ">" } else { " " };
        Span::styled(format!("{mark}{} {}   ", table.side_name(side), format_time(left)), style)
    };
    Line::from_iter(Side::BOTH.map(span))
}

/// What the person is asked, or types.
fn prompt_text(table: &TerminalGame, pointer: &ScreenState) -> Option<String> {
    let words = match pointer.confirmation {
        Some(Confirmation::New) => table.format_message(Word::AskNew, &[]),
        Some(Confirmation::Resign) => table.format_message(Word::AskResign, &[]),
        Some(Confirmation::Quit) => table.format_message(Word::AskQuit, &[]),
        None if !pointer.choices.is_empty() => {
            let letters = pointer.choices.iter().filter_map(|target| target.promotion).map(String::from);
            table.format_message(Word::Which, &[&letters.collect::<Vec<_>>().join(" ")])
        }
        None => table.format_message(Word::YourMove, &[]) + pointer.typed_move.as_ref()?,
    };
    Some(words)
}

/// Colours of men, the cursor, the man taken up, where it may go, and the last move.
fn paint_board(frame: &mut Frame<'_>, table: &TerminalGame, pointer: &ScreenState, view: &PositionView) {
    let look = table.session.appearance();
    let area = board_area(look);
    let plays = table.may_move() && pointer.review.is_none();
    let targets = if plays { table.session.targets(None) } else { Vec::new() };
    let marked = pointer.review.as_ref().map_or(Vec::new(), GameReview::best_move_squares);
    let open = |square: &str| {
        let to = |target: &&Target| target.to.as_deref() == Some(square);
        targets.iter().filter(to).any(|target| target.from == pointer.selected_square)
    };
    for file in 0..look.files {
        for rank in 0..look.ranks {
            let square = square_name(look, (file, rank));
            let (x, y) = rotate_square(look, table.bottom_side, (file, rank));
            let column = area.x + BOARD_LEFT_COLUMNS + SQUARE_COLUMNS * x as u16;
            let row = area.y + rank_rows(look) * (look.ranks - 1 - y) as u16;
            let man =
                view.pieces.iter().find(|(at, _)| *at == square).and_then(|(_, letter)| look.piece(*letter));
            let mut style = Style::new();
            if let Some(man) = man.filter(|_| pointer.has_colours) {
                style = style.fg(side_colour(look.sides[man.side])).add_modifier(Modifier::BOLD);
            }
            if pointer.has_colours && view.last_move.contains(&square) {
                style = style.bg(Color::Indexed(58));
            }
            if marked.contains(&square) {
                style = style.add_modifier(Modifier::UNDERLINED);
                if pointer.has_colours {
                    style = style.bg(Color::Blue);
                }
            }
            if open(&square) {
                style = style.add_modifier(Modifier::UNDERLINED | Modifier::BOLD);
                if pointer.has_colours {
                    style = style.fg(Color::Green);
                }
            }
            if pointer.selected_square.as_deref() == Some(&square) && pointer.has_colours {
                style = style.bg(Color::Green).fg(Color::Black);
            }
            if pointer.has_colours && view.checked_king.as_deref() == Some(&square) {
                style = style.bg(Color::Red).fg(Color::White);
            }
            if pointer.cursor == (file, rank) && pointer.review.is_none() {
                style = style.add_modifier(Modifier::REVERSED);
            }
            // A character of two columns is drawn by its first.
            let wide = table.pieces == PieceStyle::Hanzi && man.is_some_and(|man| man.glyph >= '\u{2E80}');
            let buffer = frame.buffer_mut();
            for dx in 0..if wide { 2 } else { 1 } {
                if let Some(cell) = buffer.cell_mut(Position::new(column + dx, row)) {
                    cell.set_style(style);
                    // Where a man may go must be seen without colours, too.
                    if open(&square) && man.is_none() {
                        cell.set_symbol("*");
                    }
                }
            }
        }
    }
}

/// A frame that is ASCII where the men are.
fn bordered_block(table: &TerminalGame) -> Block<'static> {
    const ASCII: border::Set<'_> = border::Set {
        top_left: "+",
        top_right: "+",
        bottom_left: "+",
        bottom_right: "+",
        vertical_left: "|",
        vertical_right: "|",
        horizontal_top: "-",
        horizontal_bottom: "-",
    };
    let set = if table.pieces == PieceStyle::Ascii { ASCII } else { border::PLAIN };
    Block::bordered().border_set(set)
}

/// The colour of a side by its name: red is red, whoever is dark on paper is bright on a dark screen.
fn side_colour(side: &str) -> Color {
    match side {
        "Red" => Color::LightRed,
        "White" => Color::White,
        _ => Color::LightCyan,
    }
}

#[cfg(test)]
mod tests;
