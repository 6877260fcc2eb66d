//! Chess records: SAN; standard chess, or Chess960 by the tag `Variant`.

use std::borrow::Cow;
use std::sync::LazyLock;

use alfil_chess::notation::Dialect;
use alfil_chess::{Bitboard, Chess, MoveNotation, Setup};
use alfil_kernel::{Game as _, Notation as _, Setup as _};

use super::{ParsedMove, RecordFormat, is_null_move, new_start_position, normalise_name};
use crate::charset::LegacyEncoding;
use crate::error::RecordErrorKind;
use crate::game_error::{AnyGameError, ChessError, GameError};
use crate::pgn::PieceLetters;
use crate::tags::{Tags, is_known};

mod loose_san;

/// The normalised values of the tag `Variant` for standard chess and for Chess960.
const STANDARD_VARIANTS: &[&str] = &["", "standard", "chess", "normal", "regular", "fromposition"];
const CHESS960_VARIANTS: &[&str] =
    &["chess960", "fischerandom", "fischerrandom", "chess9lx", "frc", "freestyle", "freestylechess"];

impl RecordFormat for Chess {
    type Board = alfil_chess::Bitboard;
    type MoveNotation = MoveNotation;

    /// The Seven Tag Roster of the PGN standard, chapter 8.1.1.
    const TAG_ROSTER: &'static [&'static str] =
        &["Event", "Site", "Date", "Round", "White", "Black", "Result"];
    const STRICT_END: bool = true;
    const NESTED_COMMENTS: bool = false;
    const IS_PGN_STANDARD: bool = true;
    const LEGACY_ENCODING: LegacyEncoding = LegacyEncoding::Western;

    const OPENINGS: &'static str = include_str!("../../openings/chess.tsv");

    fn default_dialect() -> Dialect {
        Dialect::San
    }

    fn matches_tags(tags: &Tags) -> bool {
        let variant = normalise_name(tags.value("Variant").unwrap_or_default());
        match &*normalise_name(tags.value("Game").unwrap_or_default()) {
            "chess" | "internationalchess" => true,
            "" => {
                !variant.is_empty()
                    && (STANDARD_VARIANTS.contains(&&*variant) || CHESS960_VARIANTS.contains(&&*variant))
            }
            _ => false,
        }
    }

    fn other_game(tags: &Tags) -> Option<RecordErrorKind> {
        let value = |tag| tags.value(tag).unwrap_or_default();
        let other_game =
            |tag| Some(RecordErrorKind::OtherGame { tag, value: value(tag).to_owned(), game: Chess::NAME });
        let variant = &*normalise_name(value("Variant"));
        if !STANDARD_VARIANTS.contains(&variant) && !CHESS960_VARIANTS.contains(&variant) {
            return other_game("Variant");
        }
        let is_chess = matches!(&*normalise_name(value("Game")), "" | "chess" | "internationalchess");
        if is_chess { None } else { other_game("Game") }
    }

    fn into_any_error(error: ChessError) -> Box<AnyGameError> {
        Box::new(AnyGameError::Chess(error))
    }

    fn strip_tags(tags: &mut Tags, start: &Setup) {
        if start.is_chess960() {
            tags.retain(|name, value| {
                name != "Variant" || !CHESS960_VARIANTS.contains(&&*normalise_name(value))
            });
        }
    }

    /// A record is Chess960 if a king or rook with castling rights is not on its standard square.
    fn complete_tags(tags: &mut Tags, start: &Setup, _: Dialect) {
        if start.is_chess960() && tags.value("Variant").is_none() {
            tags.push("Variant", "Chess960");
        }
    }

    fn start_position() -> (Setup, Bitboard) {
        static START: LazyLock<(Setup, Bitboard)> = LazyLock::new(new_start_position::<Chess>);
        START.clone()
    }

    fn start_from_tags(tags: &Tags) -> Result<Option<Setup>, RecordErrorKind> {
        match tags.value("FEN").filter(|text| is_known(text)) {
            Some(text) => Setup::parse(text).map(Some).map_err(|error| {
                RecordErrorKind::InvalidFen(Chess::into_any_error(GameError::InvalidPositionText(error)))
            }),
            None if CHESS960_VARIANTS
                .contains(&&*normalise_name(tags.value("Variant").unwrap_or_default())) =>
            {
                Err(RecordErrorKind::MissingStart)
            }
            None => Ok(None),
        }
    }

    fn with_english_letters(text: &str, letters: PieceLetters) -> Cow<'_, str> {
        letters.to_english(text)
    }

    /// Some engines and programs write coordinates instead of SAN, and people write SAN as they like.
    fn parse_move(position: &Bitboard, text: &str, _: Option<Dialect>) -> ParsedMove<Self> {
        let error = match MoveNotation::parse_move(position, text, Dialect::San) {
            Ok(mv) => return Ok(Some(mv)),
            Err(error) => error,
        };
        if is_null_move(text) {
            return Ok(None);
        }
        let coordinates = [Dialect::Uci, Dialect::Uci960];
        let found =
            coordinates.into_iter().find_map(|other| MoveNotation::parse_move(position, text, other).ok());
        found.or_else(|| loose_san::parse_move(position, text)).map_or(Err(error), |mv| Ok(Some(mv)))
    }
}
