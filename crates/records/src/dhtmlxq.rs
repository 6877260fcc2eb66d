//! DhtmlXQ: games of xiangqi in tags such as `[DhtmlXQ_movelist]7747...[/DhtmlXQ_movelist]`, in pages of dpxq.com and,
//! as UBB text (the bracket markup of Chinese forums, like BBCode), in forums.
//!
//! A move is four digits: file and rank of its origin and of its target, ranks counted from Black's side. The branch
//! `move_A_B_C` has the number C and replaces ply B of branch A; branch 0 is the main line. `commentN` follows ply N of
//! the main line, `commentB_N` ply N of branch B; plies are counted from the start of the game. Source: the pages of
//! dpxq.com.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use alfil_kernel::{Outcome, Setup as _, Side};
use alfil_xiangqi::{Setup, Square, Xiangqi};

use crate::charset::{LegacyEncoding, strip_byte_order_mark};
use crate::error::RecordErrorKind;
use crate::game_error::GameError;
use crate::move_tree::{NodeId, ROOT};
use crate::parsed_game::ParsedGame;
use crate::plain_comment::parse_start_comment;
use crate::record_format::RecordFormat as _;
use crate::tags::Tags;
use crate::tree_builder::{TreeBuilder, failed_game, place_errors_in_file};
use crate::xiangqi_file::{infer_side_to_move, move_from_squares, result_from_word};
use crate::xqf::PIECES;

mod writer;

pub use writer::{format_game, format_games};

/// The names of the tags in DhtmlXQ and in PGN.
const KEYS: &[(&str, &str)] = &[
    ("title", "Title"),
    ("event", "Event"),
    ("date", "Date"),
    ("place", "Site"),
    ("round", "Round"),
    ("table", "Table"),
    ("red", "Red"),
    ("redteam", "RedTeam"),
    ("redtime", "RedTime"),
    ("black", "Black"),
    ("blackteam", "BlackTeam"),
    ("blacktime", "BlackTime"),
    ("timerule", "TimeControl"),
    ("open", "Opening"),
    ("remark", "Remark"),
    ("author", "Author"),
];

/// The texts of results that are read; the first one of each result is written.
const RESULTS: &[(&str, Option<Outcome>)] = &[
    ("红胜", Some(Outcome::Win(Side::First))),
    ("黑胜", Some(Outcome::Win(Side::Second))),
    ("和棋", Some(Outcome::Draw)),
    ("未知", None),
    ("红方胜", Some(Outcome::Win(Side::First))),
    ("先胜", Some(Outcome::Win(Side::First))),
    ("1-0", Some(Outcome::Win(Side::First))),
    ("黑方胜", Some(Outcome::Win(Side::Second))),
    ("先负", Some(Outcome::Win(Side::Second))),
    ("0-1", Some(Outcome::Win(Side::Second))),
    ("和局", Some(Outcome::Draw)),
    ("先和", Some(Outcome::Draw)),
    ("1/2-1/2", Some(Outcome::Draw)),
];

/// The maximal number of moves that are played again to reach the branches of a game.
const MAX_REPLAYED_MOVES: usize = 20_000_000;

/// Parses the games of a page or text.
///
/// ```
/// use alfil_records::dhtmlxq;
///
/// let text = "[DhtmlXQ][DhtmlXQ_red]胡荣华[/DhtmlXQ_red][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\
///             [DhtmlXQ_move_0_2_1]7242[/DhtmlXQ_move_0_2_1][/DhtmlXQ]";
/// let tree = dhtmlxq::parse_games(text.as_bytes()).remove(0).into_tree()?;
/// assert_eq!(tree.main_line_moves().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["h2e2", "h9g7"]);
/// assert_eq!((tree.tags.value("Red"), tree.moves.move_count()), (Some("胡荣华"), 3));
/// # Ok::<(), alfil_records::RecordError>(())
/// ```
pub fn parse_games(file: &[u8]) -> Vec<ParsedGame<Xiangqi>> {
    let bytes = strip_byte_order_mark(file);
    let charset = LegacyEncoding::Chinese.detect(bytes);
    let text = charset.decode(bytes);
    let blocks = split_games(&text);
    let last_end = blocks.last().filter(|(start, end)| !is_closed(&text[*start..*end])).map(|&(_, end)| end);
    let games = blocks.into_iter().zip(1..);
    let mut games: Vec<_> = games
        .map(|((start, end), number)| parse_game(&text, start..end, number, last_end == Some(end)))
        .collect();
    place_errors_in_file(&mut games, file, charset);
    games
}

