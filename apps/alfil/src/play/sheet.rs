//! What the whole-screen mode shows, drawn from the table alone.

use alfil_hall::draw::{self, Pieces};
use alfil_hall::{Layout as Placing, Look, Target, View};
use alfil_kernel::Side;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

use super::table::{Finding, Table};

/// What the person points at and is asked.
#[derive(Clone, Debug, Default)]
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
    /// Whether the help is open.
    pub(crate) help: bool,
    /// Whether colours are wanted.
    pub(crate) colours: bool,
}

impl Pointer {
    /// Whether the next key answers something.
    pub(crate) fn asks(&self) -> bool {
        self.help || self.question.is_some() || !self.choices.is_empty()
    }
}

/// What is asked before it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    New,
    Resign,
    Quit,
}

const HELP: &str = "\
a to i  type a move, as you write it (others: m first)
Tab     complete it; Enter plays it
arrows  move the cursor
Enter   take up, set down
Esc     let go
mouse   the same by clicks
u       take back
t       a tip: a good move
x       engine on or off
+  -    the computer's level
v       view from the other side
p       pieces
w       how moves are written
n       new game
r       resign
q       leave";

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
    let look = table.desk.look();
    let view = table.desk.view();
    let board = board_area(look);
    let screen = frame.area();
    if screen.width < board.right() || screen.height < board.bottom() + 1 {
        let words =
            format!("The window is too small: {} by {} is needed.", board.right(), board.bottom() + 1);
        frame.render_widget(Paragraph::new(words).wrap(Wrap { trim: true }), screen);
        return;
    }
    let bold = Style::new().add_modifier(Modifier::BOLD);
    frame.render_widget(Line::styled(title(table, &view), bold), Rect::new(1, 0, screen.width - 2, 1));
    let text = draw::text_from(look, &view, table.pieces, table.below);
    frame.render_widget(Paragraph::new(text), board);
    paint(frame, table, pointer);
    let foot = Rect::new(1, screen.height - 1, screen.width.saturating_sub(2), 1);
    let width = screen.width.saturating_sub(board.right() + 2);
    let side = Rect::new(board.right() + 1, 2, width, foot.y - 2);
    if side.width >= 16 {
        panel(frame, table, &view, pointer, side);
    }
    let words = asked(pointer).unwrap_or_else(|| {
        let keys = if table.is_over() { "u take back, n new game" } else { "type a move" };
        format!("{}  ({keys}, ? help)", table.status(&view))
    });
    if pointer.typed.is_some() {
        let column = foot.x + Line::raw(words.as_str()).width() as u16;
        frame.set_cursor_position(Position::new(column.min(foot.right()), foot.y));
    }
    frame.render_widget(Line::styled(words, bold), foot);
    if pointer.help {
        let lines = HELP.lines().count() as u16;
        let [_, middle, _] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(lines + 2), Constraint::Fill(1)])
                .areas(screen);
        let [_, area, _] =
            Layout::horizontal([Constraint::Fill(1), Constraint::Length(40), Constraint::Fill(1)])
                .areas(middle);
        frame.render_widget(Clear, area);
        frame.render_widget(Paragraph::new(HELP).block(framed(table).title("Keys")), area);
    }
}

/// The game, who plays whom, and in games won by counting how it stands.
fn title(table: &Table, view: &View) -> String {
    let look = table.desk.look();
    let (person, computer) = (table.name(table.person), table.name(!table.person));
    let tally = view.tally.map_or(String::new(), |[first, second]| {
        format!("   {} {first}, {} {second}", look.sides[0], look.sides[1])
    });
    format!("Alfil  {}  you: {person}, computer: {computer}, level {}{tally}", look.title, table.level)
}

/// What the person is asked, or types.
fn asked(pointer: &Pointer) -> Option<String> {
    let words = match pointer.question {
        Some(Question::New) => "Start a new game? y or n".to_owned(),
        Some(Question::Resign) => "Really resign? y or n".to_owned(),
        Some(Question::Quit) => "Leave the game? y or n".to_owned(),
        None if !pointer.choices.is_empty() => {
            let letters = pointer.choices.iter().filter_map(|target| target.choice).map(String::from);
            format!("Which? {}", letters.collect::<Vec<_>>().join(" "))
        }
        None => format!("Your move: {}", pointer.typed.as_ref()?),
    };
    Some(words)
}

