//! What keys and clicks do.

use super::*;
use crate::language::Language;
use crate::play::terminal_game::GameOptions;
use alfil_session::game_clock::TimeControl;
use alfil_session::registry;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::MouseEvent;

const SIZE: Size = Size { width: 80, height: 24 };

fn screen(game: &str) -> Screen {
    let desk = registry::open(game, None).unwrap();
    Screen::new(TerminalGame::new(
        desk,
        GameOptions { level: 1, move_time: Duration::from_millis(20), ..GameOptions::default_for_tests() },
    ))
}

/// Presses keys; says whether one of them leaves.
fn press(screen: &mut Screen, codes: &[KeyCode]) -> bool {
    let mut wish = |&code| screen.handle_event(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)), SIZE);
    codes.iter().any(|code| wish(code) == ScreenAction::Quit)
}

fn type_move(screen: &mut Screen, text: &str) {
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
        ("chess", "Nf3", "Nf3"),
        ("chess", "mg1f3", "Nf3"),
        ("chess", "e4", "e4"),
        ("chess", "d2d4", "d4"),
        ("othello", "f5", "f5"),
    ] {
        let mut screen = screen(game);
        type_move(&mut screen, text);
        assert_eq!(screen.game.played_moves().concat(), played, "{game} {text}");
        assert_eq!(screen.state.typed_move.is_some(), played.is_empty(), "what is refused stays: {text}");
    }
}

#[test]
fn a_refused_move_says_why_and_is_mended_in_place() {
    let mut screen = screen("xiangqi");
    type_move(&mut screen, "mh3e3");
    assert!(screen.game.message.contains("as uci10 it would be legal"), "{}", screen.game.message);
    press(&mut screen, &[KeyCode::Backspace; 4]);
    type_move(&mut screen, "b2");
    assert_eq!(screen.state.typed_move.as_deref(), Some("b2"));
    press(&mut screen, &[KeyCode::Esc]);
    assert_eq!(screen.state.typed_move, None);
    screen.handle_event(&Event::Paste("h2e2\n".into()), SIZE);
    press(&mut screen, &[KeyCode::Enter]);
    assert_eq!(screen.game.played_moves(), ["h2e2"]);
}

#[test]
fn tab_completes_what_moves_have_in_common() {
    let moves = ["h2e2", "h2e3", "g1f3"].map(String::from);
    assert_eq!(common_completion("h", &moves).as_deref(), Some("h2e"));
    assert_eq!(common_completion("g", &moves).as_deref(), Some("g1f3"));
    assert_eq!(common_completion("h2e", &moves), None);
    assert_eq!(common_completion("x", &moves), None);
}

#[test]
fn a_move_that_loses_by_repetition_is_asked_about() {
    // The chariot checks without end. In the first the repetition is complete by its check, in the second by the reply.
    for (fen, road, last) in [
        ("3k4R/9/9/9/9/9/9/9/9/4K4 b", "d9d8 i9i8 d8d9 i8i9 d9d8 i9i8 d8d9", "i8i9"),
        ("3k5/8R/9/9/9/9/9/9/9/4K4 w", "i8i9 d9d8 i9i8 d8d9 i8i9 d9d8", "i9i8"),
    ] {
        let mut screen = screen("xiangqi");
        screen.game.session.open(fen, &alfil_kernel::Waivers::None).unwrap();
        for text in road.split(' ') {
            screen.game.session.play(text, None).unwrap();
        }
        let before = screen.game.played_moves();
        type_move(&mut screen, &format!("m{last}"));
        let said = &screen.game.message;
        assert!(said.contains("would lose the game") && said.contains("perpetual"), "{said}");
        assert_eq!(screen.game.played_moves(), before, "{fen}");
        press(&mut screen, &[KeyCode::Enter]);
        assert_eq!(screen.game.played_moves().len(), before.len() + 1, "{fen}");
    }
}

#[test]
fn a_move_by_keys_and_its_reply() {
    let mut screen = screen("xiangqi");
    use KeyCode::{Enter, Right, Up};
    // From the general to the cannon on h2, and two to its left.
    press(&mut screen, &[Right, Right, Right, Up, Up, Enter]);
    assert_eq!(screen.state.selected_square.as_deref(), Some("h2"));
    press(&mut screen, &[KeyCode::Left, KeyCode::Left, Enter]);
    assert_eq!(screen.game.played_moves(), ["h2f2"]);
    assert!(screen.update());
    screen.game.wait_for_search();
    assert_eq!(screen.game.played_moves().len(), 2);
    press(&mut screen, &[KeyCode::Char('u')]);
    assert!(screen.game.played_moves().is_empty());
}

