//! The whole-screen mode: keys and mouse.

use std::io;
use std::time::{Duration, Instant};

use alfil_hall::Target;
use alfil_hall::draw::Pieces;
use alfil_kernel::Side;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture, Event,
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen};
use ratatui::layout::{Position, Size};

use super::clock::face;
use super::sheet::{Court, Pointer, Question, draw, graph_at, name, square_at};
use super::signals::Signals;
use super::table::{Purpose, Table};
use super::words::Word;
use crate::Done;
use crate::judge::sentences;

/// How often the thinking thread is asked for news while no key is pressed.
const GLANCE: Duration = Duration::from_millis(50);
/// How many characters a typed move may have.
const ROOM: usize = 16;

/// Plays until the person leaves.
pub(crate) fn play(table: Table) -> Done {
    let signals = Signals::new()?;
    // The terminal is put right again however we leave: ratatui's own hook does the rest after a panic.
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // Where that fails there is no terminal left.
        let _ = release();
        usual(panic);
    }));
    let mut terminal = ratatui::try_init()?;
    let done = seize().and_then(|()| run(&mut terminal, table, &signals));
    let released = release();
    ratatui::try_restore()?;
    Ok(done.and(released)?)
}

/// Asks the terminal for clicks, and for pasted text in one piece.
fn seize() -> io::Result<()> {
    execute!(io::stdout(), EnableMouseCapture, EnableBracketedPaste)
}

/// Gives back what was asked for, and the cursor.
fn release() -> io::Result<()> {
    execute!(io::stdout(), DisableBracketedPaste, DisableMouseCapture, Show)
}

/// Leaves the terminal to the shell until it brings us back.
fn suspend(terminal: &mut ratatui::DefaultTerminal, signals: &Signals) -> io::Result<()> {
    release()?;
    ratatui::try_restore()?;
    signals.stop()?;
    terminal::enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, Clear(ClearType::All))?;
    seize()?;
    // What was drawn is forgotten, so that all is drawn again. `terminal.clear` would ask where the cursor is and fail where
    // nobody answers.
    terminal.swap_buffers();
    Ok(())
}

/// What a person asks for beside the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    Stay,
    Leave,
    Suspend,
}

fn run(terminal: &mut ratatui::DefaultTerminal, table: Table, signals: &Signals) -> io::Result<()> {
    let mut screen = Screen::new(table);
    // The first question makes it listen to changes of size: none may go by while the first screen is drawn.
    event::poll(Duration::ZERO)?;
    loop {
        let size = terminal.draw(|frame| draw(frame, &screen.table, &screen.pointer))?.area.as_size();
        // Draw again only when something changed.
        loop {
            if signals.leave() {
                return Ok(());
            }
            if screen.settle() {
                break;
            }
            let wish = if signals.suspend() {
                Wish::Suspend
            } else if event::poll(GLANCE)? {
                screen.take(&event::read()?, size)
            } else {
                continue;
            };
            match wish {
                Wish::Stay => {}
                Wish::Leave => return Ok(()),
                Wish::Suspend => {
                    screen.table.pause();
                    suspend(terminal, signals)?;
                    screen.table.resume();
                }
            }
            break;
        }
    }
}

/// A table and what the person does at it.
pub(crate) struct Screen {
    pub(crate) table: Table,
    pub(crate) pointer: Pointer,
    /// Whether lines are wanted when it is the person's turn.
    engine: bool,
    /// The clock as it was drawn last.
    faces: Option<[String; 2]>,
}

impl Screen {
    pub(crate) fn new(table: Table) -> Screen {
        let look = table.desk.look();
        let rank = if table.person == Side::First { 0 } else { look.ranks - 1 };
        // https://no-color.org: any value that is not empty.
        let colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let pointer = Pointer { at: (look.files / 2, rank), colours, ..Pointer::default() };
        Screen { table, pointer, engine: false, faces: None }
    }

    /// The computer's turn, a forced pass, news from whoever thinks: says whether anything changed.
    fn settle(&mut self) -> bool {
        let heard = self.table.hear() | self.time_passed() | self.study();
        if self.table.owes_reply() {
            self.table.think(Purpose::Reply);
            return true;
        }
        if let Some(pass) = self.table.forced() {
            self.choose(&pass);
            self.table.said = self.table.say(Word::Passes, &[]);
            return true;
        }
        let wanted = self.engine && self.pointer.review.is_none();
        // A hint that was asked for comes first.
        if wanted && self.table.may_move() && !self.table.thinks() {
            self.table.think(Purpose::Analysis);
            return true;
        }
        heard
    }

