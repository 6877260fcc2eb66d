//! Chess: algebraic notation, usual or Chess960 by the tag `Variant`.

use alfil_chess::notation::Dialect;
use alfil_chess::{Bitboard, Chess, Setup, Words};
use alfil_kernel::{Game as _, Notation as _, Setup as _};

use super::{ReadMove, Recorded, is_null, plain};
use crate::fault::{AnyRefusal, Reason, Refusal};
use crate::tree::Tags;

/// What `Variant` says, without blanks and capitals, of usual chess and of Chess960.
const USUAL: &[&str] = &["", "standard", "chess", "normal", "regular", "fromposition"];
const FISCHER: &[&str] =
    &["chess960", "fischerandom", "fischerrandom", "chess9lx", "frc", "freestyle", "freestylechess"];

impl Recorded for Chess {
    type Words = Words;

    /// The PGN standard's chapter 8.1.1.
    const ROSTER: &'static [&'static str] = &["Event", "Site", "Date", "Round", "White", "Black", "Result"];
    const STRICT_END: bool = true;
    const NESTED: bool = false;

    fn usual() -> Dialect {
        Dialect::San
    }

    fn claims(tags: &Tags) -> bool {
        let variant = plain(tags.value("Variant").unwrap_or_default());
        matches!(&*plain(tags.value("Game").unwrap_or_default()), "chess" | "internationalchess")
            || !variant.is_empty() && (USUAL.contains(&&*variant) || FISCHER.contains(&&*variant))
    }

    fn stranger(tags: &Tags) -> Option<Reason> {
        let value = |tag| tags.value(tag).unwrap_or_default();
        let stranger = |tag| Some(Reason::Stranger { tag, value: value(tag).to_owned(), game: Chess::NAME });
        let variant = &*plain(value("Variant"));
        if !USUAL.contains(&variant) && !FISCHER.contains(&variant) {
            return stranger("Variant");
        }
        let known = matches!(&*plain(value("Game")), "" | "chess" | "internationalchess");
        if known { None } else { stranger("Game") }
    }

    fn refusal(refusal: Refusal<Chess>) -> Box<AnyRefusal> {
        Box::new(AnyRefusal::Chess(refusal))
    }

    fn strip(tags: &mut Tags, start: &Setup) {
        if is_fischer(start) {
            tags.retain(|name, value| name != "Variant" || !FISCHER.contains(&&*plain(value)));
        }
    }

    /// Where a king or a rook that may castle does not stand as usual, the record is one of Chess960.
    fn complete(tags: &mut Tags, start: &Setup, _: Dialect) {
        if is_fischer(start) && tags.value("Variant").is_none() {
            tags.push("Variant", "Chess960");
        }
    }

    fn start(tags: &Tags) -> Result<Setup, Reason> {
        match tags.value("FEN") {
            Some(text) => {
                Setup::read(text).map_err(|error| Reason::Fen(Chess::refusal(Refusal::Text(error))))
            }
            None if FISCHER.contains(&&*plain(tags.value("Variant").unwrap_or_default())) => {
                Err(Reason::NoStart)
            }
            None => Ok(Setup::start()),
        }
    }

    /// Engines and programs write coordinates where they should write algebraic notation.
    fn read_move(position: &Bitboard, text: &str, _: Option<Dialect>) -> ReadMove<Self> {
        let error = match Words::read(position, text, Dialect::San) {
            Ok(mv) => return Ok(Some(mv)),
            Err(error) => error,
        };
        if is_null(text) {
            return Ok(None);
        }
        let others = [Dialect::Uci, Dialect::Uci960];
        let found = others.into_iter().find_map(|other| Words::read(position, text, other).ok());
        found.map_or(Err(error), |mv| Ok(Some(mv)))
    }
}

/// Whether usual chess could not have these castling rights. The letters of Shredder-FEN name the files of the rooks.
fn is_fischer(start: &Setup) -> bool {
    use alfil_chess::{Kind, Piece};
    use alfil_kernel::Side;
    const USUAL_FILES: u8 = 1 << 0 | 1 << 7;
    Side::BOTH.iter().any(|&side| {
        let rights = start.castling[side.index()];
        let king = start.places(Piece::new(side, Kind::King)).next();
        rights & !USUAL_FILES != 0 || rights != 0 && king.is_some_and(|king| king.file() != 4)
    })
}
