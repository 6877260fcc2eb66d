//! The Generic Game Format, in which the Generic Game Server and NBoard store Othello:
//! `(;GM[Othello]...B[f5//0.5]W[d6]...;)`.
//!
//! A game is one line of moves without variations. A move may have the evaluation of its player, in discs and
//! from the player's view, and the time spent, in seconds. Tags are stored under their PGN names. `RE` is
//! stored unchanged (`+4.000:r`) as `Score`, unless it only repeats the score of the final board.

use std::borrow::Cow;
use std::io::{self, BufRead};

use alfil_kernel::{Game as _, Outcome, Position as _, Setup as _, Side, Waivers};
use alfil_othello::notation::illegal_reason;
use alfil_othello::{Bitboard, Board, Move, Othello, Setup, Square};

use crate::annotation::{AnnotatedScore, EvalAnnotation, MoveAnnotation, parse_hundredths, parse_time};
use crate::charset::{Charset, LegacyEncoding};
use crate::error::{Origin, RecordError, RecordErrorKind, numbered_move};
use crate::game_error::GameError;
use crate::game_tree::GameTree;
use crate::move_tree::{NodeId, ROOT};
use crate::parsed_game::ParsedGame;
use crate::record_format::RecordFormat as _;
use crate::sgf::{CLOSING_PARENTHESIS, value_end};

mod writer;

pub use writer::{format_game, format_games};

/// The maximal length of a game in bytes; a game with many comments has about ten thousand.
pub const MAX_GAME_BYTES: usize = 1 << 20;

/// The GGF tags with their PGN names.
const TAG_NAMES: &[(&str, &str)] = &[
    ("PC", "Site"),
    ("DT", "Date"),
    ("PB", "Black"),
    ("PW", "White"),
    ("RB", "BlackElo"),
    ("RW", "WhiteElo"),
    ("TI", "TimeControl"),
    ("TB", "BlackTime"),
    ("TW", "WhiteTime"),
    ("TY", "Type"),
    ("RE", "Score"),
];

/// A streaming reader.
///
/// ```
/// use alfil_records::ggf::Reader;
///
/// let file = b"1 (;GM[Othello]PB[a]TY[8]B[f5//0.5]W[d6/1.25];)\n(;GM[Othello]B[a1];)";
/// let mut reader = Reader::new(&file[..]);
/// let first = reader.next_game()?.unwrap().parse().into_tree()?;
/// assert_eq!((first.moves.move_count(), first.tags.value("Black")), (2, Some("a")));
/// let error = reader.next_game()?.unwrap().parse().error.unwrap();
/// assert!(error.to_string().starts_with("game 2, line 2, byte 61, move 1. a1: "), "{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    offset: u64,
    line: u64,
    number: u64,
    /// The beginning of the next game, read because the last one was not closed.
    lookahead: Vec<u8>,
}

/// A game of a file before parsing.
#[derive(Clone, Debug)]
pub struct RawGame {
    /// The number of the game in the file, from 1.
    pub number: u64,
    /// The byte offset of the game in the file.
    pub offset: u64,
    /// The first line of the game, from 1.
    pub line: u64,
    /// The bytes of the game, from `(;` on.
    pub bytes: Vec<u8>,
    /// Whether the game has no end, and whether it exceeded [`MAX_GAME_BYTES`] and was truncated.
    is_unclosed: bool,
    is_truncated: bool,
}

impl<R: BufRead> Reader<R> {
    /// Creates a reader.
    pub fn new(input: R) -> Self {
        Reader { input, offset: 0, line: 1, number: 0, lookahead: Vec::new() }
    }

