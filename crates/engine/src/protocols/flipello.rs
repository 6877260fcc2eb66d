//! Othello in the notation of Fairy-Stockfish's `flipello`: a chess board from White's side. The top row is rank 8, so
//! ranks run against Othello's rows. `P` and `w` are the side that moves first (Black in Othello). A move is a drop,
//! `P@f4`. A pass is a disc that moves to its own square: the first disc of the passing side in the order a1, b1, ...
//! h8.

use super::engine::Engine;

/// Returns a square with its rank counted from the other side of the board: `f4` for `f5` and vice versa.
fn reverse_rank(square: &str) -> String {
    square
        .chars()
        .map(|letter| match letter {
            '1'..='8' => char::from(b'9' - (letter as u8 - b'0')),
            letter => letter.to_ascii_lowercase(),
        })
        .collect()
}

/// Converts a move into the notation of Othello; other texts are returned unchanged.
pub(crate) fn parse_move(text: &str) -> String {
    // A pass: a disc that moves to its own square, or `0000` or `@@@@`, as other programs write it.
    if text.len() == 4 && text.is_char_boundary(2) && text[..2] == text[2..] {
        return "pass".into();
    }
    match text.strip_prefix("P@").or_else(|| text.strip_prefix("p@")) {
        Some(square) => reverse_rank(square),
        None => text.into(),
    }
}

/// Converts a line of moves from the current position. It ends before a pass that is not the first move, because the
/// disc for it is unknown there.
pub(crate) fn format_line(line: Vec<String>, engine: &Engine) -> Vec<String> {
    let mut texts = Vec::with_capacity(line.len());
    for text in line {
        match (text.as_str(), texts.is_empty()) {
            ("pass", false) => break,
            ("pass", true) => texts.extend(format_pass(engine)),
            (square, _) => texts.push(format!("P@{}", reverse_rank(square))),
        }
    }
    texts
}

/// Formats a pass with the first disc of the side to move.
fn format_pass(engine: &Engine) -> Option<String> {
    let view = engine.session.view();
    let mover = ['X', 'O'][view.side_to_move.index()];
    let own = view.pieces.iter().filter(|(_, disc)| *disc == mover).map(|(square, _)| reverse_rank(square));
    let first = own.min_by(|a, b| a.as_bytes()[1..].cmp(&b.as_bytes()[1..]).then_with(|| a.cmp(b)))?;
    Some(format!("{first}{first}"))
}

/// Converts a position text into that of Othello, rows from the top. Other texts are returned unchanged: the parser of
/// Othello reads or rejects them.
pub(crate) fn parse_board(fen: &str) -> String {
    let (rows, rest) =
        fen.split_once(|letter: char| letter.is_whitespace() || letter == '[').unwrap_or((fen, ""));
    let mut words = rest.split(|letter: char| letter.is_whitespace() || letter == ']');
    let side = words.find(|word| matches!(*word, "w" | "b"));
    let mut board = String::new();
    for row in rows.split('/') {
        let start = board.len();
        for letter in row.chars() {
            match letter {
                'P' => board.push('X'),
                'p' => board.push('O'),
                '1'..='8' => board.extend(std::iter::repeat_n('-', letter as usize - '0' as usize)),
                _ => return fen.into(),
            }
        }
        if board.len() != start + 8 {
            return fen.into();
        }
    }
    if board.len() != 64 {
        return fen.into();
    }
    match side {
        Some("w") => board + " X",
        Some(_) => board + " O",
        None => fen.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_converted_from_the_other_side() {
        let start = "---------------------------OX------XO--------------------------- X";
        assert_eq!(parse_board("8/8/8/3pP3/3Pp3/8/8/8[PPPppp] w 0 1"), start);
        assert_eq!(parse_board("8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1"), start.replace(" X", " O"));
        for separated in ["8/8/8/3pP3/3Pp3/8/8/8[PPpp]w - - 0 1", "8/8/8/3pP3/3Pp3/8/8/8\tw"] {
            assert_eq!(parse_board(separated), start);
        }
        for wrong in ["4k3/8 w", "8/8/8/3pP3/3Pp4/7/8/8 w", "8/8/8/3pP3/3Pp3/8/8/8/8 w", "8/8 w"] {
            assert_eq!(parse_board(wrong), wrong);
        }
    }

    /// The first moves of Fairy-Stockfish are e3, f4, c5 and d6.
    #[test]
    fn moves_are_drops_on_reversed_ranks() {
        assert_eq!(["P@e3", "P@f4", "P@c5", "P@d6"].map(parse_move), ["e6", "f5", "c4", "d3"]);
        assert_eq!(["a1a1", "0000", "@@@@"].map(parse_move), ["pass"; 3]);
        assert_eq!(parse_move("f5字"), "f5字");
    }
}
