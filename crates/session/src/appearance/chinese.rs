//! The Chinese names of games, sides and pieces.

/// The Chinese names of a game.
#[derive(Clone, Copy, Debug)]
pub struct ChineseNames {
    /// The name of the game.
    pub title: &'static str,
    /// The names of the players.
    pub sides: [&'static str; 2],
    /// The names of the pieces by letter.
    pub pieces: &'static [(char, &'static str)],
    /// The dialect in which Chinese records write the moves of the game, if there is one.
    pub dialect: Option<&'static str>,
    /// The dialects: name on the command line, Chinese name, and a move written in it.
    dialect_names: &'static [(&'static str, &'static str, &'static str)],
}

impl ChineseNames {
    /// Returns the name of the piece with that letter, with its colour; every letter of the game has one.
    pub fn piece_name(&self, letter: char) -> &'static str {
        self.pieces.iter().find(|(own, _)| *own == letter).map_or("", |(_, name)| name)
    }

    /// Returns the Chinese name of a dialect.
    pub fn dialect_name(&self, dialect: &'static str) -> &'static str {
        self.dialect_names
            .iter()
            .find(|(name, ..)| *name == dialect)
            .map_or(dialect, |(_, name_zh, _)| name_zh)
    }

    /// Returns an example of a move in the dialect.
    pub(crate) fn example_move(&self, dialect: &str) -> &'static str {
        self.dialect_names.iter().find(|(name, ..)| *name == dialect).map_or("", |(.., example)| example)
    }
}

/// Returns the Chinese names of a game, if there are any.
pub fn names_for_game(game: &str) -> Option<&'static ChineseNames> {
    match game {
        "xiangqi" => Some(&XIANGQI),
        "chess" => Some(&CHESS),
        "othello" => Some(&OTHELLO),
        _ => None,
    }
}

pub(crate) const XIANGQI: ChineseNames = ChineseNames {
    title: "象棋",
    sides: ["红方", "黑方"],
    pieces: &[
        ('K', "红帅"),
        ('A', "红仕"),
        ('B', "红相"),
        ('N', "红马"),
        ('R', "红车"),
        ('C', "红炮"),
        ('P', "红兵"),
        ('k', "黑将"),
        ('a', "黑士"),
        ('b', "黑象"),
        ('n', "黑马"),
        ('r', "黑车"),
        ('c', "黑炮"),
        ('p', "黑卒"),
    ],
    dialect: Some("chinese"),
    dialect_names: &[
        ("ucci", "UCCI 坐标", "h2e2"),
        ("uci10", "坐标，行号自 1 起", "h3e3"),
        ("iccs", "ICCS 坐标", "H2-E2"),
        ("wxf", "WXF 记谱", "C2.5"),
        ("chinese", "中文记谱", "炮二平五"),
        ("chinese-traditional", "繁体中文记谱", "炮二平五"),
    ],
};

pub(crate) const CHESS: ChineseNames = ChineseNames {
    title: "国际象棋",
    sides: ["白方", "黑方"],
    pieces: &[
        ('K', "白王"),
        ('Q', "白后"),
        ('R', "白车"),
        ('B', "白象"),
        ('N', "白马"),
        ('P', "白兵"),
        ('k', "黑王"),
        ('q', "黑后"),
        ('r', "黑车"),
        ('b', "黑象"),
        ('n', "黑马"),
        ('p', "黑兵"),
    ],
    dialect: Some("san"),
    dialect_names: &[
        ("uci", "坐标", "e2e4"),
        ("uci960", "坐标，易位写到车位", "e1h1"),
        ("san", "标准代数记谱", "Nf3"),
    ],
};

pub(crate) const OTHELLO: ChineseNames = ChineseNames {
    title: "黑白棋",
    sides: ["黑方", "白方"],
    pieces: &[('X', "黑子"), ('O', "白子")],
    dialect: None,
    dialect_names: &[("transcript", "格名", "f5")],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    #[test]
    fn every_piece_and_dialect_has_a_chinese_name() {
        for game in registry::games() {
            let appearance = registry::open(game, None).unwrap().appearance();
            let names = names_for_game(game).expect(game);
            let mut letters: Vec<_> = names.pieces.iter().map(|(letter, _)| *letter).collect();
            let mut known: Vec<_> = appearance.pieces.iter().map(|piece| piece.letter).collect();
            letters.sort_unstable();
            known.sort_unstable();
            assert_eq!(letters, known, "{game}");
            let dialects = registry::open(game, None).unwrap().dialects();
            assert!(dialects.contains(&appearance.english_dialect), "{game}");
            let is_han = |c: char| ('\u{4e00}'..'\u{a000}').contains(&c);
            assert!(dialects.iter().all(|dialect| names.dialect_name(dialect).contains(is_han)), "{game}");
            let session = registry::open(game, None).unwrap();
            for (dialect, _, example) in names.dialect_names {
                assert_eq!(
                    session.detect_dialect(example, Some(dialect)).as_ref(),
                    Ok(dialect),
                    "{game}: {example}"
                );
            }
            assert!(dialects.iter().all(|&dialect| appearance.dialect_name(dialect) != dialect), "{game}");
            assert!(names.dialect.is_none_or(|dialect| dialects.contains(&dialect)), "{game}");
        }
    }
}
