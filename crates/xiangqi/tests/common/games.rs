//! Games from texts: moves, FENs and rows of `testdata`.

use alfil_kernel::{GameHistory, Notation, Outcome, Setup as _, Side, Waivers};
use alfil_xiangqi::notation::Dialect;
use alfil_xiangqi::{Bitboard, Board, Move, MoveNotation, Setup};

/// Returns the text of a field of a JSON row.
pub(crate) fn field<'a>(row: &'a str, name: &str) -> Option<&'a str> {
    let start = row.find(&format!("\"{name}\": \""))? + name.len() + 5;
    row[start..].split('"').next()
}

/// Plays the moves of a JSON row from its FEN.
pub(crate) fn game_from_row<P: Board>(row: &str) -> GameHistory<P> {
    let setup = Setup::parse(field(row, "fen").unwrap()).unwrap();
    let mut game = GameHistory::<P>::new(&setup, &Waivers::All).unwrap();
    for text in field(row, "moves").unwrap().split(' ') {
        let mv = MoveNotation::parse_move(game.position(), text, Dialect::Ucci).unwrap();
        game.play(mv);
    }
    game
}

/// Returns the name of an outcome in the rows.
pub(crate) fn outcome_key(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Side::First) => "black_loses",
        Outcome::Win(Side::Second) => "red_loses",
        Outcome::Draw => "draw",
    }
}

/// Returns the game that begins at a FEN.
pub(crate) fn game_from(fen: &str) -> GameHistory<Bitboard> {
    GameHistory::new(&Setup::parse(fen).unwrap(), &Waivers::None).unwrap()
}

/// Returns the move of a UCCI text, legal or not.
pub(crate) fn parse_move(text: &str) -> Move {
    Move::new(text[..2].parse().unwrap(), text[2..].parse().unwrap())
}

/// Plays moves separated by blanks.
pub(crate) fn play(game: &mut GameHistory<Bitboard>, moves: &str) {
    moves.split_whitespace().for_each(|text| game.play(parse_move(text)));
}