    /// Returns the next game; `None` at the end of the file. Text between games is skipped.
    ///
    /// # Errors
    /// Returns the errors of the input.
    pub fn next_game(&mut self) -> io::Result<Option<RawGame>> {
        let mut bytes = std::mem::take(&mut self.lookahead);
        let mut origin = (self.offset - bytes.len() as u64, self.line);
        let (mut in_value, mut is_escaped, mut is_truncated) = (bytes.ends_with(b"["), false, false);
        while let Some(byte) = self.next_byte()? {
            if bytes.len() < 2 {
                // Outside a game.
                match (bytes.as_slice(), byte) {
                    ([b'('], b';') => bytes.push(byte),
                    (_, b'(') => {
                        bytes = vec![byte];
                        origin = (self.offset - 1, self.line);
                    }
                    _ => bytes.clear(),
                }
                continue;
            }
            if bytes.len() == MAX_GAME_BYTES {
                is_truncated = true;
                bytes.truncate(MAX_GAME_BYTES - 16);
            }
            bytes.push(byte);
            let next = if bytes.ends_with(b"(;GM[") {
                bytes.len() - 5
            } else if !in_value && bytes.ends_with(b"(;") {
                bytes.len() - 2
            } else {
                0
            };
            if next > 0 {
                // The end of the game is missing. Begin the next game here.
                self.lookahead = bytes.split_off(next);
                return Ok(Some(self.raw_game(origin, bytes, true, is_truncated)));
            }
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = in_value,
                b'[' => in_value = true,
                b']' => in_value = false,
                b')' if !in_value => {
                    return Ok(Some(self.raw_game(origin, bytes, false, is_truncated)));
                }
                _ => {}
            }
        }
        Ok((bytes.len() >= 2).then(|| self.raw_game(origin, bytes, true, is_truncated)))
    }

    fn raw_game(
        &mut self,
        (offset, line): (u64, u64),
        bytes: Vec<u8>,
        is_unclosed: bool,
        is_truncated: bool,
    ) -> RawGame {
        self.number += 1;
        RawGame { number: self.number, offset, line, bytes, is_unclosed, is_truncated }
    }

    fn next_byte(&mut self) -> io::Result<Option<u8>> {
        let byte = loop {
            match self.input.fill_buf() {
                Ok(buffer) => break buffer.first().copied(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        };
        if let Some(byte) = byte {
            self.input.consume(1);
            self.offset += 1;
            self.line += u64::from(byte == b'\n');
        }
        Ok(byte)
    }
}

impl RawGame {
    /// Parses the game.
    pub fn parse(&self) -> ParsedGame<Othello> {
        let charset = match std::str::from_utf8(&self.bytes) {
            Ok(_) => Charset::Utf8,
            Err(_) => LegacyEncoding::Western.detect_invalid_utf8(&self.bytes),
        };
        let text = charset.decode(&self.bytes);
        let (number, offset, line, bytes) = (self.number, self.offset, self.line, &*self.bytes);
        let origin = Origin { number, offset, line, bytes, charset, newline: b'\n' };
        let mut builder =
            GgfBuilder { origin, tree: GameTree::default(), position: None, node: ROOT, ply: 0 };
        let game_error = |kind| origin.error_at(0, String::new(), kind);
        let error = match builder.parse_tags(&text) {
            _ if self.is_truncated => Some(game_error(RecordErrorKind::GameTooLong(MAX_GAME_BYTES))),
            Ok(()) if self.is_unclosed => {
                Some(game_error(RecordErrorKind::UnclosedGame(CLOSING_PARENTHESIS)))
            }
            Ok(()) => None,
            Err(error) => Some(error),
        };
        builder.finish();
        ParsedGame { tree: builder.tree, error, warnings: Vec::new() }
    }
}

/// Splits a game into tags with offset, name and value.
struct TagPairs<'a> {
    text: &'a str,
    at: usize,
}

type TagPair<'a> = (usize, &'a str, Cow<'a, str>);

