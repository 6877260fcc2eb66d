//! The whole-screen mode: keys and mouse.

use std::io;
use std::time::Duration;

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

use super::sheet::{Pointer, Question, draw, name, square_at};
use super::signals::Signals;
use super::table::{Purpose, Table};
use crate::Done;

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
        terminal.draw(|frame| draw(frame, &screen.table, &screen.pointer))?;
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
                screen.take(&event::read()?)
            } else {
                continue;
            };
            match wish {
                Wish::Stay => {}
                Wish::Leave => return Ok(()),
                Wish::Suspend => suspend(terminal, signals)?,
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
}

impl Screen {
    pub(crate) fn new(table: Table) -> Screen {
        let look = table.desk.look();
        let rank = if table.person == Side::First { 0 } else { look.ranks - 1 };
        // https://no-color.org: any value that is not empty.
        let colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let pointer = Pointer { at: (look.files / 2, rank), colours, ..Pointer::default() };
        Screen { table, pointer, engine: false }
    }

    /// The computer's turn, a forced pass, news from whoever thinks: says whether anything changed.
    fn settle(&mut self) -> bool {
        let heard = self.table.hear();
        if self.table.owes_reply() {
            self.table.think(Purpose::Reply);
            return true;
        }
        if let Some(pass) = self.table.forced() {
            self.choose(&pass);
            self.table.said = "You have no move and pass.".into();
            return true;
        }
        if self.engine && self.table.may_move() && !self.table.analyses() {
            self.table.think(Purpose::Analysis);
            return true;
        }
        heard
    }

