//! Othello: squares, passes written or left out; the result in discs or as in chess.

use alfil_kernel::{Game as _, Notation as _, Outcome, Position as _, Side};
use alfil_othello::notation::Dialect;
use alfil_othello::{Bitboard, Move, Othello, Words};

use super::{ReadMove, Recorded, plain};
use crate::fault::{AnyRefusal, Reason, Refusal};
use crate::tree::Tags;

/// What records call the game, without blanks and capitals.
const NAMES: [&str; 3] = ["othello", "reversi", "flipello"];

impl Recorded for Othello {
    type Words = Words;

    const ROSTER: &'static [&'static str] = &["Event", "Site", "Date", "Round", "Black", "White", "Result"];
    const STRICT_END: bool = true;
    const NESTED: bool = false;

    fn usual() -> Dialect {
        Dialect::Transcript
    }

    fn claims(tags: &Tags) -> bool {
        let named = |name| NAMES.contains(&&*plain(tags.value(name).unwrap_or_default()));
        named("Game") || named("Variant")
    }

    fn stranger(tags: &Tags) -> Option<Reason> {
        let strange = |name: &&str| {
            let value = plain(tags.value(name).unwrap_or_default());
            !value.is_empty() && !NAMES.contains(&&*value)
        };
        let tag = ["Game", "Variant"].into_iter().find(|tag| strange(tag))?;
        let value = tags.value(tag).unwrap_or_default().to_owned();
        Some(Reason::Stranger { tag, value, game: Othello::NAME })
    }

    fn refusal(refusal: Refusal<Othello>) -> Box<AnyRefusal> {
        Box::new(AnyRefusal::Othello(refusal))
    }

    fn strip(tags: &mut Tags, _: &alfil_othello::Setup) {
        tags.retain(|name, _| !matches!(name, "Game" | "Variant"));
    }

    /// A file of PGN is one of chess unless it says otherwise.
    fn complete(tags: &mut Tags, _: &alfil_othello::Setup, _: Dialect) {
        tags.push("Game", "Othello");
    }

    fn read_move(position: &Bitboard, text: &str, _: Option<Dialect>) -> ReadMove<Self> {
        Words::read(position, text, Dialect::Transcript).map(Some)
    }

    fn implied(position: &Bitboard) -> Option<Move> {
        position.is_legal(Move::PASS).then_some(Move::PASS)
    }

    fn outcome(word: &str) -> Option<Outcome> {
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
