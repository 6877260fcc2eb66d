use super::*;
use crate::registry;

#[test]
fn every_style_draws_every_board_from_both_sides() {
    for game in registry::games() {
        let session = registry::open(game, None).unwrap();
        let (appearance, view) = (session.appearance(), session.view());
        for style in [PieceStyle::Hanzi, PieceStyle::Letters, PieceStyle::Ascii] {
            let [first, second] = Side::BOTH.map(|side| render_text_from(appearance, &view, style, side));
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
    let draw = |side| render_text_from(session.appearance(), &session.view(), PieceStyle::Letters, side);
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