#[test]
fn a_click_puts_a_disc() {
    let mut screen = screen("othello");
    let area = crate::play::render::board_area(screen.game.session.appearance());
    // f5 is the sixth file and the fifth row from the top.
    let (column, row) = (area.x + 4 + 4 * 5, area.y + 4);
    let kind = MouseEventKind::Down(MouseButton::Left);
    screen.handle_event(&Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }), SIZE);
    assert_eq!(screen.game.played_moves(), ["f5"]);
}

#[test]
fn questions_are_answered_and_help_closes() {
    let mut screen = screen("xiangqi");
    assert!(!press(&mut screen, &[KeyCode::Char('?')]) && screen.state.help_scroll.is_some());
    press(&mut screen, &[KeyCode::Char('x')]);
    assert!(screen.state.help_scroll.is_none());
    press(&mut screen, &[KeyCode::Char('r'), KeyCode::Char('n')]);
    assert!(!screen.game.is_over());
    press(&mut screen, &[KeyCode::Char('r'), KeyCode::Char('y')]);
    assert!(screen.game.is_over());
    press(&mut screen, &[KeyCode::Char('n'), KeyCode::Char('y')]);
    assert!(!screen.game.is_over());
    assert!(press(&mut screen, &[KeyCode::Char('q'), KeyCode::Char('y')]));
}

#[test]
fn a_whole_game_against_itself_by_choosing_targets() {
    let mut screen = screen("othello");
    for _ in 0..200 {
        if screen.game.is_over() {
            return;
        }
        screen.update();
        screen.game.wait_for_search();
        if screen.game.may_move()
            && let Some(target) = screen.game.session.targets(None).first().cloned()
        {
            screen.play_target(&target);
        }
    }
    panic!("no end");
}

#[test]
fn the_engine_shows_lines_and_stops() {
    let mut screen = screen("xiangqi");
    press(&mut screen, &[KeyCode::Char('x')]);
    assert!(screen.update() && screen.game.is_analysing());
    while screen.game.analysis_lines.len() < 3 {
        screen.game.poll_search();
        std::thread::yield_now();
    }
    press(&mut screen, &[KeyCode::Char('x')]);
    assert!(!screen.game.is_analysing());
}

#[test]
fn a_hint_comes_while_the_engine_is_on() {
    let mut screen = screen("xiangqi");
    press(&mut screen, &[KeyCode::Char('x')]);
    assert!(screen.update() && screen.game.is_analysing());
    press(&mut screen, &[KeyCode::Char('t')]);
    screen.update();
    let hint = |screen: &Screen| screen.game.message.contains("A good move is");
    if !hint(&screen) {
        assert!(!screen.game.is_analysing(), "the hint was dropped");
        screen.game.wait_for_search();
    }
    screen.update();
    assert!(hint(&screen) && screen.game.is_analysing(), "{}", screen.game.message);
}

/// A screen whose game has these moves already.
fn screen_after(game: &str, fen: &str, road: &str, wants: GameOptions) -> Screen {
    let mut desk = registry::open(game, None).unwrap();
    desk.open(fen, &alfil_kernel::Waivers::None).unwrap();
    for text in road.split_whitespace() {
        desk.play(text, None).unwrap();
    }
    let (start, time) = (fen.to_owned(), Duration::from_millis(20));
    Screen::new(TerminalGame::new(desk, GameOptions { start, move_time: time, ..wants }))
}

/// The queen stalemates where she could have mated.
const MISSED: (&str, &str) = ("7k/3N4/4Q1K1/8/8/8/8/8 w - - 0 1", "e6f7");

