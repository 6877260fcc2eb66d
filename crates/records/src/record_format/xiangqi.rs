//! Xiangqi records: PGN after part 4 of the xqbase convention (xqbase.com, 2005), and as WinBoard writes it.

use std::sync::LazyLock;

use alfil_kernel::{Game as _, Notation as _, Outcome, Side};
use alfil_xiangqi::notation::Dialect;
use alfil_xiangqi::{Bitboard, Move, MoveNotation, Setup, Xiangqi};

use super::game_file::{FileWriter, GameFileFormat};
use super::{ParsedMove, RecordFormat, is_null_move, new_start_position, normalise_name};
use crate::charset::LegacyEncoding;
use crate::error::RecordErrorKind;
use crate::file_format::FileFormat;
use crate::game_error::{AnyGameError, XiangqiError};
use crate::tags::Tags;
use crate::{cbf, ccbridge, dhtmlxq, wxf_file, xqf};

mod winboard;

/// The value of the tag `Game`.
const GAME_TAG_VALUE: &str = "Chinese Chess";

/// The normalised names of the game in tags.
const GAME_NAMES: [&str; 5] = ["chinesechess", "xiangqi", "中国象棋", "中國象棋", "象棋"];

/// The values of the tag `Format` and their dialects, the default first.
const FORMATS: [(&str, Dialect); 3] =
    [("Chinese", Dialect::Chinese), ("WXF", Dialect::Wxf), ("ICCS", Dialect::Iccs)];

impl RecordFormat for Xiangqi {
    type Board = alfil_xiangqi::Bitboard;
    type MoveNotation = MoveNotation;

