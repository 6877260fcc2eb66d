//! The game's records: PGN with the tag `Game`.

use alfil_kernel::Notation as _;
use alfil_records::{
    AnyGameError, GameErrorOf, LegacyEncoding, RecordErrorKind, RecordFormat, Tags, record_format,
};

use crate::board::Board;
use crate::game::Breakthrough;
use crate::notation::{Coordinates, MoveNotation};

const TITLE: &str = "Breakthrough";

impl RecordFormat for Breakthrough {
    type Board = Board;
    type MoveNotation = MoveNotation;

    const TAG_ROSTER: &'static [&'static str] = &["Game", "Date", "White", "Black", "Result"];
    const STRICT_END: bool = true;
    const NESTED_COMMENTS: bool = false;
    const IS_PGN_STANDARD: bool = false;
    const LEGACY_ENCODING: LegacyEncoding = LegacyEncoding::Western;

    fn default_dialect() -> Coordinates {
        Coordinates
    }

    fn matches_tags(tags: &Tags) -> bool {
        tags.value("Game") == Some(TITLE)
    }

    fn other_game(tags: &Tags) -> Option<RecordErrorKind> {
        let value = tags.value("Game").filter(|&value| value != TITLE)?.to_owned();
        Some(RecordErrorKind::OtherGame { tag: "Game", value, game: "breakthrough" })
    }

    fn into_any_error(error: GameErrorOf<Self>) -> Box<AnyGameError> {
        Box::new(AnyGameError::Other(error.to_string()))
    }

    fn complete_tags(tags: &mut Tags, _: &Self::Setup, _: Coordinates) {
        tags.set("Game", TITLE);
    }

    fn strip_tags(tags: &mut Tags, _: &Self::Setup) {
        tags.retain(|name, _| name != "Game");
    }

    fn parse_move(position: &Board, text: &str, _: Option<Coordinates>) -> record_format::ParsedMove<Self> {
        if record_format::is_null_move(text) {
            return Ok(None);
        }
        MoveNotation::parse_move(position, text, Coordinates).map(Some)
    }
}
