//! Draws the full-screen mode from the game and the screen state.

mod panel;

use alfil_kernel::Side;
use alfil_session::render;
use alfil_session::render::PieceStyle;
use alfil_session::{
    Appearance, GameSession, Layout as Placing, PositionView, RefusedTarget, Ruling, Target,
};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Margin, Position, Rect, Size};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Padding, Paragraph, Wrap};

use super::clock::{LOW_TIME, format_time};
use super::messages::Message;
use super::review::{self, GameReview};
use super::terminal_game::TerminalGame;
pub(crate) use panel::loss_lines;

/// The state of the screen: cursor, selection, input and open panels.
#[derive(Default)]
pub(crate) struct ScreenState {
    /// The file and the rank of the cursor, counted from the first side's left corner.
    pub(crate) cursor: (usize, usize),
    /// The square of the selected piece.
    pub(crate) selected_square: Option<String>,
    /// Moves between the same squares, to be chosen by a letter.
    pub(crate) choices: Vec<Target>,
    /// The move that is being typed.
    pub(crate) typed_move: Option<String>,
    /// The action that waits for confirmation by `y`.
    pub(crate) confirmation: Option<Confirmation>,
    /// The first visible line of the help, while it is open.
    pub(crate) help_scroll: Option<usize>,
    /// The open game review.
    pub(crate) review: Option<GameReview>,
    /// The open judge panel.
    pub(crate) judge_panel: Option<JudgePanel>,
    /// Whether colours are used.
    pub(crate) has_colours: bool,
}

impl ScreenState {
    /// Returns whether the review or the judge panel is open.
    pub(crate) fn is_review_or_ruling_open(&self) -> bool {
        self.review.is_some() || self.judge_panel.is_some()
    }

    /// Returns whether the next key belongs to a dialog.
    pub(crate) fn has_open_dialog(&self) -> bool {
        self.help_scroll.is_some() || self.confirmation.is_some() || !self.choices.is_empty()
    }
}

/// A panel with a ruling.
#[derive(Clone, Debug)]
pub(crate) struct JudgePanel {
    /// The index of the ruleset.
    pub(crate) ruleset_index: usize,
    pub(crate) ruling: Ruling,
    /// The number of sentences that are scrolled away.
    pub(crate) scroll: usize,
}

/// An action that needs confirmation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Confirmation {
    New,
    Resign,
    Quit,
}

/// The columns left of the board, and the columns of a square.
const BOARD_LEFT_COLUMNS: u16 = 4;
const SQUARE_COLUMNS: u16 = 4;

/// Returns the number of lines of a rank.
fn rank_rows(appearance: &Appearance) -> u16 {
    if appearance.layout == Placing::Intersections { 2 } else { 1 }
}

/// Returns the width and the height of a board with its coordinates.
fn board_size(appearance: &Appearance) -> (u16, u16) {
    let (files, ranks) = (appearance.files as u16, appearance.ranks as u16);
    (BOARD_LEFT_COLUMNS + SQUARE_COLUMNS * (files - 1) + 2, rank_rows(appearance) * (ranks - 1) + 2)
}

/// Returns the area of the board: below the title, with a margin of one column.
pub(crate) fn board_area(appearance: &Appearance) -> Rect {
    let (width, height) = board_size(appearance);
    Rect::new(1, 2, width, height)
}

/// Returns the file and the rank at a position of the screen.
pub(crate) fn square_at(
    appearance: &Appearance,
    bottom: Side,
    column: u16,
    row: u16,
) -> Option<(usize, usize)> {
    let area = board_area(appearance);
    let x = (column.checked_sub(area.x)? + 1).checked_sub(BOARD_LEFT_COLUMNS)?;
    let y = row.checked_sub(area.y)?;
    let (file, line) = ((x / SQUARE_COLUMNS) as usize, (y / rank_rows(appearance)) as usize);
    // A square takes the column before its glyph and the two columns of the glyph; the fourth column belongs to none.
    let is_on_square = x % SQUARE_COLUMNS < 3
        && y % rank_rows(appearance) == 0
        && file < appearance.files
        && line < appearance.ranks;
    let shown = is_on_square.then(|| (file, appearance.ranks - 1 - line))?;
    Some(rotate_square(appearance, bottom, shown))
}

