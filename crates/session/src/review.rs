//! A look at a whole game, position after position: how long each is thought about, and what an end is worth beside the values
//! before it. Doors walk along the game and draw.

use std::time::Duration;

use alfil_kernel::{Outcome, Side};

use crate::game_session::GameEnd;
use crate::search_task::SearchLimits;

/// The value of a decided game, in hundredths: beyond any that is thought out.
pub const DECIDED_CP: i32 = 100_000;

/// How long each position is looked at, where nobody says.
pub const DEFAULT_TIME: Duration = Duration::from_millis(200);
/// How many positions are looked at for it however long that takes: on a machine of its own a fraction of that time, on one that is
/// busy what keeps a hasty value from blaming a good move.
const MIN_NODES: u64 = 50_000;

/// How long to think about a position of the game.
pub fn search_limits(time: Duration) -> SearchLimits {
    SearchLimits { time: Some(time), min_nodes: MIN_NODES, ..SearchLimits::default() }
}

/// What an end is worth to the first side, in hundredths. Where men are counted, it is what the values before it foretell: a
/// hundred for each.
pub fn end_value_cp(ending: &GameEnd) -> i32 {
    let won = if ending.margin == 0 { DECIDED_CP } else { 100 * ending.margin };
    match ending.outcome {
        Outcome::Win(Side::First) => won,
        Outcome::Win(Side::Second) => -won,
        Outcome::Draw => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;
    use alfil_kernel::Waivers;

    #[test]
    fn an_end_is_worth_what_the_values_before_it_foretell() {
        for (game, text, mv, value) in [
            ("xiangqi", "3k5/4R4/9/9/9/9/9/9/R8/4K4 w - - 0 1", "a1a9", DECIDED_CP),
            ("chess", "8/8/8/8/8/6k1/4q3/6K1 b - - 0 1", "e2g2", -DECIDED_CP),
            ("chess", "8/8/8/8/8/6k1/5p2/5K2 b - - 0 1", "g3f3", 0),
            // Wiped out with three discs on the board: the empty squares go to the winner, as in the search.
            ("othello", &format!("OX{} O", "-".repeat(62)), "c1", -6400),
            ("othello", &format!("XO{} X", "-".repeat(62)), "c1", 6400),
        ] {
            let mut desk = registry::open(game, None).unwrap();
            desk.open(text, &Waivers::All).unwrap();
            let ending =
                desk.play(mv, None).unwrap().game_end.unwrap_or_else(|| panic!("{game} {text} goes on"));
            assert_eq!(end_value_cp(&ending), value, "{game} {text}");
        }
    }
}
