//! What a ruling costs: a window of forty plies, under each book. `docs/how-a-repetition-is-judged.md` quotes these rows.

use alfil_kernel::{GameHistory, Rules, Setup as _, Waivers};
use alfil_xiangqi::{Bitboard, Move, Ruleset, Setup};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// A full board, on which a cannon follows a chariot from file to file. Nobody checks, so every position must be looked at.
const START: &str = "2bakabnr/9/r1n1c4/2p1p1p1p/PP7/9/4P1P1P/2C3NC1/9/1NBAKAB1R w";
const ENTRY: &str = "c2a2";
/// Twenty plies that come back to their beginning, and not before.
const ROUND: &str = "a7b7 a2b2 g9i7 i0i1 b7a7 b2a2 a7b7 a2b2 b7a7 b2a2 \
                     a7b7 a2b2 b7a7 b2a2 a7b7 a2b2 i7g9 i1i0 b7a7 b2a2";

fn line() -> GameHistory<Bitboard> {
    let setup = Setup::parse(START).expect("a sound text");
    let mut line = GameHistory::new(&setup, &Waivers::None).expect("a sound position");
    for text in [ENTRY, ROUND, ROUND].join(" ").split_whitespace() {
        let square = |name: &str| name.parse().expect("a point");
        line.play(Move::new(square(&text[..2]), square(&text[2..])));
    }
    line
}

#[divan::bench(args = Ruleset::ALL.map(|book| book.name))]
fn forty_plies(bencher: Bencher<'_, '_>, name: &str) {
    let book = Ruleset { occurrences: 3, ..Ruleset::from_name(name).expect("a book's own name") };
    let line = line();
    assert_eq!(book.repetition_start(&line).map(|first| line.ply() - first), Some(40));
    bencher.bench(|| book.judge(black_box(&line)));
}

/// The same asked inside a search, where most positions never stood before.
#[divan::bench(args = Ruleset::ALL.map(|book| book.name))]
fn glance(bencher: Bencher<'_, '_>, name: &str) {
    let book = Ruleset::from_name(name).expect("a book's own name");
    let mut line = line();
    line.play(Move::new("i9".parse().expect("a point"), "i8".parse().expect("a point")));
    bencher.bench(|| book.probe(black_box(&line), 0));
}

/// The dearest of the Chinese book's own figures: eight plies, four of them different, on a full board with many checks to try.
#[divan::bench(sample_count = 10)]
fn reference_figure_14(bencher: Bencher<'_, '_>) {
    let setup = Setup::parse("r1bakab2/9/2n1c4/p3p3p/2p3Pn1/3R5/P1PCP3P/N3C3N/4A4/R1BAK1c1r w");
    let mut line = GameHistory::<Bitboard>::new(&setup.expect("a sound text"), &Waivers::None)
        .expect("a sound position");
    for text in ["i2g1", "i0h0", "g1i2", "h0i0"].iter().cycle().take(8) {
        let square = |name: &str| name.parse().expect("a point");
        line.play(Move::new(square(&text[..2]), square(&text[2..])));
    }
    bencher.bench(|| Ruleset::CXA2020.judge(black_box(&line)));
}
