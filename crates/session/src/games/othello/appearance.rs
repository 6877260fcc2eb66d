//! The appearance of Othello.

use crate::appearance::chinese::ChineseNames;
use crate::appearance::{Appearance, Layout, PieceAppearance};

/// The names of the sides. Messages use them apart from the appearance, so that a program without pictures has none.
pub(super) const SIDES: [&str; 2] = ["Black", "White"];

/// The board and discs of Othello; rows are numbered from the top.
pub static APPEARANCE: Appearance = Appearance {
    game: "othello",
    title: "Othello",
    files: 8,
    ranks: 8,
    layout: Layout::Cells,
    file_names: &["a", "b", "c", "d", "e", "f", "g", "h"],
    rank_names: &["8", "7", "6", "5", "4", "3", "2", "1"],
    lines: &[],
    corner_marks: &[],
    sides: SIDES,
    pieces: &[
        PieceAppearance { letter: 'X', side: 0, name: "Black disc", glyph: '●', outline: "" },
        PieceAppearance { letter: 'O', side: 1, name: "White disc", glyph: '○', outline: "" },
    ],
    legend: &[],
    shows_move_values: true,
    shows_piece_counts: true,
    english_dialect: "transcript",
    dialect_names: &[("transcript", "names of squares")],
    dialect_rank_names: &[],
    edge_names: &[],
};

/// The Chinese names of Othello.
pub static NAMES_ZH: ChineseNames = ChineseNames {
    title: "黑白棋",
    sides: ["黑方", "白方"],
    pieces: &[('X', "黑子"), ('O', "白子")],
    dialect: None,
    dialect_names: &[("transcript", "格名", "f5")],
};