/// The tags that open and close a game.
const GAME_TAGS: [(&str, &str); 3] = [
    ("[DhtmlXQ]", "[/DhtmlXQ]"),
    ("[DhtmlXQHTML]", "[/DhtmlXQHTML]"),
    ("[DhtmlXQiFrame]", "[/DhtmlXQiFrame]"),
];

/// Returns whether the tag that opens a game is closed, or there is none.
fn is_closed(text: &str) -> bool {
    let opening = GAME_TAGS.iter().find(|(opening, _)| text.starts_with(opening));
    opening.is_none() || GAME_TAGS.iter().any(|(_, closing)| text.contains(closing))
}

/// Returns the ranges of the games: from one opening tag of a game to the next.
fn split_games(text: &str) -> Vec<(usize, usize)> {
    let opening = GAME_TAGS.map(|(opening, _)| opening);
    let mut starts: Vec<_> =
        opening.iter().flat_map(|tag| text.match_indices(tag)).map(|(at, _)| at).collect();
    starts.sort_unstable();
    if starts.is_empty() {
        starts.push(0);
    }
    let ends = starts.iter().copied().skip(1).chain([text.len()]);
    starts.iter().copied().zip(ends).collect()
}

/// The tags of a game in the order of the file. A value has its offset.
#[derive(Default)]
struct Values<'a> {
    in_order: Vec<(&'a str, (&'a str, usize))>,
    /// The index of each key in `in_order`.
    indices: HashMap<&'a str, usize>,
}

impl<'a> Values<'a> {
    fn get(&self, key: &str) -> Option<(&'a str, usize)> {
        self.indices.get(key).map(|&index| self.in_order[index].1)
    }

    /// Iterates over the tags whose keys begin so, with the rest of their keys.
    fn with_prefix(&self, prefix: &'static str) -> impl Iterator<Item = (&'a str, (&'a str, usize))> + '_ {
        self.in_order.iter().filter_map(move |(key, value)| Some((key.strip_prefix(prefix)?, *value)))
    }

    /// Adds a tag; the first of several with the same key counts.
    fn add(&mut self, key: &'a str, value: (&'a str, usize)) {
        if let Entry::Vacant(entry) = self.indices.entry(key) {
            entry.insert(self.in_order.len());
            self.in_order.push((key, value));
        }
    }
}

/// The maximal number of bytes of the key of a tag.
const MAX_KEY_BYTES: usize = 39;

/// Returns the key that begins at this byte and ends at a bracket.
fn key_at(text: &str, at: usize) -> Option<&str> {
    let length = text.as_bytes()[at..].iter().take(MAX_KEY_BYTES + 1).position(|&byte| byte == b']')?;
    Some(&text[at..at + length])
}

/// Collects the tags of a game.
fn parse_values(text: &str) -> Values<'_> {
    const OPENING: &str = "[DhtmlXQ_";
    const CLOSING: &str = "[/DhtmlXQ_";
    // A search for each closing tag would read the text again for each one that is missing.
    let mut closings: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, _) in text.match_indices(CLOSING) {
        if let Some(key) = key_at(text, at + CLOSING.len()) {
            closings.entry(key).or_default().push(at);
        }
    }
    let mut values = Values::default();
    let mut at = 0;
    while let Some(found) = text[at..].find(OPENING) {
        at += found + OPENING.len();
        let Some(key) = key_at(text, at) else { continue };
        let value_at = at + key.len() + 1;
        let ends = closings.get(key).map_or(&[][..], Vec::as_slice);
        let closing = ends.get(ends.partition_point(|&end| end < value_at)).copied();
        // A value without an end reaches to the next tag.
        let next = || text[value_at..].find(OPENING).map(|length| value_at + length);
        at = closing.or_else(next).unwrap_or(text.len());
        values.add(key, (&text[value_at..at], value_at));
    }
    values
}

fn parse_game(
    text: &str,
    range: std::ops::Range<usize>,
    number: u64,
    is_truncated: bool,
) -> ParsedGame<Xiangqi> {
    let (start_offset, end) = (range.start, range.end);
    let mut values = parse_values(&text[range]);
    values.in_order.iter_mut().for_each(|(_, (_, offset))| *offset += start_offset);
    if values.in_order.is_empty() {
        return failed_game(number, start_offset, RecordErrorKind::MissingBoard);
    }
    let movelist = values.get("movelist").unwrap_or(("", start_offset));
    let mut moves = Digits::new(movelist);
    let first_origin = moves.clone().next().and_then(|mv| mv.origin);
    let start = match parse_start(&values, first_origin) {
        Ok(start) => start,
        Err((at, kind)) => return failed_game(number, at, kind),
    };
    let mut builder = match TreeBuilder::new(number, start_offset, start) {
        Ok(builder) => builder,
        Err(failed) => return *failed,
    };
    read_tags(&values, &mut builder.tree.tags);
    if let Some((text, at)) = values.get("result") {
        builder.set_result(at, result_from_word(RESULTS, unescape(text).trim()));
    }
    if let Some((comment, _)) = values.get("comment0") {
        parse_start_comment(&mut builder.tree, &unescape(comment));
    }
    let main = play_line(&mut builder, &mut moves, true);
    let mut branches = HashMap::from([(0, Branch { first_ply: 1, nodes: main })]);
    read_branches(&values, &mut builder, &mut branches);
    read_comments(&values, &mut builder, &branches);
    if is_truncated {
        builder.fail(end, "", RecordErrorKind::UnexpectedEnd);
    }
    builder.finish()
}

