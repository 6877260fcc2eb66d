//! Xiangqi: PGN after the xqbase convention's fourth part (xqbase.com, 2005), and as WinBoard writes it.

use alfil_kernel::{Game as _, Notation as _};
use alfil_xiangqi::notation::Dialect;
use alfil_xiangqi::{Bitboard, MoveNotation, Setup, Xiangqi};

use super::{ParsedMove, RecordFormat, is_null_move, normalise_name};
use crate::error::{AnyGameError, GameError, RecordErrorKind};
use crate::game_tree::Tags;

mod winboard;

/// What the tag `Game` says first of all.
const GAME_TAG_VALUE: &str = "Chinese Chess";

/// What records call the game, without blanks and capitals.
const GAME_NAMES: [&str; 5] = ["chinesechess", "xiangqi", "中国象棋", "中國象棋", "象棋"];

/// The values of the tag `Format`, and the dialects that they name. The first is the usual one.
const FORMATS: [(&str, Dialect); 3] =
    [("Chinese", Dialect::Chinese), ("WXF", Dialect::Wxf), ("ICCS", Dialect::Iccs)];

impl RecordFormat for Xiangqi {
    type MoveNotation = MoveNotation;

    const TAG_ROSTER: &'static [&'static str] =
        &["Game", "Event", "Site", "Date", "Round", "Red", "Black", "Result"];
    /// XQWizard and ElephantEye write an advertisement behind the result.
    const STRICT_END: bool = false;
    const NESTED_COMMENTS: bool = true;

    fn default_dialect() -> Dialect {
        Dialect::Chinese
    }

    fn nearest_dialect(dialect: Dialect) -> Dialect {
        match dialect {
            Dialect::Ucci | Dialect::Uci10 => Dialect::Iccs,
            dialect => dialect,
        }
    }

    fn matches_tags(tags: &Tags) -> bool {
        let named = |name| GAME_NAMES.contains(&&*normalise_name(tags.value(name).unwrap_or_default()));
        named("Game") || named("Variant") || tags.value("Red").is_some()
    }

    /// `Variant` may be an opening's, where `Game` says which game it is.
    fn other_game(tags: &Tags) -> Option<RecordErrorKind> {
        let (game, variant) =
            (tags.value("Game").unwrap_or_default(), tags.value("Variant").unwrap_or_default());
        let (tag, value) = if game.is_empty() { ("Variant", variant) } else { ("Game", game) };
        let known = value.is_empty() || GAME_NAMES.contains(&&*normalise_name(value));
        (!known).then(|| RecordErrorKind::OtherGame { tag, value: value.to_owned(), game: Xiangqi::NAME })
    }

    fn into_any_error(refusal: GameError<Xiangqi>) -> Box<AnyGameError> {
        Box::new(AnyGameError::Xiangqi(refusal))
    }

    fn dialect_from_tags(tags: &Tags) -> Result<Option<Dialect>, RecordErrorKind> {
        match tags.value("Format").map(str::trim) {
            None | Some("" | "?") => Ok(None),
            Some(format) => {
                let known = FORMATS.iter().find(|(name, _)| name.eq_ignore_ascii_case(format));
                known
                    .map(|&(_, dialect)| Some(dialect))
                    .ok_or_else(|| RecordErrorKind::UnknownFormat(format.to_owned()))
            }
        }
    }

    /// `Variant` and `White` are what WinBoard writes. An opening's variation is called `Variation`.
    fn strip_tags(tags: &mut Tags, _: &Setup) {
        tags.retain(|name, value| match name {
            "Game" | "Format" => false,
            "Variant" => normalise_name(value) != "xiangqi",
            _ => true,
        });
        if tags.value("Red").is_none()
            && let Some(name) = tags.remove("White").filter(|name| !matches!(name.as_str(), "" | "?"))
        {
            tags.push("Red", name);
        }
    }

    fn complete_tags(tags: &mut Tags, _: &Setup, dialect: Dialect) {
        tags.set("Game", GAME_TAG_VALUE);
        if let Some((format, _)) = FORMATS[1..].iter().find(|(_, known)| *known == dialect) {
            tags.push("Format", *format);
        }
    }

    /// Where `Format` is missing, the moves are in any of its dialects, or in WinBoard's. Coordinates lack their hyphen
    /// in some files.
    fn parse_move(position: &Bitboard, text: &str, dialect: Option<Dialect>) -> ParsedMove<Self> {
        let text = &*to_half_width(text);
        let first = dialect.unwrap_or_else(Self::default_dialect);
        let error = match MoveNotation::parse_move(position, text, first) {
            Ok(mv) => return Ok(Some(mv)),
            Err(error) => error,
        };
        if is_null_move(text) {
            return Ok(None);
        }
        let others: &[Dialect] = match dialect {
            None => &[Dialect::Wxf, Dialect::Iccs, Dialect::Ucci],
            Some(Dialect::Iccs) => &[Dialect::Ucci],
            Some(_) => &[],
        };
        let found = others.iter().find_map(|&other| MoveNotation::parse_move(position, text, other).ok());
        let found =
            found.or_else(|| if dialect.is_none() { winboard::parse_move(position, text) } else { None });
        found.map_or(Err(error), |mv| Ok(Some(mv)))
    }
}

/// The text with full-width letters and signs as in ASCII, if it has full-width letters: so western symbols are written by
/// Chinese programs. Chinese notation has full-width digits of its own, and is left alone.
fn to_half_width(text: &str) -> std::borrow::Cow<'_, str> {
    const SHIFT: u32 = 'Ａ' as u32 - 'A' as u32;
    if !text.chars().any(|c| ('Ａ'..='Ｚ').contains(&c) || ('ａ'..='ｚ').contains(&c)) {
        return text.into();
    }
    let narrow = |c: char| match c {
        '！'..='～' => char::from_u32(c as u32 - SHIFT).unwrap_or(c),
        _ => c,
    };
    text.chars().map(narrow).collect::<String>().into()
}