/// Colours of men, the cursor, the man taken up, where it may go, and the last move.
fn paint(frame: &mut Frame<'_>, table: &Table, pointer: &Pointer) {
    let look = table.desk.look();
    let view = table.desk.view();
    let area = board_area(look);
    let targets = if table.may_move() { table.desk.targets(None) } else { Vec::new() };
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
            if pointer.at == (file, rank) {
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

/// The moves, what was said, and the engine's lines.
fn panel(frame: &mut Frame<'_>, table: &Table, view: &View, pointer: &Pointer, area: Rect) {
    let engine = if table.analyses() { table.findings.len().max(1) as u16 + 2 } else { 0 };
    let words = Paragraph::new(remarks(table, view, pointer)).wrap(Wrap { trim: true });
    // Two lines always, so that the frames do not jump at every word.
    let height = (words.line_count(area.width) as u16).clamp(2, area.height - 6);
    let [moves, said, lines] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(height), Constraint::Length(engine)])
            .areas(area);
    let rows = rows(table, view);
    let room = moves.height.saturating_sub(2) as usize;
    let last = rows[rows.len().saturating_sub(room)..].join("\n");
    let title = format!("Moves ({})", table.dialect());
    frame.render_widget(Paragraph::new(last).block(framed(table).title(title)), moves);
    frame.render_widget(words, said);
    if engine > 0 {
        let depth = table.findings.first().map_or(0, |finding| finding.depth);
        let text: Vec<_> = table.findings.iter().map(Finding::words).collect();
        let block = framed(table).title(format!("Engine, depth {depth}"));
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
fn rows(table: &Table, view: &View) -> Vec<String> {
    let mut record = table.record();
    // Whoever was to move first: the side to move now, so many plies ago.
    let second = (view.side == Side::Second) != (record.len() % 2 == 1);
    let plies = record.len() + usize::from(second);
    let first = (view.number as usize).saturating_sub(plies / 2);
    if second && !record.is_empty() {
        record.insert(0, "...".into());
    }
    record.chunks(2).zip(first..).map(|(pair, number)| format!("{number:>3}. {}", pair.join("  "))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_hall::registry;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use std::time::Duration;

    fn table(game: &str, pieces: Pieces, moves: &[&str]) -> Table {
        let mut desk = registry::open(game, None).unwrap();
        for text in moves {
            desk.play(text, None).unwrap();
        }
        Table::new(desk, Side::First, 3, Duration::from_secs(1), pieces, None)
    }

    fn drawn(table: &Table, pointer: &Pointer, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(frame, table, pointer)).unwrap();
        let buffer = terminal.backend().buffer();
        let row = |y| {
            let mut columns = 0..width;
            let mut text = String::new();
            while let Some(x) = columns.next() {
                let symbol = buffer[(x, y)].symbol();
                text += symbol;
                if symbol.chars().next().is_some_and(|glyph| glyph >= '\u{2E80}') {
                    columns.next();
                }
            }
            text.trim_end().to_owned()
        };
        (0..height).map(row).collect::<Vec<_>>().join("\n").trim_end().to_owned()
    }

    #[test]
    fn the_board_in_ascii_at_80_by_24() {
        let table = table("xiangqi", Pieces::Ascii, &["h2e2", "h9g7"]);
        let pointer = Pointer { at: (4, 2), ..Pointer::default() };
        let text = drawn(&table, &pointer, 80, 24);
        assert!(text.is_ascii(), "{text}");
        for part in [
            "Alfil  Xiangqi  you: Red, computer: Black, level 3",
            "  9  r---n---b---a---k---a---b---+---r",
            "  0  R---N---B---A---K---A---B---N---R",
            "     a   b   c   d   e   f   g   h   i",
            "1. h2e2  h9g7",
            "Red to move  (type a move, ? help)",
        ] {
            assert!(text.contains(part), "{part:?} is missing:\n{text}");
        }
    }

    #[test]
    fn every_style_fits_both_sizes_in_every_game() {
        for game in registry::games() {
            for pieces in [Pieces::Hanzi, Pieces::Letters, Pieces::Ascii] {
                for (width, height) in [(80, 24), (120, 40)] {
                    let table = table(game, pieces, &[]);
                    let text = drawn(&table, &Pointer::default(), width, height);
                    assert!(text.contains("to move") && text.contains("Moves"), "{game} {pieces:?}:\n{text}");
                }
            }
        }
        let hanzi = drawn(&table("xiangqi", Pieces::Hanzi, &[]), &Pointer::default(), 80, 24);
        assert!(hanzi.contains(" 9  車──馬──象──士──將──士──象──馬──車"), "{hanzi}");
        let letters = drawn(&table("xiangqi", Pieces::Letters, &[]), &Pointer::default(), 80, 24);
        assert!(letters.contains(" 9  r───n───b───a───k───a───b───n───r"), "{letters}");
    }

    #[test]
    fn the_second_player_sits_below_when_the_board_is_turned() {
        let mut table = table("xiangqi", Pieces::Ascii, &["h2e2"]);
        table.below = Side::Second;
        let text = drawn(&table, &Pointer::default(), 80, 24);
        assert!(text.contains("  0  R---N---B---A---K---A---B---N---R"), "{text}");
        assert!(text.contains("     i   h   g   f   e   d   c   b   a"), "{text}");
        let first = text.find("  0  R").unwrap();
        assert!(first < text.find("  9  r").unwrap());
    }

    #[test]
    fn targets_are_seen_without_colours_and_squares_are_found_again() {
        let table = table("othello", Pieces::Ascii, &[]);
        let text = drawn(&table, &Pointer::default(), 80, 24);
        assert_eq!(text.matches('*').count(), 4, "{text}");
        let look = table.desk.look();
        let area = board_area(look);
        for side in Side::BOTH {
            for file in 0..look.files {
                for rank in 0..look.ranks {
                    let (x, y) = turned(look, side, (file, rank));
                    let (column, row) = (area.x + LEFT + 4 * x as u16, area.y + (look.ranks - 1 - y) as u16);
                    assert_eq!(square_at(look, side, column, row), Some((file, rank)));
                }
            }
        }
        assert_eq!(square_at(look, Side::First, 0, 0), None);
        assert_eq!(square_at(look, Side::First, 79, 23), None);
    }

    #[test]
    fn help_and_questions_are_shown_and_a_small_window_says_so() {
        let table = table("xiangqi", Pieces::Ascii, &[]);
        let help = drawn(&table, &Pointer { help: true, ..Pointer::default() }, 80, 24);
        assert!(help.contains("take back"), "{help}");
        let asked = Pointer { question: Some(Question::Resign), ..Pointer::default() };
        assert!(drawn(&table, &asked, 80, 24).contains("Really resign?"));
        assert!(drawn(&table, &Pointer::default(), 30, 10).contains("too small"));
    }

    #[test]
    fn no_size_is_too_small_to_be_drawn() {
        let mut table = table("xiangqi", Pieces::Hanzi, &["h2e2", "h9g7"]);
        table.said = "What was said is longer than the room there is for it. ".repeat(20);
        let typed = Pointer { typed: Some("车一进一".repeat(40)), help: true, ..Pointer::default() };
        for (width, height) in (0..=60).flat_map(|width| (0..=30).map(move |height| (width, height))) {
            drawn(&table, &typed, width, height);
        }
    }

    #[test]
    fn moves_are_numbered_as_the_position_says() {
        let mut table = table("chess", Pieces::Ascii, &[]);
        table.desk.open("4k3/8/8/8/8/8/4P3/4K3 b - - 0 30", &alfil_kernel::Waivers::None).unwrap();
        assert!(rows(&table, &table.desk.view()).is_empty());
        for text in ["e8e7", "e2e4", "e7e6"] {
            table.desk.play(text, None).unwrap();
        }
        assert_eq!(rows(&table, &table.desk.view()), [" 30. ...  e8e7", " 31. e2e4  e7e6"]);
    }
}
