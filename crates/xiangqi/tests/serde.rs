//! Squares, moves and positions are serialised as texts.
#![cfg(feature = "serde")]

use alfil_kernel::conformance::check_serde_texts;
use alfil_xiangqi::prelude::*;

#[test]
fn squares_moves_and_positions_are_serialised_as_texts() {
    let mut game = Xiangqi::new();
    let mv = game.play("h2e2").unwrap();
    check_serde_texts(game.position(), mv);
}
