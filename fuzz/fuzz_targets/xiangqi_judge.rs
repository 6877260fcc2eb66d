//! Games that go to and fro, from any position, judged under every book: nothing panics, both boards agree, what is studied is
//! what is judged, only legal moves are banned, and a mirrored or colour-swapped game has the mirrored verdict.
#![no_main]

use alfil_kernel::conformance::legal;
use alfil_kernel::{Laws, Line, Outcome, Setup as _, Side, Waivers};
use alfil_xiangqi::laws::Chase;
use alfil_xiangqi::{Bitboard, Board, Kind, Mailbox, Move, Piece, Ruleset, Setup, Square};
use libfuzzer_sys::fuzz_target;

/// So many bytes at most say who stands where, two for each man.
const MEN: usize = 64;
/// And so many which moves are made.
const PLIES: usize = 48;
/// A byte from here on takes back one's own last move, where that is possible; a byte below chooses any move.
const RETURN: u8 = 96;

fuzz_target!(|bytes: &[u8]| {
    let Some((&[side, count], rest)) = bytes.split_first_chunk() else { return };
    let men = rest.len().min(usize::from(count) % MEN);
    let (men, choices) = rest.split_at(men);
    let Some(line) = game(side, men, choices) else { return };
    let mailbox = twin::<Mailbox>(&line, line.start(), |mv| mv);
    let mirrored = twin::<Bitboard>(&line, &line.start().mirrored(), Move::mirrored);
    let swapped = twin::<Bitboard>(&line, &line.start().swapped(), Move::flipped);
    for book in Ruleset::ALL {
        // At the second occurrence, so that there is something to judge.
        let book = Ruleset { occurrences: 2, ..book };
        let (verdict, study) = (book.judge(&line), book.study(&line));
        assert_eq!((verdict, &study), (book.judge(&mailbox), &book.study(&mailbox)), "{}", book.name);
        if let Some(study) = study {
            assert!(verdict == Some(study.verdict) || legal(line.position()).is_empty(), "{}", book.name);
            let _ = book.disputes(&line, &study);
        }
        let moves = legal(line.position());
        assert!(book.banned(&line).iter().all(|mv| moves.contains(mv)), "{}", book.name);
        for root in [0, line.ply()] {
            assert_eq!(book.glance(&line, root), book.glance(&mailbox, root), "{}", book.name);
        }
        // One remembers the first victim it meets, the other stops a search where its tries end.
        if !matches!(book.chase, Chase::ByMover | Chase::Gain) {
            assert_eq!(book.judge(&mirrored), verdict, "{}", book.name);
            let outcome = verdict.map(|verdict| match verdict.outcome {
                Outcome::Win(side) => Outcome::Win(!side),
                Outcome::Draw => Outcome::Draw,
            });
            assert_eq!(book.judge(&swapped).map(|verdict| verdict.outcome), outcome, "{}", book.name);
        }
    }
});

/// A game from the men that the bytes put, or from the start of a game where there are none.
fn game(side: u8, men: &[u8], choices: &[u8]) -> Option<Line<Bitboard>> {
    let mut setup = if men.is_empty() { Setup::start() } else { Setup { men: placed(men), ..Setup::EMPTY } };
    setup.side = Side::BOTH[usize::from(side % 2)];
    let mut line = Line::<Bitboard>::new(&setup, &Waivers::None).ok()?;
    for &choice in choices.iter().take(PLIES) {
        let moves = legal(line.position());
        let own = line.ply().checked_sub(2).and_then(|ply| line.records()[ply].mv());
        let back = own.map(|own| Move::new(own.target(), own.origin()));
        let mv = match back.filter(|back| choice >= RETURN && moves.contains(back)) {
            Some(back) => back,
            None => *moves.get(usize::from(choice) % moves.len().max(1))?,
        };
        line.play(mv);
    }
    Some(line)
}

/// The first two bytes put the generals, every two more a man.
fn placed(bytes: &[u8]) -> [Option<Piece>; Square::COUNT] {
    let mut men = [None; Square::COUNT];
    for (index, pair) in bytes.chunks_exact(2).enumerate() {
        let (what, place) = (usize::from(pair[0]), usize::from(pair[1]));
        let side = Side::BOTH[what % 2];
        if index == 0 {
            for (side, seat) in [(Side::First, what), (Side::Second, place)] {
                let rank = if side == Side::First { seat / 3 % 3 } else { 9 - seat / 3 % 3 };
                men[Square::new(3 + seat % 3, rank).index()] = Some(Piece::new(side, Kind::King));
            }
        } else if let spot @ None = &mut men[place % Square::COUNT] {
            // The kinds after the general.
            let kind = Kind::ALL[1 + what / 2 % 6];
            *spot = Some(Piece::new(side, kind));
        }
    }
    men
}

/// The same game on another board, in a mirror, or with the sides exchanged.
fn twin<P: Board>(line: &Line<Bitboard>, setup: &Setup, mv: impl Fn(Move) -> Move) -> Line<P> {
    let mut twin = Line::new(setup, &Waivers::None).expect("a twin of a sound position");
    line.moves().for_each(|played| twin.play(mv(played)));
    twin
}