    /// Whether a clock shows another time than it did.
    fn time_passed(&mut self) -> bool {
        let now = Instant::now();
        let faces = self.table.clock().map(|clock| Side::BOTH.map(|side| face(clock.left(side, now))));
        let changed = faces != self.faces;
        self.faces = faces;
        changed
    }

    /// Goes on with the review; says whether anything changed.
    fn study(&mut self) -> bool {
        let Some(review) = &mut self.pointer.review else { return false };
        review.go_on().unwrap_or_else(|error| {
            self.table.said = self.table.told(&error);
            self.pointer.review = None;
            true
        })
    }

    /// Does what a key or a click says.
    pub(crate) fn take(&mut self, event: &Event, size: Size) -> Wish {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => return self.key(*key),
            Event::Paste(text) if !self.pointer.asks() && !self.pointer.reads() => {
                let typed = self.pointer.typed.get_or_insert_default();
                let room = ROOM.saturating_sub(typed.chars().count());
                typed.extend(text.chars().filter(|letter| !letter.is_control()).take(room));
            }
            Event::Mouse(mouse)
                if mouse.kind == MouseEventKind::Down(MouseButton::Left) && !self.pointer.asks() =>
            {
                self.click(Position::new(mouse.column, mouse.row), size);
            }
            _ => {}
        }
        Wish::Stay
    }

    /// On the board as the cursor does it; on the graph of a review it goes there.
    fn click(&mut self, at: Position, size: Size) {
        let look = self.table.desk.look();
        if let Some(review) = &mut self.pointer.review {
            if let Some(ply) = graph_at(look, review, size, at) {
                review.go(ply);
            }
        } else if self.pointer.court.is_some() {
            // It is read, not played.
        } else if let Some(square) = square_at(look, self.table.below, at.x, at.y) {
            self.pointer.at = square;
            self.touch();
        }
    }

    fn key(&mut self, key: KeyEvent) -> Wish {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c') => Wish::Leave,
                KeyCode::Char('z') => Wish::Suspend,
                _ => Wish::Stay,
            };
        }
        if let Some(read) = self.pointer.help {
            let last = self.table.say(Word::Help, &[]).lines().count() - 1;
            self.pointer.help = match key.code {
                KeyCode::Down | KeyCode::PageDown => Some((read + 1).min(last)),
                KeyCode::Up | KeyCode::PageUp => Some(read.saturating_sub(1)),
                _ => None,
            };
            return Wish::Stay;
        }
        if let Some(question) = self.pointer.question.take() {
            let yes = matches!(key.code, KeyCode::Char('y' | 'Y'));
            return if yes { self.confirmed(question) } else { Wish::Stay };
        }
        if !self.pointer.choices.is_empty() {
            self.choice(key.code);
        } else if self.pointer.typed.is_some() {
            self.letter(key.code);
        } else if self.pointer.review.is_some() {
            self.leaf(key.code);
        } else if self.pointer.court.is_some() {
            self.plead(key.code);
        } else {
            self.command(key.code);
        }
        Wish::Stay
    }

    /// Which of several moves between the same squares is meant.
    fn choice(&mut self, code: KeyCode) {
        let choices = std::mem::take(&mut self.pointer.choices);
        let letter = |target: &&Target| match (target.choice, code) {
            (Some(letter), KeyCode::Char(typed)) => letter.eq_ignore_ascii_case(&typed),
            _ => false,
        };
        if let Some(target) = choices.iter().find(letter) {
            self.choose(target);
        }
    }

    /// A key while a move is typed.
    fn letter(&mut self, code: KeyCode) {
        let Some(typed) = &mut self.pointer.typed else { return };
        match code {
            KeyCode::Esc => self.pointer.typed = None,
            KeyCode::Backspace if typed.is_empty() => self.pointer.typed = None,
            KeyCode::Backspace => drop(typed.pop()),
            KeyCode::Char(letter) if typed.chars().count() < ROOM => typed.push(letter),
            KeyCode::Tab => {
                if let Some(longer) = completed(typed, &self.table.moves()) {
                    *typed = longer;
                }
            }
            KeyCode::Enter => {
                let text = typed.trim().to_owned();
                // What was refused stays, to be mended.
                match self.table.play(&text) {
                    _ if text.is_empty() => self.pointer.typed = None,
                    Ok(()) => (self.pointer.typed, self.pointer.picked) = (None, None),
                    Err(error) => self.table.said = self.table.told(&error),
                }
            }
            _ => {}
        }
    }

    fn command(&mut self, code: KeyCode) {
        match code {
            KeyCode::Left => self.step(-1, 0),
            KeyCode::Right => self.step(1, 0),
            KeyCode::Up => self.step(0, 1),
            KeyCode::Down => self.step(0, -1),
            KeyCode::Enter | KeyCode::Char(' ') => self.touch(),
            KeyCode::Esc => self.pointer.picked = None,
            KeyCode::Char('m' | ':' | '/') => self.pointer.typed = Some(String::new()),
            // No command is a letter of a file, a capital, a figure or a character: they begin a move.
            KeyCode::Char(letter)
                if matches!(letter, 'a'..='i' | 'A'..='Z' | '0'..='9') || !letter.is_ascii() =>
            {
                self.pointer.typed = Some(letter.into());
            }
            KeyCode::Char('u') => {
                self.pointer.picked = None;
                self.table.take_back();
            }
            KeyCode::Char('t') if self.table.may_move() => {
                self.table.think(Purpose::Hint);
                self.table.said = self.table.say(Word::Looking, &[]);
            }
            KeyCode::Char('x') => {
                self.engine = !self.engine;
                if self.table.analyses() {
                    self.table.stop();
                }
            }
            KeyCode::Char('s') => self.open_review(),
            KeyCode::Char('j') => self.open_court(),
            KeyCode::Char('+' | '=') => self.table.set_level(self.table.level.saturating_add(1)),
            KeyCode::Char('-') => self.table.set_level(self.table.level.saturating_sub(1)),
            KeyCode::Char('>' | '.') => self.table.step_time(true),
            KeyCode::Char('<' | ',') => self.table.step_time(false),
            KeyCode::Char('n') => self.pointer.question = Some(Question::New),
            KeyCode::Char('r') if !self.table.is_over() => self.pointer.question = Some(Question::Resign),
            code => self.manner(code),
        }
    }

    /// How the table is seen and left: the same wherever one looks.
    fn manner(&mut self, code: KeyCode) {
        match code {
            KeyCode::Char('?') => self.pointer.help = Some(0),
            KeyCode::Char('v') => self.table.below = !self.table.below,
            KeyCode::Char('w') => self.table.speak_next(),
            KeyCode::Char('l') => {
                self.table.speak_in(self.table.language.other());
                if let Some(book) = self.pointer.court.as_ref().map(|court| court.book) {
                    self.hear_book(book);
                }
            }
            KeyCode::Char('p') => {
                self.table.pieces = match self.table.pieces {
                    Pieces::Hanzi => Pieces::Letters,
                    Pieces::Letters => Pieces::Ascii,
                    Pieces::Ascii => Pieces::Hanzi,
                };
            }
            KeyCode::Char('q') => self.pointer.question = Some(Question::Quit),
            _ => {}
        }
    }

    /// Looks at the whole game again.
    fn open_review(&mut self) {
        if self.table.replies() {
            self.table.said = self.table.say(Word::TheirTurn, &[]);
            return;
        }
        // Nobody looks for lines meanwhile.
        self.table.stop();
        self.table.said.clear();
        self.pointer.picked = None;
        match self.table.review() {
            Ok(Some(review)) => self.pointer.review = Some(review),
            Ok(None) => self.table.said = self.table.say(Word::NoReview, &[]),
            Err(error) => self.table.said = self.table.told(&error),
        }
    }

    /// A key in a review.
    fn leaf(&mut self, code: KeyCode) {
        let Some(review) = &mut self.pointer.review else { return };
        let (at, last) = (review.at(), review.plies());
        // One looks at a loss from the position before it.
        let mut losses: Vec<_> = review.losses().iter().map(|loss| loss.ply).collect();
        losses.sort_unstable();
        match code {
            KeyCode::Esc | KeyCode::Char('s') => self.pointer.review = None,
            KeyCode::Left | KeyCode::Up => review.go(at.saturating_sub(1)),
            KeyCode::Right | KeyCode::Down | KeyCode::Char(' ') => review.go(at + 1),
            KeyCode::PageUp => review.go(at.saturating_sub(10)),
            KeyCode::PageDown => review.go(at + 10),
            KeyCode::Home => review.go(0),
            KeyCode::End => review.go(last),
            KeyCode::Char('n') | KeyCode::Tab => {
                // After the last comes the first again.
                let next = losses.iter().find(|&&ply| ply > at).or(losses.first());
                review.go(next.copied().unwrap_or(at));
            }
            code => self.manner(code),
        }
    }

    /// Asks the judge, first by the book of this game.
    fn open_court(&mut self) {
        let books = self.table.desk.books();
        if self.table.replies() {
            self.table.said = self.table.say(Word::TheirTurn, &[]);
        } else if books.is_empty() {
            self.table.said = self.table.say(Word::NoBooks, &[self.table.title()]);
        } else if !self.table.is_case() {
            self.table.said = self.table.say(Word::NoCase, &[]);
        } else {
            let own = books.iter().position(|&book| Some(book) == self.table.book());
            self.hear_book(own.unwrap_or_default());
        }
    }

    fn hear_book(&mut self, book: usize) {
        self.table.said.clear();
        match self.table.rule(self.table.desk.books()[book]) {
            Ok(ruling) => self.pointer.court = Some(Court { book, ruling, read: 0 }),
            Err(error) => self.table.said = self.table.told(&error),
        }
    }

    /// A key before the judge.
    fn plead(&mut self, code: KeyCode) {
        let Some(court) = &mut self.pointer.court else { return };
        let books = self.table.desk.books();
        match code {
            KeyCode::Esc => self.pointer.court = None,
            KeyCode::Up => court.read = court.read.saturating_sub(1),
            KeyCode::Down => {
                let last = sentences(&court.ruling).count() - 1;
                court.read = (court.read + 1).min(last);
            }
            KeyCode::Char('j') => {
                let next = (court.book + 1) % books.len();
                self.hear_book(next);
            }
            KeyCode::Char('k') => {
                let book = books[court.book];
                self.pointer.court = None;
                if let Err(error) = self.table.judge_by(book) {
                    self.table.said = self.table.told(&error);
                }
            }
            code => self.manner(code),
        }
    }

    fn confirmed(&mut self, question: Question) -> Wish {
        self.pointer.picked = None;
        match question {
            Question::New => {
                // What was looked at was of the game before.
                (self.pointer.review, self.pointer.court) = (None, None);
                self.table.restart();
            }
            Question::Resign => self.table.resign(),
            Question::Quit => return Wish::Leave,
        }
        Wish::Stay
    }

    /// Moves the cursor as seen.
    fn step(&mut self, files: isize, ranks: isize) {
        let look = self.table.desk.look();
        let sign = if self.table.below == Side::First { 1 } else { -1 };
        let (file, rank) = self.pointer.at;
        let to = (file.checked_add_signed(sign * files), rank.checked_add_signed(sign * ranks));
        if let (Some(file), Some(rank)) = to
            && file < look.files
            && rank < look.ranks
        {
            self.pointer.at = (file, rank);
        }
    }

    /// Takes up, sets down or lets go at the cursor.
    fn touch(&mut self) {
        if !self.table.may_move() {
            return;
        }
        let square = name(self.table.desk.look(), self.pointer.at);
        let targets = self.table.desk.targets(None);
        let here = |target: &&Target| {
            target.to.as_deref() == Some(square.as_str()) && target.from == self.pointer.picked
        };
        let open: Vec<_> = targets.iter().filter(here).cloned().collect();
        match &open[..] {
            [] => {
                let movable = targets.iter().any(|target| target.from.as_deref() == Some(square.as_str()));
                let again = self.pointer.picked.as_deref() == Some(square.as_str());
                self.pointer.picked = (movable && !again).then_some(square);
            }
            [target] => self.choose(target),
            _ => self.pointer.choices = open,
        }
    }

    fn choose(&mut self, target: &Target) {
        self.pointer.picked = None;
        if let Err(error) = self.table.choose(target) {
            self.table.said = self.table.told(&error);
        }
    }
}

/// What all moves that begin so have in common, if that is longer.
fn completed(typed: &str, moves: &[String]) -> Option<String> {
    let mut fitting = moves.iter().filter(|text| text.starts_with(typed));
    let mut common = fitting.next()?.clone();
    for text in fitting {
        while !text.starts_with(&common) {
            common.pop();
        }
    }
    (common.len() > typed.len()).then_some(common)
}

#[cfg(test)]
mod tests;
