//! What the sheet shows.

use super::panel::move_rows;
use super::*;
use crate::language::Language;
use crate::play::terminal_game::GameOptions;
use alfil_session::game_clock::TimeControl;
use alfil_session::registry;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use std::time::Duration;

fn terminal_game(game: &str, pieces: PieceStyle, moves: &[&str]) -> TerminalGame {
    let mut desk = registry::open(game, None).unwrap();
    for text in moves {
        desk.play(text, None).unwrap();
    }
    TerminalGame::new(desk, GameOptions { pieces, ..GameOptions::default_for_tests() })
}

fn rendered(table: &TerminalGame, pointer: &ScreenState, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw_screen(frame, table, pointer)).unwrap();
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
    let table = terminal_game("xiangqi", PieceStyle::Ascii, &["h2e2", "h9g7"]);
    let pointer = ScreenState { cursor: (4, 2), ..ScreenState::default() };
    let text = rendered(&table, &pointer, 80, 24);
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
        for pieces in [PieceStyle::Hanzi, PieceStyle::Letters, PieceStyle::Ascii] {
            for (width, height) in [(80, 24), (120, 40)] {
                let table = terminal_game(game, pieces, &[]);
                let text = rendered(&table, &ScreenState::default(), width, height);
                assert!(text.contains("to move") && text.contains("Moves"), "{game} {pieces:?}:\n{text}");
            }
        }
    }
    let hanzi = rendered(&terminal_game("xiangqi", PieceStyle::Hanzi, &[]), &ScreenState::default(), 80, 24);
    assert!(hanzi.contains(" 9  車──馬──象──士──將──士──象──馬──車"), "{hanzi}");
    let letters =
        rendered(&terminal_game("xiangqi", PieceStyle::Letters, &[]), &ScreenState::default(), 80, 24);
    assert!(letters.contains(" 9  r───n───b───a───k───a───b───n───r"), "{letters}");
}

#[test]
fn the_second_player_sits_below_when_the_board_is_turned() {
    let mut table = terminal_game("xiangqi", PieceStyle::Ascii, &["h2e2"]);
    table.bottom_side = Side::Second;
    let text = rendered(&table, &ScreenState::default(), 80, 24);
    assert!(text.contains("  0  R---N---B---A---K---A---B---N---R"), "{text}");
    assert!(text.contains("     i   h   g   f   e   d   c   b   a"), "{text}");
    let first = text.find("  0  R").unwrap();
    assert!(first < text.find("  9  r").unwrap());
}

#[test]
fn targets_are_seen_without_colours_and_squares_are_found_again() {
    let table = terminal_game("othello", PieceStyle::Ascii, &[]);
    let text = rendered(&table, &ScreenState::default(), 80, 24);
    assert_eq!(text.matches('*').count(), 4, "{text}");
    let look = table.session.appearance();
    let area = board_area(look);
    for side in Side::BOTH {
        for file in 0..look.files {
            for rank in 0..look.ranks {
                let (x, y) = rotate_square(look, side, (file, rank));
                let (column, row) =
                    (area.x + BOARD_LEFT_COLUMNS + 4 * x as u16, area.y + (look.ranks - 1 - y) as u16);
                assert_eq!(square_at(look, side, column, row), Some((file, rank)));
            }
        }
    }
    assert_eq!(square_at(look, Side::First, 0, 0), None);
    assert_eq!(square_at(look, Side::First, 79, 23), None);
}

#[test]
fn help_and_questions_are_shown_and_a_small_window_says_so() {
    let table = terminal_game("xiangqi", PieceStyle::Ascii, &[]);
    let help = rendered(&table, &ScreenState { help_scroll: Some(0), ..ScreenState::default() }, 80, 24);
    assert!(help.contains("take back"), "{help}");
    let asked = ScreenState { confirmation: Some(Confirmation::Resign), ..ScreenState::default() };
    assert!(rendered(&table, &asked, 80, 24).contains("Really resign?"));
    assert!(rendered(&table, &ScreenState::default(), 30, 10).contains("too small"));
}

