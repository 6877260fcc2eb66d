//! The appearance of chess.

use super::chess_outlines as outline;
use super::{Appearance, Layout, PieceAppearance};

const fn piece(letter: char, name: &'static str, glyph: char, outline: &'static str) -> PieceAppearance {
    let side = if letter.is_ascii_uppercase() { 0 } else { 1 };
    PieceAppearance { letter, side, name, glyph, outline }
}

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
    sides: ["White", "Black"],
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
    english_dialect: "san",
    dialect_names: &[
        ("uci", "coordinates"),
        ("uci960", "coordinates, castling onto the rook"),
        ("san", "algebraic notation"),
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
