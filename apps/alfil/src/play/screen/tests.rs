//! What keys and clicks do.

use super::*;
use crate::language::Language;
use crate::play::table::Wants;
use alfil_hall::clock::Pace;
use alfil_hall::registry;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::MouseEvent;

const SIZE: Size = Size { width: 80, height: 24 };

fn screen(game: &str) -> Screen {
    let desk = registry::open(game, None).unwrap();
    Screen::new(Table::new(desk, Wants { level: 1, time: Duration::from_millis(20), ..Wants::usual() }))
}

/// Presses keys; says whether one of them leaves.
fn press(screen: &mut Screen, codes: &[KeyCode]) -> bool {
    let mut wish = |&code| screen.take(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)), SIZE);
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
        ("chess", "Nf3", "Nf3"),
        ("chess", "mg1f3", "Nf3"),
        ("chess", "e4", "e4"),
        ("chess", "d2d4", "d4"),
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
    screen.take(&Event::Paste("h2e2\n".into()), SIZE);
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
    let area = crate::play::sheet::board_area(screen.table.desk.look());
    // f5 is the sixth file and the fifth row from the top.
    let (column, row) = (area.x + 4 + 4 * 5, area.y + 4);
    let kind = MouseEventKind::Down(MouseButton::Left);
    screen.take(&Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }), SIZE);
    assert_eq!(screen.table.record(), ["f5"]);
}

#[test]
fn questions_are_answered_and_help_closes() {
    let mut screen = screen("xiangqi");
    assert!(!press(&mut screen, &[KeyCode::Char('?')]) && screen.pointer.help.is_some());
    press(&mut screen, &[KeyCode::Char('x')]);
    assert!(screen.pointer.help.is_none());
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

#[test]
fn a_hint_comes_while_the_engine_is_on() {
    let mut screen = screen("xiangqi");
    press(&mut screen, &[KeyCode::Char('x')]);
    assert!(screen.settle() && screen.table.analyses());
    press(&mut screen, &[KeyCode::Char('t')]);
    screen.settle();
    let hint = |screen: &Screen| screen.table.said.contains("A good move is");
    if !hint(&screen) {
        assert!(!screen.table.analyses(), "the hint was dropped");
        screen.table.wait();
    }
    screen.settle();
    assert!(hint(&screen) && screen.table.analyses(), "{}", screen.table.said);
}

/// A screen whose game has these moves already.
fn played(game: &str, fen: &str, road: &str, wants: Wants) -> Screen {
    let mut desk = registry::open(game, None).unwrap();
    desk.open(fen, &alfil_kernel::Waivers::None).unwrap();
    for text in road.split_whitespace() {
        desk.play(text, None).unwrap();
    }
    let (start, time) = (fen.to_owned(), Duration::from_millis(20));
    Screen::new(Table::new(desk, Wants { start, time, ..wants }))
}

/// The queen stalemates where she could have mated.
const MISSED: (&str, &str) = ("7k/3N4/4Q1K1/8/8/8/8/8 w - - 0 1", "e6f7");

#[test]
fn a_review_finds_what_was_missed_and_steps_through_the_game() {
    let mut screen = played("chess", MISSED.0, MISSED.1, Wants::usual());
    press(&mut screen, &[KeyCode::Char('s')]);
    screen.pointer.review.as_mut().unwrap().finish().unwrap();
    let at = |screen: &Screen| screen.pointer.review.as_ref().unwrap().at();
    assert_eq!(at(&screen), 1);
    let review = screen.pointer.review.as_ref().unwrap();
    let words: Vec<_> = review.values.iter().map(|value| value.words()).collect();
    assert_eq!(words, ["#1", "0.00"]);
    let lost = review.losses();
    assert_eq!((lost.len(), lost[0].ply, lost[0].lost), (1, 0, 1_500));
    assert_eq!(review.best(0, "san"), Some("Qe8#"));
    // To the position before the loss, where the better move is marked.
    press(&mut screen, &[KeyCode::Char('n')]);
    assert_eq!(at(&screen), 0);
    assert_eq!(screen.pointer.review.as_ref().unwrap().marked(), ["e6", "e8"]);
    press(&mut screen, &[KeyCode::Right, KeyCode::Right]);
    assert_eq!(at(&screen), 1);
    // Letters are no moves here, and a click goes where the graph is.
    press(&mut screen, &[KeyCode::Char('e'), KeyCode::Home, KeyCode::End]);
    assert_eq!((at(&screen), &screen.pointer.typed), (1, &None));
    let kind = MouseEventKind::Down(MouseButton::Left);
    let click = MouseEvent { kind, column: 40, row: 5, modifiers: KeyModifiers::NONE };
    screen.take(&Event::Mouse(click), SIZE);
    assert_eq!(at(&screen), 0);
    press(&mut screen, &[KeyCode::Esc]);
    assert!(screen.pointer.review.is_none());
}

#[test]
fn nothing_is_reviewed_where_nothing_was_played() {
    let mut screen = screen("othello");
    press(&mut screen, &[KeyCode::Char('s')]);
    assert!(screen.pointer.review.is_none() && screen.table.said.contains("no moves"));
    press(&mut screen, &[KeyCode::Char('j')]);
    assert!(screen.pointer.court.is_none() && screen.table.said.contains("no rule books"));
}

#[test]
fn another_rule_book_judges_again_and_the_game_goes_on_by_it() {
    // Three times the same: the book between people judges it, that of ElephantEye waits for the fourth.
    let road = "d9d8 i9i8 d8d9 i8i9 d9d8 i9i8 d8d9 i8i9";
    let wants = Wants { language: Language::Zh, ..Wants::usual() };
    let mut screen = played("xiangqi", "3k4R/9/9/9/9/9/9/9/9/4K4 b", road, wants);
    assert!(screen.table.is_over());
    press(&mut screen, &[KeyCode::Char('j')]);
    let ruling = |screen: &Screen| screen.pointer.court.as_ref().unwrap().ruling.clone();
    assert_eq!((ruling(&screen).rules, ruling(&screen).verdict_word), ("axf", "红方判负"));
    press(&mut screen, &[KeyCode::Char('l')]);
    assert_eq!(ruling(&screen).verdict_word, "red_loses");
    press(&mut screen, &[KeyCode::Char('j'); 4]);
    assert_eq!((ruling(&screen).rules, ruling(&screen).outcome), ("elephanteye", None));
    press(&mut screen, &[KeyCode::Down, KeyCode::Up, KeyCode::Up, KeyCode::Char('k')]);
    assert!(screen.pointer.court.is_none() && !screen.table.is_over());
    assert_eq!(screen.table.book(), Some("elephanteye"));
    // The new book stays with a new game.
    press(&mut screen, &[KeyCode::Char('n'), KeyCode::Char('y')]);
    assert_eq!((screen.table.book(), screen.table.record().len()), (Some("elephanteye"), 8));
}

#[test]
fn before_the_judge_a_click_moves_nothing_and_nobody_is_called_while_the_computer_thinks() {
    let (fen, road) = ("3k4R/9/9/9/9/9/9/9/9/4K4 b", "d9d8 i9i8 d8d9 i8i9");
    let mut screen = played("xiangqi", fen, road, Wants { person: Side::Second, ..Wants::usual() });
    let area = crate::play::sheet::board_area(screen.table.desk.look());
    // The general on d9, seen from the other side: the sixth file and the last row.
    let (column, row) = (area.x + 4 + 4 * 5, area.y + 2 * 9);
    let kind = MouseEventKind::Down(MouseButton::Left);
    let click = Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE });
    press(&mut screen, &[KeyCode::Char('j')]);
    assert!(screen.pointer.court.is_some());
    screen.take(&click, SIZE);
    assert_eq!(screen.pointer.picked, None);
    press(&mut screen, &[KeyCode::Esc]);
    screen.take(&click, SIZE);
    assert_eq!(screen.pointer.picked.as_deref(), Some("d9"));
    let mut screen = played("xiangqi", fen, road, Wants::usual());
    assert!(screen.settle() && screen.table.replies());
    press(&mut screen, &[KeyCode::Char('j')]);
    assert!(screen.pointer.court.is_none() && screen.table.said.contains("the computer's turn"));
}

