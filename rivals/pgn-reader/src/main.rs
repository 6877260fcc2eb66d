//! Reads PGN files with every move checked, by Alfil's visitor and by pgn-reader with shakmaty, in alternating runs on
//! the same bytes. `cargo run --release -- PAIRS FILE...`

use std::io;
use std::ops::ControlFlow;
use std::time::Instant;

use alfil_chess::{Bitboard, Chess, Move};
use alfil_records::pgn::{GameSummary, GameVisitor, Reader, read_games};
use pgn_reader::{RawTag, SanPlus};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Position as _};

/// What was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    games: u64,
    moves: u64,
    errors: u64,
}

impl GameVisitor<Chess> for Counts {
    fn play(&mut self, _position: &Bitboard, _mv: Option<Move>) {
        self.moves += 1;
    }

    fn wants_variations(&self) -> bool {
        false
    }

    fn end_game(&mut self, summary: &GameSummary) {
        self.games += 1;
        self.errors += u64::from(summary.error.is_some());
    }
}

fn read_with_alfil(bytes: &[u8]) -> io::Result<Counts> {
    let mut counts = Counts::default();
    read_games(&mut Reader::new(bytes), &mut counts)?;
    Ok(counts)
}

/// Plays the main lines of games on a board of shakmaty.
#[derive(Default)]
struct Rival(Counts);

impl pgn_reader::Visitor for Rival {
    type Tags = shakmaty::Chess;
    type Movetext = shakmaty::Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), shakmaty::Chess> {
        self.0.games += 1;
        ControlFlow::Continue(shakmaty::Chess::default())
    }

    fn tag(&mut self, start: &mut shakmaty::Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" {
            let setup = Fen::from_ascii(value.as_bytes()).ok();
            let Some(found) = setup.and_then(|fen| fen.into_position(CastlingMode::Chess960).ok()) else {
                self.0.errors += 1;
                return ControlFlow::Break(());
            };
            *start = found;
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: shakmaty::Chess) -> ControlFlow<(), shakmaty::Chess> {
        ControlFlow::Continue(start)
    }

    fn san(&mut self, position: &mut shakmaty::Chess, san: SanPlus) -> ControlFlow<()> {
        let Ok(mv) = san.san.to_move(position) else {
            self.0.errors += 1;
            return ControlFlow::Break(());
        };
        position.play_unchecked(mv);
        self.0.moves += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _position: shakmaty::Chess) {}
}

fn read_with_rival(bytes: &[u8]) -> io::Result<Counts> {
    let (mut reader, mut rival) = (pgn_reader::Reader::new(bytes), Rival::default());
    while reader.read_game(&mut rival)?.is_some() {}
    Ok(rival.0)
}

/// Returns the middle one of some numbers.
fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let pairs = arguments.next().and_then(|text| text.parse().ok()).filter(|&pairs: &usize| pairs > 0);
    let files: Vec<_> = arguments.collect();
    let (Some(pairs), false) = (pairs, files.is_empty()) else {
        eprintln!("usage: alfil-rival-pgn-reader PAIRS FILE...");
        std::process::exit(2);
    };
    for file in files {
        let bytes = std::fs::read(&file)?;
        let (ours, theirs) = (read_with_alfil(&bytes)?, read_with_rival(&bytes)?);
        println!("{file}: {} bytes, {pairs} pairs, medians", bytes.len());
        println!("  alfil       {ours:?}");
        println!("  pgn-reader  {theirs:?}");
        let seconds = |read: fn(&[u8]) -> io::Result<Counts>| -> io::Result<f64> {
            let start = Instant::now();
            std::hint::black_box(read(&bytes)?);
            Ok(start.elapsed().as_secs_f64())
        };
        let mut times = Vec::new();
        for _ in 0..pairs {
            times.push((seconds(read_with_alfil)?, seconds(read_with_rival)?));
        }
        let rate = |seconds: f64| bytes.len() as f64 / 1e6 / seconds;
        println!(
            "  alfil {:.0} MB/s, pgn-reader with shakmaty {:.0} MB/s, ratio {:.2}",
            rate(median(times.iter().map(|times| times.0).collect())),
            rate(median(times.iter().map(|times| times.1).collect())),
            median(times.iter().map(|(ours, theirs)| theirs / ours).collect()),
        );
    }
    Ok(())
}
