//! `cargo xtask rivals`: our counts beside an installed rival's, in pairs, so that a drifting machine drifts for both.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use clap::{Args, Subcommand};

use crate::shell::{command, is_available, run, skip, workspace_root};

/// Compare with installed rivals.
#[derive(Debug, Args)]
pub(crate) struct Rivals {
    #[command(subcommand)]
    comparison: Comparison,
}

#[derive(Debug, Subcommand)]
enum Comparison {
    /// Counting legal move paths, one thread.
    Perft {
        /// How many pairs; the medians are printed.
        #[arg(long, default_value_t = 5)]
        pairs: usize,
    },
    /// Positions a second of a search to a fixed depth, one thread, xiangqi.
    Search {
        /// How many pairs; the medians are printed.
        #[arg(long, default_value_t = 5)]
        pairs: usize,
        /// How deep, in plies.
        #[arg(long, default_value_t = 14)]
        depth: u32,
    },
}

/// A count that both sides make.
struct Benchmark {
    game: &'static str,
    board: &'static str,
    name: &'static str,
    fen: &'static str,
    depth: u32,
}

const CHESS_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const XIANGQI_START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// The start position on every board, and the three middle games of our notes on speed on the fastest.
const BENCHMARKS: &[Benchmark] = &[
    Benchmark { game: "xiangqi", board: "mailbox", name: "start position", fen: XIANGQI_START, depth: 5 },
    Benchmark { game: "xiangqi", board: "folded", name: "start position", fen: XIANGQI_START, depth: 5 },
    Benchmark { game: "xiangqi", board: "bitboard", name: "start position", fen: XIANGQI_START, depth: 5 },
    Benchmark {
        game: "xiangqi",
        board: "bitboard",
        name: "middle game 1",
        fen: "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
        depth: 5,
    },
    Benchmark {
        game: "xiangqi",
        board: "bitboard",
        name: "middle game 2",
        fen: "r2akab1r/3n5/4b3n/p1p1pRp1p/9/2P3P2/P3P3c/N2C3C1/4A4/1RBAK1B2 w - - 0 1",
        depth: 5,
    },
    Benchmark {
        game: "xiangqi",
        board: "bitboard",
        name: "middle game 3",
        fen: "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w - - 0 1",
        depth: 5,
    },
    Benchmark { game: "chess", board: "mailbox", name: "start position", fen: CHESS_START, depth: 5 },
    Benchmark { game: "chess", board: "mailbox", name: "Kiwipete", fen: KIWIPETE, depth: 4 },
    Benchmark { game: "chess", board: "bitboard", name: "start position", fen: CHESS_START, depth: 6 },
    Benchmark { game: "chess", board: "bitboard", name: "Kiwipete", fen: KIWIPETE, depth: 5 },
];

/// A program that counts on `go perft`.
struct Rival {
    name: &'static str,
    games: &'static [&'static str],
    /// Whether it plays several games and must be told which.
    has_variants: bool,
}

const RIVALS: [Rival; 2] = [
    Rival { name: "fairy-stockfish", games: &["xiangqi", "chess"], has_variants: true },
    Rival { name: "stockfish", games: &["chess"], has_variants: false },
];

impl Rivals {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let (Comparison::Perft { pairs } | Comparison::Search { pairs, .. }) = self.comparison;
        ensure!(pairs > 0, "at least one pair");
        run(".", &["cargo", "build", "--release", "--package", "alfil", "--quiet"])?;
        match self.comparison {
            Comparison::Perft { pairs } => compare_perft(pairs),
            Comparison::Search { pairs, depth } => compare_search(pairs, depth),
        }
    }
}

/// Counting, beside programs and crates.
fn compare_perft(pairs: usize) -> anyhow::Result<()> {
    for rival in &RIVALS {
        let Some(program) = rival.find_program() else {
            skip(rival.name, &format!("Install it with: apt-get install -y {}", rival.name))?;
            continue;
        };
        for game in rival.games {
            println!("{game} perft beside {}, one thread, {pairs} pairs, medians", rival.name);
            for contest in BENCHMARKS.iter().filter(|contest| contest.game == *game) {
                contest.run(rival, &program, pairs)?;
            }
        }
    }
    compare_crates()
}

