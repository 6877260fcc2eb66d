//! SEE pruning: near the leaves, moves that lose material by the static exchange evaluation are skipped.

use crate::params::SearchParams;

/// Returns the maximum loss, in centipawns, of a move that is searched: it grows with the depth for quiet moves, with
/// its square for noisy ones. `None` if no move is skipped at this depth.
pub(crate) fn max_loss(is_noisy: bool, depth: i32, params: &SearchParams) -> Option<i32> {
    let loss = match is_noisy {
        true => params.see_noisy_margin * depth * depth,
        false => params.see_quiet_margin * depth,
    };
    (loss > 0 && depth <= params.see_max_depth).then_some(loss)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loss_grows_with_the_depth_and_a_margin_of_0_skips_no_move() {
        let params = SearchParams { see_quiet_margin: 60, see_noisy_margin: 20, ..SearchParams::DEFAULT };
        assert_eq!([1, 2, 5].map(|depth| max_loss(false, depth, &params)), [Some(60), Some(120), Some(300)]);
        assert_eq!([1, 2, 5].map(|depth| max_loss(true, depth, &params)), [Some(20), Some(80), Some(500)]);
        assert_eq!(max_loss(false, params.see_max_depth + 1, &params), None);
        let off = SearchParams { see_quiet_margin: 0, see_noisy_margin: 0, ..params };
        assert_eq!([true, false].map(|is_noisy| max_loss(is_noisy, 3, &off)), [None, None]);
    }
}