/// Returns the ply at a position of the screen in the graph of a review.
pub(crate) fn graph_at(
    appearance: &Appearance,
    review: &GameReview,
    screen: Size,
    at: Position,
) -> Option<usize> {
    let screen = Rect::new(0, 0, screen.width, screen.height);
    let graph = panel::graph_area(panel::panel_area(board_area(appearance), screen)?);
    // The border is not part of the graph.
    let inner = graph.inner(Margin::new(1, 1));
    let inside = inner.contains(at).then(|| (at.x - inner.x) as usize)?;
    review::ply_at_column(review, inside, inner.width as usize)
}

/// Rotates a square by half a turn if the second side is at the bottom.
fn rotate_square(appearance: &Appearance, bottom: Side, (file, rank): (usize, usize)) -> (usize, usize) {
    if bottom == Side::Second {
        (appearance.files - 1 - file, appearance.ranks - 1 - rank)
    } else {
        (file, rank)
    }
}

/// Returns the name of a square.
pub(crate) fn square_name(appearance: &Appearance, (file, rank): (usize, usize)) -> String {
    format!("{}{}", appearance.file_names[file], appearance.rank_names[rank])
}

/// Draws the screen.
pub(crate) fn draw_screen(frame: &mut Frame<'_>, game: &TerminalGame, state: &ScreenState) {
    let session = shown_session(game, state);
    let (appearance, view) = (session.appearance(), session.view());
    let board = board_area(appearance);
    let screen = frame.area();
    if screen.width < board.right() || screen.height < board.bottom() + 1 {
        let sizes = [board.right(), board.bottom() + 1].map(|size| size.to_string());
        let text = game.format_message(Message::TooSmall, &[&sizes[0], &sizes[1]]);
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), screen);
        return;
    }
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let row = |y| Rect::new(1, y, screen.width.saturating_sub(2), 1);
    frame.render_widget(Line::styled(title_line(game, &view), bold), row(0));
    frame.render_widget(clock_line(game, state), row(1));
    let text = render::render_text_from(appearance, &view, game.piece_style, game.bottom_side);
    frame.render_widget(Paragraph::new(text), board);
    paint_board(frame, game, state, &view);
    let side = panel::panel_area(board, screen);
    if let Some(side) = side {
        panel::draw_panel(frame, game, &view, state, side);
    }
    let foot = row(screen.height - 1);
    let mut text = prompt_text(game, state).unwrap_or_else(|| status_line(game, state, &view, foot.width));
    if state.typed_move.is_some() {
        let column = foot.x + Line::raw(text.as_str()).width() as u16;
        frame.set_cursor_position(Position::new(column.min(foot.right()), foot.y));
    }
    if side.is_none() {
        text = foot_without_panel(game, state, text);
    }
    frame.render_widget(Line::styled(text, bold), foot);
    if let Some(scroll) = state.help_scroll {
        draw_help(frame, game, scroll);
    }
}

/// Returns the session whose position is shown.
fn shown_session<'a>(game: &'a TerminalGame, state: &'a ScreenState) -> &'a dyn GameSession {
    state.review.as_ref().map_or(game.session(), |review| review.shown_session.as_ref())
}

/// Returns the bottom line of a screen without space for a panel: the most important text of the panel.
fn foot_without_panel(game: &TerminalGame, state: &ScreenState, text: String) -> String {
    let no_dialog = state.confirmation.is_none() && state.choices.is_empty();
    match state {
        ScreenState { typed_move: Some(_), .. } if no_dialog => format!("{text}  {}", game.message),
        ScreenState { review: Some(review), .. } if no_dialog => {
            let mut lines = panel::review_lines(game, review);
            lines.retain(|line| !line.is_empty());
            lines.join("  ")
        }
        ScreenState { judge_panel: Some(panel), .. } if no_dialog => {
            format!("{}: {}", game.ruleset_title(panel.ruling.ruleset), panel.ruling.heading)
        }
        _ if no_dialog && !game.is_over() && !game.message.is_empty() => game.message.clone(),
        _ => text,
    }
}

