//! What a board looks like: plain data from which terminal, SVG and page draw.
//!
//! Lengths are in units of one square; the centre of file 0, rank 0 (the first player's left corner) is the origin,
//! x to the right, y away from the first player.

pub mod chess;
mod chess_outlines;
pub mod chinese;
pub mod othello;
pub mod pictures;
pub mod xiangqi;
mod xiangqi_outlines;

/// How men stand on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// On the crossings of lines.
    Intersections,
    /// In cells of two colours.
    Checkered,
    /// In cells of one colour.
    Cells,
}

/// A man's picture and names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceAppearance {
    /// Its letter in the position's text.
    pub letter: char,
    /// 0 for the first player, 1 for the second.
    pub side: usize,
    /// In English: `Red horse`.
    pub name: &'static str,
    /// The character people know it by, drawn where fonts can be trusted: a terminal.
    pub glyph: char,
    /// An outline for everything else, as SVG path data in thousandths of a square, its centre at 0 and y down; empty for a
    /// plain disc.
    pub outline: &'static str,
}

/// What a game's board and men look like.
#[derive(Clone, Copy, Debug)]
pub struct Appearance {
    /// The game's name on the command line.
    pub game: &'static str,
    /// The game's name for people.
    pub title: &'static str,
    /// Columns.
    pub files: usize,
    /// Rows.
    pub ranks: usize,
    /// How men stand.
    pub layout: Layout,
    /// The names of the columns, from the first player's left.
    pub file_names: &'static [&'static str],
    /// The names of the rows, from the first player's side.
    pub rank_names: &'static [&'static str],
    /// The lines of the board: x and y of both ends.
    pub lines: &'static [[f32; 4]],
    /// Points with corner marks around them.
    pub corner_marks: &'static [[f32; 2]],
    /// The names of the players.
    pub sides: [&'static str; 2],
    /// The men.
    pub pieces: &'static [PieceAppearance],
    /// A word across the middle of the board, if it has one.
    pub legend: &'static [&'static str],
    /// The dialect in which people who read English expect its moves.
    pub english_dialect: &'static str,
    /// What its dialects are called in English, by their names on the command line.
    dialect_names: &'static [(&'static str, &'static str)],
}

impl Appearance {
    /// What a dialect is called in English.
    pub fn dialect_name(&self, dialect: &'static str) -> &'static str {
        self.dialect_names.iter().find(|(name, _)| *name == dialect).map_or(dialect, |(_, words)| words)
    }

    /// The letters of these men row by row as the first player sees them, the top row first.
    pub fn rows(&self, men: &[(String, char)]) -> Vec<Vec<Option<char>>> {
        let on = |file: &str, rank: &str| {
            let here = |square: &str| square.strip_prefix(file) == Some(rank);
            men.iter().find(|(square, _)| here(square)).map(|&(_, letter)| letter)
        };
        let row = |rank: &&str| self.file_names.iter().map(|file| on(file, rank)).collect();
        self.rank_names.iter().rev().map(row).collect()
    }

    /// The man of that letter.
    pub fn piece(&self, letter: char) -> Option<&'static PieceAppearance> {
        self.pieces.iter().find(|man| man.letter == letter)
    }
}
