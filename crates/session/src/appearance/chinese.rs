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
    pub dialect_names: &'static [(&'static str, &'static str, &'static str)],
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

#[cfg(test)]
mod tests {
    use crate::registry;

    #[test]
    fn every_piece_and_dialect_has_a_chinese_name() {
        for entry in registry::GAMES {
            let (game, appearance, names) = (entry.info.name(), entry.info.appearance, entry.info.names_zh);
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
