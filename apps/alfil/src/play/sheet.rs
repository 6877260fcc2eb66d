//! What the whole-screen mode shows, drawn from the table alone.

mod panel;

use std::time::Instant;

use alfil_hall::draw::{self, Pieces};
use alfil_hall::{Desk, Layout as Placing, Look, Ruling, Target, View};
use alfil_kernel::Side;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Margin, Position, Rect, Size};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Padding, Paragraph, Wrap};

use super::clock::{SHORT, face};
use super::review::{self, Review};
use super::table::Table;
use super::words::Word;
pub(crate) use panel::losses;

/// What the person points at and is asked.
#[derive(Default)]
pub(crate) struct Pointer {
    /// File and rank of the cursor, counted from the first player's left corner.
    pub(crate) at: (usize, usize),
    /// The square of the man that was taken up.
    pub(crate) picked: Option<String>,
    /// Moves between the same squares, to be told apart by a letter.
    pub(crate) choices: Vec<Target>,
    /// A move that is being typed.
    pub(crate) typed: Option<String>,
    /// A question to be answered by `y`.
    pub(crate) question: Option<Question>,
    /// How many lines of the help were read, while it is open.
    pub(crate) help: Option<usize>,
    /// The game looked at again, position after position.
    pub(crate) review: Option<Review>,
    /// What the judge says.
    pub(crate) court: Option<Court>,
    /// Whether colours are wanted.
    pub(crate) colours: bool,
}

impl Pointer {
    /// Whether something is read beside the board.
    pub(crate) fn reads(&self) -> bool {
        self.review.is_some() || self.court.is_some()
    }

    /// Whether the next key answers something.
    pub(crate) fn asks(&self) -> bool {
        self.help.is_some() || self.question.is_some() || !self.choices.is_empty()
    }
}

/// A ruling that is read.
#[derive(Clone, Debug)]
pub(crate) struct Court {
    /// By which of the game's books.
    pub(crate) book: usize,
    pub(crate) ruling: Ruling,
    /// How many of its sentences were read.
    pub(crate) read: usize,
}

/// What is asked before it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    New,
    Resign,
    Quit,
}

/// Columns before the board, columns a square.
const LEFT: u16 = 4;
const SQUARE: u16 = 4;

/// How many lines a rank takes.
fn step(look: &Look) -> u16 {
    if look.layout == Placing::Points { 2 } else { 1 }
}

/// How wide and high a board is, names included.
fn size(look: &Look) -> (u16, u16) {
    let (files, ranks) = (look.files as u16, look.ranks as u16);
    (LEFT + SQUARE * (files - 1) + 2, step(look) * (ranks - 1) + 2)
}

/// Where the board stands on the screen: title above, one column of room.
pub(crate) fn board_area(look: &Look) -> Rect {
    let (width, height) = size(look);
    Rect::new(1, 2, width, height)
}

/// The square under a point of the screen.
pub(crate) fn square_at(look: &Look, below: Side, column: u16, row: u16) -> Option<(usize, usize)> {
    let area = board_area(look);
    let x = (column.checked_sub(area.x)? + 1).checked_sub(LEFT)?;
    let y = row.checked_sub(area.y)?;
    let (file, line) = ((x / SQUARE) as usize, (y / step(look)) as usize);
    // A glyph is two columns wide; what lies between two squares belongs to neither.
    let on = x % SQUARE < 3 && y % step(look) == 0 && file < look.files && line < look.ranks;
    let seen = on.then(|| (file, look.ranks - 1 - line))?;
    Some(turned(look, below, seen))
}

/// The position of a review under a point of the screen, where its graph is.
pub(crate) fn graph_at(look: &Look, review: &Review, screen: Size, at: Position) -> Option<usize> {
    let screen = Rect::new(0, 0, screen.width, screen.height);
    let graph = panel::graph_area(panel::area(board_area(look), screen)?);
    // The frame is no part of it.
    let inner = graph.inner(Margin::new(1, 1));
    let inside = inner.contains(at).then(|| (at.x - inner.x) as usize)?;
    review::position_at(review, inside, inner.width as usize)
}

/// Board and screen turn into each other by the same half turn.
fn turned(look: &Look, below: Side, (file, rank): (usize, usize)) -> (usize, usize) {
    if below == Side::Second { (look.files - 1 - file, look.ranks - 1 - rank) } else { (file, rank) }
}

