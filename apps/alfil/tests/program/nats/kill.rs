//! Coordinator, workers and server are killed with SIGKILL in the middle of a run, which ends with the same bytes.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::{MAX_WAIT, Process, Server, coordinator, json, merged_files, path_in, worker};
use crate::{PROGRAM, expect_ok};

/// The processes of a run with two workers.
struct Run {
    server: Server,
    input: String,
    out: String,
    nodes: String,
    coordinator: Process,
    workers: [Process; 2],
}

impl Run {
    fn start_coordinator(server: &Server, input: &str, out: &str, nodes: &str) -> Process {
        Process::start(coordinator(&server.url(), input, out, nodes).stderr(Stdio::null()))
    }

    fn start_worker(server: &Server) -> Process {
        Process::start(&mut worker(Path::new(PROGRAM), &server.url(), &[]))
    }

    /// Kills a process and starts it again.
    fn kill(&mut self, victim: u64) {
        match victim {
            0 => {
                self.coordinator.kill();
                self.restart_coordinator();
            }
            1 | 2 => {
                let worker = &mut self.workers[victim as usize - 1];
                worker.kill();
                *worker = Run::start_worker(&self.server);
            }
            _ => {
                self.server.kill();
                self.server.restart();
            }
        }
    }

    fn restart_coordinator(&mut self) {
        self.coordinator = Run::start_coordinator(&self.server, &self.input, &self.out, &self.nodes);
    }

    /// Starts the workers again that ended because the server was not there at their start. Returns whether the
    /// coordinator has finished.
    fn supervise(&mut self) -> bool {
        for worker in &mut self.workers {
            if !worker.is_running() {
                *worker = Run::start_worker(&self.server);
            }
        }
        match self.coordinator.0.try_wait().unwrap().map(|status| status.success()) {
            Some(true) => true,
            Some(false) => {
                self.restart_coordinator();
                false
            }
            None => false,
        }
    }

    /// Supervises the processes for some time; returns whether the coordinator has finished.
    fn supervise_for(&mut self, time: Duration) -> bool {
        let start = Instant::now();
        while start.elapsed() < time {
            if self.supervise() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        false
    }
}

/// Kills processes at `kills` moments of a run, and compares its files with those of an undisturbed run without a
/// server.
fn kill_and_compare(kills: u32, games: &str, nodes: &str, min_positions: u64) {
    let Some(server) = Server::start(&["-js"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let input = path_in(folder.path(), "games.pgn");
    let players = ["--engine", "name=a nodes=20", "--engine", "name=b nodes=30"];
    let play = ["match", "chess", "--games", games, "--seed", "1", "--pgn", &input, "--no-comments"];
    expect_ok(&[&play[..], &players].concat());
    let (whole, killed) = (path_in(folder.path(), "whole"), path_in(folder.path(), "killed"));
    let start = Instant::now();
    let args = ["analyse", &input, "--nodes", nodes, "--json", "-o"];
    let expected = json(&expect_ok(&[&args[..], &[&whole]].concat()));
    let positions = expected["positions"].as_u64().unwrap();
    assert!(positions >= min_positions, "only {positions} positions");
    // Two workers need at least half of the time of one thread: all kills are in the first three quarters of it.
    let step = start.elapsed() * 3 / (8 * kills);
    let coordinator = Run::start_coordinator(&server, &input, &killed, nodes);
    let workers = [Run::start_worker(&server), Run::start_worker(&server)];
    let (out, nodes) = (killed.clone(), nodes.to_owned());
    let mut run = Run { server, input: input.clone(), out, nodes, coordinator, workers };
    let mut random = 1_u64;
    for kill in 0..kills {
        // The generator of Knuth's MMIX: an irregular and repeatable sequence.
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let wait = step * (random >> 32 & 1_023) as u32 / 512;
        assert!(!run.supervise_for(wait), "the run ended after {kill} kills");
        run.kill(random >> 60 & 3);
    }
    assert!(run.supervise_for(MAX_WAIT), "the run does not end");
    let totals = json(&expect_ok(&[&args[..], &[&killed]].concat()));
    for field in ["chunks", "done", "poisoned", "positions_done", "nodes"] {
        assert_eq!(totals[field], expected[field], "{field}");
    }
    assert_eq!(totals["kept"], expected["chunks"]);
    assert!(merged_files(Path::new(&killed)) == merged_files(Path::new(&whole)), "the files differ");
    let chunk_files = |out: &str| fs::read_dir(Path::new(out).join("chunks")).unwrap().count();
    assert_eq!(chunk_files(&killed), chunk_files(&whole));
    assert_eq!(run.server.streams(), [""; 0]);
}

#[test]
fn a_run_whose_processes_are_killed_ends_with_the_same_bytes() {
    kill_and_compare(8, "4", "8000", 200);
}

#[test]
#[ignore = "long: 50 kills of coordinator, workers and server"]
fn a_run_whose_processes_are_killed_fifty_times_ends_with_the_same_bytes() {
    kill_and_compare(50, "30", "20000", 2_000);
}
