//! `alfil book`: makes an opening book of Othello.

pub(crate) mod state;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use alfil_engine::threads::parallel_map;
use alfil_session::{GameInfo, registry};
use alfil_training::{BOOK_SCORER_MIB, BookPosition, BookScorer, BookTree, OpeningBook};
use clap::Args;

use crate::args::{check_threads, games_with, only_game};
use crate::errors::{CommandResult, Failure};
use crate::output::{ForceArg, is_same_file, print_line, write_file};
use crate::progress::Progress;
use crate::selfplay::lower_priority;
use crate::source_args::plural;
use state::{Settings, State};

/// The number of positions that are expanded in one step, whatever the number of threads, so that any number of them
/// makes the same book.
const STEP: usize = 8;

/// Grow an opening book of Othello by searches.
///
/// On Unix this runs at the lowest priority. The book is a tree of positions. The position that is expanded next is the
/// one that costs least: each ply costs one disc, and each move its loss (drop-out expansion). A run that was
/// interrupted goes on where it stopped if it is started again with the same state; so does one that is to have more
/// positions. Any number of threads makes the same book.
#[derive(Debug, Args)]
pub(crate) struct Book {
    /// The game.
    #[arg(value_parser = games_with(has_book), default_value = only_game(has_book), required = only_game(has_book).is_none())]
    game: String,
    /// File of the growing book, with a row for each step. It is created if it is missing.
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// Number of positions to expand, those of earlier runs included.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    positions: u32,
    /// Depth of the searches in plies; a search goes one ply deeper where this makes the number of empty squares even
    /// at the end of a line.
    #[arg(long, value_name = "D", default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// Number of threads.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1_024))]
    threads: u16,
    /// File to which the book is written in the end.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force_arg: ForceArg,
}

/// Returns whether a game has an opening book.
fn has_book(info: &GameInfo) -> bool {
    info.has_opening_book
}

impl Book {
    pub(crate) fn run(&self) -> CommandResult {
        if self.output.as_ref().is_some_and(|output| is_same_file(output, &self.state)) {
            return Err(Failure::Usage("--output and --state are the same file".into()));
        }
        if let Some(output) = &self.output {
            self.force_arg
                .check_output_of_run(output, self.state.exists(), |bytes| OpeningBook::read(bytes).is_ok())?;
        }
        let threads = usize::from(self.threads);
        check_threads(threads, BOOK_SCORER_MIB)?;
        let weights = registry::info(&self.game)?.built_in_network.map_or(0, crc32fast::hash);
        let mut state = State::open(&self.state, &Settings { depth: self.depth, weights })?;
        lower_priority();
        let scorers = Scorers { depth: self.depth, threads, idle: Mutex::default() };
        let mut tree = match state.read_tree()? {
            Some(tree) => tree,
            None => {
                let start = scorers.score(vec![BookPosition::start()]);
                state.write(&start, &[])?;
                BookTree::new(start[0].1)
            }
        };
        self.grow(&mut tree, &mut state, &scorers)?;
        self.finish(&mut tree)
    }

    /// Expands positions until there are enough.
    fn grow(&self, tree: &mut BookTree, state: &mut State, scorers: &Scorers) -> CommandResult {
        let wanted = self.positions as usize;
        let progress = Progress::with_remaining_time(wanted, tree.expanded().min(wanted));
        while tree.expanded() < wanted {
            let positions = tree.positions_to_expand(STEP.min(wanted - tree.expanded()));
            if positions.is_empty() {
                return Err(Failure::Input(format!(
                    "no position is left to expand: the book has {} positions, so --positions must be at most that",
                    tree.expanded()
                )));
            }
            let mut next: Vec<_> =
                positions.iter().flat_map(|&position| tree.positions_to_score(position)).collect();
            next.sort_unstable();
            next.dedup();
            let scores = scorers.score(next);
            state.write(&scores, &positions)?;
            scores.into_iter().for_each(|(position, score)| tree.insert(position, score));
            for position in positions {
                tree.expand(position);
                progress.step(format!("{} searched", plural(tree.len() as u64, "position")));
            }
        }
        progress.finish();
        Ok(())
    }

    /// Writes the book and prints what it has.
    fn finish(&self, tree: &mut BookTree) -> CommandResult {
        let bytes = tree.book().to_bytes();
        if let Some(path) = &self.output {
            write_file(path, &bytes)?;
        }
        print_line(format_args!(
            "{} with moves, {} searched; the best move's score differs from the \
             position's own search by {:.2} discs on average",
            plural(tree.expanded() as u64, "position"),
            plural(tree.len() as u64, "position"),
            tree.mean_score_change() / 100.0
        ))?;
        if let Some(path) = &self.output {
            print_line(format_args!("{}: {} bytes", path.display(), bytes.len()))?;
        }
        Ok(())
    }
}

/// The scorers of all threads.
struct Scorers {
    depth: u32,
    threads: usize,
    /// The scorers that no thread uses.
    idle: Mutex<Vec<BookScorer>>,
}

impl Scorers {
    /// Returns the positions with their scores.
    fn score(&self, positions: Vec<BookPosition>) -> Vec<(BookPosition, i16)> {
        let lock = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let scores = parallel_map(&positions, self.threads, |&position| {
            let idle = lock().pop();
            let mut scorer = idle.unwrap_or_else(|| BookScorer::new(self.depth));
            let score = scorer.score(position);
            lock().push(scorer);
            score
        });
        positions.into_iter().zip(scores).collect()
    }
}