/// The name of a square.
pub(crate) fn name(look: &Look, (file, rank): (usize, usize)) -> String {
    format!("{}{}", look.file_names[file], look.rank_names[rank])
}

/// Draws everything.
pub(crate) fn draw(frame: &mut Frame<'_>, table: &Table, pointer: &Pointer) {
    let desk = shown(table, pointer);
    let (look, view) = (desk.look(), desk.view());
    let board = board_area(look);
    let screen = frame.area();
    if screen.width < board.right() || screen.height < board.bottom() + 1 {
        let sizes = [board.right(), board.bottom() + 1].map(|size| size.to_string());
        let words = table.say(Word::TooSmall, &[&sizes[0], &sizes[1]]);
        frame.render_widget(Paragraph::new(words).wrap(Wrap { trim: true }), screen);
        return;
    }
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let row = |y| Rect::new(1, y, screen.width.saturating_sub(2), 1);
    frame.render_widget(Line::styled(title(table, &view), bold), row(0));
    frame.render_widget(clocks(table, pointer), row(1));
    let text = draw::text_from(look, &view, table.pieces, table.below);
    frame.render_widget(Paragraph::new(text), board);
    paint(frame, table, pointer, &view);
    let side = panel::area(board, screen);
    if let Some(side) = side {
        panel::draw(frame, table, &view, pointer, side);
    }
    let foot = row(screen.height - 1);
    let mut words = asked(table, pointer).unwrap_or_else(|| standing(table, pointer, &view, foot.width));
    if pointer.typed.is_some() {
        let column = foot.x + Line::raw(words.as_str()).width() as u16;
        frame.set_cursor_position(Position::new(column.min(foot.right()), foot.y));
    }
    if side.is_none() {
        words = without_panel(table, pointer, words);
    }
    frame.render_widget(Line::styled(words, bold), foot);
    if let Some(read) = pointer.help {
        help(frame, table, read);
    }
}

/// The desk whose position is seen.
fn shown<'a>(table: &'a Table, pointer: &'a Pointer) -> &'a dyn Desk {
    pointer.review.as_ref().map_or(table.desk.as_ref(), |review| review.shown.as_ref())
}

/// What a panel would say, where there is no room for one, in the line at the foot: its words, or more important ones.
fn without_panel(table: &Table, pointer: &Pointer, words: String) -> String {
    let plain = pointer.question.is_none() && pointer.choices.is_empty();
    match pointer {
        Pointer { typed: Some(_), .. } if plain => format!("{words}  {}", table.said),
        Pointer { review: Some(review), .. } if plain => {
            let mut lines = panel::found(table, review);
            lines.retain(|line| !line.is_empty());
            lines.join("  ")
        }
        Pointer { court: Some(court), .. } if plain => {
            format!("{}: {}", table.book_title(court.ruling.rules), court.ruling.heading)
        }
        _ if plain && !table.is_over() && !table.said.is_empty() => table.said.clone(),
        _ => words,
    }
}

/// How it stands, and which keys are of use if there is room to say so.
fn standing(table: &Table, pointer: &Pointer, view: &View, width: u16) -> String {
    if pointer.review.is_some() {
        return table.say(Word::ReviewKeys, &[]);
    }
    if pointer.court.is_some() {
        return table.say(Word::JudgeKeys, &[]);
    }
    let keys = match table.is_over() {
        true if table.flagged().is_some() => Word::NewKey,
        true => Word::OverKeys,
        false => Word::TypeMove,
    };
    let status = table.status(view);
    let words = table.say(Word::Foot, &[&status, &table.say(keys, &[])]);
    if Line::raw(words.as_str()).width() > width as usize { status } else { words }
}

/// The keys, in the middle of the screen, from the line on that was read where they are too many.
fn help(frame: &mut Frame<'_>, table: &Table, read: usize) {
    let screen = frame.area();
    let words = table.say(Word::Help, &[]);
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
    let block = framed(table).title(table.say(title, &[])).padding(Padding::horizontal(1));
    let words = Paragraph::new(words).scroll(((read as u16).min(below), 0));
    frame.render_widget(words.block(block), area);
}

/// The game, who plays whom, and in games won by counting how it stands.
fn title(table: &Table, view: &View) -> String {
    let [first, second] = Side::BOTH.map(|side| table.name(side));
    let tally = view.tally.map_or(String::new(), |[one, two]| format!("   {first} {one}, {second} {two}"));
    let names =
        [table.title(), table.name(table.person), table.name(!table.person), &table.level.to_string()];
    table.say(Word::Title, &names) + &tally
}

