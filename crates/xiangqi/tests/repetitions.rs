//! Repetitions as published and as measured, under every book.

use alfil_kernel::conformance::sorted_legal_moves;
use alfil_kernel::{GameHistory, Notation, Outcome, Position as _, Rules, Setup as _, Side, Waivers};
use alfil_xiangqi::notation::Dialect;
use alfil_xiangqi::rules::Dispute;
use alfil_xiangqi::{Bitboard, Board, Mailbox, Move, MoveNotation, Ruleset, Setup};

/// Diagrams and tests from public sources, each played on until its last position stands for the third time.
const CASES: &str = include_str!("../../../testdata/xiangqi/repetitions.jsonl");
/// Random loops, each played twice.
const LOOPS: &str = include_str!("../../../testdata/xiangqi/loops.jsonl");

fn field<'a>(row: &'a str, name: &str) -> Option<&'a str> {
    let start = row.find(&format!("\"{name}\": \""))? + name.len() + 5;
    row[start..].split('"').next()
}

fn line<P: Board>(row: &str) -> GameHistory<P> {
    let setup = Setup::parse(field(row, "fen").unwrap()).unwrap();
    let mut line = GameHistory::<P>::new(&setup, &Waivers::All).unwrap();
    for text in field(row, "moves").unwrap().split(' ') {
        let mv = MoveNotation::parse_move(line.position(), text, Dialect::Ucci).unwrap();
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
        let found = book.analyse_repetition(&line).map_or("none", |study| word(study.verdict.outcome));
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
fn twin(line: &GameHistory<Bitboard>, setup: &Setup, mv: impl Fn(Move) -> Move) -> GameHistory<Bitboard> {
    let mut twin = GameHistory::new(setup, &Waivers::All).unwrap();
    line.moves().for_each(|played| twin.play(mv(played)));
    twin
}

#[test]
fn twins_are_judged_alike_under_every_book() {
    for (number, row) in CASES.lines().chain(LOOPS.lines()).enumerate() {
        let line = line::<Bitboard>(row);
        let mirrored = twin(&line, &line.start_setup().mirrored(), Move::mirrored);
        let swapped = twin(&line, &line.start_setup().swapped(), Move::flipped);
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

/// The books of which it is promised that the beginning of the loop does not matter; the one that searches only on a row in eight.
const STEADY: [Ruleset; 4] =
    [Ruleset::COMPUTER, Ruleset::AXF, Ruleset { occurrences: 3, ..Ruleset::XQWLIGHT }, Ruleset::CXA2020];

/// The loops, and the books that they are judged under.
fn steady() -> impl Iterator<Item = (&'static str, &'static [Ruleset])> {
    LOOPS.lines().enumerate().map(|(number, row)| {
        let books = if number.is_multiple_of(8) { &STEADY[..] } else { &STEADY[..3] };
        (row, books)
    })
}

fn outcome(book: &Ruleset, line: &GameHistory<Bitboard>) -> Option<Outcome> {
    book.analyse_repetition(line).map(|study| study.verdict.outcome)
}

/// Where in the loop one begins to count, and how long it has gone on, does not change who loses.
#[test]
fn the_beginning_of_the_loop_does_not_matter() {
    for (row, books) in steady() {
        let played = line::<Bitboard>(row);
        let round: Vec<_> = played.moves().take(4).collect();
        for book in books {
            let expected = outcome(book, &played);
            let mut longer = played.clone();
            for (more, &mv) in round.iter().cycle().take(9).enumerate() {
                longer.play(mv);
                assert_eq!(outcome(book, &longer), expected, "{} {} plies later: {row}", book.name, more + 1);
            }
        }
    }
}

/// Quiet moves to and fro of both sides, from which the position comes back.
fn shuffle(line: &GameHistory<Bitboard>) -> Option<[Move; 4]> {
    let quiet = |line: &GameHistory<Bitboard>| {
        let mut moves = sorted_legal_moves(line.position());
        moves.retain(|&mv| line.position().captured_piece(mv).is_none());
        moves
    };
    let back = |mv: Move| Move::new(mv.target(), mv.origin());
    quiet(line).into_iter().find_map(|first| {
        let mut line = line.clone();
        line.play(first);
        quiet(&line).into_iter().find_map(|second| {
            let mut line = line.clone();
            line.play(second);
            [back(first), back(second)].into_iter().try_for_each(|mv| line.try_play(mv)).ok()?;
            Some([first, second, back(first), back(second)])
        })
    })
}

/// A round of other moves before it, so that the loop begins with the last of them and its first position stands once more,
/// does not change who loses.
#[test]
fn a_longer_history_and_a_quiet_entry_do_not_matter() {
    let mut tried = 0;
    for (row, books) in steady() {
        let played = line::<Bitboard>(row);
        let mut longer = GameHistory::<Bitboard>::new(played.start_setup(), &Waivers::All).unwrap();
        let Some(shuffle) = shuffle(&longer) else { continue };
        shuffle.into_iter().chain(played.moves()).for_each(|mv| longer.play(mv));
        tried += 1;
        for book in books {
            assert_eq!(outcome(book, &longer), outcome(book, &played), "{} {row}", book.name);
        }
        // Entered by the last move of the shuffle alone.
        let mut entry = GameHistory::<Bitboard>::new(played.start_setup(), &Waivers::All).unwrap();
        shuffle[..3].iter().for_each(|&mv| entry.play(mv));
        let mut entered = GameHistory::<Bitboard>::new(&entry.to_setup(), &Waivers::All).unwrap();
        shuffle[3..].iter().copied().chain(played.moves()).for_each(|mv| entered.play(mv));
        for book in books {
            assert_eq!(outcome(book, &entered), outcome(book, &played), "{} {row}", book.name);
        }
    }
    assert!(tried > 250, "{tried} loops have quiet moves before them");
}

/// Where the sources disagree among themselves, the other reading is told, and nowhere else: of the published repetitions these.
#[test]
fn disputed_patterns_are_told() {
    let draws = |id, dispute| (id, "draw", dispute);
    let expected = [
        ("fsf-L1177", "black_loses", Dispute::CheckedSoldier),
        ("pr466-15", "black_loses", Dispute::CheckedSoldier),
        draws("fsf-L1193", Dispute::HorsePinnedAttacker),
        draws("fsf-L1195", Dispute::HorsePinnedAttacker),
        draws("orange-L434", Dispute::HorsePinnedAttacker),
        draws("orange-L436", Dispute::HorsePinnedAttacker),
        draws("orange-L437", Dispute::HorsePinnedAttacker),
        draws("orange-L438", Dispute::HorsePinnedAttacker),
        ("orange-L513", "red_loses", Dispute::CounterattackingRook),
        draws("orange-L550", Dispute::SeveralAttackers),
        draws("pr466-20", Dispute::MutualPin),
        draws("cdb7-28", Dispute::OverKing),
        draws("cdb7-29", Dispute::MutualPin),
        draws("fsf55-30", Dispute::DiscoveredAttack),
        draws("fsf55-31", Dispute::DiscoveredAttack),
    ];
    let mut found = Vec::new();
    for row in CASES.lines() {
        let line = line::<Bitboard>(row);
        let Some(study) = Ruleset::AXF.analyse_repetition(&line) else { continue };
        for (outcome, dispute) in Ruleset::AXF.disputes(&line, &study) {
            assert_ne!(outcome, study.verdict.outcome, "{row}");
            found.push((field(row, "id").unwrap(), word(outcome), dispute));
        }
        assert!(Ruleset::CXA2020.disputes(&line, &study).is_empty(), "this book reads otherwise altogether");
    }
    assert_eq!(found, expected);
}
