//! `alfil spsa`: a run is repeatable, goes on after a stop, and refuses other arguments.

use std::path::Path;
use std::process::Command;

use super::PROGRAM;

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
    assert!(!success && error.contains("was begun with other arguments"), "{error}");
    std::fs::write(path("cut"), whole.replace("\"iteration\":2", "\"iteration\":9")).expect("a file");
    let (success, error) = spsa(folder.path(), "cut", &[]);
    assert!(!success && error.contains("cut:3: expected iteration 2"), "{error}");
}
