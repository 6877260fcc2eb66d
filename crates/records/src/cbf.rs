//! CBF: games of xiangqi as XML, from CCBridge (象棋桥).
//!
//! The root `ChineseChessRecord` has a `Head` with names and the position as FEN, and a `MoveList`; the move `77-47`
//! has the digits of DhtmlXQ, and its text is its comment. The first move, `00-00`, has the comment of the start. The
//! move with `end="1"` is the last one of the main line; further moves belong to variations whose place is not known.
//! Source: files of CCBridge.

use alfil_kernel::{Outcome, Setup as _};
use alfil_xiangqi::{Setup, Xiangqi};
use quick_xml::Reader;
use quick_xml::events::attributes::AttrError;
use quick_xml::events::{BytesStart, Event};

use crate::charset::{LegacyEncoding, strip_byte_order_mark};
use crate::dhtmlxq::square_from_digits;
use crate::error::RecordErrorKind;
use crate::game_error::GameError;
use crate::parsed_game::ParsedGame;
use crate::plain_comment::parse_start_comment;
use crate::record_format::RecordFormat as _;
use crate::tree_builder::{TreeBuilder, failed_game, place_errors_in_file};
use crate::xiangqi_file::{infer_side_to_move, move_from_squares, result_from_number};

mod writer;

pub use writer::format_game;

/// The elements of the head, with the names of the tags.
const ELEMENTS: &[(&str, &str)] = &[
    ("Name", "Title"),
    ("ContestType", "EventType"),
    ("Contest", "Event"),
    ("Round", "Round"),
    ("Group", "Group"),
    ("Table", "Table"),
    ("Date", "Date"),
    ("Site", "Site"),
    ("TimeRule", "TimeControl"),
    ("Red", "Red"),
    ("RedTeam", "RedTeam"),
    ("RedTime", "RedTime"),
    ("RedRating", "RedElo"),
    ("Black", "Black"),
    ("BlackTeam", "BlackTeam"),
    ("BlackTime", "BlackTime"),
    ("BlackRating", "BlackElo"),
    ("Referee", "Referee"),
    ("Recorder", "Recorder"),
    ("Commentator", "Annotator"),
    ("Creator", "Author"),
    ("DateCreated", "Created"),
    ("DateModified", "Saved"),
    ("ECCO", "ECCO"),
];

/// The value of the first move, which is none.
const START_VALUE: &str = "00-00";

/// An element of the file.
#[derive(Default)]
struct Element {
    /// The byte at which it begins.
    offset: usize,
    name: String,
    value: String,
    is_last: bool,
    text: String,
    /// The first attribute that is malformed: its offset in the text, and the error of the XML parser. It is left out.
    attribute_error: Option<(usize, String)>,
}

/// Parses a file.
///
/// ```
/// let text = "<?xml version=\"1.0\"?><ChineseChessRecord><Head><Red>胡荣华</Red></Head>\
///             <MoveList><Move value=\"00-00\"/><Move value=\"77-47\" end=\"1\"/></MoveList></ChineseChessRecord>";
/// let tree = alfil_records::cbf::parse_game(text.as_bytes()).into_tree()?;
/// assert_eq!((tree.moves.move_count(), tree.tags.value("Red")), (1, Some("胡荣华")));
/// # Ok::<(), alfil_records::RecordError>(())
/// ```
pub fn parse_game(file: &[u8]) -> ParsedGame<Xiangqi> {
    let bytes = strip_byte_order_mark(file);
    let charset = LegacyEncoding::Chinese.detect(bytes);
    let text = charset.decode(bytes);
    let (elements, error) = read_elements(&text);
    let mut game = parse_elements(&elements, error);
    place_errors_in_file(std::slice::from_mut(&mut game), file, charset);
    game
}

/// Reads the elements of the head and the moves, to the first fault of the XML.
fn read_elements(text: &str) -> (Vec<Element>, Option<(usize, RecordErrorKind)>) {
    let mut reader = Reader::from_str(text);
    let mut elements: Vec<Element> = Vec::new();
    let mut is_open = false;
    let mut depth = 0_usize;
    loop {
        let offset = reader.buffer_position() as usize;
        let event = match reader.read_event() {
            Ok(Event::Eof) => {
                return (elements, (depth > 0).then_some((offset, RecordErrorKind::UnexpectedEnd)));
            }
            Ok(event) => event,
            Err(error) => return (elements, Some((offset, RecordErrorKind::InvalidXml(error.to_string())))),
        };
        let piece = match &event {
            Event::Start(start) | Event::Empty(start) => {
                elements.push(element(offset, start));
                is_open = matches!(event, Event::Start(_));
                depth += usize::from(is_open);
                continue;
            }
            Event::End(_) => {
                is_open = false;
                depth = depth.saturating_sub(1);
                continue;
            }
            Event::Text(text) => Some((**text).to_owned()),
            Event::CData(text) => Some((**text).to_owned()),
            Event::GeneralRef(name) => Some(character_of(name)),
            _ => None,
        };
        if let (Some(piece), Some(element), true) = (piece, elements.last_mut(), is_open) {
            element.text += &piece;
        }
    }
}

