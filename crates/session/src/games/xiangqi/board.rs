//! The board profile of xiangqi: what boards for other programming languages need beside the board itself.

use alfil_kernel::Side;
use alfil_xiangqi::{Bitboard, Ruleset, RulesetName, Xiangqi};

use crate::game_board::{BoardError, BoardProfile};
use crate::game_profile::GameProfile;

impl BoardProfile for Bitboard {
    const HAS_NULL_TEXT: bool = true;
    const WHITE: Side = Side::First;

    fn board_rules(name: Option<&str>) -> Result<Ruleset, BoardError> {
        let Some(name) = name else { return Ok(<Xiangqi as GameProfile<Bitboard>>::rules_between_people()) };
        let name: Result<RulesetName, _> = name.parse();
        Ok(name.map_err(|error| BoardError::UnknownName(error.to_string()))?.ruleset())
    }
}
