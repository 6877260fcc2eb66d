//! Squares, moves and positions are serialised as texts.
#![cfg(feature = "serde")]

use alfil_chess::prelude::*;
use alfil_kernel::conformance::check_serde_texts;

#[test]
fn squares_moves_and_positions_are_serialised_as_texts() {
    let mut game = Chess::new();
    let mv = game.play("e4").unwrap();
    check_serde_texts(game.position(), mv);
}
