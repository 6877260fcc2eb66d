//! The full-screen mode: keys and mouse.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use alfil_kernel::Side;
use alfil_session::Target;
use alfil_session::played_game::NextAction;
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
use super::messages::Message;
use super::render::{
    BoardView, Confirmation, JudgePanel, ScreenState, draw_screen, graph_at, max_help_scroll, square_name,
};
use super::signals::Signals;
use super::terminal_game::{SearchPurpose, TerminalGame, UnsavedGame};
use crate::errors::{CommandResult, Failure, INTERRUPTED_STATUS};
use crate::judge::ruling_sentences;
use crate::output::print_line;

/// The time between two checks for search events while no key is pressed.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// The maximal number of characters of a typed move or command, such as the path of a file.
const MAX_TYPED_CHARS: usize = 200;

/// Plays until the person quits.
pub(crate) fn play(game: TerminalGame) -> CommandResult {
    let unsaved = Arc::new(Mutex::new(None));
    let signals = Signals::new(unsaved.clone())?;
    // Restores the input modes after a panic too; ratatui's own hook restores the rest.
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // An error means that the terminal is gone.
        let _ = disable_input_modes();
        default_hook(panic);
    }));
    let mut terminal = ratatui::try_init()?;
    let mut screen = Screen::new(game);
    let result = enable_input_modes().and_then(|()| run(&mut terminal, &mut screen, &signals, &unsaved));
    // After a hang-up another thread may keep the game.
    let mut unsaved = unsaved.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = screen.game.keep();
    *unsaved = None;
    drop(unsaved);
    let disabled = disable_input_modes();
    let restored = ratatui::try_restore();
    // Whatever has ended the game, its moves are in a file; the terminal may be gone.
    kept.iter().for_each(|text| drop(print_line(text)));
    restored?;
    let status = result?;
    disabled?;
    status.map_or(Ok(()), |status| Err(Failure::Interrupted(status)))
}

/// Enables mouse events and bracketed paste.
fn enable_input_modes() -> io::Result<()> {
    execute!(io::stdout(), EnableMouseCapture, EnableBracketedPaste)
}

/// Disables what [`enable_input_modes`] enabled and shows the cursor.
fn disable_input_modes() -> io::Result<()> {
    execute!(io::stdout(), DisableBracketedPaste, DisableMouseCapture, Show)
}

/// Suspends the process and restores the screen when it continues.
fn suspend(terminal: &mut ratatui::DefaultTerminal, signals: &Signals) -> io::Result<()> {
    disable_input_modes()?;
    ratatui::try_restore()?;
    signals.suspend_process()?;
    terminal::enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, Clear(ClearType::All))?;
    enable_input_modes()?;
    // Forces a complete redraw. `terminal.clear` would query the cursor position, which fails if the terminal does not
    // answer.
    terminal.swap_buffers();
    Ok(())
}

/// What the main loop does after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScreenAction {
    Continue,
    Quit,
    Interrupt,
    Suspend,
}