impl<'a> TagPairs<'a> {
    /// Returns the next tag; `None` at the end of the game.
    fn next_pair(&mut self) -> Result<Option<TagPair<'a>>, (usize, RecordErrorKind)> {
        let rest = self.text[self.at..].trim_start_matches(|c: char| c.is_whitespace() || c == ';');
        let start = self.text.len() - rest.len();
        if rest.is_empty() || rest.starts_with(')') {
            return Ok(None);
        }
        let name_end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let (name, after) = rest.split_at(name_end);
        let after = after.trim_start();
        let Some(value) = after.strip_prefix('[').filter(|_| !name.is_empty()) else {
            return Err((start, RecordErrorKind::ExpectedTag));
        };
        let Some(end) = value_end(value) else { return Err((start, RecordErrorKind::UnclosedTag)) };
        self.at = self.text.len() - value.len() + end + 1;
        Ok(Some((start, name, unescape(&value[..end]))))
    }
}

fn unescape(value: &str) -> Cow<'_, str> {
    if !value.contains('\\') {
        return value.into();
    }
    let mut characters = value.chars();
    let mut unescaped = String::with_capacity(value.len());
    while let Some(character) = characters.next() {
        unescaped.push(if character == '\\' { characters.next().unwrap_or(character) } else { character });
    }
    unescaped.into()
}

struct GgfBuilder<'a> {
    origin: Origin<'a>,
    tree: GameTree<Othello>,
    /// The position after the last move; none before the first.
    position: Option<Bitboard>,
    node: NodeId,
    ply: usize,
}

impl GgfBuilder<'_> {
    fn parse_tags(&mut self, text: &str) -> Result<(), RecordError> {
        let mut pairs = TagPairs { text, at: 2 };
        loop {
            let pair =
                pairs.next_pair().map_err(|(at, kind)| self.origin.error_at(at, String::new(), kind))?;
            let Some((at, name, value)) = pair else { return Ok(()) };
            let result = match name {
                "B" | "W" => {
                    let side = if name == "B" { Side::First } else { Side::Second };
                    let mv = value.split('/').next().unwrap_or_default();
                    if let Err(kind) = self.play_move(side, &value) {
                        let second_moves_first = self.tree.start.side_to_move == Side::Second;
                        let number = numbered_move(self.ply, 1, second_moves_first, mv);
                        return Err(self.origin.error_at(at, number, kind));
                    }
                    continue;
                }
                "GM" if value.trim().eq_ignore_ascii_case("othello") => Ok(()),
                "GM" => Err(RecordErrorKind::OtherGame {
                    tag: "GM",
                    value: value.into_owned(),
                    game: Othello::NAME,
                }),
                "BO" => self.set_board(&value),
                "TY" | "Type" if !is_eight_by_eight(&value) => {
                    Err(RecordErrorKind::UnsupportedType(value.into_owned()))
                }
                "C" => {
                    self.tree.annotation_mut(self.node).add_comment_after(&value);
                    Ok(())
                }
                _ => {
                    let renamed = TAG_NAMES.iter().find(|(ggf_name, _)| *ggf_name == name);
                    self.tree.tags.push(renamed.map_or(name, |(_, pgn_name)| pgn_name), value.trim());
                    Ok(())
                }
            };
            result.map_err(|kind| self.origin.error_at(at, String::new(), kind))?;
        }
    }

    fn set_board(&mut self, value: &str) -> Result<(), RecordErrorKind> {
        let value = value.trim();
        let Some(squares) = value.strip_prefix("8 ") else {
            return Err(RecordErrorKind::UnsupportedBoardSize);
        };
        if self.position.is_some() {
            return Err(RecordErrorKind::BoardAfterMoves);
        }
        self.tree.start = Setup::parse(squares).map_err(|error| {
            RecordErrorKind::InvalidBoard(Othello::into_any_error(GameError::InvalidPositionText(error)))
        })?;
        Ok(())
    }

    fn current_position(&self) -> Result<Bitboard, RecordErrorKind> {
        match self.position {
            Some(position) => Ok(position),
            None => Bitboard::from_setup(&self.tree.start, &Waivers::All).map_err(|error| {
                RecordErrorKind::InvalidBoard(Othello::into_any_error(GameError::InvalidSetup(error)))
            }),
        }
    }

    /// Plays a move with evaluation and seconds: `f5/0.50/1.2`.
    fn play_move(&mut self, side: Side, value: &str) -> Result<(), RecordErrorKind> {
        let mut position = self.current_position()?;
        let mut parts = value.split('/').map(str::trim);
        let square = parts.next().unwrap_or_default().to_ascii_lowercase();
        let mv = match &*square {
            "pa" | "pass" | "ps" => Move::PASS,
            name => {
                match name.get(..2).filter(|_| name.len() == 2).and_then(|name| name.parse::<Square>().ok()) {
                    Some(square) => Move::from_square(square),
                    None => return Err(RecordErrorKind::ExpectedSquare),
                }
            }
        };
        if side != position.side_to_move() && position.is_legal(Move::PASS) {
            // Some programs omit passes, which follow from the side that moves.
            position.make(Move::PASS, &mut ());
            self.node = self.tree.add(self.node, Some(Move::PASS));
            self.ply += 1;
        }
        if side != position.side_to_move() {
            return Err(RecordErrorKind::WrongSide(position.side_to_move()));
        }
        if !position.is_legal(mv) {
            return Err(RecordErrorKind::InvalidMove(Othello::into_any_error(GameError::IllegalMove(
                illegal_reason(&position, mv),
            ))));
        }
        position.make(mv, &mut ());
        self.node = self.tree.add(self.node, Some(mv));
        self.ply += 1;
        let (score, seconds) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let eval = parse_hundredths(score).map(|score| EvalAnnotation {
            score: AnnotatedScore::Centipawns(if side == Side::First { score } else { -score }),
            depth: None,
        });
        let elapsed = parse_time(seconds);
        if eval.is_some() || elapsed.is_some() {
            let annotation: &mut MoveAnnotation = self.tree.annotation_mut(self.node);
            (annotation.eval, annotation.elapsed) = (eval, elapsed);
        }
        self.position = Some(position);
        Ok(())
    }

    /// Finishes the annotations, tags and result.
    fn finish(&mut self) {
        for annotation in self.tree.annotations_mut() {
            annotation.normalise_comments();
        }
        let tags = &mut self.tree.tags;
        tags.dedup_names();
        tags.retain(|name, value| !(value.is_empty() || name == "Type" && value == "8"));
        let score = tags.value("Score");
        let result = score.and_then(parse_score).map(outcome_from_margin);
        let end = self.position.as_ref().filter(|position| position.has_no_legal_move());
        let margin = end.map(black_margin);
        // The final board decides the result of a game whose score is missing or cannot be read, such as `?`.
        self.tree.result = result.or(margin.map(outcome_from_margin));
        if margin.is_some_and(|margin| score == Some(&*writer::format_score(margin))) {
            tags.remove("Score");
        }
    }
}