#[test]
fn a_review_finds_what_was_missed_and_steps_through_the_game() {
    let mut screen = screen_after("chess", MISSED.0, MISSED.1, GameOptions::default_for_tests());
    press(&mut screen, &[KeyCode::Char('s')]);
    screen.state.review.as_mut().unwrap().finish().unwrap();
    let at = |screen: &Screen| screen.state.review.as_ref().unwrap().shown_ply();
    assert_eq!(at(&screen), 1);
    let review = screen.state.review.as_ref().unwrap();
    let words: Vec<_> = review.values.iter().map(|value| value.to_text()).collect();
    assert_eq!(words, ["#1", "0.00"]);
    let lost = review.largest_losses();
    assert_eq!((lost.len(), lost[0].ply, lost[0].loss), (1, 0, 1_500));
    assert_eq!(review.best_move(0, "san"), Some("Qe8#"));
    // To the position before the loss, where the better move is marked.
    press(&mut screen, &[KeyCode::Char('n')]);
    assert_eq!(at(&screen), 0);
    assert_eq!(screen.state.review.as_ref().unwrap().best_move_squares(), ["e6", "e8"]);
    press(&mut screen, &[KeyCode::Right, KeyCode::Right]);
    assert_eq!(at(&screen), 1);
    // Letters are no moves here, and a click goes where the graph is.
    press(&mut screen, &[KeyCode::Char('e'), KeyCode::Home, KeyCode::End]);
    assert_eq!((at(&screen), &screen.state.typed_move), (1, &None));
    let kind = MouseEventKind::Down(MouseButton::Left);
    let click = MouseEvent { kind, column: 40, row: 5, modifiers: KeyModifiers::NONE };
    screen.handle_event(&Event::Mouse(click), SIZE);
    assert_eq!(at(&screen), 0);
    press(&mut screen, &[KeyCode::Esc]);
    assert!(screen.state.review.is_none());
}

#[test]
fn nothing_is_reviewed_where_nothing_was_played() {
    let mut screen = screen("othello");
    press(&mut screen, &[KeyCode::Char('s')]);
    assert!(screen.state.review.is_none() && screen.game.message.contains("no moves"));
    press(&mut screen, &[KeyCode::Char('j')]);
    assert!(screen.state.judge_panel.is_none() && screen.game.message.contains("no rule books"));
}

#[test]
fn another_rule_book_judges_again_and_the_game_goes_on_by_it() {
    // Three times the same: the book between people judges it, that of ElephantEye waits for the fourth.
    let road = "d9d8 i9i8 d8d9 i8i9 d9d8 i9i8 d8d9 i8i9";
    let wants = GameOptions { language: Language::Zh, ..GameOptions::default_for_tests() };
    let mut screen = screen_after("xiangqi", "3k4R/9/9/9/9/9/9/9/9/4K4 b", road, wants);
    assert!(screen.game.is_over());
    press(&mut screen, &[KeyCode::Char('j')]);
    let ruling = |screen: &Screen| screen.state.judge_panel.as_ref().unwrap().ruling.clone();
    assert_eq!((ruling(&screen).ruleset, ruling(&screen).verdict_label), ("axf", "红方判负"));
    press(&mut screen, &[KeyCode::Char('l')]);
    assert_eq!(ruling(&screen).verdict_label, "red_loses");
    press(&mut screen, &[KeyCode::Char('j'); 4]);
    assert_eq!((ruling(&screen).ruleset, ruling(&screen).outcome), ("elephanteye", None));
    press(&mut screen, &[KeyCode::Down, KeyCode::Up, KeyCode::Up, KeyCode::Char('k')]);
    assert!(screen.state.judge_panel.is_none() && !screen.game.is_over());
    assert_eq!(screen.game.ruleset(), Some("elephanteye"));
    // The new book stays with a new game.
    press(&mut screen, &[KeyCode::Char('n'), KeyCode::Char('y')]);
    assert_eq!((screen.game.ruleset(), screen.game.played_moves().len()), (Some("elephanteye"), 8));
}

#[test]
fn before_the_judge_a_click_moves_nothing_and_nobody_is_called_while_the_computer_thinks() {
    let (fen, road) = ("3k4R/9/9/9/9/9/9/9/9/4K4 b", "d9d8 i9i8 d8d9 i8i9");
    let mut screen = screen_after(
        "xiangqi",
        fen,
        road,
        GameOptions { person: Side::Second, ..GameOptions::default_for_tests() },
    );
    let area = crate::play::render::board_area(screen.game.session.appearance());
    // The general on d9, seen from the other side: the sixth file and the last row.
    let (column, row) = (area.x + 4 + 4 * 5, area.y + 2 * 9);
    let kind = MouseEventKind::Down(MouseButton::Left);
    let click = Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE });
    press(&mut screen, &[KeyCode::Char('j')]);
    assert!(screen.state.judge_panel.is_some());
    screen.handle_event(&click, SIZE);
    assert_eq!(screen.state.selected_square, None);
    press(&mut screen, &[KeyCode::Esc]);
    screen.handle_event(&click, SIZE);
    assert_eq!(screen.state.selected_square.as_deref(), Some("d9"));
    let mut screen = screen_after("xiangqi", fen, road, GameOptions::default_for_tests());
    assert!(screen.update() && screen.game.is_computer_searching());
    press(&mut screen, &[KeyCode::Char('j')]);
    assert!(screen.state.judge_panel.is_none() && screen.game.message.contains("the computer's turn"));
}

