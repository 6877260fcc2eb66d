//! Squares, moves and positions as JSON.
#![cfg(feature = "serde")]

use alfil_chess::prelude::*;
use serde_json::{from_str, to_string};

#[test]
fn squares_moves_and_positions_are_texts_in_json() {
    let mut game = Chess::new();
    let mv = game.play("e4").unwrap();
    let text = to_string(&mv).unwrap();
    assert_eq!((text.as_str(), from_str::<Move>(&text).unwrap()), (&*format!("\"{mv}\""), mv));
    let position: Bitboard = from_str(&to_string(game.position()).unwrap()).unwrap();
    assert_eq!(position.hash_key(), game.position().hash_key());
    let setup = game.position().to_setup();
    assert_eq!(from_str::<Setup>(&to_string(&setup).unwrap()).unwrap(), setup);
    for square in Square::all() {
        assert_eq!(from_str::<Square>(&to_string(&square).unwrap()).unwrap(), square);
    }
    for wrong in ["\"zz\"", "7", "null", "\"\""] {
        assert!(from_str::<Square>(wrong).is_err() && from_str::<Setup>(wrong).is_err(), "{wrong}");
        assert!(from_str::<Bitboard>(wrong).is_err(), "{wrong}");
    }
}
