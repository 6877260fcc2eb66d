//! Draws the full-screen mode from the game and the screen state.

mod panel;

use alfil_kernel::Side;
use alfil_session::render::{PieceStyle, TextBoard, TextLayout};
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

/// The columns that the panel needs beside a board whose squares are larger than the smallest.
const PANEL_COLUMNS: u16 = 40;
/// The largest squares.
const MAX_SCALE: usize = 8;

/// The colours of the two kinds of squares of a checkered board, and of one with cells.
const CHECKERED_COLOURS: [Color; 2] = [Color::Indexed(236), Color::Indexed(242)];
const CELL_COLOURS: [Color; 2] = [Color::Indexed(22), Color::Indexed(23)];

/// The board on a screen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardView {
    appearance: &'static Appearance,
    layout: TextLayout,
    /// Below the title, with a margin of one column.
    pub(crate) area: Rect,
}

impl BoardView {
    /// Returns the board with the largest squares that leave space for a panel.
    pub(crate) fn new(game: &TerminalGame, screen: Size) -> BoardView {
        let appearance = game.session().appearance();
        let view = |scale, dialect| {
            let layout = TextLayout::new(appearance, scale, dialect);
            // The cells of the last file are wider than its pieces.
            let has_cells = appearance.layout != Placing::Intersections && layout.rows > 1;
            let width = layout.width + if has_cells { layout.columns / 2 - 1 } else { 0 };
            BoardView { appearance, layout, area: Rect::new(1, 2, width as u16, layout.height as u16) }
        };
        let fits = |board: &BoardView| {
            let is_smallest = board.layout == view(1, Some(game.dialect())).layout;
            let right = board.area.right() + if is_smallest { 0 } else { PANEL_COLUMNS + 2 };
            right <= screen.width && board.area.bottom() < screen.height
        };
        let largest = (1..=MAX_SCALE).rev().map(|scale| view(scale, Some(game.dialect()))).find(fits);
        // Without the names of files at both edges the board is lower.
        largest.unwrap_or_else(|| view(1, None))
    }

    /// Returns the position of the piece on a square that is shown at a file and a rank of the screen.
    fn position(&self, (file, rank): (usize, usize)) -> Position {
        let column = self.layout.left + self.layout.columns * file;
        let row = self.layout.top + self.layout.rows * (self.appearance.ranks - 1 - rank);
        Position::new(self.area.x + column as u16, self.area.y + row as u16)
    }

    /// Returns the area of a cell around its piece; `None` if the squares have no cells, or only one row.
    fn cell(&self, piece: Position) -> Option<Rect> {
        let TextLayout { columns, rows, .. } = self.layout;
        let has_cells = self.appearance.layout != Placing::Intersections && rows > 1;
        let [left, above] = [columns, rows].map(|length| (length as u16 - 1) / 2);
        has_cells.then(|| Rect::new(piece.x - left, piece.y - above, columns as u16, rows as u16))
    }

    /// Returns the file and the rank at a position of the screen.
    pub(crate) fn square_at(&self, bottom: Side, at: Position) -> Option<(usize, usize)> {
        let TextLayout { columns, rows, left, top, .. } = self.layout;
        let (x, y) =
            (usize::from(at.x.checked_sub(self.area.x)?), usize::from(at.y.checked_sub(self.area.y)?));
        let (before, above) = (columns / 2 - 1, (rows - 1) / 2);
        let (x, y) = ((x + before).checked_sub(left)?, (y + above).checked_sub(top)?);
        let (file, line) = (x / columns, y / rows);
        // The last column of a square belongs to none, and neither does the row between two intersections.
        let rows_of_square =
            if self.appearance.layout == Placing::Intersections { 2 * above + 1 } else { rows };
        let is_on_square = x % columns < columns - 1
            && y % rows < rows_of_square
            && file < self.appearance.files
            && line < self.appearance.ranks;
        let shown = is_on_square.then(|| (file, self.appearance.ranks - 1 - line))?;
        Some(rotate_square(self.appearance, bottom, shown))
    }
}

/// Returns the ply at a position of the screen in the graph of a review.
pub(crate) fn graph_at(board: &BoardView, review: &GameReview, screen: Size, at: Position) -> Option<usize> {
    let screen = Rect::new(0, 0, screen.width, screen.height);
    let graph = panel::graph_area(panel::panel_area(board.area, screen)?);
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
    let screen = frame.area();
    let board_view = BoardView::new(game, screen.as_size());
    let board = board_view.area;
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
    let text = TextBoard { style: game.piece_style, bottom: game.bottom_side, layout: board_view.layout };
    frame.render_widget(Paragraph::new(text.draw(appearance, &view)), board);
    paint_board(frame, game, state, &view, &board_view);
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
    let short = game.is_over().then_some(Message::GameOverShort);
    let texts = [Some(keys), short]
        .into_iter()
        .flatten()
        .map(|keys| game.format_message(Message::StatusLine, &[&status, &game.format_message(keys, &[])]));
    let fits = |text: &String| Line::raw(text.as_str()).width() <= width as usize;
    texts.into_iter().find(fits).unwrap_or(status)
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
fn paint_board(
    frame: &mut Frame<'_>,
    game: &TerminalGame,
    state: &ScreenState,
    view: &PositionView,
    board: &BoardView,
) {
    let appearance = game.session().appearance();
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
            let at = board.position(rotate_square(appearance, game.bottom_side, (file, rank)));
            let cell = board.cell(at).filter(|_| state.has_colours);
            let piece = view
                .pieces
                .iter()
                .find(|(at, _)| *at == square)
                .and_then(|(_, letter)| appearance.piece(*letter));
            let mut style = Style::new();
            if cell.is_some() {
                let is_checkered = appearance.layout == Placing::Checkered;
                let colours = if is_checkered { CHECKERED_COLOURS } else { CELL_COLOURS };
                style = style.bg(colours[(file + rank) % 2]);
            }
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
            if let Some(area) = cell {
                buffer.set_style(area, style);
            }
            for dx in 0..if wide { 2 } else { 1 } {
                if let Some(symbol) = buffer.cell_mut(Position::new(at.x + dx, at.y)) {
                    symbol.set_style(style);
                    // Targets are visible without colours. A cell with a colour needs no mark.
                    match (is_target(&square), piece, cell) {
                        (true, None, _) => drop(symbol.set_symbol("*")),
                        (false, None, Some(_)) => drop(symbol.set_symbol(" ")),
                        _ => {}
                    }
                    if is_refused(&square) && piece.is_none() {
                        symbol.set_symbol("x");
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
