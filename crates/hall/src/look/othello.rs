//! What Othello looks like.

use super::{Layout, Look, Man};

/// The board and discs of Othello; rows are numbered from the top.
pub static LOOK: Look = Look {
    game: "othello",
    title: "Othello",
    files: 8,
    ranks: 8,
    layout: Layout::Cells,
    file_names: &["a", "b", "c", "d", "e", "f", "g", "h"],
    rank_names: &["8", "7", "6", "5", "4", "3", "2", "1"],
    lines: &[],
    marks: &[],
    sides: ["Black", "White"],
    men: &[
        Man { letter: 'X', side: 0, name: "Black disc", glyph: '●', outline: "" },
        Man { letter: 'O', side: 1, name: "White disc", glyph: '○', outline: "" },
    ],
    legend: &[],
    dialect: "transcript",
    dialects: &[("transcript", "names of squares")],
};