    /// Does what a key or a click says.
    pub(crate) fn take(&mut self, event: &Event) -> Wish {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => return self.key(*key),
            Event::Paste(text) if !self.pointer.asks() => {
                let typed = self.pointer.typed.get_or_insert_default();
                let room = ROOM.saturating_sub(typed.chars().count());
                typed.extend(text.chars().filter(|letter| !letter.is_control()).take(room));
            }
            Event::Mouse(mouse)
                if mouse.kind == MouseEventKind::Down(MouseButton::Left) && !self.pointer.asks() =>
            {
                let look = self.table.desk.look();
                if let Some(at) = square_at(look, self.table.below, mouse.column, mouse.row) {
                    self.pointer.at = at;
                    self.touch();
                }
            }
            _ => {}
        }
        Wish::Stay
    }

    fn key(&mut self, key: KeyEvent) -> Wish {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c') => Wish::Leave,
                KeyCode::Char('z') => Wish::Suspend,
                _ => Wish::Stay,
            };
        }
        if std::mem::take(&mut self.pointer.help) {
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
                    Err(error) => self.table.said = error.to_string(),
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
            KeyCode::Char('?') => self.pointer.help = true,
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
                self.table.said = "Looking for a good move ...".into();
            }
            KeyCode::Char('x') => {
                self.engine = !self.engine;
                if self.table.analyses() {
                    self.table.stop();
                }
            }
            KeyCode::Char('v') => self.table.below = !self.table.below,
            KeyCode::Char('w') => self.table.speak_next(),
            KeyCode::Char('+' | '=') => self.table.set_level(self.table.level.saturating_add(1)),
            KeyCode::Char('-') => self.table.set_level(self.table.level.saturating_sub(1)),
            KeyCode::Char('p') => {
                self.table.pieces = match self.table.pieces {
                    Pieces::Hanzi => Pieces::Letters,
                    Pieces::Letters => Pieces::Ascii,
                    Pieces::Ascii => Pieces::Hanzi,
                };
            }
            KeyCode::Char('n') => self.pointer.question = Some(Question::New),
            KeyCode::Char('r') if !self.table.is_over() => self.pointer.question = Some(Question::Resign),
            KeyCode::Char('q') => self.pointer.question = Some(Question::Quit),
            _ => {}
        }
    }

    fn confirmed(&mut self, question: Question) -> Wish {
        self.pointer.picked = None;
        match question {
            Question::New => self.table.restart(),
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
            self.table.said = error.to_string();
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
mod tests {
    use super::*;
    use alfil_hall::registry;
    use ratatui::crossterm::event::MouseEvent;

    fn screen(game: &str) -> Screen {
        let desk = registry::open(game, None).unwrap();
        Screen::new(Table::new(desk, Side::First, 1, Duration::from_millis(20), Pieces::Ascii, None))
    }

    /// Presses keys; says whether one of them leaves.
    fn press(screen: &mut Screen, codes: &[KeyCode]) -> bool {
        let mut wish = |&code| screen.take(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        codes.iter().any(|code| wish(code) == Wish::Leave)
    }

    fn write(screen: &mut Screen, text: &str) {
        for letter in text.chars() {
            press(screen, &[KeyCode::Char(letter)]);
        }
        press(screen, &[KeyCode::Enter]);
    }

    #[test]
    fn moves_are_typed_in_any_dialect() {
        for (game, text, played) in [
            ("xiangqi", "mh2e2", "h2e2"),
            ("xiangqi", "h2e2", "h2e2"),
            ("xiangqi", "炮二平五", "h2e2"),
            ("xiangqi", "C2=5", "h2e2"),
            ("xiangqi", "H2-E2", "h2e2"),
            ("xiangqi", "ma1a3", ""),
            ("chess", "Nf3", "g1f3"),
            ("chess", "mg1f3", "g1f3"),
            ("chess", "e4", "e2e4"),
            ("chess", "d2d4", "d2d4"),
            ("othello", "f5", "f5"),
        ] {
            let mut screen = screen(game);
            write(&mut screen, text);
            assert_eq!(screen.table.record().concat(), played, "{game} {text}");
            assert_eq!(screen.pointer.typed.is_some(), played.is_empty(), "what is refused stays: {text}");
        }
    }

    #[test]
    fn a_refused_move_says_why_and_is_mended_in_place() {
        let mut screen = screen("xiangqi");
        write(&mut screen, "mh3e3");
        assert!(screen.table.said.contains("as uci10 it would be legal"), "{}", screen.table.said);
        press(&mut screen, &[KeyCode::Backspace; 4]);
        write(&mut screen, "b2");
        assert_eq!(screen.pointer.typed.as_deref(), Some("b2"));
        press(&mut screen, &[KeyCode::Esc]);
        assert_eq!(screen.pointer.typed, None);
        screen.take(&Event::Paste("h2e2\n".into()));
        press(&mut screen, &[KeyCode::Enter]);
        assert_eq!(screen.table.record(), ["h2e2"]);
    }

    #[test]
    fn tab_completes_what_moves_have_in_common() {
        let moves = ["h2e2", "h2e3", "g1f3"].map(String::from);
        assert_eq!(completed("h", &moves).as_deref(), Some("h2e"));
        assert_eq!(completed("g", &moves).as_deref(), Some("g1f3"));
        assert_eq!(completed("h2e", &moves), None);
        assert_eq!(completed("x", &moves), None);
    }

    #[test]
    fn a_move_that_loses_by_repetition_is_asked_about() {
        // The chariot checks without end. In the first the repetition is complete by its check, in the second by the reply.
        for (fen, road, last) in [
            ("3k4R/9/9/9/9/9/9/9/9/4K4 b", "d9d8 i9i8 d8d9 i8i9 d9d8 i9i8 d8d9", "i8i9"),
            ("3k5/8R/9/9/9/9/9/9/9/4K4 w", "i8i9 d9d8 i9i8 d8d9 i8i9 d9d8", "i9i8"),
        ] {
            let mut screen = screen("xiangqi");
            screen.table.desk.open(fen, &alfil_kernel::Waivers::None).unwrap();
            for text in road.split(' ') {
                screen.table.desk.play(text, None).unwrap();
            }
            let before = screen.table.record();
            write(&mut screen, &format!("m{last}"));
            let said = &screen.table.said;
            assert!(said.contains("would lose the game") && said.contains("perpetual"), "{said}");
            assert_eq!(screen.table.record(), before, "{fen}");
            press(&mut screen, &[KeyCode::Enter]);
            assert_eq!(screen.table.record().len(), before.len() + 1, "{fen}");
        }
    }

    #[test]
    fn a_move_by_keys_and_its_reply() {
        let mut screen = screen("xiangqi");
        use KeyCode::{Enter, Right, Up};
        // From the general to the cannon on h2, and two to its left.
        press(&mut screen, &[Right, Right, Right, Up, Up, Enter]);
        assert_eq!(screen.pointer.picked.as_deref(), Some("h2"));
        press(&mut screen, &[KeyCode::Left, KeyCode::Left, Enter]);
        assert_eq!(screen.table.record(), ["h2f2"]);
        assert!(screen.settle());
        screen.table.wait();
        assert_eq!(screen.table.record().len(), 2);
        press(&mut screen, &[KeyCode::Char('u')]);
        assert!(screen.table.record().is_empty());
    }

    #[test]
    fn a_click_puts_a_disc() {
        let mut screen = screen("othello");
        let area = super::super::sheet::board_area(screen.table.desk.look());
        // f5 is the sixth file and the fifth row from the top.
        let (column, row) = (area.x + 4 + 4 * 5, area.y + 4);
        let kind = MouseEventKind::Down(MouseButton::Left);
        screen.take(&Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
        assert_eq!(screen.table.record(), ["f5"]);
    }

    #[test]
    fn questions_are_answered_and_help_closes() {
        let mut screen = screen("xiangqi");
        assert!(!press(&mut screen, &[KeyCode::Char('?')]) && screen.pointer.help);
        press(&mut screen, &[KeyCode::Char('x')]);
        assert!(!screen.pointer.help);
        press(&mut screen, &[KeyCode::Char('r'), KeyCode::Char('n')]);
        assert!(!screen.table.is_over());
        press(&mut screen, &[KeyCode::Char('r'), KeyCode::Char('y')]);
        assert!(screen.table.is_over());
        press(&mut screen, &[KeyCode::Char('n'), KeyCode::Char('y')]);
        assert!(!screen.table.is_over());
        assert!(press(&mut screen, &[KeyCode::Char('q'), KeyCode::Char('y')]));
    }

    #[test]
    fn a_whole_game_against_itself_by_choosing_targets() {
        let mut screen = screen("othello");
        for _ in 0..200 {
            if screen.table.is_over() {
                return;
            }
            screen.settle();
            screen.table.wait();
            if screen.table.may_move()
                && let Some(target) = screen.table.desk.targets(None).first().cloned()
            {
                screen.choose(&target);
            }
        }
        panic!("no end");
    }

    #[test]
    fn the_engine_shows_lines_and_stops() {
        let mut screen = screen("xiangqi");
        press(&mut screen, &[KeyCode::Char('x')]);
        assert!(screen.settle() && screen.table.analyses());
        while screen.table.findings.len() < 3 {
            screen.table.hear();
            std::thread::yield_now();
        }
        press(&mut screen, &[KeyCode::Char('x')]);
        assert!(!screen.table.analyses());
    }
}
