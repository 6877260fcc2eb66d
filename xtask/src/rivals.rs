//! `cargo xtask rivals`: our counts beside an installed rival's, in pairs, so that a drifting machine drifts for both.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, ensure};
use clap::{Args, Subcommand};

use crate::shell::{has, root, run, skip};

/// Compare with installed rivals.
#[derive(Debug, Args)]
pub(crate) struct Rivals {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Counting legal move paths, one thread.
    Perft {
        /// How many pairs; the medians are printed.
        #[arg(long, default_value_t = 5)]
        pairs: usize,
    },
}

/// A count that both sides make.
struct Contest {
    board: &'static str,
    name: &'static str,
    fen: &'static str,
    depth: u32,
}

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// The start position on every board, and the three middle games of our notes on speed on the fastest.
const CONTESTS: &[Contest] = &[
    Contest { board: "mailbox", name: "start position", fen: START, depth: 5 },
    Contest { board: "folded", name: "start position", fen: START, depth: 5 },
    Contest { board: "bitboard", name: "start position", fen: START, depth: 5 },
    Contest {
        board: "bitboard",
        name: "middle game 1",
        fen: "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
        depth: 5,
    },
    Contest {
        board: "bitboard",
        name: "middle game 2",
        fen: "r2akab1r/3n5/4b3n/p1p1pRp1p/9/2P3P2/P3P3c/N2C3C1/4A4/1RBAK1B2 w - - 0 1",
        depth: 5,
    },
    Contest {
        board: "bitboard",
        name: "middle game 3",
        fen: "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w - - 0 1",
        depth: 5,
    },
];

/// Where Debian keeps the rival.
const RIVAL: [&str; 2] = ["fairy-stockfish", "/usr/games/fairy-stockfish"];

impl Rivals {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let What::Perft { pairs } = self.what;
        ensure!(pairs > 0, "at least one pair");
        let Some(rival) = RIVAL.into_iter().find(|path| has_program(path)) else {
            return skip("fairy-stockfish", "Install it with: apt-get install -y fairy-stockfish");
        };
        run(".", &["cargo", "build", "--release", "--package", "alfil", "--quiet"])?;
        println!("xiangqi perft, one thread, {pairs} pairs, medians");
        for contest in CONTESTS {
            contest.run(rival, pairs)?;
        }
        Ok(())
    }
}

fn has_program(path: &str) -> bool {
    has(&["sh", "-c", &format!("command -v {path}")])
}

impl Contest {
    fn run(&self, rival: &str, pairs: usize) -> anyhow::Result<()> {
        let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..pairs {
            let (nodes, seconds) = self.ours()?;
            let (their_nodes, their_seconds) = self.theirs(rival)?;
            ensure!(nodes == their_nodes, "{}: we count {nodes}, the rival {their_nodes}", self.name);
            ours.push(nodes as f64 / seconds / 1e6);
            theirs.push(nodes as f64 / their_seconds / 1e6);
            ratios.push(their_seconds / seconds);
        }
        println!(
            "{:<9} {} depth {}: {:.1} Mnps, fairy-stockfish {:.1} Mnps, ratio {:.1}",
            self.board,
            self.name,
            self.depth,
            median(ours),
            median(theirs),
            median(ratios)
        );
        Ok(())
    }

    /// Nodes and seconds, start-up included, as for the rival.
    fn ours(&self) -> anyhow::Result<(u64, f64)> {
        let depth = self.depth.to_string();
        let start = Instant::now();
        let output = Command::new(root().join("target/release/alfil"))
            .args(["perft", "xiangqi", "--board", self.board, "--depth", &depth, "--fen", self.fen])
            .output()?;
        let seconds = start.elapsed().as_secs_f64();
        let nodes = String::from_utf8(output.stdout)?.trim().parse().context("our count")?;
        Ok((nodes, seconds))
    }

    fn theirs(&self, rival: &str) -> anyhow::Result<(u64, f64)> {
        let start = Instant::now();
        let mut child = Command::new(rival).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let asks = format!(
            "setoption name UCI_Variant value xiangqi\nposition fen {}\ngo perft {}\nquit\n",
            self.fen, self.depth
        );
        child.stdin.take().context("a pipe")?.write_all(asks.as_bytes())?;
        let output = String::from_utf8(child.wait_with_output()?.stdout)?;
        let seconds = start.elapsed().as_secs_f64();
        let count = output.lines().find_map(|line| line.strip_prefix("Nodes searched: "));
        Ok((count.context("the rival's count")?.trim().parse()?, seconds))
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
