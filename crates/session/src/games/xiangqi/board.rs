//! What the boards of other languages need of xiangqi.

use alfil_kernel::Square as _;
use alfil_xiangqi::notation::Dialect;
use alfil_xiangqi::{Bitboard, Move, Ruleset, RulesetName, Square, Xiangqi};

use crate::game_board::{BoardError, BoardProfile};
use crate::game_profile::GameProfile;

impl BoardProfile for Bitboard {
    const HAS_NULL_TEXT: bool = true;

    fn parse_coordinates(text: &str) -> Option<Move> {
        let origin = Square::from_name(text.get(..2)?)?;
        let target = Square::from_name(text.get(2..)?)?;
        (origin != target).then(|| Move::new(origin, target))
    }

    fn written_dialect() -> Dialect {
        Dialect::Wxf
    }

    fn board_rules(name: Option<&str>) -> Result<Ruleset, BoardError> {
        let Some(name) = name else { return Ok(<Xiangqi as GameProfile<Bitboard>>::default_rules()) };
        let name: Result<RulesetName, _> = name.parse();
        Ok(name.map_err(|error| BoardError::UnknownName(error.to_string()))?.ruleset())
    }
}