/// Returns the state of the game, with the keys that apply if they fit.
fn status_line(game: &TerminalGame, state: &ScreenState, view: &PositionView, width: u16) -> String {
    if state.review.is_some() {
        return game.format_message(Message::ReviewKeys, &[]);
    }
    if state.judge_panel.is_some() {
        return game.format_message(Message::JudgeKeys, &[]);
    }
    let keys = match game.is_over() {
        true if game.flagged_side().is_some() => Message::GameOverKeysOnFlag,
        true => Message::GameOverKeys,
        false => Message::TypeMove,
    };
    let status = game.status(view);
    let text = game.format_message(Message::StatusLine, &[&status, &game.format_message(keys, &[])]);
    if Line::raw(text.as_str()).width() > width as usize { status } else { text }
}

/// Returns by how many lines the help can be scrolled on a screen of this height: those that do not fit.
pub(crate) fn max_help_scroll(game: &TerminalGame, height: u16) -> usize {
    let lines = game.format_message(Message::Help, &[]).lines().count();
    // The frame has two lines.
    lines.saturating_sub(usize::from(height.saturating_sub(2)))
}

/// Draws the help in the middle of the screen, scrolled by `scroll` lines if it does not fit.
fn draw_help(frame: &mut Frame<'_>, game: &TerminalGame, scroll: usize) {
    let screen = frame.area();
    let text = game.format_message(Message::Help, &[]);
    let lines = text.lines().count() as u16;
    let width = text.lines().map(|line| Line::raw(line).width()).max().unwrap_or_default() as u16;
    let [_, middle, _] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(lines + 2), Constraint::Fill(1)])
            .areas(screen);
    let [_, area, _] =
        Layout::horizontal([Constraint::Fill(1), Constraint::Length(width + 4), Constraint::Fill(1)])
            .areas(middle);
    frame.render_widget(Clear, area);
    let below = max_help_scroll(game, screen.height);
    let title = if below > 0 { Message::KeysTitleMore } else { Message::KeysTitle };
    let block = bordered_block(game).title(game.format_message(title, &[])).padding(Padding::horizontal(1));
    let text = Paragraph::new(text).scroll((scroll.min(below) as u16, 0));
    frame.render_widget(text.block(block), area);
}

/// Returns the title: the game, the players and, in Othello, the disc counts.
fn title_line(game: &TerminalGame, view: &PositionView) -> String {
    let [first, second] = Side::BOTH.map(|side| game.side_name(side));
    let tally =
        view.piece_counts.map_or(String::new(), |[one, two]| format!("   {first} {one}, {second} {two}"));
    let names = [
        game.game_title(),
        game.side_name(game.person()),
        game.side_name(!game.person()),
        &game.level().to_string(),
    ];
    game.format_message(Message::Title, &names) + &tally
}

/// Returns both clocks: the running one is bold, one with little time is coloured.
fn clock_line(game: &TerminalGame, state: &ScreenState) -> Line<'static> {
    let Some(clock) = game.clock() else { return Line::default() };
    let now = alfil_engine::now();
    let span = |side| {
        let left = clock.remaining(side, now);
        let mut style = Style::new();
        if clock.running() == Some(side) {
            style = style.add_modifier(Modifier::BOLD);
        }
        if left < LOW_TIME && state.has_colours {
            style = style.fg(Color::LightRed);
        }
        // The mark is visible without bold type.
        let mark = if clock.running() == Some(side) { ">" } else { " " };
        Span::styled(format!("{mark}{} {}   ", game.side_name(side), format_time(left)), style)
    };
    Line::from_iter(Side::BOTH.map(span))
}

/// Returns the open question, or the move that is being typed.
fn prompt_text(game: &TerminalGame, state: &ScreenState) -> Option<String> {
    let text = match state.confirmation {
        Some(Confirmation::New) => game.format_message(Message::ConfirmNew, &[]),
        Some(Confirmation::Resign) => game.format_message(Message::ConfirmResign, &[]),
        Some(Confirmation::Quit) => game.format_message(Message::ConfirmQuit, &[]),
        None if !state.choices.is_empty() => {
            let letters = state.choices.iter().filter_map(|target| target.promotion).map(String::from);
            game.format_message(Message::ChoosePromotion, &[&letters.collect::<Vec<_>>().join(" ")])
        }
        None => game.format_message(Message::YourMove, &[]) + state.typed_move.as_ref()?,
    };
    Some(text)
}