/// Returns whether a type such as `8`, `8r20` or `s8r18:l` is an 8 by 8 board.
fn is_eight_by_eight(kind: &str) -> bool {
    let digits = kind.trim().trim_start_matches(|c: char| c.is_ascii_alphabetic());
    digits.trim_start_matches(|c: char| c.is_ascii_digit()).len() + 1 == digits.len()
        && digits.starts_with('8')
}

/// Parses Black's margin `+4.000:r` to hundredths of a disc.
fn parse_score(text: &str) -> Option<i32> {
    parse_hundredths(text.split(':').next().unwrap_or_default().trim())
}

/// Returns Black's margin in discs at the end of a game; empty squares count for the winner.
pub(crate) fn black_margin(position: &Bitboard) -> i32 {
    position.final_score(Side::First)
}

/// Returns the outcome for a margin of Black.
pub(crate) fn outcome_from_margin(margin: i32) -> Outcome {
    match margin {
        0 => Outcome::Draw,
        1.. => Outcome::Win(Side::First),
        _ => Outcome::Win(Side::Second),
    }
}

/// Parses the games of a file.
pub fn parse_games(bytes: &[u8]) -> Vec<ParsedGame<Othello>> {
    let mut reader = Reader::new(bytes);
    // Reading from memory cannot fail.
    std::iter::from_fn(|| reader.next_game().ok().flatten()).map(|game| game.parse()).collect()
}
