use std::collections::HashMap;

use alfil_kernel::Setup as _;

use super::*;
use crate::text_game::{TextFormat, parse_games};

fn names_of(format: &TextFormat, file: &str) -> Vec<&'static str> {
    let names = format.opening_names();
    let games = parse_games(file.as_bytes(), &[format], Some(format));
    games
        .iter()
        .map(|game| format.opening_of(&names, game.as_ref().unwrap()).map_or("", |o| o.name))
        .collect()
}

/// Checks the table of a game: its moves are legal, no position has two names, and there are at least `min_count`.
fn check_table<G: RecordFormat>(min_count: usize, format: &TextFormat) {
    let names = OpeningNames::of::<G>();
    assert!(names.openings().len() >= min_count, "{}", names.openings().len());
    let table = parse_games(G::OPENINGS.as_bytes(), &[format], Some(format));
    assert_eq!(table.len(), names.openings().len());
    let (mut by_key, mut doubles) = (HashMap::<u64, &str>::new(), Vec::new());
    let rows = G::OPENINGS.lines().filter(|line| !line.starts_with('#')).skip(1);
    for ((row, opening), game) in rows.zip(names.openings()).zip(&table) {
        assert!(!opening.name.is_empty(), "{row}");
        let (keys, plies) = Lines::<G>::new().final_keys(row.split('\t').next_back().unwrap());
        assert!(plies > 0);
        if keys.iter().any(|&key| names.at_key(key) != Some(opening)) {
            doubles.push(format!("{row}: {:?}", by_key.get(&keys[0])));
        }
        by_key.extend(keys.into_iter().map(|key| (key, row)));
        // The table is a file of openings that the readers of this crate know.
        let game = game.as_ref().unwrap();
        assert_eq!((game.tags.value("Opening"), game.main_line().len()), (Some(opening.name), plies));
        assert!(format.opening_of(&names, game).is_some(), "{row}");
    }
    assert!(doubles.is_empty(), "positions with two names:\n{}", doubles.join("\n"));
    assert_eq!(names.at(&G::Board::from_setup(&G::Setup::start(), &Waivers::None).unwrap()), None);
}

#[test]
#[cfg(feature = "chess")]
fn chess_openings_are_found_by_position() {
    use alfil_chess::Chess;
    let format = TextFormat::new::<Chess>();
    check_table::<Chess>(3_500, &format);
    let transposed = "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 *\n\n1. c4 e6 2. Nc3 Bb4 3. d4 Nf6 4. a3 h6 *\n\n1. a3 a6 2. h3 h6 *\n";
    assert_eq!(
        names_of(&format, transposed),
        ["Nimzo-Indian Defense", "Nimzo-Indian Defense: Sämisch Variation", "Anderssen's Opening"]
    );
}

/// The families and the well-known variations have Chinese names; the rest of a name stays English. Obscure openings
/// have none.
#[test]
#[cfg(feature = "chess")]
fn chess_openings_have_chinese_names_where_there_are_usual_ones() {
    use alfil_chess::Chess;
    let names = OpeningNames::of::<Chess>();
    let chinese = |name: &str| names.openings().iter().find(|opening| opening.name == name).unwrap().name_zh;
    for (name, name_zh) in [
        ("Ruy Lopez", "西班牙开局"),
        ("Sicilian Defense: Najdorf Variation", "西西里防御：纳道尔夫变例"),
        ("Queen's Gambit Declined", "拒后翼弃兵"),
        ("Italian Game: Two Knights Defense, Fried Liver Attack", "意大利开局：双马防御，Fried Liver Attack"),
        ("Amar Gambit", ""),
    ] {
        assert_eq!(chinese(name), name_zh, "{name}");
    }
    let mut families = HashMap::new();
    let named: Vec<_> = names.openings().iter().filter(|opening| !opening.name_zh.is_empty()).collect();
    for opening in &named {
        let family = opening.name.split(": ").next().unwrap();
        let family_zh = opening.name_zh.split('：').next().unwrap();
        assert_eq!(*families.entry(family).or_insert(family_zh), family_zh, "{}", opening.name);
        assert_eq!(opening.name.contains(": "), opening.name_zh.contains('：'), "{}", opening.name);
    }
    assert!(20 * named.len() > 17 * names.openings().len(), "{}", named.len());
}

#[test]
#[cfg(feature = "xiangqi")]
fn xiangqi_openings_are_found_in_both_mirror_images() {
    use alfil_xiangqi::Xiangqi;
    let format = TextFormat::new::<Xiangqi>();
    check_table::<Xiangqi>(150, &format);
    let file = "[Game \"Chinese Chess\"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 马2进3 *\n\n\
                [Game \"Chinese Chess\"]\n\n1. 炮八平五 马2进3 2. 马八进七 车1平2 3. 车九平八 马8进7 *\n";
    assert_eq!(names_of(&format, file), ["Central Cannon vs Screen Horses"; 2]);
    let names = format.opening_names();
    assert!(names.openings().iter().all(|opening| !opening.name_zh.is_empty()));
}

#[test]
#[cfg(feature = "othello")]
fn othello_openings_are_found_from_every_first_move() {
    use alfil_othello::Othello;
    let format = TextFormat::new::<Othello>();
    check_table::<Othello>(70, &format);
    // A name stands for all images of a position, so it has no square.
    let is_square = |word: &str| matches!(word.as_bytes(), [b'A'..=b'H' | b'a'..=b'h', b'1'..=b'8']);
    let names = format.opening_names();
    assert!(names.openings().iter().all(|opening| !opening.name.split(' ').any(is_square)));
    assert_eq!(names_of(&format, "c4e3f4c5\n"), ["Perpendicular Opening"]);
    assert_eq!(names_of(&format, "c4e3\nf5d6\nd3c5\ne6f4\nf5d6c3d3c4f4f6\n"), {
        let perpendicular = "Perpendicular Opening";
        [perpendicular, perpendicular, perpendicular, perpendicular, "Stephenson"]
    });
}
