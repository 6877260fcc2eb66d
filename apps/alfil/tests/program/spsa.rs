//! `alfil spsa`: a run is repeatable, goes on after a stop, and refuses other arguments.

use std::path::Path;
use std::process::Command;

use super::{PROGRAM, edit_run_file};

fn spsa(folder: &Path, state: &str, args: &[&str]) -> (bool, String) {
    let output = Command::new(PROGRAM)
        .args(["spsa", "othello", "--nodes", "60", "--pairs", "2", "--iterations", "3"])
        .args(["--param", "rfp_margin", "--param", "lmr_base", "--state", state])
        .args(args)
        .current_dir(folder)
        .output()
        .expect("the program runs");
    (output.status.success(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

#[test]
fn an_interrupted_run_goes_on_with_the_same_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let (success, rows) = spsa(folder.path(), "whole", &["--json", "--plot", "plot.svg"]);
    assert!(success, "{rows}");
    assert_eq!(rows.lines().count(), 3, "{rows}");
    let whole = std::fs::read_to_string(path("whole")).expect("a state file");
    // The run was killed in the middle of the second row.
    let cut = whole.match_indices('\n').nth(1).expect("a row").0 + 20;
    std::fs::write(path("cut"), &whole[..cut]).expect("a file");
    let (success, summary) = spsa(folder.path(), "cut", &["--threads", "2"]);
    assert!(success && summary.contains("3 of 3 iterations"), "{summary}");
    assert_eq!(std::fs::read_to_string(path("cut")).expect("a state file"), whole);
    assert!(std::fs::read_to_string(path("plot.svg")).expect("a plot").contains("lmr_base"));
    let (success, error) = spsa(folder.path(), "whole", &["--seed", "2"]);
    assert!(!success && error.contains("whole is of a run with --seed 1, not 2; "), "{error}");
    let (success, error) = spsa(folder.path(), "whole", &["--plot", "whole"]);
    assert!(!success && error.contains("are the same file"), "{error}");
    assert_eq!(std::fs::read_to_string(path("whole")).expect("a state file"), whole);
    edit_run_file(path("cut"), |rows| rows[2]["iteration"] = 9.into());
    let (success, error) = spsa(folder.path(), "cut", &[]);
    assert!(!success && error.contains("cut:3: expected iteration 2"), "{error}");
}

/// The plot was once drawn only at the end of a run, which takes days.
#[test]
fn a_running_run_draws_its_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let (success, error) = spsa(folder.path(), "refused", &["--plot", "missing/plot.svg"]);
    assert!(!success && error.contains("cannot write missing/plot.svg"), "{error}");
    assert!(!folder.path().join("refused").exists(), "nothing is begun");
    let mut run = Command::new(env!("CARGO_BIN_EXE_alfil"))
        .args(["spsa", "othello", "--nodes", "20", "--pairs", "1", "--iterations", "1000000"])
        .args(["--param", "rfp_margin", "--state", "state", "--plot", "plot.svg"])
        .current_dir(folder.path())
        .spawn()
        .expect("the program runs");
    let points = || {
        let plot = std::fs::read_to_string(folder.path().join("plot.svg")).unwrap_or_default();
        let line = plot.split("points=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
        line.split_whitespace().count()
    };
    let start = std::time::Instant::now();
    while points() < 11 && start.elapsed().as_secs() < 120 {
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    run.kill().expect("the run goes on");
    run.wait().expect("the run has ended");
    assert!(points() >= 11, "{} points", points());
}
