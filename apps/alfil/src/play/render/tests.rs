//! Tests of the drawn screen.

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
    let mut session = registry::open(game, None).unwrap();
    for text in moves {
        session.play(text, None).unwrap();
    }
    TerminalGame::new(session, GameOptions { piece_style: pieces, ..GameOptions::default_for_tests() })
        .unwrap()
}

fn rendered(game: &TerminalGame, state: &ScreenState, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw_screen(frame, game, state)).unwrap();
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
fn the_ascii_screen_shows_title_board_moves_and_status() {
    let game = terminal_game("xiangqi", PieceStyle::Ascii, &["h2e2", "h9g7"]);
    let state = ScreenState { cursor: (4, 2), ..ScreenState::default() };
    let text = rendered(&game, &state, 80, 24);
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
fn every_piece_style_fits_both_screen_sizes() {
    for name in registry::games() {
        for pieces in [PieceStyle::Hanzi, PieceStyle::Letters, PieceStyle::Ascii] {
            for (width, height) in [(80, 24), (120, 40)] {
                let game = terminal_game(name, pieces, &[]);
                let text = rendered(&game, &ScreenState::default(), width, height);
                assert!(text.contains("to move") && text.contains("Moves"), "{name} {pieces:?}:\n{text}");
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
fn a_flipped_board_has_the_second_side_at_the_bottom() {
    let mut game = terminal_game("xiangqi", PieceStyle::Ascii, &["h2e2"]);
    game.bottom_side = Side::Second;
    let text = rendered(&game, &ScreenState::default(), 80, 24);
    assert!(text.contains("  0  R---N---B---A---K---A---B---N---R"), "{text}");
    assert!(text.contains("     i   h   g   f   e   d   c   b   a"), "{text}");
    let first = text.find("  0  R").unwrap();
    assert!(first < text.find("  9  r").unwrap());
}

#[test]
fn targets_are_visible_without_colours_and_clicks_map_to_squares() {
    let game = terminal_game("othello", PieceStyle::Ascii, &[]);
    let text = rendered(&game, &ScreenState::default(), 80, 24);
    assert_eq!(text.matches('*').count(), 4, "{text}");
    let appearance = game.session().appearance();
    for screen in [Size::new(40, 20), Size::new(80, 24), Size::new(120, 40), Size::new(250, 90)] {
        let board = BoardView::new(&game, screen);
        for side in Side::BOTH {
            for file in 0..appearance.files {
                for rank in 0..appearance.ranks {
                    let at = board.position(rotate_square(appearance, side, (file, rank)));
                    assert_eq!(board.square_at(side, at), Some((file, rank)), "{screen}");
                    // A cell is no part of the panel beside the board.
                    assert!(
                        board.cell(at).is_none_or(|cell| board.area.union(cell) == board.area),
                        "{screen}"
                    );
                }
            }
        }
        assert_eq!(board.square_at(Side::First, Position::new(0, 0)), None);
        assert_eq!(board.square_at(Side::First, Position::new(screen.width - 1, screen.height - 1)), None);
    }
}

#[test]
fn the_board_grows_with_the_screen_and_leaves_space_for_the_panel() {
    for name in registry::games() {
        let game = terminal_game(name, PieceStyle::Letters, &[]);
        let sizes = [(80, 24), (120, 40), (200, 60)].map(|(width, height)| {
            let board = BoardView::new(&game, Size::new(width, height));
            assert!(board.area.right() + PANEL_COLUMNS <= width && board.area.bottom() < height, "{name}");
            (board.layout.columns, board.layout.rows)
        });
        assert!(sizes.is_sorted_by(|one, next| one < next), "{name}: {sizes:?}");
    }
}

#[test]
fn a_finished_game_mentions_its_review() {
    let game = terminal_game("chess", PieceStyle::Ascii, &["f2f3", "e7e5", "g2g4", "d8h4"]);
    for width in [80, 120] {
        let text = rendered(&game, &ScreenState::default(), width, 24);
        assert!(text.lines().last().unwrap().contains("s review"), "{text}");
    }
}

#[test]
fn help_confirmations_and_a_too_small_window_are_shown() {
    let game = terminal_game("xiangqi", PieceStyle::Ascii, &[]);
    let help = rendered(&game, &ScreenState { help_scroll: Some(0), ..ScreenState::default() }, 80, 24);
    assert!(help.contains("take back"), "{help}");
    let confirming = ScreenState { confirmation: Some(Confirmation::Resign), ..ScreenState::default() };
    assert!(rendered(&game, &confirming, 80, 24).contains("Really resign?"));
    assert!(rendered(&game, &ScreenState::default(), 30, 10).contains("too small"));
}

#[test]
fn every_window_size_can_be_drawn() {
    let mut game = terminal_game("xiangqi", PieceStyle::Hanzi, &["h2e2", "h9g7"]);
    game.message = "This message is longer than its area. ".repeat(20);
    let typing = ScreenState {
        typed_move: Some("车一进一".repeat(40)),
        help_scroll: Some(0),
        ..ScreenState::default()
    };
    for (width, height) in (0..=60).flat_map(|width| (0..=30).map(move |height| (width, height))) {
        rendered(&game, &typing, width, height);
    }
}

#[test]
fn move_numbers_continue_from_the_start_position() {
    let start = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 30";
    let mut session = registry::open("chess", None).unwrap();
    session.open(start, &alfil_kernel::Waivers::None).unwrap();
    let mut game =
        TerminalGame::new(session, GameOptions { start: start.into(), ..GameOptions::default_for_tests() })
            .unwrap();
    assert!(move_rows(&game).is_empty());
    for text in ["e8e7", "e2e4", "e7e6"] {
        game.played.play(text, None, alfil_engine::now()).unwrap();
    }
    assert_eq!(move_rows(&game), [" 30. ...  Ke7", " 31. e4  Ke6"]);
    let game = self::terminal_game("othello", PieceStyle::Ascii, &["f5", "d6", "c3"]);
    assert_eq!(move_rows(&game), ["  1. f5  d6", "  2. c3"]);
}

#[test]
fn a_review_shows_its_graph_and_the_losses() {
    let start = "7k/3N4/4Q1K1/8/8/8/8/8 w - - 0 1";
    for (language, loss) in [
        (Language::En, "1. Qf7 loses 15.00; better was Qe8#"),
        (Language::Zh, "1. Qf7 失分 15.00；更好的是 Qe8#"),
    ] {
        let options = GameOptions {
            start: start.into(),
            language,
            move_time: Duration::from_millis(20),
            ..GameOptions::default_for_tests()
        };
        let mut session = registry::open("chess", None).unwrap();
        session.open(start, &alfil_kernel::Waivers::None).unwrap();
        session.play("e6f7", None).unwrap();
        let game = TerminalGame::new(session, options).unwrap();
        let mut review = game.review().unwrap().unwrap();
        review.finish().unwrap();
        let state = ScreenState { review: Some(review), ..ScreenState::default() };
        let text = rendered(&game, &state, 80, 24);
        assert!(text.contains(loss) && text.contains("|+ ####"), "{text}");
        // Below the board if there is no space beside it.
        assert!(rendered(&game, &state, 45, 30).contains(loss));
        // Every window size can be drawn.
        for (width, height) in (35..=60).flat_map(|width| (12..=30).map(move |height| (width, height))) {
            rendered(&game, &state, width, height);
        }
    }
}

#[test]
fn a_window_without_panel_shows_clocks_above_and_messages_below() {
    let time_control = TimeControl { base: Duration::from_secs(300), increment: Duration::ZERO };
    let session = registry::open("chess", None).unwrap();
    let mut game = TerminalGame::new(
        session,
        GameOptions { time_control: Some(time_control), ..GameOptions::default_for_tests() },
    )
    .unwrap();
    assert!(rendered(&game, &ScreenState::default(), 80, 24).contains(" White 5:00    Black 5:00"));
    game.message = "A message.".into();
    assert!(rendered(&game, &ScreenState::default(), 40, 12).contains("A message."));
}

#[test]
fn the_status_equals_that_of_the_session() {
    for game in registry::games() {
        let mut game = terminal_game(game, PieceStyle::Ascii, &[]);
        assert_eq!(game.status(&game.session().view()), game.session().view().status);
        game.language = Language::Zh;
        assert!(game.status(&game.session().view()).starts_with("轮到"));
    }
    let mut session = registry::open("xiangqi", None).unwrap();
    let start = "3k5/3R5/9/9/9/9/9/9/9/4K4 b";
    session.open(start, &alfil_kernel::Waivers::None).unwrap();
    let options = GameOptions { start: start.into(), ..GameOptions::default_for_tests() };
    let game = TerminalGame::new(session, options).unwrap();
    assert_eq!(game.status(&game.session().view()), game.session().view().status);
}

#[test]
fn a_help_text_that_does_not_fit_is_scrolled() {
    let game = terminal_game("othello", PieceStyle::Ascii, &[]);
    let help_at =
        |line| rendered(&game, &ScreenState { help_scroll: Some(line), ..ScreenState::default() }, 40, 12);
    assert!(help_at(0).contains("a-i ") && !help_at(0).contains("leave"), "{}", help_at(0));
    assert!(help_at(99).contains("| q       leave"), "{}", help_at(99));
}