/// Plays until the person leaves the game; returns the exit status if a signal or Ctrl-C ends it.
fn run(
    terminal: &mut ratatui::DefaultTerminal,
    screen: &mut Screen,
    signals: &Signals,
    unsaved: &Mutex<Option<UnsavedGame>>,
) -> io::Result<Option<u8>> {
    let mut kept_state = None;
    // The first poll registers the resize handler, so that no resize is missed during the first draw.
    event::poll(Duration::ZERO)?;
    loop {
        let size = terminal.draw(|frame| draw_screen(frame, &screen.game, &screen.state))?.area.as_size();
        let state =
            (screen.game.played_moves().len(), screen.game.is_over(), screen.game.has_unsaved_moves());
        if kept_state.replace(state) != Some(state) {
            let game = state.2.then(|| screen.game.unsaved().ok()).flatten();
            *unsaved.lock().unwrap_or_else(PoisonError::into_inner) = game;
        }
        // Redraws only after a change.
        loop {
            if let Some(status) = signals.exit_status() {
                return Ok(Some(status));
            }
            if screen.update() {
                break;
            }
            let action = if signals.take_suspend_request() {
                ScreenAction::Suspend
            } else if event::poll(POLL_INTERVAL)? {
                screen.handle_event(&event::read()?, size)
            } else {
                continue;
            };
            match action {
                ScreenAction::Continue => {}
                ScreenAction::Quit => return Ok(None),
                ScreenAction::Interrupt => return Ok(Some(INTERRUPTED_STATUS)),
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

/// A game and the state of its screen.
pub(crate) struct Screen {
    pub(crate) game: TerminalGame,
    pub(crate) state: ScreenState,
    /// Whether the analysis runs on the person's turn.
    is_analysis_on: bool,
    /// Whether the last analysis could not be started. The next key or click is another attempt.
    has_analysis_failed: bool,
    /// Whether the person leaves.
    is_left: bool,
    /// The clock texts that were drawn last.
    shown_clocks: Option<[String; 2]>,
}

impl Screen {
    pub(crate) fn new(game: TerminalGame) -> Screen {
        let appearance = game.session().appearance();
        let rank = if game.person() == Side::First { 0 } else { appearance.ranks - 1 };
        // https://no-color.org: any non-empty value disables colours.
        let colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let state = ScreenState {
            cursor: (appearance.files / 2, rank),
            has_colours: colours,
            ..ScreenState::default()
        };
        Screen {
            game,
            state,
            is_analysis_on: false,
            has_analysis_failed: false,
            is_left: false,
            shown_clocks: None,
        }
    }

    /// Starts the computer's search, plays forced passes, handles search events; returns whether anything changed.
    fn update(&mut self) -> bool {
        let changed = self.game.poll_search() | self.update_clocks() | self.update_review();
        match self.game.next_action() {
            NextAction::ComputerMoves { .. } if !self.game.is_computer_searching() => {
                self.game.start_search(SearchPurpose::Reply);
                return true;
            }
            NextAction::ForcedPass { pass, .. } => {
                self.play_target(&pass);
                self.game.message = self.game.format_message(Message::ForcedPass, &[]);
                return true;
            }
            _ => {}
        }
        let should_analyse = self.is_analysis_on && self.state.review.is_none() && !self.has_analysis_failed;
        // A requested hint takes precedence.
        if should_analyse && self.game.may_move() && !self.game.is_searching() {
            self.has_analysis_failed = !self.game.start_search(SearchPurpose::Analysis);
            return true;
        }
        changed
    }

    /// Lets a search that failed start again.
    fn request_search(&mut self) {
        self.has_analysis_failed = false;
        self.game.continue_play();
    }

    /// Updates the clock texts; returns whether they changed.
    fn update_clocks(&mut self) -> bool {
        let now = alfil_engine::now();
        let clock_texts =
            self.game.clock().map(|clock| Side::BOTH.map(|side| format_time(clock.remaining(side, now))));
        let changed = clock_texts != self.shown_clocks;
        self.shown_clocks = clock_texts;
        changed
    }

    /// Continues the review; returns whether anything changed.
    fn update_review(&mut self) -> bool {
        let Some(review) = &mut self.state.review else { return false };
        review.poll().unwrap_or_else(|error| {
            self.game.message = self.game.error_text(&error);
            self.state.review = None;
            true
        })
    }

    /// Handles a key, a paste or a click.
    pub(crate) fn handle_event(&mut self, event: &Event, size: Size) -> ScreenAction {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => return self.handle_key(*key, size),
            Event::Paste(text) if !self.state.has_open_dialog() && !self.state.is_review_or_ruling_open() => {
                let typed = self.state.typed_move.get_or_insert_default();
                let remaining = MAX_TYPED_CHARS.saturating_sub(typed.chars().count());
                typed.extend(text.chars().filter(|letter| !letter.is_control()).take(remaining));
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

    /// Handles a click: on the board like the cursor, on the graph of a review as a jump.
    fn handle_click(&mut self, at: Position, size: Size) {
        self.request_search();
        if let Some(review) = &mut self.state.review {
            let board = BoardView::new(&self.game, size);
            if let Some(ply) = graph_at(&board, review, size, at) {
                review.go_to_ply(ply);
            }
        } else if self.state.judge_panel.is_some() {
            // The board does not react while a ruling is open.
        } else if let Some(square) = BoardView::new(&self.game, size).square_at(self.game.bottom_side, at) {
            self.state.cursor = square;
            self.select_square();
        }
    }

    fn handle_key(&mut self, key: KeyEvent, size: Size) -> ScreenAction {
        self.request_search();
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c') => ScreenAction::Interrupt,
                KeyCode::Char('z') => ScreenAction::Suspend,
                _ => ScreenAction::Continue,
            };
        }
        if let Some(scroll) = self.state.help_scroll {
            let (last, page) = (max_help_scroll(&self.game, size.height), usize::from(size.height / 2));
            self.state.help_scroll = match key.code {
                KeyCode::Down => Some((scroll + 1).min(last)),
                KeyCode::PageDown => Some((scroll + page).min(last)),
                KeyCode::Up => Some(scroll.saturating_sub(1)),
                KeyCode::PageUp => Some(scroll.saturating_sub(page)),
                _ => None,
            };
            return ScreenAction::Continue;
        }
        if let Some(confirmation) = self.state.confirmation.take() {
            let yes = matches!(key.code, KeyCode::Char('y' | 'Y'));
            return if yes { self.on_confirmed(confirmation) } else { ScreenAction::Continue };
        }
        if !self.state.choices.is_empty() {
            self.on_choice_key(key.code);
        } else if self.state.typed_move.is_some() {
            self.on_typing_key(key.code);
        } else if self.state.review.is_some() {
            self.on_review_key(key.code);
        } else if self.state.judge_panel.is_some() {
            self.on_judge_key(key.code);
        } else {
            self.on_command_key(key.code);
        }
        if self.is_left { ScreenAction::Quit } else { ScreenAction::Continue }
    }

    /// Handles a key that chooses between moves with the same squares.
    fn on_choice_key(&mut self, code: KeyCode) {
        let choices = std::mem::take(&mut self.state.choices);
        let letter = |target: &&Target| match (target.promotion, code) {
            (Some(letter), KeyCode::Char(typed)) => letter.eq_ignore_ascii_case(&typed),
            _ => false,
        };
        if let Some(target) = choices.iter().find(letter) {
            self.play_target(target);
        }
    }

    /// Runs a typed command; returns false if the text is none.
    fn run_typed_command(&mut self, text: &str) -> bool {
        let key = match text {
            "hint" => 't',
            "undo" => 'u',
            "new" => 'n',
            "resign" => 'r',
            "quit" | "exit" => 'q',
            "help" => '?',
            "review" => 's',
            "judge" => 'j',
            "flip" => 'v',
            "save" => 'o',
            "load" => {
                self.game.message = self.game.format_message(Message::NamedFile, &[]);
                return true;
            }
            _ => {
                let (command, value) = text.split_once(char::is_whitespace).unwrap_or_default();
                return !value.trim().is_empty() && self.game.run_command(command, value.trim());
            }
        };
        (self.state.typed_move, self.state.selected_square) = (None, None);
        self.on_command_key(KeyCode::Char(key));
        true
    }

    /// Handles a key while a move is typed.
    fn on_typing_key(&mut self, code: KeyCode) {
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
                if text.is_empty() {
                    self.state.typed_move = None;
                    return;
                }
                self.state.typed_move = None;
                if self.run_typed_command(&text) {
                    return;
                }
                self.state.typed_move = Some(text.clone());
                // A rejected move stays, to be corrected.
                match self.game.play(&text) {
                    Ok(()) => (self.state.typed_move, self.state.selected_square) = (None, None),
                    Err(error) => self.game.message = self.game.error_text(&error),
                }
            }
            _ => {}
        }
    }

    fn on_command_key(&mut self, code: KeyCode) {
        match code {
            KeyCode::Left => self.move_cursor(-1, 0),
            KeyCode::Right => self.move_cursor(1, 0),
            KeyCode::Up => self.move_cursor(0, 1),
            KeyCode::Down => self.move_cursor(0, -1),
            KeyCode::Enter | KeyCode::Char(' ') => self.select_square(),
            KeyCode::Esc => self.state.selected_square = None,
            KeyCode::Char('m' | ':' | '/') => self.state.typed_move = Some(String::new()),
            // File letters, capitals, digits and non-ASCII characters begin a move; no command uses them.
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
                if self.game.start_search(SearchPurpose::Hint) {
                    self.game.message = self.game.format_message(Message::SearchingHint, &[]);
                }
            }
            KeyCode::Char('x') => {
                self.is_analysis_on = !self.is_analysis_on;
                if self.game.has_endless_analysis() {
                    self.game.stop_search();
                }
            }
            KeyCode::Char('s') => self.open_review(),
            KeyCode::Char('o') => {
                let file = self.game.proposed_file();
                self.state.typed_move = Some(format!("save {}", file.display()));
            }
            KeyCode::Char('j') => self.open_judge_panel(),
            KeyCode::Char('+' | '=') => self.game.set_level(self.game.level().saturating_add(1)),
            KeyCode::Char('-') => self.game.set_level(self.game.level().saturating_sub(1)),
            KeyCode::Char('>' | '.') => self.game.change_move_time(true),
            KeyCode::Char('<' | ',') => self.game.change_move_time(false),
            KeyCode::Char('n') => self.state.confirmation = Some(Confirmation::New),
            KeyCode::Char('r') if !self.game.is_over() => {
                self.state.confirmation = Some(Confirmation::Resign)
            }
            code => self.on_view_key(code),
        }
    }

    /// Handles the keys that work in every view.
    fn on_view_key(&mut self, code: KeyCode) {
        match code {
            KeyCode::Char('?') => self.state.help_scroll = Some(0),
            KeyCode::Char('v') => self.game.bottom_side = !self.game.bottom_side,
            KeyCode::Char('w') => self.game.next_dialect(),
            KeyCode::Char('l') => {
                self.game.set_language(self.game.language.other());
                if let Some(ruleset) = self.state.judge_panel.as_ref().map(|panel| panel.ruleset_index) {
                    self.load_ruling(ruleset);
                }
            }
            KeyCode::Char('p') => {
                self.game.piece_style = match self.game.piece_style {
                    PieceStyle::Hanzi => PieceStyle::Letters,
                    PieceStyle::Letters => PieceStyle::Ascii,
                    PieceStyle::Ascii => PieceStyle::Hanzi,
                };
            }
            // A game that is over, or has nothing to keep, can be left at once.
            KeyCode::Char('q') if self.game.is_over() || !self.game.has_unsaved_moves() => {
                self.is_left = true
            }
            KeyCode::Char('q') => self.state.confirmation = Some(Confirmation::Quit),
            _ => {}
        }
    }

    /// Opens the review.
    fn open_review(&mut self) {
        if self.game.is_computer_searching() {
            self.game.message = self.game.format_message(Message::NotYourTurn, &[]);
            return;
        }
        // The review replaces the analysis.
        self.game.stop_search();
        self.game.message.clear();
        self.state.selected_square = None;
        match self.game.review() {
            Ok(Some(review)) => self.state.review = Some(review),
            Ok(None) => self.game.message = self.game.format_message(Message::NoReview, &[]),
            Err(error) => self.game.message = self.game.error_text(&error),
        }
    }

    /// Handles a key in the review.
    fn on_review_key(&mut self, code: KeyCode) {
        let Some(review) = &mut self.state.review else { return };
        let (at, last) = (review.shown_ply(), review.plies());
        // A loss is shown in the position before the move.
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
                // The first loss follows the last one.
                let next = losses.iter().find(|&&ply| ply > at).or(losses.first());
                review.go_to_ply(next.copied().unwrap_or(at));
            }
            code => self.on_view_key(code),
        }
    }

    /// Opens the judge panel with the ruleset of the game.
    fn open_judge_panel(&mut self) {
        let rulesets = self.game.session().rulesets();
        if self.game.is_computer_searching() {
            self.game.message = self.game.format_message(Message::NotYourTurn, &[]);
        } else if rulesets.is_empty() {
            self.game.message = self.game.format_message(Message::NoRulesets, &[self.game.game_title()]);
        } else if !self.game.has_ruling() {
            self.game.message = self.game.format_message(Message::NothingToJudge, &[]);
        } else {
            let current = rulesets.iter().position(|&ruleset| Some(ruleset) == self.game.ruleset());
            self.load_ruling(current.unwrap_or_default());
        }
    }

    fn load_ruling(&mut self, ruleset: usize) {
        self.game.message.clear();
        match self.game.ruling(self.game.session().rulesets()[ruleset]) {
            Ok(ruling) => {
                self.state.judge_panel = Some(JudgePanel { ruleset_index: ruleset, ruling, scroll: 0 })
            }
            Err(error) => self.game.message = self.game.error_text(&error),
        }
    }

    /// Handles a key in the judge panel.
    fn on_judge_key(&mut self, code: KeyCode) {
        let Some(panel) = &mut self.state.judge_panel else { return };
        let rulesets = self.game.session().rulesets();
        match code {
            KeyCode::Esc => self.state.judge_panel = None,
            KeyCode::Up => panel.scroll = panel.scroll.saturating_sub(1),
            KeyCode::Down => {
                let last = ruling_sentences(&panel.ruling).count() - 1;
                panel.scroll = (panel.scroll + 1).min(last);
            }
            KeyCode::Char('j') => {
                let next = (panel.ruleset_index + 1) % rulesets.len();
                self.load_ruling(next);
            }
            KeyCode::Char('k') => {
                let ruleset = rulesets[panel.ruleset_index];
                self.state.judge_panel = None;
                if let Err(error) = self.game.set_ruleset(ruleset) {
                    self.game.message = self.game.error_text(&error);
                }
            }
            code => self.on_view_key(code),
        }
    }

    fn on_confirmed(&mut self, confirmation: Confirmation) -> ScreenAction {
        self.state.selected_square = None;
        match confirmation {
            Confirmation::New => {
                // The panels belong to the old game.
                (self.state.review, self.state.judge_panel) = (None, None);
                let kept = self.game.keep();
                self.game.restart();
                if let Some(kept) = kept.filter(|_| self.game.message.is_empty()) {
                    self.game.message = kept;
                }
            }
            Confirmation::Resign => self.game.resign(),
            Confirmation::Quit => return ScreenAction::Quit,
        }
        ScreenAction::Continue
    }

    /// Moves the cursor on the screen.
    fn move_cursor(&mut self, files: isize, ranks: isize) {
        let appearance = self.game.session().appearance();
        let sign = if self.game.bottom_side == Side::First { 1 } else { -1 };
        let (file, rank) = self.state.cursor;
        let to = (file.checked_add_signed(sign * files), rank.checked_add_signed(sign * ranks));
        if let (Some(file), Some(rank)) = to
            && file < appearance.files
            && rank < appearance.ranks
        {
            self.state.cursor = (file, rank);
        }
    }

    /// Selects or deselects the piece at the cursor, or moves the selected piece there.
    fn select_square(&mut self) {
        if !self.game.may_move() {
            return;
        }
        let square = square_name(self.game.session().appearance(), self.state.cursor);
        let targets = self.game.session().targets(None);
        let ends_here = |target: &&Target| {
            target.to.as_deref() == Some(square.as_str()) && target.from == self.state.selected_square
        };
        let moves_here: Vec<_> = targets.iter().filter(ends_here).cloned().collect();
        match &moves_here[..] {
            [] => {
                let movable = targets.iter().any(|target| target.from.as_deref() == Some(square.as_str()));
                let is_selected = self.state.selected_square.as_deref() == Some(square.as_str());
                self.state.selected_square = (movable && !is_selected).then_some(square);
            }
            [target] => self.play_target(target),
            _ => self.state.choices = moves_here,
        }
    }

    fn play_target(&mut self, target: &Target) {
        self.state.selected_square = None;
        if let Err(error) = self.game.play_target(target) {
            self.game.message = self.game.error_text(&error);
        }
    }
}

/// Returns the longest common prefix of the moves that begin with `typed`, if it is longer than that.
fn common_completion(typed: &str, moves: &[String]) -> Option<String> {
    let mut matching = moves.iter().filter(|text| text.starts_with(typed));
    let mut prefix = matching.next()?.clone();
    for text in matching {
        while !text.starts_with(&prefix) {
            prefix.pop();
        }
    }
    (prefix.len() > typed.len()).then_some(prefix)
}

#[cfg(test)]
mod tests;
