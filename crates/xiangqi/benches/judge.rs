//! The cost of a verdict: a repetition of forty plies, under each ruleset. The chapter
//! `docs/inside/how-a-repetition-is-judged.md` quotes these rows.

use alfil_kernel::{GameHistory, Rules, Setup as _, Waivers};
use alfil_xiangqi::{Bitboard, Move, Ruleset, RulesetName, Setup};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// A full board, on which a cannon follows a rook from file to file. There are no checks, so every position must be
/// analysed.
const START: &str = "2bakabnr/9/r1n1c4/2p1p1p1p/PP7/9/4P1P1P/2C3NC1/9/1NBAKAB1R w";
/// The move that leads to the first position of the repetition.
const ENTRY: &str = "c2a2";
/// Twenty plies that return to their beginning, and not before.
const CYCLE: &str = "a7b7 a2b2 g9i7 i0i1 b7a7 b2a2 a7b7 a2b2 b7a7 b2a2 \
                     a7b7 a2b2 b7a7 b2a2 a7b7 a2b2 i7g9 i1i0 b7a7 b2a2";

fn game() -> GameHistory<Bitboard> {
    let setup = Setup::parse(START).expect("a valid FEN");
    let mut game = GameHistory::new(&setup, &Waivers::None).expect("a valid position");
    for text in [ENTRY, CYCLE, CYCLE].join(" ").split_whitespace() {
        let square = |name: &str| name.parse().expect("a square name");
        game.play(Move::new(square(&text[..2]), square(&text[2..])));
    }
    game
}

#[divan::bench(args = RulesetName::ALL)]
fn forty_plies(bencher: Bencher<'_, '_>, name: RulesetName) {
    let ruleset = Ruleset { occurrences: 3, ..name.ruleset() };
    let game = game();
    assert_eq!(ruleset.repetition_start(&game).map(|first| game.ply() - first), Some(40));
    bencher.bench(|| ruleset.judge(black_box(&game)));
}

/// The probe of a search, in which most positions have not occurred before.
#[divan::bench(args = RulesetName::ALL)]
fn probe(bencher: Bencher<'_, '_>, name: RulesetName) {
    let ruleset = name.ruleset();
    let mut game = game();
    game.play(Move::new("i9".parse().expect("a square name"), "i8".parse().expect("a square name")));
    bencher.bench(|| ruleset.probe(black_box(&game), 0));
}

/// The most expensive reference figure of the Chinese rules of 2020: eight plies, four of them different, on a full
/// board with many checks to try.
#[divan::bench(sample_count = 10)]
fn reference_figure_14(bencher: Bencher<'_, '_>) {
    let setup = Setup::parse("r1bakab2/9/2n1c4/p3p3p/2p3Pn1/3R5/P1PCP3P/N3C3N/4A4/R1BAK1c1r w");
    let mut game =
        GameHistory::<Bitboard>::new(&setup.expect("a valid FEN"), &Waivers::None).expect("a valid position");
    for text in ["i2g1", "i0h0", "g1i2", "h0i0"].iter().cycle().take(8) {
        let square = |name: &str| name.parse().expect("a square name");
        game.play(Move::new(square(&text[..2]), square(&text[2..])));
    }
    bencher.bench(|| Ruleset::CXA2020.judge(black_box(&game)));
}