#[test]
fn the_clock_runs_again_after_more_was_taken_back_than_was_played_here() {
    let pace = TimeControl { base: Duration::from_secs(300), increment: Duration::ZERO };
    let mut screen = screen_after(
        "othello",
        "startpos",
        "f5 d6",
        GameOptions { time_control: Some(pace), ..GameOptions::default_for_tests() },
    );
    let running = |screen: &Screen| screen.game.clock().unwrap().running();
    press(&mut screen, &[KeyCode::Char('u')]);
    assert_eq!((screen.game.played_moves().len(), running(&screen)), (0, None));
    type_move(&mut screen, "f5");
    assert_eq!(running(&screen), Some(Side::Second));
    // A new game begins after the opening, with its clock.
    press(&mut screen, &[KeyCode::Char('n'), KeyCode::Char('y')]);
    assert_eq!((screen.game.played_moves().len(), running(&screen)), (2, None));
}

/// Discs at the end are worth what they were before it, so that nobody loses by the last of equal moves.
#[test]
fn the_end_of_a_game_that_is_counted_is_worth_its_count() {
    let rows = ["XXXXXXXX"; 3].into_iter().chain(["OOOOOOOO"; 4]).chain(["OOOOOXO- X"]);
    let mut screen =
        screen_after("othello", &rows.collect::<String>(), "h8", GameOptions::default_for_tests());
    press(&mut screen, &[KeyCode::Char('s')]);
    let review = screen.state.review.as_mut().unwrap();
    review.finish().unwrap();
    assert_eq!(review.shown_session.view().piece_counts, Some([35, 29]));
    let words: Vec<_> = review.values.iter().map(|value| value.to_text()).collect();
    assert_eq!(words.last().unwrap(), "+6.00", "{words:?}");
}

/// A clock without any time left: the flag falls where it begins to run.
const NO_TIME: TimeControl = TimeControl { base: Duration::ZERO, increment: Duration::ZERO };

#[test]
fn whose_time_is_over_has_lost() {
    let mut screen = screen_after(
        "chess",
        "startpos",
        "",
        GameOptions { time_control: Some(NO_TIME), ..GameOptions::default_for_tests() },
    );
    type_move(&mut screen, "e4");
    assert!(screen.update() && screen.game.is_over());
    assert_eq!(screen.game.status(&screen.game.session.view()), "Black has run out of time: White wins");
    press(&mut screen, &[KeyCode::Char('u')]);
    assert!(screen.game.message.contains("no move is taken back") && screen.game.is_over());
    type_move(&mut screen, "md4");
    assert!(screen.game.message.contains("The game is over."));
    press(&mut screen, &[KeyCode::Esc, KeyCode::Char('n'), KeyCode::Char('y')]);
    assert!(!screen.game.is_over() && screen.game.may_move());
}

/// FIDE 6.9: a bare king cannot win on time.
#[test]
fn whoever_cannot_win_does_not_win_on_time() {
    let wants =
        GameOptions { time_control: Some(NO_TIME), person: Side::Second, ..GameOptions::default_for_tests() };
    let mut screen = screen_after("chess", "4k3/8/8/8/8/8/4Q3/4K3 b - - 0 1", "", wants);
    type_move(&mut screen, "Kd8");
    screen.update();
    let status = screen.game.status(&screen.game.session.view());
    assert_eq!(status, "White has run out of time, but Black has not the men to win: a draw");
}