    const TAG_ROSTER: &'static [&'static str] =
        &["Game", "Event", "Site", "Date", "Round", "Red", "Black", "Result"];
    /// XQWizard and ElephantEye append an advertisement to the result.
    const STRICT_END: bool = false;
    const NESTED_COMMENTS: bool = true;
    const IS_PGN_STANDARD: bool = false;
    const LEGACY_ENCODING: LegacyEncoding = LegacyEncoding::Chinese;

    const FILES: &'static [GameFileFormat<Self>] = &[
        GameFileFormat::new(FileFormat::Xqf, |bytes| vec![xqf::parse_game(bytes)])
            .with_writer(FileWriter::OneGame(xqf::format_game)),
        GameFileFormat::new(FileFormat::Ubb, dhtmlxq::parse_games)
            .with_writer(FileWriter::Games(dhtmlxq::format_games)),
        GameFileFormat::new(FileFormat::DhtmlXq, dhtmlxq::parse_games),
        GameFileFormat::new(FileFormat::Cbr, |bytes| vec![ccbridge::parse_game(bytes)])
            .with_writer(FileWriter::OneGame(ccbridge::format_game)),
        GameFileFormat::new(FileFormat::Cbl, ccbridge::parse_library),
        GameFileFormat::new(FileFormat::Cbf, |bytes| vec![cbf::parse_game(bytes)])
            .with_writer(FileWriter::OneGame(cbf::format_game)),
        GameFileFormat::new(FileFormat::WxfFile, wxf_file::parse_games)
            .with_writer(FileWriter::Games(wxf_file::format_games)),
    ];

    const OPENINGS: &'static str = include_str!("../../openings/xiangqi.tsv");

    fn mirrored_moves(mv: Move) -> Vec<Move> {
        vec![mv.mirrored()]
    }

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
        let is_named = |name| GAME_NAMES.contains(&&*normalise_name(tags.value(name).unwrap_or_default()));
        is_named("Game") || is_named("Variant") || tags.value("Red").is_some()
    }

    /// Xiangqi records have the tag `Red` instead of `White`. WinBoard's notation would read the first moves of chess
    /// as soldier moves.
    fn excludes_tags(tags: &Tags) -> bool {
        tags.value("White").is_some()
    }

    fn matches_pgn_file(bytes: &[u8]) -> bool {
        // No other game has the tag `Red`; a comment of another game may contain it.
        let begins_line = |at: usize| at == 0 || matches!(bytes[at - 1], b'\n' | b'\r');
        memchr::memmem::find(bytes, b"[Game \"Chinese").is_some()
            || memchr::memmem::find_iter(bytes, b"[Red \"").any(begins_line)
    }

    /// If the tag `Game` is present, `Variant` may name an opening variation.
    fn other_game(tags: &Tags) -> Option<RecordErrorKind> {
        let (game, variant) =
            (tags.value("Game").unwrap_or_default(), tags.value("Variant").unwrap_or_default());
        let (tag, value) = if game.is_empty() { ("Variant", variant) } else { ("Game", game) };
        let is_xiangqi = value.is_empty() || GAME_NAMES.contains(&&*normalise_name(value));
        (!is_xiangqi).then(|| RecordErrorKind::OtherGame {
            tag,
            value: value.to_owned(),
            game: Xiangqi::NAME,
        })
    }

    fn into_any_error(error: XiangqiError) -> Box<AnyGameError> {
        Box::new(AnyGameError::Xiangqi(error))
    }

    /// The tag may be wrong: [`Self::parse_move`] tries this dialect first.
    fn dialect_from_tags(tags: &Tags) -> Option<Dialect> {
        let format = tags.value("Format")?.trim();
        FORMATS.iter().find(|(name, _)| name.eq_ignore_ascii_case(format)).map(|&(_, dialect)| dialect)
    }

    /// Coordinates whose ranks count from 1 look like those whose ranks count from 0.
    fn second_dialect() -> Option<Dialect> {
        Some(Dialect::Uci10)
    }

    fn parse_outcome(word: &str) -> Option<Outcome> {
        if word.is_ascii() {
            return None;
        }
        let side = |names: [char; 2]| word.strip_prefix(names).is_some_and(is_win);
        match word {
            "和" | "和棋" | "和局" | "平局" | "弈和" | "双方和棋" => Some(Outcome::Draw),
            _ if side(['红', '紅']) => Some(Outcome::Win(Side::First)),
            _ if side(['黑', '黒']) => Some(Outcome::Win(Side::Second)),
            _ => None,
        }
    }

    /// WinBoard writes `Variant` and `White`.
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
        if let Some((format, _)) = FORMATS[1..].iter().find(|(_, format_dialect)| *format_dialect == dialect)
        {
            tags.push("Format", *format);
        }
    }

    fn start_position() -> (Setup, Bitboard) {
        static START: LazyLock<(Setup, Bitboard)> = LazyLock::new(new_start_position::<Xiangqi>);
        START.clone()
    }

    /// The moves may be in any dialect of records or in WinBoard's notation, whatever the tag `Format` says. Some files
    /// omit the hyphen of ICCS coordinates.
    fn parse_move(position: &Bitboard, text: &str, dialect: Option<Dialect>) -> ParsedMove<Self> {
        let text = &*to_half_width(text);
        let first_dialect = dialect.unwrap_or_else(Self::default_dialect);
        let error = match MoveNotation::parse_move(position, text, first_dialect) {
            Ok(mv) => return Ok(Some(mv)),
            Err(error) => error,
        };
        if is_null_move(text) {
            return Ok(None);
        }
        if dialect == Some(Dialect::Uci10) {
            return Err(error);
        }
        let others = [Dialect::Chinese, Dialect::Wxf, Dialect::Iccs, Dialect::Ucci];
        let found = others.into_iter().find_map(|other| MoveNotation::parse_move(position, text, other).ok());
        match found.or_else(|| winboard::parse_move(position, text)) {
            Some(mv) => Ok(Some(mv)),
            None if dialect.is_none() && text.is_ascii() => Err(winboard::describe(text, error)),
            None => Err(error),
        }
    }
}

/// Returns whether the rest of a Chinese result after the name of a side says that the side has won.
fn is_win(rest: &str) -> bool {
    let rest = rest.trim_start_matches(['方', '先', '棋']);
    matches!(rest, "胜" | "勝" | "赢" | "贏" | "胜利" | "获胜" | "胜局" | "胜出")
}

/// Converts full-width characters to ASCII if the text has full-width letters, as Chinese programs write WXF
/// moves. Chinese notation has full-width digits only and is left unchanged.
fn to_half_width(text: &str) -> std::borrow::Cow<'_, str> {
    const SHIFT: u32 = 'Ａ' as u32 - 'A' as u32;
    if !text.chars().any(|c| ('Ａ'..='Ｚ').contains(&c) || ('ａ'..='ｚ').contains(&c)) {
        return text.into();
    }
    let to_ascii = |c: char| match c {
        '！'..='～' => char::from_u32(c as u32 - SHIFT).unwrap_or(c),
        _ => c,
    };
    text.chars().map(to_ascii).collect::<String>().into()
}
