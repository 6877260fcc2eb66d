//! The board's representation as text: the 16x16 array, the piece list, the line words.

use alloc::string::String;
use core::fmt::Write;

use super::tables::IS_ON_BOARD;
use super::{FIRST_NUMBER, Mailbox, PIECE_OF_NUMBER, PIECES_PER_SIDE};

impl Mailbox {
    pub(super) fn dump_text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_dump(&mut text);
        text
    }

    fn write_dump(&self, text: &mut String) -> core::fmt::Result {
        writeln!(
            text,
            "cells (16x16; . margin, 0 empty, else the piece number; right: the bit-rank, bit 0 = column 3)"
        )?;
        for row in 0..16_usize {
            write!(text, "{:02x} ", row << 4)?;
            for column in 0..16 {
                let cell = row << 4 | column;
                if IS_ON_BOARD[cell] {
                    write!(text, " {:2}", self.number_on[cell])?;
                } else {
                    write!(text, "  .")?;
                }
            }
            if (3..=12).contains(&row) {
                write!(text, "  {:09b}", self.rank_words[row])?;
            }
            writeln!(text)?;
        }
        writeln!(text, "bit-files (column: word, bit 0 = row 3)")?;
        for column in 3..=11 {
            writeln!(text, "{column:2x}: {:010b}", self.file_words[column])?;
        }
        writeln!(text, "piece list (number letter: cell)")?;
        for first in FIRST_NUMBER {
            for number in first..first + PIECES_PER_SIDE {
                let cell = self.cell_of[number as usize];
                let letter = PIECE_OF_NUMBER[number as usize].letter();
                let end = if number + 1 == first + PIECES_PER_SIDE { "\n" } else { "  " };
                write!(text, "{number} {letter}: {cell:02x}{end}")?;
            }
        }
        writeln!(text, "key {:016x}, {:?} to move", self.hash_key, self.side_to_move)
    }
}