/// Returns the character of a reference such as `amp` or `#39`; the reference itself if it names no character.
fn character_of(name: &str) -> String {
    let number = name.strip_prefix("#x").map(|digits| u32::from_str_radix(digits, 16));
    let number = number.or_else(|| name.strip_prefix('#').map(str::parse));
    let character = match number {
        Some(number) => number.ok().and_then(char::from_u32).map(String::from),
        None => quick_xml::escape::resolve_predefined_entity(name).map(str::to_owned),
    };
    character.unwrap_or_else(|| format!("&{name};"))
}

fn element(offset: usize, start: &BytesStart<'_>) -> Element {
    let mut element = Element { offset, ..Element::default() };
    element.name = start.name().as_ref().to_owned();
    for attribute in start.attributes() {
        let attribute = match attribute {
            Ok(attribute) => attribute,
            Err(error) => {
                let (position, message) = attribute_error(&error);
                // The tag begins after its bracket.
                element.attribute_error.get_or_insert((offset + 1 + position, message));
                continue;
            }
        };
        let value = attribute.value.into_owned();
        match attribute.key.as_ref() {
            "value" => element.value = value,
            "end" => element.is_last = value == "1",
            _ => {}
        }
    }
    element
}

/// Returns the position of an error in its tag, and its message without it.
fn attribute_error(error: &AttrError) -> (usize, String) {
    let (AttrError::ExpectedEq(position)
    | AttrError::ExpectedValue(position)
    | AttrError::UnquotedValue(position)
    | AttrError::ExpectedQuote(position, _)
    | AttrError::Duplicated(position, _)) = *error;
    let message = match error {
        AttrError::Duplicated(..) => "duplicated attribute".to_owned(),
        _ => error.to_string(),
    };
    (position, message.split_once(": ").map_or(&*message, |(_, rest)| rest).to_owned())
}

fn parse_elements(elements: &[Element], xml_error: Option<(usize, RecordErrorKind)>) -> ParsedGame<Xiangqi> {
    let value = |name: &str| elements.iter().find(|element| element.name == name);
    let moves: Vec<_> = elements.iter().filter(|element| element.name == "Move").collect();
    let first_origin =
        moves.iter().find(|mv| mv.value != START_VALUE).and_then(|mv| square_from_digits(mv.value.get(..2)?));
    let fen =
        value("FEN").map(|element| (element.offset, element.text.trim())).filter(|(_, fen)| !fen.is_empty());
    let parsed = fen.map(|(at, fen)| Setup::parse(fen).map_err(|error| (at, error)));
    let mut start = match parsed {
        None => Setup::start(),
        Some(Ok(start)) => start,
        Some(Err((at, error))) => {
            let error = Xiangqi::into_any_error(GameError::InvalidPositionText(error));
            return failed_game(1, at, RecordErrorKind::InvalidFen(error));
        }
    };
    infer_side_to_move(&mut start, first_origin);
    let mut builder = match TreeBuilder::new(1, fen.map_or(0, |(at, _)| at), start) {
        Ok(builder) => builder,
        Err(failed) => return *failed,
    };
    for (name, tag) in ELEMENTS {
        if let Some(element) = value(name) {
            builder.tree.tags.push(*tag, element.text.trim());
        }
    }
    if let Some(element) = value("RecordResult") {
        builder.set_result(element.offset, parse_result(element.text.trim()));
    }
    play_moves(&mut builder, &moves);
    for (offset, message) in elements.iter().filter_map(|element| element.attribute_error.as_ref()) {
        builder.warn(*offset, "", RecordErrorKind::InvalidXml(message.clone()));
    }
    if let Some((at, kind)) = xml_error {
        builder.fail(at, "", kind);
    }
    builder.finish()
}

/// Returns the result of the text of its element.
fn parse_result(text: &str) -> Result<Option<Outcome>, RecordErrorKind> {
    match text.parse() {
        Ok(number) => result_from_number(number),
        Err(_) if text.is_empty() => Ok(None),
        Err(_) => Err(RecordErrorKind::unknown_result(text)),
    }
}

/// Plays the moves of the main line.
fn play_moves(builder: &mut TreeBuilder<Xiangqi>, moves: &[&Element]) {
    for (index, element) in moves.iter().enumerate() {
        if index == 0 && element.value == START_VALUE {
            parse_start_comment(&mut builder.tree, &element.text);
            continue;
        }
        let square = |start: usize| element.value.get(start..start + 2).and_then(square_from_digits);
        let mv = move_from_squares(square(0), square(3));
        let text = mv.as_ref().map_or(element.value.clone(), |mv| mv.to_string());
        match mv.map_err(|(kind, _)| kind).and_then(|mv| builder.play(mv)) {
            Ok(node) if !element.text.trim().is_empty() => {
                builder.tree.annotation_mut(node).add_comment_after(&element.text);
            }
            Ok(_) => {}
            Err(kind) => return builder.fail(element.offset, &text, kind),
        }
        if element.is_last {
            let rest = moves.len() - index - 1;
            if rest > 0 {
                builder.warn(moves[index + 1].offset, "", RecordErrorKind::RestSkipped(rest));
            }
            return;
        }
    }
}
