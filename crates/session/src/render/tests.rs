use super::*;
use crate::registry;

#[test]
fn every_style_draws_every_board_from_both_sides() {
    for game in registry::games() {
        let session = registry::open(game, None).unwrap();
        let (appearance, view) = (session.appearance(), session.view());
        for style in [PieceStyle::Hanzi, PieceStyle::Letters, PieceStyle::Ascii] {
            let layout = TextLayout::new(appearance, 1, None);
            let [first, second] =
                Side::BOTH.map(|bottom| TextBoard { style, bottom, layout }.draw(appearance, &view));
            let last_rank = appearance.rank_names[appearance.ranks - 1];
            assert!(first.trim_start().starts_with(last_rank), "{game} {style:?}:\n{first}");
            assert!(second.trim_start().starts_with(appearance.rank_names[0]), "{game} {style:?}:\n{second}");
            assert_eq!(first.lines().count(), second.lines().count(), "{game} {style:?}");
        }
    }
}

#[test]
fn a_flipped_xiangqi_board_has_the_same_lines() {
    let session = registry::open("xiangqi", None).unwrap();
    let layout = TextLayout::new(session.appearance(), 1, None);
    let draw = |bottom| {
        TextBoard { style: PieceStyle::Letters, bottom, layout }.draw(session.appearance(), &session.view())
    };
    let points = |text: String| -> Vec<String> {
        let rows = text.lines().map(|row| row.chars().skip(4).collect::<String>());
        rows.filter(|row| row.contains(['┼', '┬', '┴'])).collect()
    };
    let half_turn = |rows: Vec<String>| -> Vec<String> {
        let turned = |mark| match mark {
            '┬' => '┴',
            '┴' => '┬',
            '├' => '┤',
            '┤' => '├',
            other => other.to_ascii_lowercase(),
        };
        rows.iter().rev().map(|row| row.chars().rev().map(turned).collect()).collect()
    };
    let [first, second] = Side::BOTH.map(|side| points(draw(side)));
    assert!(first.len() >= 4, "{first:?}");
    let lower_case: Vec<_> = second.iter().map(|row| row.to_ascii_lowercase()).collect();
    assert_eq!(half_turn(first), lower_case);
}

/// Draws the start position of a game in letters.
fn drawn(game: &str, bottom: Side, scale: usize, dialect: &str) -> Vec<String> {
    let session = registry::open(game, None).unwrap();
    let layout = TextLayout::new(session.appearance(), scale, Some(dialect));
    let text = TextBoard { style: PieceStyle::Letters, bottom, layout };
    text.draw(session.appearance(), &session.view()).lines().map(str::to_owned).collect()
}

#[test]
fn the_edges_name_files_and_ranks_as_the_dialect_writes_them() {
    let [first, last] = ["10  r───n", " 1  R───N"];
    let board = drawn("xiangqi", Side::First, 1, "uci10");
    assert!(board[0].starts_with(first) && board[18].starts_with(last), "{board:#?}");
    let board = drawn("xiangqi", Side::First, 1, "iccs");
    assert!(board[0].starts_with(" 9  r") && board[18].starts_with(" 0  R"), "{board:#?}");
    // Each player counts the files from the right, and no rank has a name.
    for (bottom, expected) in [
        (Side::First, ["    １  ２  ３  ４  ５  ６  ７  ８  ９", "    九  八  七  六  五  四  三  二  一"]),
        (Side::Second, ["    一  二  三  四  五  六  七  八  九", "    ９  ８  ７  ６  ５  ４  ３  ２  １"]),
    ] {
        let board = drawn("xiangqi", bottom, 1, "chinese");
        assert_eq!([&board[0], &board[20]], expected, "{board:#?}");
        assert!(board[1].starts_with("    ") && board[1].contains("───"), "{board:#?}");
    }
}

