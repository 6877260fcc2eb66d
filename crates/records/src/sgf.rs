//! Othello in the Smart Game Format (SGF, `GM[2]`), with variations.
//!
//! A move is a column and a row, `B[f5]`; two letters as in the SGF of Go are read, too. Source: the description of
//! FF\[4\] (A. Hollosi), and the files of Edax and Quarry.

use std::borrow::Cow;

use alfil_kernel::{Outcome, Position as _, Setup as _, Side};
use alfil_othello::{Move, Othello, Piece, Setup, Square};

use crate::annotation::parse_time;
use crate::charset::{LegacyEncoding, strip_byte_order_mark};
use crate::error::RecordErrorKind;
use crate::move_tree::{NodeId, ROOT};
use crate::parsed_game::ParsedGame;
use crate::plain_comment::parse_start_comment;
use crate::tree_builder::{TreeBuilder, place_errors_in_file};

mod writer;

pub(crate) use writer::escape;
pub use writer::{format_game, format_games};

/// The properties of a game, with the names of the tags.
const PROPERTIES: &[(&str, &str)] = &[
    ("EV", "Event"),
    ("PC", "Site"),
    ("DT", "Date"),
    ("RO", "Round"),
    ("PB", "Black"),
    ("PW", "White"),
    ("BR", "BlackElo"),
    ("WR", "WhiteElo"),
    ("BT", "BlackTeam"),
    ("WT", "WhiteTeam"),
    ("TM", "TimeControl"),
    ("AN", "Annotator"),
    ("US", "Author"),
    ("SO", "Source"),
    ("GN", "Title"),
    ("ON", "Opening"),
];

/// The properties that annotate a move, and their NAGs.
const NAGS: &[(&str, u8)] = &[("TE", 1), ("BM", 2), ("IT", 5), ("DO", 6)];

/// The maximal nesting of variations.
const MAX_DEPTH: usize = 100_000;

/// What ends a game.
pub(crate) const CLOSING_PARENTHESIS: &str = "closing parenthesis";

/// Parses the games of a file. A game with an error keeps the moves before it.
///
/// ```
/// use alfil_records::sgf;
///
/// let file = b"(;FF[4]GM[2]PB[Tamenori](;B[f5];W[d6])(;B[d3]C[rotated]))";
/// let tree = sgf::parse_games(file).remove(0).into_tree()?;
/// assert_eq!((tree.tags.value("Black"), tree.moves.move_count()), (Some("Tamenori"), 3));
/// # Ok::<(), alfil_records::RecordError>(())
/// ```
pub fn parse_games(file: &[u8]) -> Vec<ParsedGame<Othello>> {
    let bytes = strip_byte_order_mark(file);
    let charset = LegacyEncoding::Western.detect(bytes);
    let text = charset.decode(bytes);
    let mut tokens = Tokens { text: &text, at: 0 };
    let mut games = Vec::new();
    while let Some(start) = tokens.find_game() {
        let number = games.len() as u64 + 1;
        games.push(parse_game(&mut tokens, start, number));
    }
    place_errors_in_file(&mut games, file, charset);
    games
}

/// A token of SGF.
enum Token<'a> {
    Open,
    Close,
    Node,
    /// A property and its values, each with its offset.
    Property(&'a str, Vec<(usize, &'a str)>),
    /// Another character, which is skipped.
    Other,
    /// A value without a closing bracket.
    Unclosed,
}

/// Splits a text into tokens.
struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    /// Goes to the next game, a parenthesis before a node, and returns its offset. Between games a file may have other
    /// text.
    fn find_game(&mut self) -> Option<usize> {
        let rest = &self.text[self.at..];
        let is_game = |&(at, _): &(usize, &str)| rest[at + 1..].trim_start().starts_with(';');
        let (open, _) = rest.match_indices('(').find(is_game)?;
        self.at += open;
        Some(self.at)
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Returns the next token with its offset; `None` at the end.
    fn next(&mut self) -> Option<(usize, Token<'a>)> {
        self.skip_space();
        let start = self.at;
        let first = self.text[start..].chars().next()?;
        if !first.is_ascii_alphabetic() {
            self.at += first.len_utf8();
            let token = match first {
                '(' => Token::Open,
                ')' => Token::Close,
                ';' => Token::Node,
                _ => Token::Other,
            };
            return Some((start, token));
        }
        let rest = &self.text[start..];
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        self.at += length;
        let mut values = Vec::new();
        loop {
            self.skip_space();
            if !self.text[self.at..].starts_with('[') {
                break;
            }
            let value_at = self.at + 1;
            let Some(end) = value_end(&self.text[value_at..]) else {
                self.at = self.text.len();
                return Some((start, Token::Unclosed));
            };
            values.push((value_at, &self.text[value_at..value_at + end]));
            self.at = value_at + end + 1;
        }
        if values.is_empty() {
            return Some((start, Token::Other));
        }
        Some((start, Token::Property(&rest[..length], values)))
    }
}