#[test]
fn the_first_move_starts_the_clock_and_a_move_taken_back_stops_it() {
    let pace = TimeControl { base: Duration::from_secs(300), increment: Duration::from_secs(3) };
    let mut screen = screen_after(
        "othello",
        "startpos",
        "",
        GameOptions { time_control: Some(pace), ..GameOptions::default_for_tests() },
    );
    let running = |screen: &Screen| screen.game.clock().unwrap().running();
    assert!(screen.update() && running(&screen).is_none());
    type_move(&mut screen, "f5");
    assert_eq!(running(&screen), Some(Side::Second));
    screen.update();
    screen.game.wait_for_search();
    assert_eq!(running(&screen), Some(Side::First));
    let left = screen.game.clock().unwrap().remaining(Side::Second, Instant::now());
    assert!(left > Duration::from_secs(240), "{left:?}");
    press(&mut screen, &[KeyCode::Char('u')]);
    assert_eq!(running(&screen), None);
    press(&mut screen, &[KeyCode::Char('>')]);
    assert!(screen.game.message.contains("on its clock"));
}

#[test]
fn chinese_is_spoken_and_written() {
    let mut screen = screen_after(
        "xiangqi",
        "startpos",
        "",
        GameOptions { language: Language::Zh, ..GameOptions::default_for_tests() },
    );
    assert_eq!(screen.game.dialect(), "chinese");
    type_move(&mut screen, "炮二平五");
    assert_eq!(screen.game.played_moves(), ["炮二平五"]);
    screen.update();
    screen.game.wait_for_search();
    assert!(screen.game.message.starts_with("黑方走 "), "{}", screen.game.message);
    type_move(&mut screen, "炮九平一");
    assert_eq!(screen.game.message, "“炮九平一”在此不合规则：红方九路没有炮");
    press(&mut screen, &[KeyCode::Esc]);
    // Each refusal has its own reason.
    type_move(&mut screen, "mh2e2x");
    assert!(screen.game.message.contains("不是着法"), "{}", screen.game.message);
    press(&mut screen, &[KeyCode::Esc, KeyCode::Char('l')]);
    assert_eq!(screen.game.dialect(), "ucci");
    // What somebody chose stays.
    press(&mut screen, &[KeyCode::Char('w'), KeyCode::Char('l')]);
    assert_eq!(screen.game.dialect(), "uci10");
}

#[test]
fn the_computer_gets_more_time_or_less() {
    let mut screen = screen("chess");
    press(&mut screen, &[KeyCode::Char('>'), KeyCode::Char('>')]);
    assert!(screen.game.message.contains("0.2 s"), "{}", screen.game.message);
    press(&mut screen, &[KeyCode::Char('<'); 9]);
    assert!(screen.game.message.contains("0.1 s"), "{}", screen.game.message);
}

/// Whatever is pressed, clicked or pasted, in whatever window, there is something to draw.
#[test]
fn no_key_breaks_it() {
    use KeyCode::{Backspace, Char, Down, End, Enter, Esc, Home, Left, PageDown, PageUp, Right, Tab, Up};
    const LETTERS: &str = "abcdefghijklmnoprstuvwxyz0123456789+-<>?:/=NRCBQKO#炮二平五车退yyssjjkkttllnnmm";
    let others = [Up, Down, Left, Right, Enter, Esc, Tab, Backspace, Home, End, PageUp, PageDown, Enter];
    let keys: Vec<_> = others.into_iter().chain(LETTERS.chars().map(Char)).collect();
    // Marsaglia's xorshift: the same keys every time.
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut lot = |most: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % most as u64) as usize
    };
    for game in registry::games() {
        let pace = TimeControl { base: Duration::from_secs(600), increment: Duration::ZERO };
        let wants = GameOptions { level: 1, time_control: Some(pace), ..GameOptions::default_for_tests() };
        let mut screen = screen_after(game, "startpos", "", wants);
        for _ in 0..600 {
            let size = Size { width: lot(130) as u16, height: lot(45) as u16 };
            match lot(12) {
                0 => {
                    let kind = MouseEventKind::Down(MouseButton::Left);
                    let (column, row) = (lot(80) as u16, lot(24) as u16);
                    let click = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
                    screen.handle_event(&Event::Mouse(click), size);
                }
                1 => {
                    screen.handle_event(&Event::Paste("h2e2\n炮".into()), size);
                }
                _ => {
                    press(&mut screen, &[keys[lot(keys.len())]]);
                }
            }
            screen.update();
            let mut terminal = Terminal::new(TestBackend::new(size.width, size.height)).unwrap();
            terminal.draw(|frame| draw_screen(frame, &screen.game, &screen.state)).unwrap();
        }
    }
}
