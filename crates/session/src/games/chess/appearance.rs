//! The appearance of chess.

use super::outlines as outline;
use crate::appearance::chinese::ChineseNames;
use crate::appearance::{Appearance, Layout, PieceAppearance};

const fn piece(letter: char, name: &'static str, glyph: char, outline: &'static str) -> PieceAppearance {
    let side = if letter.is_ascii_uppercase() { 0 } else { 1 };
    PieceAppearance { letter, side, name, glyph, outline }
}

/// The names of the sides. Messages use them apart from the appearance, so that a program without pictures has none.
pub(super) const SIDES: [&str; 2] = ["White", "Black"];

/// The board and pieces of chess.
pub static APPEARANCE: Appearance = Appearance {
    game: "chess",
    title: "Chess",
    files: 8,
    ranks: 8,
    layout: Layout::Checkered,
    file_names: &["a", "b", "c", "d", "e", "f", "g", "h"],
    rank_names: &["1", "2", "3", "4", "5", "6", "7", "8"],
    lines: &[],
    corner_marks: &[],
    sides: SIDES,
    pieces: &[
        piece('K', "White king", '♔', outline::KING),
        piece('Q', "White queen", '♕', outline::QUEEN),
        piece('R', "White rook", '♖', outline::ROOK),
        piece('B', "White bishop", '♗', outline::BISHOP),
        piece('N', "White knight", '♘', outline::KNIGHT),
        piece('P', "White pawn", '♙', outline::PAWN),
        piece('k', "Black king", '♚', outline::KING),
        piece('q', "Black queen", '♛', outline::QUEEN),
        piece('r', "Black rook", '♜', outline::ROOK),
        piece('b', "Black bishop", '♝', outline::BISHOP),
        piece('n', "Black knight", '♞', outline::KNIGHT),
        piece('p', "Black pawn", '♟', outline::PAWN),
    ],
    legend: &[],
    shows_move_values: false,
    shows_piece_counts: false,
    english_dialect: "san",
    dialect_names: &[
        ("uci", "coordinates"),
        ("uci960", "coordinates, castling onto the rook"),
        ("san", "algebraic notation"),
    ],
    dialect_rank_names: &[],
    edge_names: &[],
};

/// The Chinese names of chess.
pub static NAMES_ZH: ChineseNames = ChineseNames {
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

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_chess::Piece;

    #[test]
    fn every_piece_of_the_rules_has_an_appearance() {
        assert_eq!(APPEARANCE.pieces.len(), Piece::COUNT);
        for piece in Piece::all() {
            let appearance = APPEARANCE.piece(piece.letter()).unwrap();
            assert_eq!((appearance.name, appearance.glyph), (piece.to_string().as_str(), piece.figurine()));
            assert_eq!((appearance.side, appearance.outline.is_empty()), (piece.side().index(), false));
        }
    }
}