/// Returns the length of a value up to its closing bracket, which has no backslash before it.
pub(crate) fn value_end(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    let ends = |&(_, byte): &(usize, u8)| {
        let ends = byte == b']' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    };
    text.bytes().enumerate().find(ends).map(|(at, _)| at)
}

/// Decodes a value: a backslash protects the next character, and removes a line break.
fn unescape(value: &str) -> Cow<'_, str> {
    if !value.contains('\\') {
        return value.into();
    }
    let mut text = String::with_capacity(value.len());
    let mut characters = value.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('\r') if characters.peek() == Some(&'\n') => drop(characters.next()),
                Some('\r' | '\n') | None => {}
                Some(escaped) => text.push(escaped),
            },
            _ => text.push(character),
        }
    }
    text.into()
}

/// Parses a square: a column and a row, or two letters.
fn parse_square(text: &str) -> Option<Square> {
    let [column, row] = *text.trim().as_bytes() else { return None };
    let file = isize::from(column.to_ascii_lowercase()) - isize::from(b'a');
    let rank = match row {
        b'1'..=b'8' => row - b'1',
        _ => row.to_ascii_lowercase().checked_sub(b'a')?,
    };
    Square::from_coordinates(file, rank.into())
}

/// Parses the squares of a value: one, or the rectangle between two.
fn parse_squares(text: &str) -> Vec<Square> {
    let Some((first, last)) = text.split_once(':') else { return parse_square(text).into_iter().collect() };
    let (Some(first), Some(last)) = (parse_square(first), parse_square(last)) else { return Vec::new() };
    let files = first.file().min(last.file())..=first.file().max(last.file());
    let ranks = first.rank().min(last.rank())..=first.rank().max(last.rank());
    ranks.flat_map(|rank| files.clone().map(move |file| Square::new(file, rank))).collect()
}

/// Parses the game that begins with this parenthesis.
fn parse_game(tokens: &mut Tokens<'_>, start: usize, number: u64) -> ParsedGame<Othello> {
    let setup = parse_setup(&mut Tokens { text: tokens.text, at: start });
    let builder = match TreeBuilder::new(number, start, setup) {
        Ok(builder) => builder,
        Err(failed) => {
            tokens.at = tokens.text.len();
            return *failed;
        }
    };
    let mut parser = Parser {
        builder,
        node: Vec::new(),
        open: Vec::new(),
        is_truncated: false,
        is_main_line: true,
        failed_at: None,
    };
    loop {
        let next = tokens.next();
        if !matches!(next, Some((_, Token::Property(..) | Token::Other))) {
            parser.end_node();
        }
        let Some((at, token)) = next else {
            parser.builder.fail(tokens.at, "", RecordErrorKind::UnclosedGame(CLOSING_PARENTHESIS));
            break;
        };
        match token {
            Token::Open if parser.open.len() >= MAX_DEPTH => {
                tokens.at = tokens.text.len();
                parser.builder.fail(at, "", RecordErrorKind::VariationTooDeep);
                break;
            }
            Token::Open => parser.open.push((parser.builder.depth(), parser.is_truncated)),
            Token::Close => {
                let Some((depth, is_truncated)) = parser.open.pop() else { break };
                parser.builder.take_back_to(depth);
                parser.is_truncated = is_truncated;
                parser.is_main_line = false;
                if parser.open.is_empty() {
                    break;
                }
            }
            Token::Property(name, values) => parser.node.push((at, name, values)),
            Token::Unclosed => {
                parser.builder.fail(at, "", RecordErrorKind::UnclosedTag);
                break;
            }
            Token::Node | Token::Other => {}
        }
    }
    parser.builder.finish()
}

/// Returns the start position of the game: the discs that the nodes before the first move set up, else that of the
/// game. If no property says who begins after a set-up, the first move does.
fn parse_setup(tokens: &mut Tokens<'_>) -> Setup {
    let mut setup = Setup::EMPTY;
    let (mut has_player, mut first_mover) = (false, Side::First);
    while let Some((_, token)) = tokens.next() {
        match token {
            Token::Property(name @ ("B" | "W"), _) => {
                first_mover = if name == "W" { Side::Second } else { Side::First };
                break;
            }
            Token::Close => break,
            Token::Property(name @ ("AB" | "AW" | "AE"), values) => {
                let disc = match name {
                    "AB" => Some(Piece::BLACK),
                    "AW" => Some(Piece::WHITE),
                    _ => None,
                };
                for square in values.iter().flat_map(|(_, value)| parse_squares(value)) {
                    setup.board[square.index()] = disc;
                }
            }
            Token::Property("PL", values) => {
                let is_white = values[0].1.trim().starts_with(['W', 'w', '2']);
                setup.side_to_move = if is_white { Side::Second } else { Side::First };
                has_player = true;
            }
            _ => {}
        }
    }
    if setup.board.iter().all(Option::is_none) {
        return Setup { side_to_move: setup.side_to_move, ..Setup::start() };
    }
    if !has_player {
        setup.side_to_move = first_mover;
    }
    setup
}