/// Both sides' time: whose runs, is bold; who has little, is warned.
fn clocks(table: &Table, pointer: &Pointer) -> Line<'static> {
    let Some(clock) = table.clock() else { return Line::default() };
    let now = Instant::now();
    let span = |side| {
        let left = clock.left(side, now);
        let mut style = Style::new();
        if clock.running() == Some(side) {
            style = style.add_modifier(Modifier::BOLD);
        }
        if left < SHORT && pointer.colours {
            style = style.fg(Color::LightRed);
        }
        // Without bold type it must be seen, too.
        let mark = if clock.running() == Some(side) { ">" } else { " " };
        Span::styled(format!("{mark}{} {}   ", table.name(side), face(left)), style)
    };
    Line::from_iter(Side::BOTH.map(span))
}

/// What the person is asked, or types.
fn asked(table: &Table, pointer: &Pointer) -> Option<String> {
    let words = match pointer.question {
        Some(Question::New) => table.say(Word::AskNew, &[]),
        Some(Question::Resign) => table.say(Word::AskResign, &[]),
        Some(Question::Quit) => table.say(Word::AskQuit, &[]),
        None if !pointer.choices.is_empty() => {
            let letters = pointer.choices.iter().filter_map(|target| target.choice).map(String::from);
            table.say(Word::Which, &[&letters.collect::<Vec<_>>().join(" ")])
        }
        None => table.say(Word::YourMove, &[]) + pointer.typed.as_ref()?,
    };
    Some(words)
}

/// Colours of men, the cursor, the man taken up, where it may go, and the last move.
fn paint(frame: &mut Frame<'_>, table: &Table, pointer: &Pointer, view: &View) {
    let look = table.desk.look();
    let area = board_area(look);
    let plays = table.may_move() && pointer.review.is_none();
    let targets = if plays { table.desk.targets(None) } else { Vec::new() };
    let marked = pointer.review.as_ref().map_or(Vec::new(), Review::marked);
    let open = |square: &str| {
        let to = |target: &&Target| target.to.as_deref() == Some(square);
        targets.iter().filter(to).any(|target| target.from == pointer.picked)
    };
    for file in 0..look.files {
        for rank in 0..look.ranks {
            let square = name(look, (file, rank));
            let (x, y) = turned(look, table.below, (file, rank));
            let column = area.x + LEFT + SQUARE * x as u16;
            let row = area.y + step(look) * (look.ranks - 1 - y) as u16;
            let man = view.men.iter().find(|(at, _)| *at == square).and_then(|(_, letter)| look.man(*letter));
            let mut style = Style::new();
            if let Some(man) = man.filter(|_| pointer.colours) {
                style = style.fg(colour(look.sides[man.side])).add_modifier(Modifier::BOLD);
            }
            if pointer.colours && view.last.contains(&square) {
                style = style.bg(Color::Indexed(58));
            }
            if marked.contains(&square) {
                style = style.add_modifier(Modifier::UNDERLINED);
                if pointer.colours {
                    style = style.bg(Color::Blue);
                }
            }
            if open(&square) {
                style = style.add_modifier(Modifier::UNDERLINED | Modifier::BOLD);
                if pointer.colours {
                    style = style.fg(Color::Green);
                }
            }
            if pointer.picked.as_deref() == Some(&square) && pointer.colours {
                style = style.bg(Color::Green).fg(Color::Black);
            }
            if pointer.colours && view.check.as_deref() == Some(&square) {
                style = style.bg(Color::Red).fg(Color::White);
            }
            if pointer.at == (file, rank) && pointer.review.is_none() {
                style = style.add_modifier(Modifier::REVERSED);
            }
            // A character of two columns is drawn by its first.
            let wide = table.pieces == Pieces::Hanzi && man.is_some_and(|man| man.glyph >= '\u{2E80}');
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
fn framed(table: &Table) -> Block<'static> {
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
    let set = if table.pieces == Pieces::Ascii { ASCII } else { border::PLAIN };
    Block::bordered().border_set(set)
}

/// The colour of a side by its name: red is red, whoever is dark on paper is bright on a dark screen.
fn colour(side: &str) -> Color {
    match side {
        "Red" => Color::LightRed,
        "White" => Color::White,
        _ => Color::LightCyan,
    }
}

#[cfg(test)]
mod tests;
