//! The whole-screen mode: keys and mouse.

use std::io;
use std::time::{Duration, Instant};

use alfil_kernel::Side;
use alfil_session::Target;
use alfil_session::render::PieceStyle;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture, Event,
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen};
use ratatui::layout::{Position, Size};

use super::clock::format_time;
use super::messages::Word;
use super::render::{Confirmation, JudgePanel, ScreenState, draw_screen, graph_at, square_at, square_name};
use super::signals::Signals;
use super::terminal_game::{SearchPurpose, TerminalGame};
use crate::CommandResult;
use crate::judge::ruling_sentences;

/// How often the thinking thread is asked for news while no key is pressed.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// How many characters a typed move may have.
const MAX_TYPED_CHARS: usize = 16;

/// Plays until the person leaves.
pub(crate) fn play(table: TerminalGame) -> CommandResult {
    let signals = Signals::new()?;
    // The terminal is put right again however we leave: ratatui's own hook does the rest after a panic.
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // Where that fails there is no terminal left.
        let _ = disable_input_modes();
        usual(panic);
    }));
    let mut terminal = ratatui::try_init()?;
    let done = enable_input_modes().and_then(|()| run(&mut terminal, table, &signals));
    let released = disable_input_modes();
    ratatui::try_restore()?;
    Ok(done.and(released)?)
}

/// Asks the terminal for clicks, and for pasted text in one piece.
fn enable_input_modes() -> io::Result<()> {
    execute!(io::stdout(), EnableMouseCapture, EnableBracketedPaste)
}

/// Gives back what was asked for, and the cursor.
fn disable_input_modes() -> io::Result<()> {
    execute!(io::stdout(), DisableBracketedPaste, DisableMouseCapture, Show)
}

/// Leaves the terminal to the shell until it brings us back.
fn suspend(terminal: &mut ratatui::DefaultTerminal, signals: &Signals) -> io::Result<()> {
    disable_input_modes()?;
    ratatui::try_restore()?;
    signals.suspend_process()?;
    terminal::enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, Clear(ClearType::All))?;
    enable_input_modes()?;
    // What was drawn is forgotten, so that all is drawn again. `terminal.clear` would ask where the cursor is and fail where
    // nobody answers.
    terminal.swap_buffers();
    Ok(())
}

/// What a person asks for beside the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScreenAction {
    Continue,
    Quit,
    Suspend,
}

fn run(terminal: &mut ratatui::DefaultTerminal, table: TerminalGame, signals: &Signals) -> io::Result<()> {
    let mut screen = Screen::new(table);
    // The first question makes it listen to changes of size: none may go by while the first screen is drawn.
    event::poll(Duration::ZERO)?;
    loop {
        let size = terminal.draw(|frame| draw_screen(frame, &screen.game, &screen.state))?.area.as_size();
        // Draw again only when something changed.
        loop {
            if signals.is_exit_requested() {
                return Ok(());
            }
            if screen.update() {
                break;
            }
            let wish = if signals.take_suspend_request() {
                ScreenAction::Suspend
            } else if event::poll(POLL_INTERVAL)? {
                screen.handle_event(&event::read()?, size)
            } else {
                continue;
            };
            match wish {
                ScreenAction::Continue => {}
                ScreenAction::Quit => return Ok(()),
                ScreenAction::Suspend => {
                    screen.game.pause();
                    suspend(terminal, signals)?;
                    screen.game.resume();
                }
            }
            break;
        }
    }
}

/// A table and what the person does at it.
pub(crate) struct Screen {
    pub(crate) game: TerminalGame,
    pub(crate) state: ScreenState,
    /// Whether lines are wanted when it is the person's turn.
    is_analysis_on: bool,
    /// The clock as it was drawn last.
    shown_clocks: Option<[String; 2]>,
}

impl Screen {
    pub(crate) fn new(table: TerminalGame) -> Screen {
        let look = table.session.appearance();
        let rank = if table.person == Side::First { 0 } else { look.ranks - 1 };
        // https://no-color.org: any value that is not empty.
        let colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let pointer =
            ScreenState { cursor: (look.files / 2, rank), has_colours: colours, ..ScreenState::default() };
        Screen { game: table, state: pointer, is_analysis_on: false, shown_clocks: None }
    }

    /// The computer's turn, a forced pass, news from whoever thinks: says whether anything changed.
    fn update(&mut self) -> bool {
        let heard = self.game.poll_search() | self.update_clocks() | self.update_review();
        if self.game.is_computer_to_move() {
            self.game.start_search(SearchPurpose::Reply);
            return true;
        }
        if let Some(pass) = self.game.forced_pass() {
            self.play_target(&pass);
            self.game.message = self.game.format_message(Word::Passes, &[]);
            return true;
        }
        let wanted = self.is_analysis_on && self.state.review.is_none();
        // A hint that was asked for comes first.
        if wanted && self.game.may_move() && !self.game.is_searching() {
            self.game.start_search(SearchPurpose::Analysis);
            return true;
        }
        heard
    }

