//! The representation in text: 16x16 numbers, the list, the bit-lines.

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
            "cells (16x16; . margin, 0 empty, else the man's number; right: the bit-rank, bit 0 = column 3)"
        )?;
        for row in 0..16_usize {
            write!(text, "{:02x} ", row << 4)?;
            for column in 0..16 {
                let place = row << 4 | column;
                if IS_ON_BOARD[place] {
                    write!(text, " {:2}", self.number_on[place])?;
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
        writeln!(text, "places (number letter: place)")?;
        for first in FIRST_NUMBER {
            for man in first..first + PIECES_PER_SIDE {
                let place = self.cell_of[man as usize];
                let letter = PIECE_OF_NUMBER[man as usize].letter();
                let end = if man + 1 == first + PIECES_PER_SIDE { "\n" } else { "  " };
                write!(text, "{man} {letter}: {place:02x}{end}")?;
            }
        }
        writeln!(text, "key {:016x}, {:?} to move", self.hash_key, self.side_to_move)
    }
}
