//! Repetitions as published and as measured, under every book.

use alfil_kernel::{Laws, Line, Notation, Outcome, Setup as _, Side, Waivers};
use alfil_xiangqi::laws::Dispute;
use alfil_xiangqi::notation::Dialect;
use alfil_xiangqi::{Bitboard, Board, Mailbox, Move, Ruleset, Setup, Words};

/// Diagrams and tests from public sources, each played on until its last position stands for the third time.
const CASES: &str = include_str!("../../../testdata/xiangqi/repetitions.jsonl");
/// Random loops, each played twice.
const LOOPS: &str = include_str!("../../../testdata/xiangqi/loops.jsonl");

fn field<'a>(row: &'a str, name: &str) -> Option<&'a str> {
    let start = row.find(&format!("\"{name}\": \""))? + name.len() + 5;
    row[start..].split('"').next()
}

fn line<P: Board>(row: &str) -> Line<P> {
    let setup = Setup::read(field(row, "fen").unwrap()).unwrap();
    let mut line = Line::<P>::new(&setup, &Waivers::All).unwrap();
    for text in field(row, "moves").unwrap().split(' ') {
        let mv = Words::read(line.position(), text, Dialect::Ucci).unwrap();
        line.play(mv);
    }
    line
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Side::First) => "black_loses",
        Outcome::Win(Side::Second) => "red_loses",
        Outcome::Draw => "draw",
    }
}

/// How many rows have this column, and which of them are judged otherwise.
fn differ(rows: &str, column: &str, book: Ruleset) -> (usize, Vec<String>) {
    let (mut asserted, mut different) = (0, Vec::new());
    for row in rows.lines() {
        let Some(expected) = field(row, column) else { continue };
        let line = line::<Bitboard>(row);
        let found = book.study(&line).map_or("none", |study| word(study.verdict.outcome));
        asserted += 1;
        if found != expected {
            different.push(format!("{}: {found}, not {expected}", field(row, "id").unwrap()));
        }
        let other = book.judge(&self::line::<Mailbox>(row));
        assert_eq!(book.judge(&line), other, "both boards, {row}");
    }
    (asserted, different)
}

fn equal(rows: &str, column: &str, book: Ruleset, count: usize) {
    let (asserted, different) = differ(rows, column, book);
    assert!(different.is_empty(), "{} of {asserted} differ: {different:#?}", different.len());
    assert_eq!(asserted, count);
}

#[test]
fn the_rule_between_engines_as_measured() {
    equal(CASES, "computer", Ruleset::COMPUTER, 202);
    equal(LOOPS, "computer", Ruleset::COMPUTER, 303);
}

#[test]
fn the_asian_rule_as_published() {
    equal(CASES, "axf", Ruleset::AXF, 139);
    equal(CASES, "axf", Ruleset::WXF2018, 139);
    equal(LOOPS, "axf", Ruleset::AXF, 303);
}

#[test]
fn elephanteye_as_measured() {
    equal(CASES, "elephanteye", Ruleset { occurrences: 3, ..Ruleset::ELEPHANTEYE }, 204);
}

#[test]
fn xqwlight_knows_perpetual_check_only() {
    equal(CASES, "xqwlight", Ruleset { occurrences: 3, ..Ruleset::XQWLIGHT }, 204);
}

/// The same game seen in a mirror, and with the sides exchanged.
fn twin(line: &Line<Bitboard>, setup: &Setup, mv: impl Fn(Move) -> Move) -> Line<Bitboard> {
    let mut twin = Line::new(setup, &Waivers::All).unwrap();
    line.moves().for_each(|played| twin.play(mv(played)));
    twin
}

#[test]
fn twins_are_judged_alike_under_every_book() {
    for (number, row) in CASES.lines().chain(LOOPS.lines()).enumerate() {
        let line = line::<Bitboard>(row);
        let mirrored = twin(&line, &line.start().mirrored(), Move::mirrored);
        let swapped = twin(&line, &line.start().swapped(), Move::flipped);
        for book in Ruleset::ALL {
            // The book that searches is a thousand times slower: a row in eight.
            if book == Ruleset::CXA2020 && !number.is_multiple_of(8) {
                continue;
            }
            let verdict = book.judge(&line);
            // ElephantEye remembers the first victim it meets, and in a mirror that is another one.
            if book != Ruleset::ELEPHANTEYE {
                assert_eq!(book.judge(&mirrored), verdict, "{} {row}", book.name);
                let other = verdict.map(|verdict| match verdict.outcome {
                    Outcome::Win(side) => Outcome::Win(!side),
                    Outcome::Draw => Outcome::Draw,
                });
                assert_eq!(book.judge(&swapped).map(|verdict| verdict.outcome), other, "{} {row}", book.name);
            }
        }
    }
}

/// Where in the loop one begins to count, and how long it has gone on, does not change who loses.
#[test]
fn the_beginning_of_the_loop_does_not_matter() {
    for row in LOOPS.lines() {
        let played = line::<Bitboard>(row);
        let round: Vec<_> = played.moves().take(4).collect();
        for book in [Ruleset::COMPUTER, Ruleset::AXF, Ruleset { occurrences: 3, ..Ruleset::XQWLIGHT }] {
            let loser = |line: &Line<Bitboard>| book.study(line).map(|study| study.verdict.outcome);
            let expected = loser(&played);
            let mut longer = played.clone();
            for (more, &mv) in round.iter().cycle().take(9).enumerate() {
                longer.play(mv);
                assert_eq!(loser(&longer), expected, "{} {} plies later: {row}", book.name, more + 1);
            }
        }
    }
}

/// Where the sources disagree among themselves, the other reading is told, and nowhere else: of the published repetitions these.
#[test]
fn disputed_patterns_are_told() {
    let draws = |id, dispute| (id, "draw", dispute);
    let expected = [
        draws("fsf-L1193", Dispute::HeldHunter),
        draws("fsf-L1195", Dispute::HeldHunter),
        draws("orange-L434", Dispute::HeldHunter),
        draws("orange-L436", Dispute::HeldHunter),
        draws("orange-L437", Dispute::HeldHunter),
        draws("orange-L438", Dispute::HeldHunter),
        ("orange-L513", "red_loses", Dispute::CounteringRook),
        draws("orange-L550", Dispute::Several),
        draws("pr466-20", Dispute::MutualPin),
        draws("cdb7-28", Dispute::OverGeneral),
        draws("cdb7-29", Dispute::MutualPin),
        draws("fsf55-30", Dispute::Uncovered),
        draws("fsf55-31", Dispute::Uncovered),
    ];
    let mut found = Vec::new();
    for row in CASES.lines() {
        let line = line::<Bitboard>(row);
        let Some(study) = Ruleset::AXF.study(&line) else { continue };
        for (outcome, dispute) in Ruleset::AXF.disputes(&line, &study) {
            assert_ne!(outcome, study.verdict.outcome, "{row}");
            found.push((field(row, "id").unwrap(), word(outcome), dispute));
        }
        assert!(Ruleset::CXA2020.disputes(&line, &study).is_empty(), "this book reads otherwise altogether");
    }
    assert_eq!(found, expected);
}
