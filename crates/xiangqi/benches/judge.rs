//! What a ruling costs: a window of forty plies, under each book. `docs/how-a-repetition-is-judged.md` quotes these rows.

use alfil_kernel::{Laws, Line, Setup as _, Waivers};
use alfil_xiangqi::{Bitboard, Move, Ruleset, Setup};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// How many plies the window has.
const WINDOW: usize = 40;

/// A full board, on which a cannon follows a chariot from file to file: twenty plies that end where they began, so that the
/// window of forty is judged at the third occurrence. Nobody checks, so every position is looked at.
const CHASE: (&str, &str) = (
    "2bakabnr/9/r1n1c4/2p1p1p1p/PP7/9/4P1P1P/2C3NC1/9/1NBAKAB1R w",
    "c2a2 a7b7 a2b2 b7a7 b2a2 g9i7 i0i1 i7g9 i1i0 a7b7 a2b2 b7a7 b2a2 c9a9 g2i3 a9c9 i3g2",
);

fn books() -> impl Iterator<Item = &'static str> {
    Ruleset::ALL.into_iter().map(|book| book.name)
}