#[test]
fn larger_squares_keep_their_pieces_where_the_layout_says() {
    for (game, dialect) in
        [("xiangqi", "ucci"), ("xiangqi", "wxf"), ("chess", "san"), ("othello", "transcript")]
    {
        let session = registry::open(game, None).unwrap();
        let (appearance, view) = (session.appearance(), session.view());
        for scale in 1..5 {
            let layout = TextLayout::new(appearance, scale, Some(dialect));
            let board = drawn(game, Side::First, scale, dialect);
            assert_eq!(board.len(), layout.height, "{game} {scale}: {board:#?}");
            let width = board.iter().map(|line| line.chars().count()).max();
            assert!(width <= Some(layout.width), "{game} {scale}: {board:#?}");
            for (file, file_name) in appearance.file_names.iter().enumerate() {
                for (rank, rank_name) in appearance.rank_names.iter().enumerate() {
                    let (column, row) = (
                        layout.left + layout.columns * file,
                        layout.top + layout.rows * (appearance.ranks - 1 - rank),
                    );
                    let square = format!("{file_name}{rank_name}");
                    let piece = view.pieces.iter().find(|(at, _)| *at == square).map(|&(_, letter)| letter);
                    let drawn = board[row].chars().nth(column);
                    assert_eq!(piece.is_some(), drawn.is_some_and(char::is_alphabetic), "{game} {square}");
                    assert!(piece.is_none() || drawn == piece, "{game} {scale} {square}: {board:#?}");
                }
            }
        }
    }
    let board = drawn("xiangqi", Side::First, 3, "ucci");
    let palace: Vec<String> = board[..5].iter().map(|row| row.chars().skip(30).take(9).collect()).collect();
    assert_eq!(palace, ["a───────k", "│ ╲     │", "│   ╲   │", "│     ╲ │", "┼───────┼"], "{board:#?}");
}

#[test]
fn an_othello_picture_shows_cells_and_discs_of_two_colours() {
    let session = registry::open("othello", None).unwrap();
    let picture = render_svg(session.appearance(), &session.view());
    let count = |text: &str| picture.matches(text).count();
    assert_eq!(count(&format!(r#"stroke="{CELL_EDGE_COLOUR}""#)), 64);
    let [black, white] = PLAIN_DISC_COLOURS;
    assert_eq!([count(&format!(r#"fill="{black}""#)), count(&format!(r#"fill="{white}""#))], [2, 2]);
    assert!(!picture.contains(r#"d="""#), "an empty outline");
}

#[test]
fn a_picture_has_the_size_the_side_and_the_marks_of_its_options() {
    for game in ["xiangqi", "chess", "othello"] {
        let session = registry::open(game, None).unwrap();
        let (appearance, view) = (session.appearance(), session.view());
        let plain = render_svg(appearance, &view);
        let square = view.pieces[0].0.clone();
        let arrow =
            |from: &str, to: &str| SvgArrow { from: from.into(), to: to.into(), colour: Some("red".into()) };
        let options = SvgOptions {
            width_px: Some(300),
            bottom: Some(Side::Second),
            arrows: vec![arrow("a1", "b3"), arrow("b2", "b2")],
            last_move: Some(vec!["a1".into(), "a2".into()]),
            checked_kings: Some(vec![square]),
            hides_coordinates: true,
        };
        let picture = render_svg_with(appearance, &view, &options);
        let count = |text: &str| picture.matches(text).count();
        assert_eq!(count(r#" width="300" "#), 1, "{game}");
        assert_eq!((count(LAST_MOVE_COLOUR), count(CHECK_COLOUR), count("red")), (2, 1, 3), "{game}");
        assert_eq!((count("<text "), plain.matches("<text ").count() > 0), (0, true));
        // Each piece stands where the half-turn of the board brings it.
        let place = |picture: &str, square: &str| -> (f32, f32) {
            let group = picture.lines().find(|line| line.ends_with(&format!(" {square}</title>"))).unwrap();
            let numbers = group.split(['(', ')']).nth(1).unwrap().split_once(' ').unwrap();
            (numbers.0.parse().unwrap(), numbers.1.parse().unwrap())
        };
        for (square, _) in &view.pieces {
            let ((x, y), (turned_x, turned_y)) = (place(&plain, square), place(&picture, square));
            let sums = (x + turned_x + 1.0, y + turned_y + 1.0);
            assert_eq!(sums, (appearance.files as f32, appearance.ranks as f32), "{game} {square}");
        }
    }
}

#[test]
fn a_king_in_check_is_marked() {
    let mut session = registry::open("chess", None).unwrap();
    for text in ["e2e4", "f7f6", "d1h5"] {
        assert!(!render_svg(session.appearance(), &session.view()).contains(CHECK_COLOUR));
        session.play(text, None).unwrap();
    }
    let picture = render_svg(session.appearance(), &session.view());
    assert!(picture.contains(&format!(r#"<circle cx="4" cy="0" r="0.5" fill="{CHECK_COLOUR}""#)));
    let options = SvgOptions { checked_kings: Some(Vec::new()), ..SvgOptions::default() };
    assert!(!render_svg_with(session.appearance(), &session.view(), &options).contains(CHECK_COLOUR));
}