#[test]
fn the_clock_runs_again_after_more_was_taken_back_than_was_played_here() {
    let pace = Pace { base: Duration::from_secs(300), increment: Duration::ZERO };
    let mut screen = played("othello", "startpos", "f5 d6", Wants { pace: Some(pace), ..Wants::usual() });
    let running = |screen: &Screen| screen.table.clock().unwrap().running();
    press(&mut screen, &[KeyCode::Char('u')]);
    assert_eq!((screen.table.record().len(), running(&screen)), (0, None));
    write(&mut screen, "f5");
    assert_eq!(running(&screen), Some(Side::Second));
    // A new game begins after the opening, with its clock.
    press(&mut screen, &[KeyCode::Char('n'), KeyCode::Char('y')]);
    assert_eq!((screen.table.record().len(), running(&screen)), (2, None));
}

/// Discs at the end are worth what they were before it, so that nobody loses by the last of equal moves.
#[test]
fn the_end_of_a_game_that_is_counted_is_worth_its_count() {
    let rows = ["XXXXXXXX"; 3].into_iter().chain(["OOOOOOOO"; 4]).chain(["OOOOOXO- X"]);
    let mut screen = played("othello", &rows.collect::<String>(), "h8", Wants::usual());
    press(&mut screen, &[KeyCode::Char('s')]);
    let review = screen.pointer.review.as_mut().unwrap();
    review.finish().unwrap();
    assert_eq!(review.shown.view().tally, Some([35, 29]));
    let words: Vec<_> = review.values.iter().map(|value| value.words()).collect();
    assert_eq!(words.last().unwrap(), "+6.00", "{words:?}");
}

/// A clock without any time left: the flag falls where it begins to run.
const GONE: Pace = Pace { base: Duration::ZERO, increment: Duration::ZERO };

