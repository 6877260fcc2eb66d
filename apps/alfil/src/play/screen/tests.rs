//! Tests of keys and clicks.

use super::*;
use crate::language::Language;
use crate::play::terminal_game::GameOptions;
use alfil_session::game_clock::TimeControl;
use alfil_session::played_game::MissingReply;
use alfil_session::registry;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::MouseEvent;

const SIZE: Size = Size { width: 80, height: 24 };

fn screen(game: &str) -> Screen {
    let session = registry::open(game, None).unwrap();
    let options =
        GameOptions { level: 1, move_time: Duration::from_millis(20), ..GameOptions::default_for_tests() };
    Screen::new(TerminalGame::new(session, options).unwrap())
}

/// Presses keys; returns whether one of them quits.
fn press(screen: &mut Screen, codes: &[KeyCode]) -> bool {
    let mut action = |&code| screen.handle_event(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)), SIZE);
    codes.iter().any(|code| action(code) == ScreenAction::Quit)
}

fn type_move(screen: &mut Screen, text: &str) {
    for letter in text.chars() {
        press(screen, &[KeyCode::Char(letter)]);
    }
    press(screen, &[KeyCode::Enter]);
}

#[test]
fn moves_can_be_typed_in_any_dialect() {
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
        assert_eq!(screen.state.typed_move.is_some(), played.is_empty(), "a rejected move stays: {text}");
    }
}

#[test]
fn a_rejected_move_shows_the_reason_and_can_be_edited() {
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
fn after_a_search_that_cannot_be_started_a_key_requests_the_next_one() {
    let mut screen = screen("othello");
    type_move(&mut screen, "f5");
    let node = screen.game.played.current_node();
    screen.game.played.on_missing_reply(node, MissingReply::Failed);
    screen.update();
    assert!(!screen.game.is_searching());
    press(&mut screen, &[KeyCode::Up]);
    assert!(screen.update() && screen.game.is_searching());
}

#[test]
fn tab_completes_the_common_prefix() {
    let moves = ["h2e2", "h2e3", "g1f3"].map(String::from);
    assert_eq!(common_completion("h", &moves).as_deref(), Some("h2e"));
    assert_eq!(common_completion("g", &moves).as_deref(), Some("g1f3"));
    assert_eq!(common_completion("h2e", &moves), None);
    assert_eq!(common_completion("x", &moves), None);
}

#[test]
fn a_move_that_loses_by_repetition_needs_confirmation() {
    // Perpetual check by the rook: completed by the person's move in the first case, by the reply in the second.
    for (fen, moves, last) in [
        ("3k4R/9/9/9/9/9/9/9/9/4K4 b", "d9d8 i9i8 d8d9 i8i9 d9d8 i9i8 d8d9", "i8i9"),
        ("3k5/8R/9/9/9/9/9/9/9/4K4 w", "i8i9 d9d8 i9i8 d8d9 i8i9 d9d8", "i9i8"),
    ] {
        let mut screen = screen_after("xiangqi", fen, moves, GameOptions::default_for_tests());
        let before = screen.game.played_moves();
        type_move(&mut screen, &format!("m{last}"));
        let message = &screen.game.message;
        assert!(message.contains("would lose the game") && message.contains("perpetual"), "{message}");
        assert_eq!(screen.game.played_moves(), before, "{fen}");
        press(&mut screen, &[KeyCode::Enter]);
        assert_eq!(screen.game.played_moves().len(), before.len() + 1, "{fen}");
    }
}

#[test]
fn a_move_is_played_by_keys_and_answered() {
    let mut screen = screen("xiangqi");
    use KeyCode::{Enter, Right, Up};
    // From the king to the cannon on h2, then two squares to its left.
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
fn a_click_places_a_disc() {
    let mut screen = screen("othello");
    let area = BoardView::new(&screen.game, SIZE).area;
    // f5 is the sixth file and the fifth rank from the top; a rank has two rows.
    let (column, row) = (area.x + 4 + 4 * 5, area.y + 2 * 4);
    let kind = MouseEventKind::Down(MouseButton::Left);
    screen.handle_event(&Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }), SIZE);
    assert_eq!(screen.game.played_moves(), ["f5"]);
}