/// A branch: the ply of its first move, counted from 1, and its moves.
struct Branch {
    first_ply: usize,
    nodes: Vec<NodeId>,
}

impl Branch {
    /// Returns the node of a ply.
    fn node(&self, ply: usize) -> Option<NodeId> {
        self.nodes.get(ply.checked_sub(self.first_ply)?).copied()
    }
}

/// A move in the digits of a line.
struct DigitMove<'a> {
    offset: usize,
    text: &'a str,
    origin: Option<Square>,
    target: Option<Square>,
}

/// The moves in the digits of a line.
#[derive(Clone)]
struct Digits<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Digits<'a> {
    fn new((text, offset): (&'a str, usize)) -> Self {
        Digits { text, offset }
    }
}

impl<'a> Iterator for Digits<'a> {
    type Item = DigitMove<'a>;

    /// Returns the next move: four characters, which need not be digits.
    fn next(&mut self) -> Option<DigitMove<'a>> {
        let trimmed = self.text.trim_start();
        self.offset += self.text.len() - trimmed.len();
        let end = trimmed.char_indices().nth(4).map_or(trimmed.len(), |(end, _)| end);
        let (text, rest) = trimmed.split_at(end);
        let offset = self.offset;
        (self.text, self.offset) = (rest, offset + end);
        let digits = |start: usize| text.get(start..start + 2).and_then(square_from_digits);
        (!text.is_empty()).then(|| DigitMove { offset, text, origin: digits(0), target: digits(2) })
    }
}

/// Returns the square of a file and a rank from Black's side; none for `99`, a captured piece.
pub(crate) fn square_from_digits(digits: &str) -> Option<Square> {
    let [file @ b'0'..=b'9', rank @ b'0'..=b'9'] = digits.as_bytes() else { return None };
    let (file, rank) = (isize::from(file - b'0'), isize::from(rank - b'0'));
    Square::from_coordinates(file, 9 - rank)
}

pub(crate) fn digits_from_square(square: Square) -> String {
    format!("{}{}", square.file(), 9 - square.rank())
}

/// Returns the start position: `fen`, else `binit`, else that of the game. The piece of the first move shows which side
/// moves first.
fn parse_start(values: &Values<'_>, first_origin: Option<Square>) -> Result<Setup, (usize, RecordErrorKind)> {
    let mut start = match (values.get("fen"), values.get("binit")) {
        (Some((fen, at)), _) if !fen.trim().is_empty() => Setup::parse(fen.trim()).map_err(|error| {
            (at, RecordErrorKind::InvalidFen(Xiangqi::into_any_error(GameError::InvalidPositionText(error))))
        })?,
        (_, Some((squares, _))) if !squares.trim().is_empty() => {
            let squares = squares.trim();
            let mut start = Setup::EMPTY;
            for (index, piece) in PIECES.into_iter().enumerate() {
                if let Some(square) = squares.get(2 * index..2 * index + 2).and_then(square_from_digits) {
                    start.board[square.index()] = Some(piece);
                }
            }
            start
        }
        _ => Setup::start(),
    };
    infer_side_to_move(&mut start, first_origin);
    Ok(start)
}

fn read_tags(values: &Values<'_>, tags: &mut Tags) {
    for (key, tag) in KEYS {
        if let Some((text, _)) = values.get(key) {
            tags.push(*tag, unescape(text).trim());
        }
    }
}

/// Plays the moves of a line from the current node and returns their nodes. A bad move ends the line; in the main line
/// it is an error.
fn play_line(builder: &mut TreeBuilder<Xiangqi>, moves: &mut Digits<'_>, is_main: bool) -> Vec<NodeId> {
    let mut nodes = Vec::new();
    for digits in moves {
        let mv = move_from_squares(digits.origin, digits.target);
        let (mv, text) = match mv {
            Ok(mv) => (Ok(mv), mv.to_string()),
            Err((kind, _)) => (Err(kind), digits.text.to_owned()),
        };
        match mv.and_then(|mv| builder.play(mv)) {
            Ok(node) => nodes.push(node),
            Err(kind) if is_main => {
                builder.fail(digits.offset, &text, kind);
                break;
            }
            Err(kind) => {
                builder.warn(digits.offset, &text, kind);
                break;
            }
        }
    }
    nodes
}

