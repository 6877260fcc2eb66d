//! The keys with which XQStudio scrambles a file after version 0x0A.

use std::borrow::Cow;

use alfil_xiangqi::{Piece, Square};

use super::{
    ORIGIN_OFFSET, PIECES, PLAIN_VERSION, ROTATED_VERSION, SQUARES_AT, TARGET_OFFSET, VERSION_AT,
    square_from_byte,
};

/// Offsets of the keys in the header.
const MASK_AT: usize = 0x03;
const OR_BYTES_AT: usize = 0x08;
pub(super) const CHECKSUM_AT: usize = 0x0C;

/// The text that the keys select from, a constant of the format.
const KEY_TEXT: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";

/// The keys of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys {
    version: u8,
    /// What is added to the squares of the start position (`KeyXY` of XQStudio).
    squares: u8,
    /// What is added to the origins of moves (`KeyXYf`).
    origins: u8,
    /// What is added to the targets of moves (`KeyXYt`).
    targets: u8,
    /// What is added to the length of a comment.
    pub(super) comment_offset: u32,
    /// What is added to the bytes of the tree, in turn.
    keystream: [u8; 32],
    pub(super) is_checksum_valid: bool,
}

impl Keys {
    /// Computes the keys from the header, which has at least 16 bytes.
    pub(super) fn new(header: &[u8]) -> Keys {
        let version = header[VERSION_AT];
        let mut keys = Keys {
            version,
            squares: 0,
            origins: 0,
            targets: 0,
            comment_offset: 0,
            keystream: [0; 32],
            is_checksum_valid: true,
        };
        if version <= PLAIN_VERSION {
            return keys;
        }
        let sum_and_keys = &header[CHECKSUM_AT..CHECKSUM_AT + 4];
        let [sum, key, origin_key, target_key] = [0, 1, 2, 3].map(|index| sum_and_keys[index]);
        let scramble = |key: u8, factor: u8| {
            key.wrapping_mul(key).wrapping_mul(54).wrapping_add(221).wrapping_mul(factor)
        };
        keys.squares = scramble(key, key);
        keys.origins = scramble(origin_key, keys.squares);
        keys.targets = scramble(target_key, keys.origins);
        keys.comment_offset = (u32::from(sum) * 256 + u32::from(key)) % 32_000 + 767;
        let select = |index: usize| header[OR_BYTES_AT + index] | sum_and_keys[index] & header[MASK_AT];
        keys.keystream = std::array::from_fn(|index| select(index % 4) & KEY_TEXT[index]);
        keys.is_checksum_valid = sum_and_keys.iter().fold(0, |sum: u8, &byte| sum.wrapping_add(byte)) == 0;
        keys
    }

    pub(super) fn is_plain(&self) -> bool {
        self.version <= PLAIN_VERSION
    }

    /// Returns the bytes of the tree without the keys.
    pub(super) fn decode_tree<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        if self.is_plain() {
            return bytes.into();
        }
        let plain = bytes.iter().enumerate().map(|(at, byte)| byte.wrapping_sub(self.keystream[at % 32]));
        plain.collect::<Vec<_>>().into()
    }

    /// Adds the keys to the bytes of the tree.
    pub(super) fn encode_tree(&self, bytes: &mut [u8]) {
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = byte.wrapping_add(self.keystream[at % 32]);
        }
    }

    pub(super) fn decode_origin(&self, byte: u8) -> u8 {
        byte.wrapping_sub(ORIGIN_OFFSET).wrapping_sub(self.origins)
    }

    pub(super) fn decode_target(&self, byte: u8) -> u8 {
        byte.wrapping_sub(TARGET_OFFSET).wrapping_sub(self.targets)
    }

    pub(super) fn encode_origin(&self, byte: u8) -> u8 {
        byte.wrapping_add(ORIGIN_OFFSET).wrapping_add(self.origins)
    }

    pub(super) fn encode_target(&self, byte: u8) -> u8 {
        byte.wrapping_add(TARGET_OFFSET).wrapping_add(self.targets)
    }

    /// Returns the index of the piece whose square is this entry of the header.
    fn piece_index(&self, entry: usize) -> usize {
        let shift = if self.version < ROTATED_VERSION { 0 } else { usize::from(self.squares) + 1 };
        (entry + shift) % PIECES.len()
    }

    /// Returns the pieces on the board. A byte that is no square marks a captured piece.
    pub(super) fn board(&self, header: &[u8]) -> [Option<Piece>; Square::COUNT] {
        let mut board = [None; Square::COUNT];
        for (entry, byte) in header[SQUARES_AT..SQUARES_AT + PIECES.len()].iter().enumerate() {
            if let Some(square) = square_from_byte(byte.wrapping_sub(self.squares)) {
                board[square.index()] = Some(PIECES[self.piece_index(entry)]);
            }
        }
        board
    }

    /// Returns the entries of the header for the squares of the pieces; `0xFF` is a captured piece.
    pub(super) fn encode_squares(&self, squares: [u8; 32]) -> [u8; 32] {
        std::array::from_fn(|entry| squares[self.piece_index(entry)].wrapping_add(self.squares))
    }
}