#[test]
fn the_help_is_scrolled_as_far_as_it_does_not_fit() {
    let mut screen = screen("xiangqi");
    let low = Size { height: 12, ..SIZE };
    let mut press = |code| {
        screen.handle_event(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)), low);
        screen.state.help_scroll.unwrap()
    };
    let start = press(KeyCode::Char('?'));
    let last = (0..40).map(|_| press(KeyCode::Down)).last().unwrap();
    assert!(start == 0 && (1..40).contains(&last), "{last}");
    assert_eq!((press(KeyCode::Up), press(KeyCode::PageUp)), (last - 1, last.saturating_sub(7)));
    assert_eq!((0..9).map(|_| press(KeyCode::PageDown)).last(), Some(last));
}

#[test]
fn confirmations_and_help_can_be_closed() {
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
fn a_game_played_with_targets_only_reaches_its_end() {
    let mut screen = screen("othello");
    for _ in 0..200 {
        if screen.game.is_over() {
            return;
        }
        screen.update();
        screen.game.wait_for_search();
        if screen.game.may_move()
            && let Some(target) = screen.game.session().targets(None).first().cloned()
        {
            screen.play_target(&target);
        }
    }
    panic!("no end");
}

#[test]
fn the_analysis_shows_lines_and_stops() {
    let mut screen = screen("xiangqi");
    press(&mut screen, &[KeyCode::Char('x')]);
    assert!(screen.update() && screen.game.has_endless_analysis());
    while screen.game.analysis_lines.len() < 3 {
        screen.game.poll_search();
        std::thread::yield_now();
    }
    press(&mut screen, &[KeyCode::Char('x')]);
    assert!(!screen.game.has_endless_analysis());
}

#[test]
fn a_hint_interrupts_the_analysis() {
    let mut screen = screen("xiangqi");
    press(&mut screen, &[KeyCode::Char('x')]);
    assert!(screen.update() && screen.game.has_endless_analysis());
    press(&mut screen, &[KeyCode::Char('t')]);
    screen.update();
    let hint = |screen: &Screen| screen.game.message.contains("A good move is");
    if !hint(&screen) {
        assert!(!screen.game.has_endless_analysis(), "the hint was dropped");
        screen.game.wait_for_search();
    }
    screen.update();
    assert!(hint(&screen) && screen.game.has_endless_analysis(), "{}", screen.game.message);
}

/// Creates a screen with a game after these moves.
fn screen_after(game: &str, fen: &str, moves: &str, options: GameOptions) -> Screen {
    let mut session = registry::open(game, None).unwrap();
    session.open(fen, &alfil_kernel::Waivers::None).unwrap();
    for text in moves.split_whitespace() {
        session.play(text, None).unwrap();
    }
    let (start, time) = (fen.to_owned(), Duration::from_millis(20));
    Screen::new(TerminalGame::new(session, GameOptions { start, move_time: time, ..options }).unwrap())
}

/// The queen stalemates instead of mating.
const MISSED: (&str, &str) = ("7k/3N4/4Q1K1/8/8/8/8/8 w - - 0 1", "e6f7");

#[test]
fn a_review_finds_a_missed_mate_and_steps_through_the_game() {
    let mut screen = screen_after("chess", MISSED.0, MISSED.1, GameOptions::default_for_tests());
    press(&mut screen, &[KeyCode::Char('s')]);
    screen.state.review.as_mut().unwrap().finish().unwrap();
    let shown_ply = |screen: &Screen| screen.state.review.as_ref().unwrap().shown_ply();
    assert_eq!(shown_ply(&screen), 1);
    let review = screen.state.review.as_ref().unwrap();
    let values: Vec<_> = review.values.iter().map(|value| value.to_text()).collect();
    assert_eq!(values, ["#1", "0.00"]);
    let losses = review.largest_losses();
    assert_eq!((losses.len(), losses[0].ply, losses[0].loss), (1, 0, 1_500));
    assert_eq!(review.best_move(0, "san"), Some("Qe8#"));
    // `n` shows the position before the next loss of value, where the best move is marked.
    press(&mut screen, &[KeyCode::Char('n')]);
    assert_eq!(shown_ply(&screen), 0);
    assert_eq!(screen.state.review.as_ref().unwrap().best_move_squares(), ["e6", "e8"]);
    press(&mut screen, &[KeyCode::Right, KeyCode::Right]);
    assert_eq!(shown_ply(&screen), 1);
    // Letters do not type moves here, and a click on the graph shows the position of that ply.
    press(&mut screen, &[KeyCode::Char('e'), KeyCode::Home, KeyCode::End]);
    assert_eq!((shown_ply(&screen), &screen.state.typed_move), (1, &None));
    let kind = MouseEventKind::Down(MouseButton::Left);
    let click = MouseEvent { kind, column: 40, row: 5, modifiers: KeyModifiers::NONE };
    screen.handle_event(&Event::Mouse(click), SIZE);
    assert_eq!(shown_ply(&screen), 0);
    press(&mut screen, &[KeyCode::Esc]);
    assert!(screen.state.review.is_none());
}

#[test]
fn a_review_does_not_depend_on_the_time_for_a_move() {
    let mut reviews = [1, 400].map(|milliseconds| {
        let mut screen =
            screen_after("xiangqi", "startpos", "h2e2 h9g7 h0g2", GameOptions::default_for_tests());
        screen.game.set_move_time(Duration::from_millis(milliseconds));
        let mut review = screen.game.review().unwrap().unwrap();
        review.finish().unwrap();
        std::mem::take(&mut review.values)
    });
    assert_eq!(reviews[0].len(), 4);
    assert_eq!(std::mem::take(&mut reviews[0]), reviews[1]);
}

#[test]
fn a_game_without_moves_has_no_review_and_no_ruling() {
    let mut screen = screen("othello");
    press(&mut screen, &[KeyCode::Char('s')]);
    assert!(screen.state.review.is_none() && screen.game.message.contains("no moves"));
    press(&mut screen, &[KeyCode::Char('j')]);
    assert!(screen.state.judge_panel.is_none() && screen.game.message.contains("no rulesets"));
}

#[test]
fn another_ruleset_gives_a_new_ruling_and_can_be_chosen_for_the_game() {
    // The default ruleset ends the game at the third occurrence, ElephantEye's at the fourth.
    let moves = "d9d8 i9i8 d8d9 i8i9 d9d8 i9i8 d8d9 i8i9";
    let options = GameOptions { language: Language::Zh, ..GameOptions::default_for_tests() };
    let mut screen = screen_after("xiangqi", "3k4R/9/9/9/9/9/9/9/9/4K4 b", moves, options);
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
    // The chosen ruleset applies to a new game too.
    press(&mut screen, &[KeyCode::Char('n'), KeyCode::Char('y')]);
    assert_eq!((screen.game.ruleset(), screen.game.played_moves().len()), (Some("elephanteye"), 8));
}

#[test]
fn the_board_ignores_clicks_during_a_ruling_and_no_ruling_opens_during_a_search() {
    let (fen, moves) = ("3k4R/9/9/9/9/9/9/9/9/4K4 b", "d9d8 i9i8 d8d9 i8i9");
    let mut screen = screen_after(
        "xiangqi",
        fen,
        moves,
        GameOptions { person: Side::Second, ..GameOptions::default_for_tests() },
    );
    let area = BoardView::new(&screen.game, SIZE).area;
    // The king on d9 on the flipped board: the sixth file and the last row.
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
    let mut screen = screen_after("xiangqi", fen, moves, GameOptions::default_for_tests());
    assert!(screen.update() && screen.game.is_computer_searching());
    press(&mut screen, &[KeyCode::Char('j')]);
    assert!(screen.state.judge_panel.is_none() && screen.game.message.contains("the computer's turn"));
}

#[test]
fn the_clock_restarts_after_opening_moves_were_taken_back() {
    let time_control = TimeControl { base: Duration::from_secs(300), increment: Duration::ZERO };
    let mut screen = screen_after(
        "othello",
        "startpos",
        "f5 d6",
        GameOptions { time_control: Some(time_control), ..GameOptions::default_for_tests() },
    );
    let running = |screen: &Screen| screen.game.clock().unwrap().running();
    press(&mut screen, &[KeyCode::Char('u')]);
    assert_eq!((screen.game.played_moves().len(), running(&screen)), (0, None));
    type_move(&mut screen, "f5");
    assert_eq!(running(&screen), Some(Side::Second));
    // A new game begins after the opening, with a stopped clock.
    press(&mut screen, &[KeyCode::Char('n'), KeyCode::Char('y')]);
    assert_eq!((screen.game.played_moves().len(), running(&screen)), (2, None));
}

/// The final disc difference and the search scores have the same scale, so an equal last move loses nothing.
#[test]
fn the_value_of_a_finished_othello_game_is_its_disc_difference() {
    let rows = ["XXXXXXXX"; 3].into_iter().chain(["OOOOOOOO"; 4]).chain(["OOOOOXO- X"]);
    let mut screen =
        screen_after("othello", &rows.collect::<String>(), "h8", GameOptions::default_for_tests());
    press(&mut screen, &[KeyCode::Char('s')]);
    let review = screen.state.review.as_mut().unwrap();
    review.finish().unwrap();
    assert_eq!(review.shown_session.view().piece_counts, Some([35, 29]));
    let values: Vec<_> = review.values.iter().map(|value| value.to_text()).collect();
    assert_eq!(values.last().unwrap(), "+6", "{values:?}");
}

/// A clock without time: it has run out as soon as it runs.
const NO_TIME: TimeControl = TimeControl { base: Duration::ZERO, increment: Duration::ZERO };

#[test]
fn an_exceeded_time_loses() {
    let mut screen = screen_after(
        "chess",
        "startpos",
        "",
        GameOptions { time_control: Some(NO_TIME), ..GameOptions::default_for_tests() },
    );
    type_move(&mut screen, "e4");
    assert!(screen.update() && screen.game.is_over());
    assert_eq!(screen.game.status(&screen.game.session().view()), "Black has run out of time: White wins");
    press(&mut screen, &[KeyCode::Char('u')]);
    assert!(screen.game.message.contains("moves cannot be taken back") && screen.game.is_over());
    type_move(&mut screen, "md4");
    assert!(screen.game.message.contains("The game is over."));
    press(&mut screen, &[KeyCode::Esc, KeyCode::Char('n'), KeyCode::Char('y')]);
    assert!(!screen.game.is_over() && screen.game.may_move());
}

/// FIDE Laws of Chess, article 6.9: a side with only a king cannot win on time.
#[test]
fn an_exceeded_time_is_a_draw_if_the_opponent_cannot_win() {
    let options =
        GameOptions { time_control: Some(NO_TIME), person: Side::Second, ..GameOptions::default_for_tests() };
    let mut screen = screen_after("chess", "4k3/8/8/8/8/8/4Q3/4K3 b - - 0 1", "", options);
    type_move(&mut screen, "Kd8");
    screen.update();
    let status = screen.game.status(&screen.game.session().view());
    assert_eq!(status, "White has run out of time, but Black does not have enough material to win: a draw");
}

#[test]
fn the_first_move_starts_the_clock_and_undo_stops_it() {
    let time_control = TimeControl { base: Duration::from_secs(300), increment: Duration::from_secs(3) };
    let mut screen = screen_after(
        "othello",
        "startpos",
        "",
        GameOptions { time_control: Some(time_control), ..GameOptions::default_for_tests() },
    );
    let running = |screen: &Screen| screen.game.clock().unwrap().running();
    assert!(screen.update() && running(&screen).is_none());
    type_move(&mut screen, "f5");
    assert_eq!(running(&screen), Some(Side::Second));
    screen.update();
    screen.game.wait_for_search();
    assert_eq!(running(&screen), Some(Side::First));
    let left = screen.game.clock().unwrap().remaining(Side::Second, alfil_engine::now());
    assert!(left > Duration::from_secs(240), "{left:?}");
    press(&mut screen, &[KeyCode::Char('u')]);
    assert_eq!(running(&screen), None);
    press(&mut screen, &[KeyCode::Char('>')]);
    assert!(screen.game.message.contains("set by its clock"));
}

#[test]
fn chinese_messages_and_notation_are_used() {
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
    // A text that is not a move is rejected with another reason.
    type_move(&mut screen, "mh2e2x");
    assert!(screen.game.message.contains("不是着法"), "{}", screen.game.message);
    press(&mut screen, &[KeyCode::Esc, KeyCode::Char('l')]);
    assert_eq!(screen.game.dialect(), "ucci");
    // A chosen dialect stays when the language changes.
    press(&mut screen, &[KeyCode::Char('w'), KeyCode::Char('l')]);
    assert_eq!(screen.game.dialect(), "uci10");
}

#[test]
fn keys_change_the_time_for_a_move() {
    let mut screen = screen("chess");
    press(&mut screen, &[KeyCode::Char('>'), KeyCode::Char('>')]);
    assert!(screen.game.message.contains("200 ms"), "{}", screen.game.message);
    press(&mut screen, &[KeyCode::Char('<'); 9]);
    assert!(screen.game.message.contains("100 ms"), "{}", screen.game.message);
}

/// Every sequence of keys, clicks and pastes leaves a screen that can be drawn.
#[test]
fn random_input_never_panics() {
    use KeyCode::{Backspace, Char, Down, End, Enter, Esc, Home, Left, PageDown, PageUp, Right, Tab, Up};
    const LETTERS: &str = "abcdefghijklmnoprstuvwxyz0123456789+-<>?:/=NRCBQKO#炮二平五车退yyssjjkkttllnnmm";
    let others = [Up, Down, Left, Right, Enter, Esc, Tab, Backspace, Home, End, PageUp, PageDown, Enter];
    let keys: Vec<_> = others.into_iter().chain(LETTERS.chars().map(Char)).collect();
    // Marsaglia's xorshift gives the same input in every run.
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut next_random = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % limit as u64) as usize
    };
    for game in registry::games() {
        let time_control = TimeControl { base: Duration::from_secs(600), increment: Duration::ZERO };
        let options =
            GameOptions { level: 1, time_control: Some(time_control), ..GameOptions::default_for_tests() };
        let mut screen = screen_after(game, "startpos", "", options);
        for _ in 0..600 {
            let size = Size { width: next_random(130) as u16, height: next_random(45) as u16 };
            match next_random(12) {
                0 => {
                    let kind = MouseEventKind::Down(MouseButton::Left);
                    let (column, row) = (next_random(80) as u16, next_random(24) as u16);
                    let click = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
                    screen.handle_event(&Event::Mouse(click), size);
                }
                1 => {
                    screen.handle_event(&Event::Paste("h2e2\n炮".into()), size);
                }
                _ => {
                    press(&mut screen, &[keys[next_random(keys.len())]]);
                }
            }
            screen.update();
            let mut terminal = Terminal::new(TestBackend::new(size.width, size.height)).unwrap();
            terminal.draw(|frame| draw_screen(frame, &screen.game, &screen.state)).unwrap();
        }
    }
}
