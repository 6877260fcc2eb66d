//! `cargo xtask rivals`: speed comparison with installed rivals, in alternating runs, so that drift affects both.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use clap::{Args, Subcommand};

use crate::shell::{command, is_available, path_text, run, skip, target_folder};

/// Measure the speed against installed rivals.
#[derive(Debug, Args)]
pub(crate) struct Rivals {
    #[command(subcommand)]
    comparison: Comparison,
}

#[derive(Debug, Subcommand)]
enum Comparison {
    /// Compare perft, one thread.
    Perft {
        /// Number of pairs of runs; medians are printed.
        #[arg(long, default_value_t = 5)]
        pairs: usize,
    },
    /// Compare the nodes per second of a xiangqi search to a fixed depth, one thread.
    Search {
        /// Number of pairs of runs; medians are printed.
        #[arg(long, default_value_t = 5)]
        pairs: usize,
        /// Search depth in plies.
        #[arg(long, default_value_t = 14)]
        depth: u32,
    },
    /// Compare the reading of PGN of chess, every move checked, with the crates pgn-reader and shakmaty.
    Pgn {
        /// The files.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Number of pairs of runs; medians are printed.
        #[arg(long, default_value_t = 15)]
        pairs: usize,
    },
}

/// A position that both programs count or search.
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

/// The start position on every board, and three middlegames on the fastest one.
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

/// A program with the command `go perft`.
struct Rival {
    name: &'static str,
    games: &'static [&'static str],
    /// Whether the program needs the option UCI_Variant.
    has_variants: bool,
}

const RIVALS: [Rival; 2] = [
    Rival { name: "fairy-stockfish", games: &["xiangqi", "chess"], has_variants: true },
    Rival { name: "stockfish", games: &["chess"], has_variants: false },
];

impl Rivals {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let (Comparison::Perft { pairs } | Comparison::Search { pairs, .. } | Comparison::Pgn { pairs, .. }) =
            self.comparison;
        ensure!(pairs > 0, "expected at least one pair");
        match &self.comparison {
            Comparison::Perft { .. } => compare_perft(pairs),
            Comparison::Search { depth, .. } => compare_search(pairs, *depth),
            Comparison::Pgn { files, .. } => compare_pgn(files, pairs),
        }
    }
}

/// Builds the program and returns its path.
fn build_program() -> anyhow::Result<PathBuf> {
    run(".", &["cargo", "build", "--release", "--package", "alfil", "--quiet"])?;
    Ok(target_folder().join("release/alfil"))
}

/// Runs the program that reads PGN with both. It is a workspace of its own, because the rival is under the GPL.
fn compare_pgn(files: &[PathBuf], pairs: usize) -> anyhow::Result<()> {
    let files = files.iter().map(std::path::absolute).collect::<Result<Vec<_>, _>>()?;
    let pairs = pairs.to_string();
    let mut rival = command("rivals/pgn-reader", &["cargo", "run", "--release", "--quiet", "--", &pairs]);
    let status = rival.args(files).status().context("cannot start cargo")?;
    ensure!(status.success(), "the comparison failed: {status}");
    Ok(())
}

/// Compares perft with the installed programs and with the cozy-chess crate.
fn compare_perft(pairs: usize) -> anyhow::Result<()> {
    let our_program = build_program()?;
    for rival in &RIVALS {
        let Some(program) = rival.find_program() else {
            skip(rival.name, &format!("Install it with: apt-get install -y {}", rival.name))?;
            continue;
        };
        for game in rival.games {
            println!("{game} perft beside {}, one thread, {pairs} pairs, medians", rival.name);
            for benchmark in BENCHMARKS.iter().filter(|benchmark| benchmark.game == *game) {
                benchmark.run(&our_program, rival, &program, pairs)?;
            }
        }
    }
    compare_crates()
}