#[test]
fn no_size_is_too_small_to_be_drawn() {
    let mut table = terminal_game("xiangqi", PieceStyle::Hanzi, &["h2e2", "h9g7"]);
    table.message = "What was said is longer than the room there is for it. ".repeat(20);
    let typed = ScreenState {
        typed_move: Some("车一进一".repeat(40)),
        help_scroll: Some(0),
        ..ScreenState::default()
    };
    for (width, height) in (0..=60).flat_map(|width| (0..=30).map(move |height| (width, height))) {
        rendered(&table, &typed, width, height);
    }
}

#[test]
fn moves_are_numbered_as_the_position_says() {
    let start = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 30";
    let mut desk = registry::open("chess", None).unwrap();
    desk.open(start, &alfil_kernel::Waivers::None).unwrap();
    let mut table =
        TerminalGame::new(desk, GameOptions { start: start.into(), ..GameOptions::default_for_tests() });
    assert!(move_rows(&table).is_empty());
    for text in ["e8e7", "e2e4", "e7e6"] {
        table.session.play(text, None).unwrap();
    }
    assert_eq!(move_rows(&table), [" 30. ...  Ke7", " 31. e4  Ke6"]);
    let table = self::terminal_game("othello", PieceStyle::Ascii, &["f5", "d6", "c3"]);
    assert_eq!(move_rows(&table), ["  1. f5  d6", "  2. c3"]);
}

#[test]
fn a_review_has_a_graph_and_names_what_was_lost() {
    let start = "7k/3N4/4Q1K1/8/8/8/8/8 w - - 0 1";
    for (language, loss) in [
        (Language::En, "1. Qf7 loses 15.00; better was Qe8#"),
        (Language::Zh, "1. Qf7 失分 15.00；更好的是 Qe8#"),
    ] {
        let wants = GameOptions {
            start: start.into(),
            language,
            move_time: Duration::from_millis(20),
            ..GameOptions::default_for_tests()
        };
        let mut desk = registry::open("chess", None).unwrap();
        desk.open(start, &alfil_kernel::Waivers::None).unwrap();
        desk.play("e6f7", None).unwrap();
        let table = TerminalGame::new(desk, wants);
        let mut review = table.review().unwrap().unwrap();
        review.finish().unwrap();
        let pointer = ScreenState { review: Some(review), ..ScreenState::default() };
        let text = rendered(&table, &pointer, 80, 24);
        assert!(text.contains(loss) && text.contains("|+ ####"), "{text}");
        // Below the board where there is no room beside it.
        assert!(rendered(&table, &pointer, 45, 30).contains(loss));
        // And nowhere too small.
        for (width, height) in (35..=60).flat_map(|width| (12..=30).map(move |height| (width, height))) {
            rendered(&table, &pointer, width, height);
        }
    }
}

#[test]
fn the_clock_stands_above_the_board_and_words_at_its_foot_where_there_is_no_room() {
    let pace = TimeControl { base: Duration::from_secs(300), increment: Duration::ZERO };
    let desk = registry::open("chess", None).unwrap();
    let mut table =
        TerminalGame::new(desk, GameOptions { time_control: Some(pace), ..GameOptions::default_for_tests() });
    assert!(rendered(&table, &ScreenState::default(), 80, 24).contains(" White 5:00    Black 5:00"));
    table.message = "Something was said.".into();
    assert!(rendered(&table, &ScreenState::default(), 40, 12).contains("Something was said."));
}

#[test]
fn the_status_is_what_the_hall_says() {
    for game in registry::games() {
        let mut table = terminal_game(game, PieceStyle::Ascii, &[]);
        assert_eq!(table.status(&table.session.view()), table.session.view().status);
        table.language = Language::Zh;
        assert!(table.status(&table.session.view()).starts_with("轮到"));
    }
    let mut table = terminal_game("xiangqi", PieceStyle::Ascii, &[]);
    table.session.open("3k5/3R5/9/9/9/9/9/9/9/4K4 b", &alfil_kernel::Waivers::None).unwrap();
    assert_eq!(table.status(&table.session.view()), table.session.view().status);
}

#[test]
fn a_help_that_does_not_fit_is_read_on() {
    let table = terminal_game("othello", PieceStyle::Ascii, &[]);
    let seen =
        |read| rendered(&table, &ScreenState { help_scroll: Some(read), ..ScreenState::default() }, 40, 12);
    assert!(seen(0).contains("a to i") && !seen(0).contains("leave"), "{}", seen(0));
    assert!(seen(99).contains("| q       leave"), "{}", seen(99));
}