/// Styles the squares: pieces, cursor, selected piece, its targets and the last move.
fn paint_board(frame: &mut Frame<'_>, game: &TerminalGame, state: &ScreenState, view: &PositionView) {
    let appearance = game.session().appearance();
    let area = board_area(appearance);
    let can_move = game.may_move() && state.review.is_none();
    let targets = if can_move { game.session().targets(None) } else { Vec::new() };
    let best_squares = state.review.as_ref().map_or(Vec::new(), GameReview::best_move_squares);
    let is_target = |square: &str| {
        let to = |target: &&Target| target.to.as_deref() == Some(square);
        targets.iter().filter(to).any(|target| target.from == state.selected_square)
    };
    let refused = if can_move { game.session().refused_targets() } else { Vec::new() };
    let is_refused = |square: &str| {
        let to = |target: &&RefusedTarget| target.target.to.as_deref() == Some(square);
        refused.iter().filter(to).any(|refused| refused.target.from == state.selected_square)
    };
    for file in 0..appearance.files {
        for rank in 0..appearance.ranks {
            let square = square_name(appearance, (file, rank));
            let (x, y) = rotate_square(appearance, game.bottom_side, (file, rank));
            let column = area.x + BOARD_LEFT_COLUMNS + SQUARE_COLUMNS * x as u16;
            let row = area.y + rank_rows(appearance) * (appearance.ranks - 1 - y) as u16;
            let piece = view
                .pieces
                .iter()
                .find(|(at, _)| *at == square)
                .and_then(|(_, letter)| appearance.piece(*letter));
            let mut style = Style::new();
            if let Some(piece) = piece.filter(|_| state.has_colours) {
                style = style.fg(side_colour(appearance.sides[piece.side])).add_modifier(Modifier::BOLD);
            }
            if state.has_colours && view.last_move.contains(&square) {
                style = style.bg(Color::Indexed(58));
            }
            if best_squares.contains(&square) {
                style = style.add_modifier(Modifier::UNDERLINED);
                if state.has_colours {
                    style = style.bg(Color::Blue);
                }
            }
            if is_target(&square) {
                style = style.add_modifier(Modifier::UNDERLINED | Modifier::BOLD);
                if state.has_colours {
                    style = style.fg(Color::Green);
                }
            }
            if is_refused(&square) && state.has_colours {
                style = style.fg(Color::Red);
            }
            if state.selected_square.as_deref() == Some(&square) && state.has_colours {
                style = style.bg(Color::Green).fg(Color::Black);
            }
            if state.has_colours && view.checked_king.as_deref() == Some(&square) {
                style = style.bg(Color::Red).fg(Color::White);
            }
            if state.cursor == (file, rank) && state.review.is_none() {
                style = style.add_modifier(Modifier::REVERSED);
            }
            // A wide character occupies two cells and is drawn by the first.
            let wide =
                game.piece_style == PieceStyle::Hanzi && piece.is_some_and(|piece| piece.glyph >= '\u{2E80}');
            let buffer = frame.buffer_mut();
            for dx in 0..if wide { 2 } else { 1 } {
                if let Some(cell) = buffer.cell_mut(Position::new(column + dx, row)) {
                    cell.set_style(style);
                    // Targets are visible without colours.
                    if is_target(&square) && piece.is_none() {
                        cell.set_symbol("*");
                    }
                    if is_refused(&square) && piece.is_none() {
                        cell.set_symbol("x");
                    }
                }
            }
        }
    }
}

/// Returns a block with a border, in ASCII if the pieces are.
fn bordered_block(game: &TerminalGame) -> Block<'static> {
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
    let set = if game.is_ascii() { ASCII } else { border::PLAIN };
    Block::bordered().border_set(set)
}

/// Returns the colour of a side by its name, bright enough for a dark screen.
fn side_colour(side: &str) -> Color {
    match side {
        "Red" => Color::LightRed,
        "White" => Color::White,
        _ => Color::LightCyan,
    }
}

#[cfg(test)]
mod tests;
