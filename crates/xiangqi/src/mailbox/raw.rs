//! The representation in text: 16x16 numbers, the list, the bit-lines.

use core::fmt::Write;

use super::tables::IN_BOARD;
use super::{FIRST, MEN, Mailbox, PIECES};

impl Mailbox {
    pub(super) fn print(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.print_to(&mut text);
        text
    }

    fn print_to(&self, text: &mut String) -> core::fmt::Result {
        writeln!(
            text,
            "cells (16x16; . margin, 0 empty, else the man's number; right: the bit-rank, bit 0 = column 3)"
        )?;
        for row in 0..16_usize {
            write!(text, "{:02x} ", row << 4)?;
            for column in 0..16 {
                let place = row << 4 | column;
                if IN_BOARD[place] {
                    write!(text, " {:2}", self.cells[place])?;
                } else {
                    write!(text, "  .")?;
                }
            }
            if (3..=12).contains(&row) {
                write!(text, "  {:09b}", self.ranks[row])?;
            }
            writeln!(text)?;
        }
        writeln!(text, "bit-files (column: word, bit 0 = row 3)")?;
        for column in 3..=11 {
            writeln!(text, "{column:2x}: {:010b}", self.files[column])?;
        }
        writeln!(text, "places (number letter: place)")?;
        for first in FIRST {
            for man in first..first + MEN {
                let place = self.places[man as usize];
                let letter = PIECES[man as usize].letter();
                let end = if man + 1 == first + MEN { "\n" } else { "  " };
                write!(text, "{man} {letter}: {place:02x}{end}")?;
            }
        }
        writeln!(text, "key {:016x}, {:?} to move", self.key, self.side)
    }
}
