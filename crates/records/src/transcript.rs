//! Transcripts of Othello: a game a line, `f5d6c3d3c4`.
//!
//! Lines that begin with `#` or `%` are remarks; what stands behind a tab is somebody else's.

use alfil_kernel::{GameHistory, Position as _};
use alfil_othello::notation::{format_transcript, parse_transcript};
use alfil_othello::{Bitboard, Othello};

use crate::charset::Charset;
use crate::error::{GameError, Origin, RecordError, RecordErrorKind, numbered_move};
use crate::game_tree::{GameTree, NodeId};
use crate::parsed_game::ParsedGame;
use crate::record_format::RecordFormat as _;

/// The games of a file, line by line. A game that breaks keeps the moves before.
///
/// ```
/// let games: Vec<_> = alfil_records::transcript::read(b"# two games\nf5d6c3\nf5f5\n").collect();
/// assert_eq!(games[0].tree.len(), 3);
/// let fault = games[1].broken.as_ref().unwrap().to_string();
/// assert_eq!(fault, "game 2, line 3, byte 21, move 1... f5: f5 is occupied");
/// ```
pub fn parse_games(bytes: &[u8]) -> impl Iterator<Item = ParsedGame<Othello>> + '_ {
    let (mut offset, mut number) = (0, 0);
    let lines = bytes.split(|&byte| byte == b'\n').zip(1..);
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
    let text = match std::str::from_utf8(origin.bytes) {
        Ok(text) => text.split('\t').next().unwrap_or_default(),
        Err(error) => {
            let fault = origin.error_at(error.valid_up_to(), String::new(), RecordErrorKind::NotAscii);
            return ParsedGame { tree: GameTree::default(), error: Some(fault), warnings: Vec::new() };
        }
    };
    let start = *GameHistory::<Bitboard>::from_start_position().position();
    let (moves, broken) = match parse_transcript(&start, text) {
        Ok(moves) => (moves, None),
        Err(error) => {
            let before = parse_transcript(&start, &text[..error.offset]).unwrap_or_default();
            let found = error.found.trim_matches('"');
            let reason = error.reason.map_or(RecordErrorKind::ExpectedSquare, |why| {
                RecordErrorKind::InvalidMove(Othello::into_any_error(GameError::IllegalMove(why)))
            });
            let fault = origin.error_at(error.offset, numbered_move(before.len(), 1, false, found), reason);
            (before, Some(fault))
        }
    };
    let mut tree = GameTree::default();
    let (mut node, mut position) = (NodeId::ROOT, start);
    for mv in moves {
        node = tree.add(node, Some(mv));
        position.make(mv, &mut ());
    }
    tree.result = position
        .has_no_legal_move()
        .then(|| super::ggf::outcome_from_margin(super::ggf::black_margin(&position)));
    ParsedGame { tree, error: broken, warnings: Vec::<RecordError>::new() }
}

/// The main line as a transcript, without a line break; passes are left out.
pub fn format_game(tree: &GameTree<Othello>) -> String {
    format_transcript(&tree.main_line_moves().collect::<Vec<_>>())
}
