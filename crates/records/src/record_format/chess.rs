//! Chess: algebraic notation, usual or Chess960 by the tag `Variant`.

use alfil_chess::notation::Dialect;
use alfil_chess::{Bitboard, Chess, MoveNotation, Setup};
use alfil_kernel::{Game as _, Notation as _, Setup as _};

use super::{ParsedMove, RecordFormat, is_null_move, normalise_name};
use crate::error::{AnyGameError, GameError, RecordErrorKind};
use crate::game_tree::Tags;

/// What `Variant` says, without blanks and capitals, of usual chess and of Chess960.
const STANDARD_VARIANTS: &[&str] = &["", "standard", "chess", "normal", "regular", "fromposition"];
const CHESS960_VARIANTS: &[&str] =
    &["chess960", "fischerandom", "fischerrandom", "chess9lx", "frc", "freestyle", "freestylechess"];

impl RecordFormat for Chess {
    type MoveNotation = MoveNotation;

    /// The PGN standard's chapter 8.1.1.
    const TAG_ROSTER: &'static [&'static str] =
        &["Event", "Site", "Date", "Round", "White", "Black", "Result"];
    const STRICT_END: bool = true;
    const NESTED_COMMENTS: bool = false;

    fn default_dialect() -> Dialect {
        Dialect::San
    }

    fn matches_tags(tags: &Tags) -> bool {
        let variant = normalise_name(tags.value("Variant").unwrap_or_default());
        matches!(&*normalise_name(tags.value("Game").unwrap_or_default()), "chess" | "internationalchess")
            || !variant.is_empty()
                && (STANDARD_VARIANTS.contains(&&*variant) || CHESS960_VARIANTS.contains(&&*variant))
    }

    fn other_game(tags: &Tags) -> Option<RecordErrorKind> {
        let value = |tag| tags.value(tag).unwrap_or_default();
        let stranger =
            |tag| Some(RecordErrorKind::OtherGame { tag, value: value(tag).to_owned(), game: Chess::NAME });
        let variant = &*normalise_name(value("Variant"));
        if !STANDARD_VARIANTS.contains(&variant) && !CHESS960_VARIANTS.contains(&variant) {
            return stranger("Variant");
        }
        let known = matches!(&*normalise_name(value("Game")), "" | "chess" | "internationalchess");
        if known { None } else { stranger("Game") }
    }

    fn into_any_error(refusal: GameError<Chess>) -> Box<AnyGameError> {
        Box::new(AnyGameError::Chess(refusal))
    }

    fn strip_tags(tags: &mut Tags, start: &Setup) {
        if is_chess960(start) {
            tags.retain(|name, value| {
                name != "Variant" || !CHESS960_VARIANTS.contains(&&*normalise_name(value))
            });
        }
    }

    /// Where a king or a rook that may castle does not stand as usual, the record is one of Chess960.
    fn complete_tags(tags: &mut Tags, start: &Setup, _: Dialect) {
        if is_chess960(start) && tags.value("Variant").is_none() {
            tags.push("Variant", "Chess960");
        }
    }

    fn start_from_tags(tags: &Tags) -> Result<Setup, RecordErrorKind> {
        match tags.value("FEN") {
            Some(text) => Setup::parse(text).map_err(|error| {
                RecordErrorKind::InvalidFen(Chess::into_any_error(GameError::InvalidPositionText(error)))
            }),
            None if CHESS960_VARIANTS
                .contains(&&*normalise_name(tags.value("Variant").unwrap_or_default())) =>
            {
                Err(RecordErrorKind::MissingStart)
            }
            None => Ok(Setup::start()),
        }
    }

    /// Engines and programs write coordinates where they should write algebraic notation.
    fn parse_move(position: &Bitboard, text: &str, _: Option<Dialect>) -> ParsedMove<Self> {
        let error = match MoveNotation::parse_move(position, text, Dialect::San) {
            Ok(mv) => return Ok(Some(mv)),
            Err(error) => error,
        };
        if is_null_move(text) {
            return Ok(None);
        }
        let others = [Dialect::Uci, Dialect::Uci960];
        let found = others.into_iter().find_map(|other| MoveNotation::parse_move(position, text, other).ok());
        found.map_or(Err(error), |mv| Ok(Some(mv)))
    }
}

/// Whether usual chess could not have these castling rights. The letters of Shredder-FEN name the files of the rooks.
fn is_chess960(start: &Setup) -> bool {
    use alfil_chess::{Piece, PieceKind};
    use alfil_kernel::Side;
    const STANDARD_ROOK_FILES: u8 = 1 << 0 | 1 << 7;
    Side::BOTH.iter().any(|&side| {
        let rights = start.castling[side.index()];
        let king = start.squares_of(Piece::new(side, PieceKind::King)).next();
        rights & !STANDARD_ROOK_FILES != 0 || rights != 0 && king.is_some_and(|king| king.file() != 4)
    })
}
