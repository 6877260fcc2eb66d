//! Squares, moves and positions are serialised as texts.
#![cfg(feature = "serde")]

use alfil_kernel::conformance::check_serde_texts;
use alfil_othello::prelude::*;

#[test]
fn squares_moves_and_positions_are_serialised_as_texts() {
    let mut game = Othello::new();
    let mv = game.play("d3").unwrap();
    check_serde_texts(game.position(), mv);
}
