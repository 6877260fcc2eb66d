//! Othello transcripts: one game per line, such as `f5d6c3d3c4`.
//!
//! Lines that begin with `#` or `%` are comments. The rest of a line after a tab is ignored.

use alfil_kernel::{GameHistory, Position as _, Setup as _};
use alfil_othello::notation::{format_transcript, parse_transcript};
use alfil_othello::{Bitboard, Othello, Setup};

use crate::charset::{Charset, strip_byte_order_mark};
use crate::error::{Origin, RecordErrorKind, numbered_move};
use crate::file_format::FileFormat;
use crate::game_error::GameError;
use crate::game_tree::GameTree;
use crate::ggf;
use crate::move_tree::ROOT;
use crate::parsed_game::ParsedGame;
use crate::record_format::RecordFormat as _;
use crate::tree_traversal::visit_main_line;
use crate::write_error::WriteError;

/// Parses the games of a file, one per line. A game with an error keeps the moves before it.
///
/// ```
/// let games: Vec<_> = alfil_records::transcript::parse_games(b"# two games\nf5d6c3\nf5f5\n").collect();
/// assert_eq!(games[0].tree.moves.move_count(), 3);
/// let error = games[1].error.as_ref().unwrap().to_string();
/// assert_eq!(error, "game 2, line 3, byte 21, move 1... f5: f5 is occupied");
/// ```
pub fn parse_games(bytes: &[u8]) -> impl Iterator<Item = ParsedGame<Othello>> + '_ {
    let text = strip_byte_order_mark(bytes);
    let (mut offset, mut number) = ((bytes.len() - text.len()) as u64, 0);
    let lines = text.split(|&byte| byte == b'\n').zip(1..);
    lines.filter_map(move |(bytes, line)| {
        let origin =
            Origin { number: number + 1, offset, line, bytes, charset: Charset::Utf8, newline: b'\n' };
        offset += bytes.len() as u64 + 1;
        if matches!(bytes.trim_ascii(), [] | [b'#' | b'%', ..]) {
            return None;
        }
        number += 1;
        Some(parse_line(&origin))
    })
}

fn parse_line(origin: &Origin<'_>) -> ParsedGame<Othello> {
    let moves = origin.bytes.split(|&byte| byte == b'\t').next().unwrap_or_default();
    // The moves before an invalid byte are read.
    let text = moves.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let encoding_error = (text.len() < moves.len())
        .then(|| origin.error_at(text.len(), String::new(), RecordErrorKind::NotAscii));
    let start = *GameHistory::<Bitboard>::from_start_position().position();
    let (moves, error) = match parse_transcript(&start, text) {
        Ok(moves) => (moves, encoding_error),
        Err(error) => {
            let before = parse_transcript(&start, &text[..error.offset]).unwrap_or_default();
            let found = error.found.trim_matches('"');
            let kind = error.reason.map_or(RecordErrorKind::ExpectedSquare, |reason| {
                RecordErrorKind::InvalidMove(Othello::into_any_error(GameError::IllegalMove(reason)))
            });
            let error = origin.error_at(error.offset, numbered_move(before.len(), 1, false, found), kind);
            (before, Some(error))
        }
    };
    let mut tree = GameTree::default();
    let (mut node, mut position) = (ROOT, start);
    for mv in moves {
        node = tree.add(node, Some(mv));
        position.make(mv, &mut ());
    }
    tree.result =
        position.has_no_legal_move().then(|| ggf::outcome_from_margin(ggf::black_margin(&position)));
    ParsedGame { tree, error, warnings: Vec::new() }
}

/// Formats the main line as a transcript without passes and without a line break.
///
/// ```
/// use alfil_records::transcript;
///
/// let game = transcript::parse_games(b"F5 d6 C3").next().unwrap();
/// assert_eq!(transcript::format_game(&game.tree), "f5d6c3");
/// ```
pub fn format_game(tree: &GameTree<Othello>) -> String {
    format_transcript(&tree.main_line_moves().collect::<Vec<_>>())
}

/// Formats the main lines as a file, a game a line.
///
/// # Errors
/// Returns an error if a game has its own start position, a null move or an illegal move, or no moves at all, which
/// would be no line.
pub fn format_games(games: &[GameTree<Othello>]) -> Result<Vec<u8>, WriteError> {
    let format = FileFormat::Transcript;
    let mut text = String::new();
    for game in games {
        if game.start != Setup::start() {
            return Err(WriteError::CustomStart { format });
        }
        visit_main_line(game, format, |_, _, _| {})?;
        let line = format_game(game);
        if line.is_empty() {
            return Err(WriteError::NoMoves { format });
        }
        text += &line;
        text.push('\n');
    }
    Ok(text.into_bytes())
}