#[test]
fn whose_time_is_over_has_lost() {
    let mut screen = played("chess", "startpos", "", Wants { pace: Some(GONE), ..Wants::usual() });
    write(&mut screen, "e4");
    assert!(screen.settle() && screen.table.is_over());
    assert_eq!(screen.table.status(&screen.table.desk.view()), "Black has run out of time: White wins");
    press(&mut screen, &[KeyCode::Char('u')]);
    assert!(screen.table.said.contains("no move is taken back") && screen.table.is_over());
    write(&mut screen, "md4");
    assert!(screen.table.said.contains("The game is over."));
    press(&mut screen, &[KeyCode::Esc, KeyCode::Char('n'), KeyCode::Char('y')]);
    assert!(!screen.table.is_over() && screen.table.may_move());
}

/// FIDE 6.9: a bare king cannot win on time.
#[test]
fn whoever_cannot_win_does_not_win_on_time() {
    let wants = Wants { pace: Some(GONE), person: Side::Second, ..Wants::usual() };
    let mut screen = played("chess", "4k3/8/8/8/8/8/4Q3/4K3 b - - 0 1", "", wants);
    write(&mut screen, "Kd8");
    screen.settle();
    let status = screen.table.status(&screen.table.desk.view());
    assert_eq!(status, "White has run out of time, but Black has not the men to win: a draw");
}

#[test]
fn the_first_move_starts_the_clock_and_a_move_taken_back_stops_it() {
    let pace = Pace { base: Duration::from_secs(300), increment: Duration::from_secs(3) };
    let mut screen = played("othello", "startpos", "", Wants { pace: Some(pace), ..Wants::usual() });
    let running = |screen: &Screen| screen.table.clock().unwrap().running();
    assert!(screen.settle() && running(&screen).is_none());
    write(&mut screen, "f5");
    assert_eq!(running(&screen), Some(Side::Second));
    screen.settle();
    screen.table.wait();
    assert_eq!(running(&screen), Some(Side::First));
    let left = screen.table.clock().unwrap().left(Side::Second, Instant::now());
    assert!(left > Duration::from_secs(240), "{left:?}");
    press(&mut screen, &[KeyCode::Char('u')]);
    assert_eq!(running(&screen), None);
    press(&mut screen, &[KeyCode::Char('>')]);
    assert!(screen.table.said.contains("on its clock"));
}

#[test]
fn chinese_is_spoken_and_written() {
    let mut screen = played("xiangqi", "startpos", "", Wants { language: Language::Zh, ..Wants::usual() });
    assert_eq!(screen.table.dialect(), "chinese");
    write(&mut screen, "炮二平五");
    assert_eq!(screen.table.record(), ["炮二平五"]);
    screen.settle();
    screen.table.wait();
    assert!(screen.table.said.starts_with("黑方走 "), "{}", screen.table.said);
    write(&mut screen, "炮九平一");
    assert_eq!(screen.table.said, "“炮九平一”在此不合规则：红方九路没有炮");
    press(&mut screen, &[KeyCode::Esc]);
    // Each refusal has its own reason.
    write(&mut screen, "mh2e2x");
    assert!(screen.table.said.contains("不是着法"), "{}", screen.table.said);
    press(&mut screen, &[KeyCode::Esc, KeyCode::Char('l')]);
    assert_eq!(screen.table.dialect(), "ucci");
    // What somebody chose stays.
    press(&mut screen, &[KeyCode::Char('w'), KeyCode::Char('l')]);
    assert_eq!(screen.table.dialect(), "uci10");
}

#[test]
fn the_computer_gets_more_time_or_less() {
    let mut screen = screen("chess");
    press(&mut screen, &[KeyCode::Char('>'), KeyCode::Char('>')]);
    assert!(screen.table.said.contains("0.2 s"), "{}", screen.table.said);
    press(&mut screen, &[KeyCode::Char('<'); 9]);
    assert!(screen.table.said.contains("0.1 s"), "{}", screen.table.said);
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
        let pace = Pace { base: Duration::from_secs(600), increment: Duration::ZERO };
        let wants = Wants { level: 1, pace: Some(pace), ..Wants::usual() };
        let mut screen = played(game, "startpos", "", wants);
        for _ in 0..600 {
            let size = Size { width: lot(130) as u16, height: lot(45) as u16 };
            match lot(12) {
                0 => {
                    let kind = MouseEventKind::Down(MouseButton::Left);
                    let (column, row) = (lot(80) as u16, lot(24) as u16);
                    let click = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
                    screen.take(&Event::Mouse(click), size);
                }
                1 => {
                    screen.take(&Event::Paste("h2e2\n炮".into()), size);
                }
                _ => {
                    press(&mut screen, &[keys[lot(keys.len())]]);
                }
            }
            screen.settle();
            let mut terminal = Terminal::new(TestBackend::new(size.width, size.height)).unwrap();
            terminal.draw(|frame| draw(frame, &screen.table, &screen.pointer)).unwrap();
        }
    }
}
