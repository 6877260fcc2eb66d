//! What chess looks like.

use super::chess_outlines as outline;
use super::{Layout, Look, Man};

const fn man(letter: char, name: &'static str, glyph: char, outline: &'static str) -> Man {
    let side = if letter.is_ascii_uppercase() { 0 } else { 1 };
    Man { letter, side, name, glyph, outline }
}

/// The board and men of chess.
pub static LOOK: Look = Look {
    game: "chess",
    title: "Chess",
    files: 8,
    ranks: 8,
    layout: Layout::Checkered,
    file_names: &["a", "b", "c", "d", "e", "f", "g", "h"],
    rank_names: &["1", "2", "3", "4", "5", "6", "7", "8"],
    lines: &[],
    marks: &[],
    sides: ["White", "Black"],
    men: &[
        man('K', "White king", '♔', outline::KING),
        man('Q', "White queen", '♕', outline::QUEEN),
        man('R', "White rook", '♖', outline::ROOK),
        man('B', "White bishop", '♗', outline::BISHOP),
        man('N', "White knight", '♘', outline::KNIGHT),
        man('P', "White pawn", '♙', outline::PAWN),
        man('k', "Black king", '♚', outline::KING),
        man('q', "Black queen", '♛', outline::QUEEN),
        man('r', "Black rook", '♜', outline::ROOK),
        man('b', "Black bishop", '♝', outline::BISHOP),
        man('n', "Black knight", '♞', outline::KNIGHT),
        man('p', "Black pawn", '♟', outline::PAWN),
    ],
    legend: &[],
    dialect: "san",
    dialects: &[
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
    fn every_man_of_the_rules_is_drawn() {
        assert_eq!(LOOK.men.len(), Piece::COUNT);
        for piece in Piece::all() {
            let man = LOOK.man(piece.letter()).unwrap();
            assert_eq!((man.name, man.glyph), (piece.to_string().as_str(), piece.figurine()));
            assert_eq!((man.side, man.outline.is_empty()), (piece.side().index(), false));
        }
    }
}