/// Compares the search speed with the rival that plays xiangqi.
fn compare_search(pairs: usize, depth: u32) -> anyhow::Result<()> {
    let our_program = build_program()?;
    let our_engine = [path_text(&our_program)?, "engine", "--game", "xiangqi"];
    let rival = &RIVALS[0];
    let Some(program) = rival.find_program() else {
        return skip(rival.name, &format!("Install it with: apt-get install -y {}", rival.name));
    };
    println!(
        "xiangqi, positions a second to depth {depth}, beside {}, one thread, {pairs} pairs, medians",
        rival.name
    );
    for benchmark in
        BENCHMARKS.iter().filter(|benchmark| benchmark.game == "xiangqi" && benchmark.board == "bitboard")
    {
        let (mut speeds, mut rival_speeds, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..pairs {
            let speed = benchmark.search_speed(&our_engine, depth)?;
            let rival_speed = benchmark.search_speed(&[&program], depth)?;
            speeds.push(speed / 1e3);
            rival_speeds.push(rival_speed / 1e3);
            ratios.push(speed / rival_speed);
        }
        println!(
            "{}: {:.0} k, {} {:.0} k, ratio {:.2}",
            benchmark.name,
            median(speeds),
            rival.name,
            median(rival_speeds),
            median(ratios)
        );
    }
    Ok(())
}

/// Compares chess perft with the cozy-chess crate in the benchmark `pairs`: built with the default target features and
/// with those of this machine.
fn compare_crates() -> anyhow::Result<()> {
    let arguments = ["cargo", "bench", "--quiet", "--package", "alfil-chess", "--bench", "pairs"];
    for (name, flags, folder) in [
        ("by default", "-Ctarget-cpu=x86-64-v2", target_folder()),
        (
            "for this machine, cozy-chess with PEXT where it has it",
            "-Ctarget-cpu=native",
            target_folder().join("native"),
        ),
    ] {
        if flags.contains("x86") && !cfg!(target_arch = "x86_64") {
            continue;
        }
        println!("chess perft beside the cozy-chess crate, both built {name}");
        let mut bench = command(".", &arguments);
        bench.arg("--target-dir").arg(folder).args(["--", "--deep"]).env("RUSTFLAGS", flags);
        ensure!(bench.status()?.success(), "the benchmark against cozy-chess failed");
    }
    Ok(())
}

impl Rival {
    /// Returns the path of the program: in PATH, or in Debian's directory of games.
    fn find_program(&self) -> Option<String> {
        let paths = [self.name.to_owned(), format!("/usr/games/{}", self.name)];
        paths.into_iter().find(|path| is_available(&["sh", "-c", &format!("command -v {path}")]))
    }
}

impl Benchmark {
    fn run(&self, our_program: &Path, rival: &Rival, program: &str, pairs: usize) -> anyhow::Result<()> {
        let (mut our_speeds, mut rival_speeds, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..pairs {
            let (nodes, seconds) = self.run_ours(our_program)?;
            let (rival_nodes, rival_seconds) = self.run_rival(rival, program)?;
            ensure!(
                nodes == rival_nodes,
                "{}: Alfil counts {nodes}, {} counts {rival_nodes}",
                self.name,
                rival.name
            );
            our_speeds.push(nodes as f64 / seconds / 1e6);
            rival_speeds.push(nodes as f64 / rival_seconds / 1e6);
            ratios.push(rival_seconds / seconds);
        }
        println!(
            "{:<9} {} depth {}: {:.1} Mnps, {} {:.1} Mnps, ratio {:.1}",
            self.board,
            self.name,
            self.depth,
            median(our_speeds),
            rival.name,
            median(rival_speeds),
            median(ratios)
        );
        Ok(())
    }

    /// Returns the nodes and the seconds of a run, start-up included, as for the rival.
    fn run_ours(&self, program: &Path) -> anyhow::Result<(u64, f64)> {
        let depth = self.depth.to_string();
        let start = Instant::now();
        let output = Command::new(program)
            .args(["perft", self.game, "--board", self.board, "--depth", &depth, "--fen", self.fen])
            .output()?;
        let seconds = start.elapsed().as_secs_f64();
        let nodes =
            String::from_utf8(output.stdout)?.trim().parse().context("cannot read the count of alfil")?;
        Ok((nodes, seconds))
    }

    /// Returns the nodes per second of a UCI engine's search, from `go` to `bestmove`.
    fn search_speed(&self, arguments: &[&str], depth: u32) -> anyhow::Result<f64> {
        let mut engine = Command::new(arguments[0])
            .args(&arguments[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| arguments[0].to_owned())?;
        let mut input = engine.stdin.take().context("the engine has no input pipe")?;
        let mut lines =
            BufReader::new(engine.stdout.take().context("the engine has no output pipe")?).lines();
        let mut until = |word: &str| -> anyhow::Result<Option<u64>> {
            let mut nodes = None;
            for line in lines.by_ref() {
                let line = line?;
                let mut tokens = line.split_whitespace().skip_while(|&word| word != "nodes").skip(1);
                nodes = tokens.next().and_then(|nodes| nodes.parse().ok()).or(nodes);
                if line.starts_with(word) {
                    return Ok(nodes);
                }
            }
            bail!("{} closed its output before {word}", arguments[0])
        };
        writeln!(input, "uci\nsetoption name UCI_Variant value {}\nsetoption name Hash value 64", self.game)?;
        writeln!(input, "isready\nposition fen {}", self.fen)?;
        until("readyok")?;
        let start = Instant::now();
        writeln!(input, "go depth {depth}")?;
        let nodes = until("bestmove")?.context("the engine reported no node count")?;
        let seconds = start.elapsed().as_secs_f64();
        writeln!(input, "quit")?;
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
        let commands = format!("{variant}position fen {}\ngo perft {}\nquit\n", self.fen, self.depth);
        child.stdin.take().context("the engine has no input pipe")?.write_all(commands.as_bytes())?;
        let output = String::from_utf8(child.wait_with_output()?.stdout)?;
        let seconds = start.elapsed().as_secs_f64();
        let count = output.lines().find_map(|line| line.strip_prefix("Nodes searched: "));
        Ok((count.context("cannot read the count of the rival")?.trim().parse()?, seconds))
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        0 => f64::midpoint(values[middle - 1], values[middle]),
        _ => values[middle],
    }
}
