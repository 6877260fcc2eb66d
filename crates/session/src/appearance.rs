//! The appearance of boards and pieces: data from which the terminal, SVG files and the web page are drawn.
//!
//! Lengths are in units of one square. The origin is the centre of file 0, rank 0 (the first player's left corner); x
//! runs to the right, y away from the first player.

pub mod chinese;

use alfil_kernel::fen::format_rank;

/// The placement of pieces on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// On the intersections of lines.
    Intersections,
    /// In cells of two colours.
    Checkered,
    /// In cells of one colour.
    Cells,
}

/// The picture and names of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceAppearance {
    /// The letter of the piece in a position text.
    pub letter: char,
    /// 0 for the first player, 1 for the second.
    pub side: usize,
    /// The English name: `Red horse`.
    pub name: &'static str,
    /// The usual character of the piece, for terminals and other outputs whose fonts contain it.
    pub glyph: char,
    /// The outline for all other outputs: SVG path data in thousandths of a square, the centre at 0, y down; empty for
    /// a plain disc.
    pub outline: &'static str,
}

/// The appearance of a game's board and pieces.
#[derive(Clone, Copy, Debug)]
pub struct Appearance {
    /// The name of the game on the command line.
    pub game: &'static str,
    /// The English name of the game.
    pub title: &'static str,
    /// The number of files.
    pub files: usize,
    /// The number of ranks.
    pub ranks: usize,
    /// The placement of the pieces.
    pub layout: Layout,
    /// The names of the files, from the first player's left.
    pub file_names: &'static [&'static str],
    /// The names of the ranks, from the first player's side.
    pub rank_names: &'static [&'static str],
    /// The lines of the board: x and y of both ends.
    pub lines: &'static [[f32; 4]],
    /// The squares with corner marks around them.
    pub corner_marks: &'static [[f32; 2]],
    /// The English names of the players.
    pub sides: [&'static str; 2],
    /// The pieces.
    pub pieces: &'static [PieceAppearance],
    /// The text across the middle of the board, if there is one.
    pub legend: &'static [&'static str],
    /// Whether a page shows the value of every legal move on its square instead of arrows.
    pub shows_move_values: bool,
    /// Whether a page shows the number of pieces beside the name of each side, because it decides the game.
    pub shows_piece_counts: bool,
    /// The dialect that readers of English expect.
    pub english_dialect: &'static str,
    /// The English names of the dialects, by their names on the command line.
    pub dialect_names: &'static [(&'static str, &'static str)],
    /// The names of the ranks in the dialects that number them otherwise than [`Appearance::rank_names`].
    pub dialect_rank_names: &'static [(&'static str, &'static [&'static str])],
    /// The names of the files at the edges of both players, from the first player's left, in the dialects in which each
    /// player counts the files from their own right; the others use [`Appearance::file_names`].
    pub edge_names: &'static [(&'static str, EdgeNames)],
}

/// The names of the files at the edge of each player, from the first player's left.
pub type EdgeNames = [&'static [&'static str]; 2];

impl Appearance {
    /// Returns the English name of a dialect.
    pub fn dialect_name(&self, dialect: &'static str) -> &'static str {
        self.dialect_names.iter().find(|(name, _)| *name == dialect).map_or(dialect, |(_, name_en)| name_en)
    }

    /// Returns the letters of pieces row by row as the first player sees them, the top row first.
    pub fn rows(&self, pieces: &[(String, char)]) -> Vec<Vec<Option<char>>> {
        let piece_on = |file: &str, rank: &str| {
            let is_square = |square: &str| square.strip_prefix(file) == Some(rank);
            pieces.iter().find(|(square, _)| is_square(square)).map(|&(_, letter)| letter)
        };
        let row = |rank: &&str| self.file_names.iter().map(|file| piece_on(file, rank)).collect();
        self.rank_names.iter().rev().map(row).collect()
    }

    /// Returns the placement field of FEN: rows from the top, numbers for empty squares.
    ///
    /// ```
    /// use alfil_session::registry;
    ///
    /// let session = registry::open("chess", None)?;
    /// let placement = session.appearance().placement(&session.view().pieces);
    /// assert_eq!(placement, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    pub fn placement(&self, pieces: &[(String, char)]) -> String {
        let rows = self.rows(pieces).into_iter().map(format_rank);
        rows.collect::<Vec<_>>().join("/")
    }

    /// Returns the appearance of the piece with that letter.
    pub fn piece(&self, letter: char) -> Option<&'static PieceAppearance> {
        self.pieces.iter().find(|piece| piece.letter == letter)
    }
}
