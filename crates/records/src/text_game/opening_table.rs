//! Reads tables of openings as games.

use super::{GameResult, TextFormat, parse_pgn_game};
use crate::error::{RecordError, RecordErrorKind};
use crate::opening_columns::Columns;
use crate::pgn;

/// Reads the openings of a table as games with the tags `ECO` and `Opening`. A line that cannot be read is an
/// error with its place in the file.
pub(super) fn parse_games(
    bytes: &[u8],
    formats: &[&TextFormat],
    hint: Option<&TextFormat>,
) -> Vec<GameResult> {
    let mut columns = None;
    let mut games = Vec::new();
    let mut offset = 0;
    for (line, number) in bytes.split_inclusive(|&byte| byte == b'\n').zip(1..) {
        let start = offset;
        offset += line.len();
        let bom = if start == 0 && line.starts_with("\u{feff}".as_bytes()) { 3 } else { 0 };
        let line = line[bom..].trim_ascii_end();
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        let columns = match &columns {
            Some(columns) => columns,
            None => {
                let Some(found) = Columns::detect(line) else { continue };
                let found = columns.insert(found);
                if found.has_header {
                    continue;
                }
                found
            }
        };
        let place = (games.len() as u64 + 1, (start + bom) as u64, number);
        games.push(parse_row(line, columns, place, |game| parse_pgn_game(game, formats, hint)));
    }
    games
}

/// Reads a row. `place` is the number of the game, the byte offset of the row and its line.
fn parse_row(
    row: &[u8],
    columns: &Columns,
    (game, offset, line): (u64, u64, u64),
    parse_game: impl FnOnce(&pgn::RawGame<'_>) -> GameResult,
) -> GameResult {
    let cell = |column: usize| row.split(|&byte| byte == b'\t').nth(column).filter(|cell| !cell.is_empty());
    let missing =
        || RecordError { game, offset, line, mv: String::new(), kind: RecordErrorKind::MissingMoves };
    let moves = cell(columns.moves).ok_or_else(missing)?;
    let moves_offset = moves.as_ptr() as usize - row.as_ptr() as usize;
    let mut reader = pgn::Reader::new(moves);
    // Reading from memory cannot fail but for UTF-16, which has no tabs of one byte.
    let raw_game = reader.next_game().ok().flatten().ok_or_else(missing)?;
    let at_row = |error: RecordError| RecordError {
        game,
        offset: offset + moves_offset as u64 + error.offset,
        line,
        ..error
    };
    let mut opening = parse_game(&raw_game).map_err(at_row)?;
    for (tag, column) in [("ECO", columns.eco), ("Opening", columns.name)] {
        if let Some(text) = column.and_then(cell) {
            opening.tags.set(tag, String::from_utf8_lossy(text).trim());
        }
    }
    opening.warnings = opening.warnings.into_iter().map(at_row).collect();
    opening.error = opening.error.map(at_row);
    Ok(opening)
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use alfil_chess::Chess;

    use crate::text_game::{self, GameResult, TextFormat};

    fn parse(text: &str) -> Vec<GameResult> {
        text_game::parse_games(text.as_bytes(), &[&TextFormat::new::<Chess>()], None)
    }

    #[test]
    fn each_row_is_a_game_with_its_name() {
        let named = "eco\tname\tpgn\nA00\tAmar Opening\t1. Nh3\n\nC20\tKing's Pawn: Line\t1. e4 e5 2. Ne2\n";
        let nameless = "# openings\nA00\tAmar Opening\t1. Nh3\r\nC20\tKing's Pawn: Line\t1. e4 e5 2. Ne2\r\n";
        let swapped =
            "\u{feff}Name\tPGN\tECO\nAmar Opening\t1. Nh3\tA00\nKing's Pawn: Line\t1. e4 e5 2. Ne2\tC20";
        for text in [named, nameless, swapped] {
            let games = parse(text);
            let games: Vec<_> = games.into_iter().map(|game| game.expect(text)).collect();
            assert_eq!(games.len(), 2, "{text}");
            assert_eq!((games[0].game.as_str(), games[0].moves.move_count()), ("chess", 1));
            let tags: Vec<_> = games[1].tags.iter().collect();
            assert_eq!(tags, [("ECO", "C20"), ("Opening", "King's Pawn: Line")]);
            assert_eq!(games[1].moves[3].text, "g1e2");
        }
    }

    #[test]
    fn errors_are_located_in_the_table() {
        let text = "eco\tname\tpgn\nA00\tx\t1. Nh3\nA00\ty\nA01\tz\t1. e4 e9\n";
        let games = parse(text);
        assert!(games[0].is_ok());
        let error = games[1].as_ref().unwrap_err();
        assert_eq!((error.game, error.line, error.offset), (2, 3, 26));
        assert!(error.to_string().contains("no moves"), "{error}");
        let error = games[2].as_ref().unwrap().error.as_ref().unwrap();
        assert_eq!((error.game, error.line), (3, 4));
        assert_eq!(error.offset as usize, text.find("e9").unwrap());
    }
}
