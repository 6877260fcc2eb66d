//! Othello records: squares, optional passes; the result in discs or as in chess.

use std::sync::LazyLock;

use alfil_kernel::{Game as _, Notation as _, Outcome, Position as _, Side};
use alfil_othello::notation::Dialect;
use alfil_othello::{Bitboard, Move, MoveNotation, Othello, Setup, Square};

use super::game_file::{FileWriter, GameFileFormat};
use super::{ParsedMove, RecordFormat, new_start_position, normalise_name};
use crate::charset::LegacyEncoding;
use crate::error::RecordErrorKind;
use crate::file_format::FileFormat;
use crate::game_error::{AnyGameError, OthelloError};
use crate::tags::Tags;
use crate::{ggf, obf, sgf, transcript, wthor};

/// The normalised names of the game in tags.
const GAME_NAMES: [&str; 3] = ["othello", "reversi", "flipello"];

impl RecordFormat for Othello {
    type Board = alfil_othello::Bitboard;
    type MoveNotation = MoveNotation;

    const TAG_ROSTER: &'static [&'static str] =
        &["Event", "Site", "Date", "Round", "Black", "White", "Result"];
    const STRICT_END: bool = true;
    const NESTED_COMMENTS: bool = false;
    const IS_PGN_STANDARD: bool = false;
    const LEGACY_ENCODING: LegacyEncoding = LegacyEncoding::Western;

    const FILES: &'static [GameFileFormat<Self>] = &[
        GameFileFormat::new(FileFormat::Ggf, ggf::parse_games)
            .with_writer(FileWriter::Games(ggf::format_games)),
        // The coordinate moves of chess look the same.
        GameFileFormat::new(FileFormat::Transcript, |bytes| transcript::parse_games(bytes).collect())
            .with_writer(FileWriter::Games(transcript::format_games))
            .shared(),
        GameFileFormat::new(FileFormat::Wthor, wthor::parse_games)
            .with_writer(FileWriter::Games(wthor::format_games)),
        GameFileFormat::new(FileFormat::OthelloSgf, sgf::parse_games)
            .with_writer(FileWriter::Games(sgf::format_games)),
        GameFileFormat::new(FileFormat::Obf, obf::parse_games)
            .with_writer(FileWriter::Games(obf::format_games)),
    ];

    const OPENINGS: &'static str = include_str!("../../openings/othello.tsv");

    /// Returns the images in the diagonals and in the centre.
    fn mirrored_moves(mv: Move) -> Vec<Move> {
        let Some(square) = mv.square() else { return vec![mv; 3] };
        let (file, rank) = (square.index() % 8, square.index() / 8);
        let images = [(rank, file), (7 - rank, 7 - file), (7 - file, 7 - rank)];
        let place = |(file, rank)| Square::from_index(8 * rank + file).expect("it is on the board");
        images.into_iter().map(place).map(Move::from_square).collect()
    }

    fn default_dialect() -> Dialect {
        Dialect::Transcript
    }

    fn matches_tags(tags: &Tags) -> bool {
        let is_named = |name| GAME_NAMES.contains(&&*normalise_name(tags.value(name).unwrap_or_default()));
        is_named("Game") || is_named("Variant")
    }

    fn other_game(tags: &Tags) -> Option<RecordErrorKind> {
        let is_other = |name: &&str| {
            let value = normalise_name(tags.value(name).unwrap_or_default());
            !value.is_empty() && !GAME_NAMES.contains(&&*value)
        };
        let tag = ["Game", "Variant"].into_iter().find(|tag| is_other(tag))?;
        let value = tags.value(tag).unwrap_or_default().to_owned();
        Some(RecordErrorKind::OtherGame { tag, value, game: Othello::NAME })
    }

    fn into_any_error(error: OthelloError) -> Box<AnyGameError> {
        Box::new(AnyGameError::Othello(error))
    }

    fn strip_tags(tags: &mut Tags, _: &alfil_othello::Setup) {
        tags.retain(|name, _| !matches!(name, "Game" | "Variant"));
    }

    /// A PGN file without these tags is chess.
    fn complete_tags(tags: &mut Tags, _: &alfil_othello::Setup, _: Dialect) {
        tags.push("Game", "Othello");
    }

    fn start_position() -> (Setup, Bitboard) {
        static START: LazyLock<(Setup, Bitboard)> = LazyLock::new(new_start_position::<Othello>);
        START.clone()
    }

    /// Programs of chess variants, such as PyChess, write a disc as a dropped pawn, `P@c5`, with ranks that count from
    /// the lower edge.
    fn parse_move(position: &Bitboard, text: &str, _: Option<Dialect>) -> ParsedMove<Self> {
        let dropped = text.strip_prefix("P@").and_then(|square| square.parse::<Square>().ok());
        if let Some(square) = dropped.and_then(|square| Square::from_index(square.index() ^ 56)) {
            return MoveNotation::parse_move(position, &square.to_string(), Dialect::Transcript).map(Some);
        }
        MoveNotation::parse_move(position, text, Dialect::Transcript).map(Some)
    }

    fn forced_pass(position: &Bitboard) -> Option<Move> {
        position.is_legal(Move::PASS).then_some(Move::PASS)
    }

    fn parse_outcome(word: &str) -> Option<Outcome> {
        let (black, white) = word.split_once('-')?;
        let count = |text: &str| text.parse::<u32>().ok().filter(|&discs| discs <= 64 && text.len() <= 2);
        let (black, white) = (count(black)?, count(white)?);
        if black + white > 64 || black + white < 2 {
            return None;
        }
        Some(match black.cmp(&white) {
            core::cmp::Ordering::Greater => Outcome::Win(Side::First),
            core::cmp::Ordering::Less => Outcome::Win(Side::Second),
            core::cmp::Ordering::Equal => Outcome::Draw,
        })
    }
}
