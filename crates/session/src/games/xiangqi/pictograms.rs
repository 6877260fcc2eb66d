//! Pictograms as an alternative to the Chinese characters of the pieces.
//!
//! Drawn for Alfil, in thousandths of a square, the centre at 0, y down. They fill the square and are drawn smaller on
//! a disc.

use super::outlines::{CHU_RIVER, HAN_BORDER};
use crate::games::chess::outlines::{KNIGHT, PAWN, ROOK};

/// A crown.
const KING: &str = "M-300 -190L-150 0L0 -290L150 0L300 -190L235 210H-235ZM-235 250H235V320H-235Z";

/// A person in a broad hat and a robe.
const ADVISOR: &str = "\
    M0 -350C110 -350 170 -270 290 -215C300 -190 280 -175 250 -175H-250C-280 -175 -300 -190 -290 -215\
    C-170 -270 -110 -350 0 -350ZM-95 -140H95C95 -70 55 -20 0 -20C-55 -20 -95 -70 -95 -140Z\
    M-80 10L0 90L80 10C190 40 250 170 270 330H-270C-250 170 -190 40 -80 10Z";

/// An elephant from the side, its trunk to the right.
const ELEPHANT: &str = "\
    M-320 -90C-320 -210 -190 -260 -40 -245C30 -300 170 -305 240 -225C310 -190 335 -110 330 0\
    C326 110 340 165 385 160L395 215C315 245 272 190 275 85C276 40 262 10 235 5C232 60 215 85 185 90V310H75V130H-120V310H-230V110\
    C-275 90 -300 50 -308 0L-350 90L-375 75ZM205 -135A22 22 0 1 0 161 -135A22 22 0 1 0 205 -135Z";

/// A barrel on a wheel.
const CANNON: &str = "\
    M-345 55L235 -275C265 -290 290 -280 305 -255L335 -205C348 -180 340 -155 315 -142L90 -20\
    C60 -70 5 -100 -60 -100C-165 -100 -245 -20 -250 80L-262 160C-330 180 -390 110 -345 55Z\
    M-60 -50A165 165 0 1 1 -61 -50ZM-60 10A105 105 0 1 0 -59 10ZM-60 70A45 45 0 1 1 -61 70Z";

/// The pictograms by the letter of the first side.
pub(super) const PICTOGRAMS: &[(char, &str)] =
    &[('K', KING), ('A', ADVISOR), ('B', ELEPHANT), ('N', KNIGHT), ('R', ROOK), ('C', CANNON), ('P', PAWN)];

/// The text across the middle of the board as outlines.
pub(super) const LEGEND_OUTLINES: &[&str] = &[CHU_RIVER, HAN_BORDER];
