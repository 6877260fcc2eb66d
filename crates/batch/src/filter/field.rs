//! The fields of conditions.

use std::fmt;

use super::{FilterError, parser};
use crate::game_facts::GameFacts;

/// A field of a game.
///
/// ```
/// use alfil_batch::filter::{FIELD_NAMES, Field};
///
/// assert!(FIELD_NAMES.contains(&("red", Field::White)) && FIELD_NAMES.contains(&("white", Field::White)));
/// assert_eq!(Field::Tag("Annotator".into()).to_string(), r#"tag("Annotator")"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// The name of White; in xiangqi, that of Red.
    White,
    /// The name of Black.
    Black,
    /// The name of either player.
    Player,
    /// The event.
    Event,
    /// The site.
    Site,
    /// The date, compared as far as the value goes: `date>=2020.05`.
    Date,
    /// The year of the date.
    Year,
    /// The round.
    Round,
    /// The result: `1-0` if the side with the first move won, `0-1`, `1/2-1/2` or `*`.
    Result,
    /// The code of the opening, by the moves if no tag names it.
    Eco,
    /// The name of the opening, by the moves if no tag names it.
    Opening,
    /// The variant.
    Variant,
    /// The game: `xiangqi`, `chess`, `othello`.
    Game,
    /// The length of the main line.
    Plies,
    /// The rating of either player.
    Elo,
    /// The rating of White; in xiangqi, that of Red.
    WhiteElo,
    /// The rating of Black.
    BlackElo,
    /// The initial position, known if it is not the start position of the game.
    Start,
    /// Any tag by its name.
    Tag(String),
}

/// The names of the fields other than [`Field::Tag`]. Some fields have two names, such as `white` and `red`.
pub const FIELD_NAMES: [(&str, Field); 20] = [
    ("white", Field::White),
    ("red", Field::White),
    ("black", Field::Black),
    ("player", Field::Player),
    ("event", Field::Event),
    ("site", Field::Site),
    ("date", Field::Date),
    ("year", Field::Year),
    ("round", Field::Round),
    ("result", Field::Result),
    ("eco", Field::Eco),
    ("opening", Field::Opening),
    ("variant", Field::Variant),
    ("game", Field::Game),
    ("plies", Field::Plies),
    ("elo", Field::Elo),
    ("whiteelo", Field::WhiteElo),
    ("redelo", Field::WhiteElo),
    ("blackelo", Field::BlackElo),
    ("start", Field::Start),
];

/// The tags that reading a game may remove or rename.
const TAGS_OF_READING: [&str; 8] = ["Result", "SetUp", "FEN", "Game", "Variant", "Format", "Red", "White"];

/// The type of a field's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldKind {
    Text,
    /// The name of a game.
    Game,
    Number,
    Date,
    Result,
}

/// The values of a field in a game: one, or those of both players.
pub(crate) enum FieldValues<'a> {
    Texts([Option<&'a str>; 2]),
    Numbers([Option<i64>; 2]),
    Date(Option<[Option<u32>; 3]>),
}

impl FieldValues<'_> {
    /// Returns whether a value is known.
    pub(super) fn is_known(&self) -> bool {
        match self {
            FieldValues::Texts(texts) => texts.iter().any(Option::is_some),
            FieldValues::Numbers(numbers) => numbers.iter().any(Option::is_some),
            FieldValues::Date(date) => date.is_some_and(|date| date[0].is_some()),
        }
    }
}

impl Field {
    /// Parses a field alone: `white`, `tag("Annotator")`.
    ///
    /// # Errors
    /// Returns an error if there is no such field.
    pub fn parse(text: &str) -> Result<Field, FilterError> {
        parser::parse_field(text)
    }

    pub(super) fn from_name(name: &str) -> Option<Field> {
        let row = FIELD_NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        row.map(|(_, field)| field.clone())
    }

    /// Returns whether the field is about the opening, which the moves of a game name where its tags do not.
    pub(crate) fn is_of_opening(&self) -> bool {
        match self {
            Field::Eco | Field::Opening => true,
            Field::Tag(name) => ["ECO", "Opening"].contains(&name.as_str()),
            _ => false,
        }
    }

    /// Returns whether the tags of a game as written say all that is known of the field. The moves decide the game, the
    /// result and what reading a game takes from its tags.
    pub(super) fn is_in_tags(&self, facts: GameFacts<'_>) -> bool {
        match self {
            Field::White | Field::Black | Field::Player | Field::Event | Field::Site | Field::Round => true,
            Field::Date | Field::Year | Field::Elo | Field::WhiteElo | Field::BlackElo => true,
            Field::Result | Field::Variant | Field::Game | Field::Plies | Field::Start => false,
            Field::Eco | Field::Opening => facts.tag("Opening").is_some(),
            Field::Tag(_) if self.is_of_opening() => facts.tag("Opening").is_some(),
            Field::Tag(name) => !TAGS_OF_READING.contains(&name.as_str()),
        }
    }

    pub(super) fn kind(&self) -> FieldKind {
        match self {
            Field::Year | Field::Plies | Field::Elo | Field::WhiteElo | Field::BlackElo => FieldKind::Number,
            Field::Date => FieldKind::Date,
            Field::Result => FieldKind::Result,
            Field::Game => FieldKind::Game,
            _ => FieldKind::Text,
        }
    }

    pub(crate) fn values<'a>(&self, facts: GameFacts<'a>) -> FieldValues<'a> {
        let one_text = |text| FieldValues::Texts([text, None]);
        let one_number = |number| FieldValues::Numbers([number, None]);
        match self {
            Field::White => one_text(facts.white()),
            Field::Black => one_text(facts.black()),
            Field::Player => FieldValues::Texts([facts.white(), facts.black()]),
            Field::Event => one_text(facts.tag("Event")),
            Field::Site => one_text(facts.tag("Site")),
            Field::Date => FieldValues::Date(facts.date()),
            Field::Year => one_number(facts.year()),
            Field::Round => one_text(facts.tag("Round")),
            Field::Result => one_text(Some(facts.result())),
            Field::Eco => one_text(facts.tag("ECO")),
            Field::Opening => one_text(facts.tag("Opening")),
            Field::Variant => one_text(facts.tag("Variant")),
            Field::Game => one_text(Some(facts.game())),
            Field::Plies => one_number(Some(facts.plies() as i64)),
            Field::Elo => FieldValues::Numbers([facts.white_elo(), facts.black_elo()]),
            Field::WhiteElo => one_number(facts.white_elo()),
            Field::BlackElo => one_number(facts.black_elo()),
            Field::Start => one_text(facts.start()),
            Field::Tag(name) => one_text(facts.tag(name)),
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Field::Tag(name) = self {
            f.write_str("tag(")?;
            parser::write_quoted(name, f)?;
            return f.write_str(")");
        }
        let row = FIELD_NAMES.iter().find(|(_, field)| field == self);
        f.write_str(row.map_or("", |(name, _)| name))
    }
}
