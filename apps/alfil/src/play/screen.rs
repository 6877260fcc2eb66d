//! The whole-screen mode: keys and mouse.

use std::time::Duration;

use alfil_hall::Target;
use alfil_hall::draw::Pieces;
use alfil_kernel::Side;
use ratatui::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers,
    MouseButton, MouseEventKind,
};
use ratatui::crossterm::execute;

use super::sheet::{Pointer, Question, draw, name, square_at};
use super::table::{Purpose, Table};
use crate::Done;

/// How often the thinking thread is asked for news while no key is pressed.
const GLANCE: Duration = Duration::from_millis(50);

/// Plays until the person leaves.
pub(crate) fn play(table: Table) -> Done {
    // It puts the terminal right again however we leave, panics included.
    let mut terminal = ratatui::try_init()?;
    let done = execute!(std::io::stdout(), EnableMouseCapture).and_then(|()| run(&mut terminal, table));
    let released = execute!(std::io::stdout(), DisableMouseCapture);
    ratatui::try_restore()?;
    Ok(done.and(released)?)
}

fn run(terminal: &mut ratatui::DefaultTerminal, table: Table) -> std::io::Result<()> {
    let mut screen = Screen::new(table);
    loop {
        terminal.draw(|frame| draw(frame, &screen.table, &screen.pointer))?;
        // Draw again only when something changed.
        loop {
            if screen.settle() {
                break;
            }
            if event::poll(GLANCE)? {
                if screen.take(&event::read()?) {
                    return Ok(());
                }
                break;
            }
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

    /// Does what a key or a click says; `true` to leave.
    pub(crate) fn take(&mut self, event: &Event) -> bool {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key),
            Event::Mouse(mouse) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
                let look = self.table.desk.look();
                if let Some(at) = square_at(look, self.table.below, mouse.column, mouse.row) {
                    self.pointer.at = at;
                    self.touch();
                }
                false
            }
            _ => false,
        }
    }

    fn key(&mut self, key: KeyEvent) -> bool {
        if key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL) {
            return true;
        }
        if std::mem::take(&mut self.pointer.help) {
            return false;
        }
        if let Some(question) = self.pointer.question.take() {
            return key.code == KeyCode::Char('y') && self.confirmed(question);
        }
        if !self.pointer.choices.is_empty() {
            let choices = std::mem::take(&mut self.pointer.choices);
            let letter = |target: &&Target| match (target.choice, key.code) {
                (Some(letter), KeyCode::Char(typed)) => letter.eq_ignore_ascii_case(&typed),
                _ => false,
            };
            if let Some(target) = choices.iter().find(letter) {
                self.choose(target);
            }
            return false;
        }
        match key.code {
            KeyCode::Left => self.step(-1, 0),
            KeyCode::Right => self.step(1, 0),
            KeyCode::Up => self.step(0, 1),
            KeyCode::Down => self.step(0, -1),
            KeyCode::Enter | KeyCode::Char(' ') => self.touch(),
            KeyCode::Esc => self.pointer.picked = None,
            KeyCode::Char('?') => self.pointer.help = true,
            KeyCode::Char('u') => {
                self.pointer.picked = None;
                self.table.take_back();
            }
            KeyCode::Char('h') if self.table.may_move() => self.table.think(Purpose::Hint),
            KeyCode::Char('e') => {
                self.engine = !self.engine;
                if self.table.analyses() {
                    self.table.stop();
                }
            }
            KeyCode::Char('f') => self.table.below = !self.table.below,
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
        false
    }

    fn confirmed(&mut self, question: Question) -> bool {
        match question {
            Question::New => self.table.restart(),
            Question::Resign => self.table.resign(),
            Question::Quit => return true,
        }
        self.pointer.picked = None;
        false
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

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_hall::registry;
    use ratatui::crossterm::event::MouseEvent;

    fn screen(game: &str) -> Screen {
        let desk = registry::open(game, None).unwrap();
        Screen::new(Table::new(desk, Side::First, 1, Duration::from_millis(20), Pieces::Ascii, None))
    }

    fn press(screen: &mut Screen, codes: &[KeyCode]) -> bool {
        codes.iter().any(|&code| screen.take(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE))))
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
        press(&mut screen, &[KeyCode::Char('e')]);
        assert!(screen.settle() && screen.table.analyses());
        while screen.table.findings.len() < 3 {
            screen.table.hear();
            std::thread::yield_now();
        }
        press(&mut screen, &[KeyCode::Char('e')]);
        assert!(!screen.table.analyses());
    }
}