/// A branch in the file.
struct BranchEntry<'a> {
    parent: u32,
    ply: usize,
    number: u32,
    /// The numbers as they are written in the tag.
    tag_numbers: &'a str,
    line: (&'a str, usize),
}

/// Reads the branches, which may be in any order.
fn read_branches<'a>(
    values: &Values<'a>,
    builder: &mut TreeBuilder<Xiangqi>,
    branches: &mut HashMap<u32, Branch>,
) {
    let mut by_parent: HashMap<u32, Vec<BranchEntry<'a>>> = HashMap::new();
    let mut numbers_used = HashSet::from([0]);
    for (tag_numbers, line) in values.with_prefix("move_") {
        let mut numbers = tag_numbers.split('_').map(|number| number.parse::<u32>().ok());
        if let (Some(Some(parent)), Some(Some(ply)), Some(Some(number)), None) =
            (numbers.next(), numbers.next(), numbers.next(), numbers.next())
        {
            if !numbers_used.insert(number) {
                // Other branches and comments may mean this line or the other.
                builder.fail(line.1, "", RecordErrorKind::OrphanBranch(tag_numbers.to_owned()));
                continue;
            }
            let entry = BranchEntry { parent, ply: ply as usize, number, tag_numbers, line };
            by_parent.entry(parent).or_default().push(entry);
        }
    }
    let mut pending = vec![0];
    let mut replayed = 0;
    let mut next = 0;
    while let Some(&parent) = pending.get(next) {
        next += 1;
        let mut entries = by_parent.remove(&parent).unwrap_or_default();
        entries.sort_by_key(|entry| entry.number);
        for entry in entries {
            let replaced = branches.get(&parent).and_then(|branch| branch.node(entry.ply));
            let Some(replaced) = replaced.filter(|_| replayed < MAX_REPLAYED_MOVES) else {
                let tag_numbers = entry.tag_numbers.to_owned();
                let kind = match replaced {
                    Some(_) => RecordErrorKind::TooManyBranches(tag_numbers),
                    None => RecordErrorKind::OrphanBranch(tag_numbers),
                };
                builder.warn(entry.line.1, "", kind);
                continue;
            };
            replayed += entry.ply;
            builder.go_to(builder.tree.moves.parent(replaced).unwrap_or(ROOT));
            let nodes = play_line(builder, &mut Digits::new(entry.line), false);
            branches.insert(entry.number, Branch { first_ply: entry.ply, nodes });
            pending.push(entry.number);
        }
    }
    let mut orphans: Vec<_> = by_parent.into_values().flatten().collect();
    orphans.sort_by_key(|entry| (entry.parent, entry.number));
    for entry in orphans {
        builder.warn(entry.line.1, "", RecordErrorKind::OrphanBranch(entry.tag_numbers.to_owned()));
    }
}

fn read_comments(values: &Values<'_>, builder: &mut TreeBuilder<Xiangqi>, branches: &HashMap<u32, Branch>) {
    for (tag_numbers, (text, _)) in values.with_prefix("comment") {
        let (branch, ply) = tag_numbers.split_once('_').unwrap_or(("0", tag_numbers));
        let (Ok(branch), Ok(ply)) = (branch.parse::<u32>(), ply.parse()) else { continue };
        if let Some(node) = branches.get(&branch).and_then(|branch| branch.node(ply)) {
            builder.tree.annotation_mut(node).add_comment_after(&unescape(text));
        }
    }
}

/// Decodes a value: `||` is a line break, `\uXXXX` a unit of UTF-16.
fn unescape(value: &str) -> String {
    let value = value.replace("||", "\n");
    let mut text = String::with_capacity(value.len());
    let mut units = Vec::new();
    let mut rest = &*value;
    loop {
        let unit = rest.strip_prefix("\\u").and_then(|digits| digits.get(..4));
        // `from_str_radix` would also take a sign.
        let unit = unit.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match unit.and_then(|digits| u16::from_str_radix(digits, 16).ok()) {
            Some(unit) => {
                units.push(unit);
                rest = &rest[6..];
                continue;
            }
            None => text.push_str(&String::from_utf16_lossy(&std::mem::take(&mut units))),
        }
        let mut characters = rest.chars();
        let Some(character) = characters.next() else { return text };
        text.push(character);
        rest = characters.as_str();
    }
}