/// A property of a node: its offset, name and values.
type Property<'a> = (usize, &'a str, Vec<(usize, &'a str)>);

struct Parser<'a> {
    builder: TreeBuilder<Othello>,
    /// The properties of the node that is read.
    node: Vec<Property<'a>>,
    /// The depth at each open parenthesis, and whether the moves there are skipped.
    open: Vec<(usize, bool)>,
    is_truncated: bool,
    is_main_line: bool,
    /// The node at which the main line ended early; an alternative there would become the main line.
    failed_at: Option<NodeId>,
}

impl<'a> Parser<'a> {
    /// Reads the properties of a node, which SGF has in any order: those of the game, the move, those of the move.
    fn end_node(&mut self) {
        let properties = std::mem::take(&mut self.node);
        let order = |name: &str| match name {
            "B" | "W" => 1,
            "C" | "BL" | "WL" => 2,
            name if NAGS.iter().any(|(nag, _)| *nag == name) => 2,
            _ => 0,
        };
        for step in 0..=2 {
            for (at, name, values) in properties.iter().filter(|(_, name, _)| order(name) == step) {
                self.property(*at, name, values);
            }
        }
    }

    fn property(&mut self, at: usize, name: &str, values: &[(usize, &str)]) {
        if self.is_truncated {
            return;
        }
        let (value_at, value) = values[0];
        let text = unescape(value);
        let node = self.builder.node();
        match name {
            "B" => self.play(value_at, Side::First, &text),
            "W" => self.play(value_at, Side::Second, &text),
            "C" if node == ROOT => parse_start_comment(&mut self.builder.tree, &text),
            "C" => self.builder.tree.annotation_mut(node).add_comment_after(&text),
            "BL" | "WL" => {
                // A move may have the times of both sides: its own is that of the side that made it.
                let side = if name == "BL" { Side::First } else { Side::Second };
                let is_own = node == ROOT || side != self.builder.position().side_to_move();
                if let Some(clock) = parse_time(text.trim()).filter(|_| is_own) {
                    self.builder.tree.annotation_mut(node).clock = Some(clock);
                }
            }
            "RE" => self.builder.set_result(value_at, parse_result(text.trim())),
            "SZ" if !matches!(text.trim(), "8" | "8:8") => {
                let size = text.trim().split(':').next().and_then(|size| size.parse().ok()).unwrap_or(0);
                self.builder.fail(at, "", RecordErrorKind::OtherBoardSize(size));
                self.is_truncated = true;
            }
            _ => {
                if let Some((_, tag)) = PROPERTIES.iter().find(|(property, _)| *property == name) {
                    self.builder.tree.tags.push(*tag, text.trim());
                } else if let Some(&(_, nag)) = NAGS.iter().find(|(property, _)| *property == name) {
                    self.builder.tree.annotation_mut(node).nags.push(nag);
                }
            }
        }
    }

    /// Plays a move, and a pass before it if the other side has none.
    fn play(&mut self, at: usize, side: Side, text: &str) {
        let mv = match text.trim() {
            "" | "tt" | "--" => Ok(Move::PASS),
            word if word.eq_ignore_ascii_case("pass") || word.eq_ignore_ascii_case("pa") => Ok(Move::PASS),
            word => parse_square(word).map(Move::from_square).ok_or(RecordErrorKind::ExpectedSquare),
        };
        if self.failed_at == Some(self.builder.node()) {
            self.is_truncated = true;
            return;
        }
        let played = mv.and_then(|mv| {
            let position = self.builder.position();
            if side != position.side_to_move() && position.is_legal(Move::PASS) && mv != Move::PASS {
                self.builder.play(Move::PASS)?;
            }
            let to_move = self.builder.position().side_to_move();
            if side == to_move { self.builder.play(mv) } else { Err(RecordErrorKind::WrongSide(to_move)) }
        });
        let Err(kind) = played else { return };
        self.is_truncated = true;
        if self.is_main_line {
            self.failed_at = Some(self.builder.node());
            self.builder.fail(at, text, kind);
        } else {
            self.builder.warn(at, text, kind);
        }
    }
}

/// Parses a result: `B+12`, `W+R`, `0`, `Draw`, `Drawn 32-32`; `None` for `Void`, `?` and an empty value.
///
/// # Errors
/// Returns the text if it is no result.
fn parse_result(text: &str) -> Result<Option<Outcome>, RecordErrorKind> {
    Ok(match text.to_ascii_lowercase().as_bytes() {
        [b'b', b'+', ..] => Some(Outcome::Win(Side::First)),
        [b'w', b'+', ..] => Some(Outcome::Win(Side::Second)),
        b"0" | b"d" | [b'd', b'r', b'a', b'w', ..] => Some(Outcome::Draw),
        b"" | b"?" | b"void" => None,
        _ => return Err(RecordErrorKind::unknown_result(text)),
    })
}