    /// Whether a clock shows another time than it did.
    fn update_clocks(&mut self) -> bool {
        let now = Instant::now();
        let faces =
            self.game.clock().map(|clock| Side::BOTH.map(|side| format_time(clock.remaining(side, now))));
        let changed = faces != self.shown_clocks;
        self.shown_clocks = faces;
        changed
    }

    /// Goes on with the review; says whether anything changed.
    fn update_review(&mut self) -> bool {
        let Some(review) = &mut self.state.review else { return false };
        review.poll().unwrap_or_else(|error| {
            self.game.message = self.game.error_text(&error);
            self.state.review = None;
            true
        })
    }

    /// Does what a key or a click says.
    pub(crate) fn handle_event(&mut self, event: &Event, size: Size) -> ScreenAction {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => return self.handle_key(*key),
            Event::Paste(text) if !self.state.has_open_dialog() && !self.state.has_reading_panel() => {
                let typed = self.state.typed_move.get_or_insert_default();
                let room = MAX_TYPED_CHARS.saturating_sub(typed.chars().count());
                typed.extend(text.chars().filter(|letter| !letter.is_control()).take(room));
            }
            Event::Mouse(mouse)
                if mouse.kind == MouseEventKind::Down(MouseButton::Left) && !self.state.has_open_dialog() =>
            {
                self.handle_click(Position::new(mouse.column, mouse.row), size);
            }
            _ => {}
        }
        ScreenAction::Continue
    }

    /// On the board as the cursor does it; on the graph of a review it goes there.
    fn handle_click(&mut self, at: Position, size: Size) {
        let look = self.game.session.appearance();
        if let Some(review) = &mut self.state.review {
            if let Some(ply) = graph_at(look, review, size, at) {
                review.go_to_ply(ply);
            }
        } else if self.state.judge_panel.is_some() {
            // It is read, not played.
        } else if let Some(square) = square_at(look, self.game.bottom_side, at.x, at.y) {
            self.state.cursor = square;
            self.select_square();
        }
    }

    fn handle_key(&mut self, key: KeyEvent) -> ScreenAction {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c') => ScreenAction::Quit,
                KeyCode::Char('z') => ScreenAction::Suspend,
                _ => ScreenAction::Continue,
            };
        }
        if let Some(read) = self.state.help_scroll {
            let last = self.game.format_message(Word::Help, &[]).lines().count() - 1;
            self.state.help_scroll = match key.code {
                KeyCode::Down | KeyCode::PageDown => Some((read + 1).min(last)),
                KeyCode::Up | KeyCode::PageUp => Some(read.saturating_sub(1)),
                _ => None,
            };
            return ScreenAction::Continue;
        }
        if let Some(question) = self.state.confirmation.take() {
            let yes = matches!(key.code, KeyCode::Char('y' | 'Y'));
            return if yes { self.on_confirmed(question) } else { ScreenAction::Continue };
        }
        if !self.state.choices.is_empty() {
            self.choice_key(key.code);
        } else if self.state.typed_move.is_some() {
            self.typing_key(key.code);
        } else if self.state.review.is_some() {
            self.review_key(key.code);
        } else if self.state.judge_panel.is_some() {
            self.judge_key(key.code);
        } else {
            self.command_key(key.code);
        }
        ScreenAction::Continue
    }

    /// Which of several moves between the same squares is meant.
    fn choice_key(&mut self, code: KeyCode) {
        let choices = std::mem::take(&mut self.state.choices);
        let letter = |target: &&Target| match (target.promotion, code) {
            (Some(letter), KeyCode::Char(typed)) => letter.eq_ignore_ascii_case(&typed),
            _ => false,
        };
        if let Some(target) = choices.iter().find(letter) {
            self.play_target(target);
        }
    }

    /// A key while a move is typed.
    fn typing_key(&mut self, code: KeyCode) {
        let Some(typed) = &mut self.state.typed_move else { return };
        match code {
            KeyCode::Esc => self.state.typed_move = None,
            KeyCode::Backspace if typed.is_empty() => self.state.typed_move = None,
            KeyCode::Backspace => drop(typed.pop()),
            KeyCode::Char(letter) if typed.chars().count() < MAX_TYPED_CHARS => typed.push(letter),
            KeyCode::Tab => {
                if let Some(longer) = common_completion(typed, &self.game.legal_moves()) {
                    *typed = longer;
                }
            }
            KeyCode::Enter => {
                let text = typed.trim().to_owned();
                // What was refused stays, to be mended.
                match self.game.play(&text) {
                    _ if text.is_empty() => self.state.typed_move = None,
                    Ok(()) => (self.state.typed_move, self.state.selected_square) = (None, None),
                    Err(error) => self.game.message = self.game.error_text(&error),
                }
            }
            _ => {}
        }
    }

    fn command_key(&mut self, code: KeyCode) {
        match code {
            KeyCode::Left => self.move_cursor(-1, 0),
            KeyCode::Right => self.move_cursor(1, 0),
            KeyCode::Up => self.move_cursor(0, 1),
            KeyCode::Down => self.move_cursor(0, -1),
            KeyCode::Enter | KeyCode::Char(' ') => self.select_square(),
            KeyCode::Esc => self.state.selected_square = None,
            KeyCode::Char('m' | ':' | '/') => self.state.typed_move = Some(String::new()),
            // No command is a letter of a file, a capital, a figure or a character: they begin a move.
            KeyCode::Char(letter)
                if matches!(letter, 'a'..='i' | 'A'..='Z' | '0'..='9') || !letter.is_ascii() =>
            {
                self.state.typed_move = Some(letter.into());
            }
            KeyCode::Char('u') => {
                self.state.selected_square = None;
                self.game.undo();
            }
            KeyCode::Char('t') if self.game.may_move() => {
                self.game.start_search(SearchPurpose::Hint);
                self.game.message = self.game.format_message(Word::Looking, &[]);
            }
            KeyCode::Char('x') => {
                self.is_analysis_on = !self.is_analysis_on;
                if self.game.is_analysing() {
                    self.game.stop_search();
                }
            }
            KeyCode::Char('s') => self.open_review(),
            KeyCode::Char('j') => self.open_judge_panel(),
            KeyCode::Char('+' | '=') => self.game.set_level(self.game.level.saturating_add(1)),
            KeyCode::Char('-') => self.game.set_level(self.game.level.saturating_sub(1)),
            KeyCode::Char('>' | '.') => self.game.change_move_time(true),
            KeyCode::Char('<' | ',') => self.game.change_move_time(false),
            KeyCode::Char('n') => self.state.confirmation = Some(Confirmation::New),
            KeyCode::Char('r') if !self.game.is_over() => {
                self.state.confirmation = Some(Confirmation::Resign)
            }
            code => self.view_key(code),
        }
    }

    /// How the table is seen and left: the same wherever one looks.
    fn view_key(&mut self, code: KeyCode) {
        match code {
            KeyCode::Char('?') => self.state.help_scroll = Some(0),
            KeyCode::Char('v') => self.game.bottom_side = !self.game.bottom_side,
            KeyCode::Char('w') => self.game.next_dialect(),
            KeyCode::Char('l') => {
                self.game.set_language(self.game.language.other());
                if let Some(book) = self.state.judge_panel.as_ref().map(|court| court.ruleset_index) {
                    self.load_ruling(book);
                }
            }
            KeyCode::Char('p') => {
                self.game.pieces = match self.game.pieces {
                    PieceStyle::Hanzi => PieceStyle::Letters,
                    PieceStyle::Letters => PieceStyle::Ascii,
                    PieceStyle::Ascii => PieceStyle::Hanzi,
                };
            }
            KeyCode::Char('q') => self.state.confirmation = Some(Confirmation::Quit),
            _ => {}
        }
    }

    /// Looks at the whole game again.
    fn open_review(&mut self) {
        if self.game.is_computer_searching() {
            self.game.message = self.game.format_message(Word::TheirTurn, &[]);
            return;
        }
        // Nobody looks for lines meanwhile.
        self.game.stop_search();
        self.game.message.clear();
        self.state.selected_square = None;
        match self.game.review() {
            Ok(Some(review)) => self.state.review = Some(review),
            Ok(None) => self.game.message = self.game.format_message(Word::NoReview, &[]),
            Err(error) => self.game.message = self.game.error_text(&error),
        }
    }

    /// A key in a review.
    fn review_key(&mut self, code: KeyCode) {
        let Some(review) = &mut self.state.review else { return };
        let (at, last) = (review.shown_ply(), review.plies());
        // One looks at a loss from the position before it.
        let mut losses: Vec<_> = review.largest_losses().iter().map(|loss| loss.ply).collect();
        losses.sort_unstable();
        match code {
            KeyCode::Esc | KeyCode::Char('s') => self.state.review = None,
            KeyCode::Left | KeyCode::Up => review.go_to_ply(at.saturating_sub(1)),
            KeyCode::Right | KeyCode::Down | KeyCode::Char(' ') => review.go_to_ply(at + 1),
            KeyCode::PageUp => review.go_to_ply(at.saturating_sub(10)),
            KeyCode::PageDown => review.go_to_ply(at + 10),
            KeyCode::Home => review.go_to_ply(0),
            KeyCode::End => review.go_to_ply(last),
            KeyCode::Char('n') | KeyCode::Tab => {
                // After the last comes the first again.
                let next = losses.iter().find(|&&ply| ply > at).or(losses.first());
                review.go_to_ply(next.copied().unwrap_or(at));
            }
            code => self.view_key(code),
        }
    }

    /// Asks the judge, first by the book of this game.
    fn open_judge_panel(&mut self) {
        let books = self.game.session.rulesets();
        if self.game.is_computer_searching() {
            self.game.message = self.game.format_message(Word::TheirTurn, &[]);
        } else if books.is_empty() {
            self.game.message = self.game.format_message(Word::NoBooks, &[self.game.game_title()]);
        } else if !self.game.has_ruling() {
            self.game.message = self.game.format_message(Word::NoCase, &[]);
        } else {
            let own = books.iter().position(|&book| Some(book) == self.game.ruleset());
            self.load_ruling(own.unwrap_or_default());
        }
    }

    fn load_ruling(&mut self, book: usize) {
        self.game.message.clear();
        match self.game.ruling(self.game.session.rulesets()[book]) {
            Ok(ruling) => {
                self.state.judge_panel = Some(JudgePanel { ruleset_index: book, ruling, scroll: 0 })
            }
            Err(error) => self.game.message = self.game.error_text(&error),
        }
    }

    /// A key before the judge.
    fn judge_key(&mut self, code: KeyCode) {
        let Some(court) = &mut self.state.judge_panel else { return };
        let books = self.game.session.rulesets();
        match code {
            KeyCode::Esc => self.state.judge_panel = None,
            KeyCode::Up => court.scroll = court.scroll.saturating_sub(1),
            KeyCode::Down => {
                let last = ruling_sentences(&court.ruling).count() - 1;
                court.scroll = (court.scroll + 1).min(last);
            }
            KeyCode::Char('j') => {
                let next = (court.ruleset_index + 1) % books.len();
                self.load_ruling(next);
            }
            KeyCode::Char('k') => {
                let book = books[court.ruleset_index];
                self.state.judge_panel = None;
                if let Err(error) = self.game.set_ruleset(book) {
                    self.game.message = self.game.error_text(&error);
                }
            }
            code => self.view_key(code),
        }
    }

    fn on_confirmed(&mut self, question: Confirmation) -> ScreenAction {
        self.state.selected_square = None;
        match question {
            Confirmation::New => {
                // What was looked at was of the game before.
                (self.state.review, self.state.judge_panel) = (None, None);
                self.game.restart();
            }
            Confirmation::Resign => self.game.resign(),
            Confirmation::Quit => return ScreenAction::Quit,
        }
        ScreenAction::Continue
    }

    /// Moves the cursor as seen.
    fn move_cursor(&mut self, files: isize, ranks: isize) {
        let look = self.game.session.appearance();
        let sign = if self.game.bottom_side == Side::First { 1 } else { -1 };
        let (file, rank) = self.state.cursor;
        let to = (file.checked_add_signed(sign * files), rank.checked_add_signed(sign * ranks));
        if let (Some(file), Some(rank)) = to
            && file < look.files
            && rank < look.ranks
        {
            self.state.cursor = (file, rank);
        }
    }

    /// Takes up, sets down or lets go at the cursor.
    fn select_square(&mut self) {
        if !self.game.may_move() {
            return;
        }
        let square = square_name(self.game.session.appearance(), self.state.cursor);
        let targets = self.game.session.targets(None);
        let here = |target: &&Target| {
            target.to.as_deref() == Some(square.as_str()) && target.from == self.state.selected_square
        };
        let open: Vec<_> = targets.iter().filter(here).cloned().collect();
        match &open[..] {
            [] => {
                let movable = targets.iter().any(|target| target.from.as_deref() == Some(square.as_str()));
                let again = self.state.selected_square.as_deref() == Some(square.as_str());
                self.state.selected_square = (movable && !again).then_some(square);
            }
            [target] => self.play_target(target),
            _ => self.state.choices = open,
        }
    }

    fn play_target(&mut self, target: &Target) {
        self.state.selected_square = None;
        if let Err(error) = self.game.play_target(target) {
            self.game.message = self.game.error_text(&error);
        }
    }
}

/// What all moves that begin so have in common, if that is longer.
fn common_completion(typed: &str, moves: &[String]) -> Option<String> {
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