/// Searching to the same depth, beside the one rival that plays xiangqi.
fn compare_search(pairs: usize, depth: u32) -> anyhow::Result<()> {
    let rival = &RIVALS[0];
    let Some(program) = rival.find_program() else {
        return skip(rival.name, &format!("Install it with: apt-get install -y {}", rival.name));
    };
    let ours = workspace_root().join("target/release/alfil").display().to_string();
    println!(
        "xiangqi, positions a second to depth {depth}, beside {}, one thread, {pairs} pairs, medians",
        rival.name
    );
    for contest in
        BENCHMARKS.iter().filter(|contest| contest.game == "xiangqi" && contest.board == "bitboard")
    {
        let (mut speeds, mut their_speeds, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..pairs {
            let speed = contest.search_speed(&[&ours, "engine", "--game", "xiangqi"], depth)?;
            let their_speed = contest.search_speed(&[&program], depth)?;
            speeds.push(speed / 1e3);
            their_speeds.push(their_speed / 1e3);
            ratios.push(speed / their_speed);
        }
        println!(
            "{}: {:.0} k, {} {:.0} k, ratio {:.2}",
            contest.name,
            median(speeds),
            rival.name,
            median(their_speeds),
            median(ratios)
        );
    }
    Ok(())
}

/// The rivals that are libraries: the chess room's own bench counts beside cozy-chess, five pairs at the depths of the bar, as
/// both are built by default and with all that this machine has.
fn compare_crates() -> anyhow::Result<()> {
    let words = ["cargo", "bench", "--quiet", "--package", "alfil-chess", "--bench", "pairs"];
    for (name, flags, folder) in [
        ("by default", "-Ctarget-cpu=x86-64-v2", "target"),
        ("for this machine, cozy-chess with PEXT where it has it", "-Ctarget-cpu=native", "target/native"),
    ] {
        if flags.contains("x86") && !cfg!(target_arch = "x86_64") {
            continue;
        }
        println!("chess perft beside the cozy-chess crate, both built {name}");
        let mut bench = command(".", &words);
        bench.args(["--target-dir", folder, "--", "--deep"]).env("RUSTFLAGS", flags);
        ensure!(bench.status()?.success(), "the bench beside cozy-chess");
    }
    Ok(())
}

impl Rival {
    /// Where it is: on the path, or where Debian keeps games.
    fn find_program(&self) -> Option<String> {
        let places = [self.name.to_owned(), format!("/usr/games/{}", self.name)];
        places.into_iter().find(|path| is_available(&["sh", "-c", &format!("command -v {path}")]))
    }
}

impl Benchmark {
    fn run(&self, rival: &Rival, program: &str, pairs: usize) -> anyhow::Result<()> {
        let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..pairs {
            let (nodes, seconds) = self.run_ours()?;
            let (their_nodes, their_seconds) = self.run_rival(rival, program)?;
            ensure!(nodes == their_nodes, "{}: we count {nodes}, {} {their_nodes}", self.name, rival.name);
            ours.push(nodes as f64 / seconds / 1e6);
            theirs.push(nodes as f64 / their_seconds / 1e6);
            ratios.push(their_seconds / seconds);
        }
        println!(
            "{:<9} {} depth {}: {:.1} Mnps, {} {:.1} Mnps, ratio {:.1}",
            self.board,
            self.name,
            self.depth,
            median(ours),
            rival.name,
            median(theirs),
            median(ratios)
        );
        Ok(())
    }

    /// Nodes and seconds, start-up included, as for the rival.
    fn run_ours(&self) -> anyhow::Result<(u64, f64)> {
        let depth = self.depth.to_string();
        let start = Instant::now();
        let output = Command::new(workspace_root().join("target/release/alfil"))
            .args(["perft", self.game, "--board", self.board, "--depth", &depth, "--fen", self.fen])
            .output()?;
        let seconds = start.elapsed().as_secs_f64();
        let nodes = String::from_utf8(output.stdout)?.trim().parse().context("our count")?;
        Ok((nodes, seconds))
    }

    /// Positions a second of a UCI engine's search, from `go` to `bestmove`.
    fn search_speed(&self, words: &[&str], depth: u32) -> anyhow::Result<f64> {
        let mut engine = Command::new(words[0])
            .args(&words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| words[0].to_owned())?;
        let mut to = engine.stdin.take().context("a pipe")?;
        let mut lines = BufReader::new(engine.stdout.take().context("a pipe")?).lines();
        let mut until = |word: &str| -> anyhow::Result<Option<u64>> {
            let mut nodes = None;
            for line in lines.by_ref() {
                let line = line?;
                let mut words = line.split_whitespace().skip_while(|&word| word != "nodes").skip(1);
                nodes = words.next().and_then(|nodes| nodes.parse().ok()).or(nodes);
                if line.starts_with(word) {
                    return Ok(nodes);
                }
            }
            bail!("{} fell silent before {word}", words[0])
        };
        writeln!(to, "uci\nsetoption name UCI_Variant value {}\nsetoption name Hash value 64", self.game)?;
        writeln!(to, "isready\nposition fen {}", self.fen)?;
        until("readyok")?;
        let start = Instant::now();
        writeln!(to, "go depth {depth}")?;
        let nodes = until("bestmove")?.context("a count of positions")?;
        let seconds = start.elapsed().as_secs_f64();
        writeln!(to, "quit")?;
        engine.wait()?;
        Ok(nodes as f64 / seconds)
    }

    fn run_rival(&self, rival: &Rival, program: &str) -> anyhow::Result<(u64, f64)> {
        let start = Instant::now();
        let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let variant = if rival.has_variants {
            format!("setoption name UCI_Variant value {}\n", self.game)
        } else {
            String::new()
        };
        let asks = format!("{variant}position fen {}\ngo perft {}\nquit\n", self.fen, self.depth);
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
