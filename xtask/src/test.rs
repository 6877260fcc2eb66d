//! `cargo xtask test`: runs all tests.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus};
use std::time::Instant;

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};

use crate::board;
use crate::c;
use crate::dist;
use crate::licences;
use crate::node;
use crate::package;
use crate::python;
use crate::serve::build_page;
use crate::shell::{command, has_target, is_available, path_text, run, skip, target_folder, workspace_root};
use crate::site;
use crate::usage::{Stopwatch, UsageFile, adopt_orphans, format_table};
use crate::wasm;
use crate::words::check_language;

/// Run all tests.
#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Also run deep perft, stress tests, the long tests of the packages for Python, C and JavaScript, more browser
    /// tests, and each fuzz target for a minute.
    #[arg(long)]
    long: bool,
    /// Run these steps alone, one after another, after `build` if they need what it builds.
    #[arg(long, value_name = "STEP", value_delimiter = ',')]
    only: Vec<Step>,
    /// Run the side steps: the second process of `cargo xtask test`.
    #[arg(long, hide = true)]
    side: bool,
}

/// The parts of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Step {
    /// The language of sources and documents.
    Words,
    /// The format of the Rust sources.
    Format,
    /// The lints of all crates.
    Clippy,
    /// The build of the page and of the Rust tests.
    Build,
    /// The Rust tests, with the examples of the documentation.
    Rust,
    /// The documentation of the crates.
    Docs,
    /// The programs, each with its own features, and the feature `serde` of the rules: the other steps build them with
    /// the features of the whole workspace.
    Features,
    /// The build of the rules without the standard library.
    NoStd,
    /// The packages of the library crates.
    Packages,
    /// The Python package.
    Python,
    /// The C library.
    C,
    /// The JavaScript package.
    Wasm,
    /// The engine, driven by python-chess.
    Clients,
    /// The types and the unit tests of the page, and its browser tests.
    Page,
    /// The page without a server.
    Site,
    /// The npm package of the board element.
    Board,
    /// The archives of a release, with the program and the page of the other steps.
    Dist,
    /// The licences and sources of the dependencies, and the advisories where their database can be had.
    Licences,
    /// The archives of a release, the long Rust tests and the fuzz targets.
    Long,
}

impl Step {
    /// Returns the name of the step in `--only`.
    fn name(self) -> String {
        self.to_possible_value().expect("no step is hidden").get_name().to_owned()
    }
}

/// The steps before all others: those of a few seconds, and the lints and the build, which use all cores.
const FIRST_STEPS: [Step; 4] = [Step::Words, Step::Format, Step::Clippy, Step::Build];
/// The Rust tests, the browser tests and a few more steps. They take about as long as the side steps.
const MAIN_STEPS: [Step; 5] = [Step::Rust, Step::Page, Step::Board, Step::Features, Step::Licences];
/// The other steps, which run in a second process beside the main steps. The environment of the Python package has the
/// clients, too.
const SIDE_STEPS: [Step; 9] = [
    Step::Wasm,
    Step::Python,
    Step::Clients,
    Step::Site,
    Step::Dist,
    Step::NoStd,
    Step::Docs,
    Step::C,
    Step::Packages,
];
/// The steps that need the page, its npm packages or the program.
const STEPS_AFTER_BUILD: [Step; 5] = [Step::Clients, Step::Page, Step::Site, Step::Board, Step::Dist];
/// What the side steps print, which is shown when they have ended.
const SIDE_OUTPUT: &str = "target/side-steps.log";
/// What each step of the last run took.
const USAGE: &str = "target/test-steps.tsv";

/// The time of each fuzz target, in seconds.
const FUZZ_SECONDS: u32 = 60;

impl Test {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        adopt_orphans();
        if self.side {
            return self.run_side_steps();
        }
        let usage = usage_file();
        usage.clear()?;
        let started = Instant::now();
        let result = if self.only.is_empty() { self.run_all_steps() } else { self.run_only() };
        match usage.steps() {
            Ok(steps) => eprintln!("\n{}", format_table(&steps, started.elapsed())),
            Err(error) => eprintln!("\n{error:#}"),
        }
        result?;
        eprintln!("All tests passed.");
        Ok(())
    }

    fn run_all_steps(&self) -> anyhow::Result<()> {
        self.run_steps(&FIRST_STEPS, None)?;
        let mut side = SideProcess::start(self.long)?;
        for step in MAIN_STEPS {
            self.run_steps(&[step], Some(side.child.id()))?;
            side.check()?;
        }
        side.finish()?;
        if self.long {
            self.run_steps(&[Step::Long], None)?;
        }
        Ok(())
    }

    /// Runs the chosen steps.
    fn run_only(&self) -> anyhow::Result<()> {
        let needs_build = self.only.iter().any(|step| STEPS_AFTER_BUILD.contains(step));
        if needs_build && !self.only.contains(&Step::Build) {
            self.run_steps(&[Step::Build], None)?;
        }
        self.run_steps(&self.only, None)
    }

    /// Runs the side steps, until the process of the main steps has ended.
    fn run_side_steps(&self) -> anyhow::Result<()> {
        #[cfg(unix)]
        let parent = std::os::unix::process::parent_id();
        for step in SIDE_STEPS {
            #[cfg(unix)]
            ensure!(std::os::unix::process::parent_id() == parent, "the process of the main steps has ended");
            self.run_steps(&[step], None)?;
        }
        Ok(())
    }

    /// Runs steps one after another, and writes down what each takes. `other` is a child process that runs beside them.
    fn run_steps(&self, steps: &[Step], other: Option<u32>) -> anyhow::Result<()> {
        for step in steps {
            let watch = Stopwatch::start(other);
            let result = self.run_step(*step);
            let usage = watch.stop(&step.name(), other);
            eprintln!("Step {}: {} s", step.name(), usage.wall.as_secs());
            usage_file().add(&usage)?;
            result?;
        }
        Ok(())
    }

    fn run_step(&self, step: Step) -> anyhow::Result<()> {
        match step {
            Step::Words => check_language(),
            Step::Format => {
                run(".", &["cargo", "fmt", "--all", "--check"])?;
                run("fuzz", &["cargo", "fmt", "--all", "--check"])?;
                run("rivals/pgn-reader", &["cargo", "fmt", "--check"])
            }
            Step::Clippy => run(
                ".",
                &["cargo", "clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"],
            ),
            Step::Build => {
                if node::missing_requirement().is_none() {
                    build_page()?;
                }
                run(".", &["cargo", "test", "--workspace", "--quiet", "--no-run"])
            }
            Step::Rust => run(".", &["cargo", "test", "--workspace", "--quiet"]),
            Step::Docs => check_docs(),
            Step::Features => test_features(),
            Step::NoStd => check_without_std(),
            Step::Packages => package::test_packages(self.long),
            Step::Python => match python::missing_requirement() {
                None => python::test_package(self.long),
                Some(remedy) => skip("the tests of the Python package", remedy),
            },
            Step::C => match c::missing_requirement() {
                None => c::test_library(self.long),
                Some(remedy) => skip("the tests of the C library", remedy),
            },
            Step::Wasm => match wasm::missing_requirement() {
                None => wasm::test_package(self.long),
                Some(remedy) => skip("the tests of the JavaScript package", &remedy),
            },
            Step::Clients => test_clients(),
            Step::Page => match node::missing_requirement() {
                None => test_page(self.long),
                Some(remedy) => skip("the tests of the page", &remedy),
            },
            Step::Site => match wasm::missing_requirement() {
                None => test_site(self.long),
                Some(remedy) => skip("the tests of the page without a server", &remedy),
            },
            Step::Board => match node::missing_requirement() {
                None => board::test_package(),
                Some(remedy) => skip("the tests of the board package", &remedy),
            },
            Step::Dist => match wasm::missing_requirement() {
                None => dist::test_built(&built_program(), &site::built()?),
                Some(remedy) => skip("the tests of the archives of a release", &remedy),
            },
            Step::Licences => licences::check(),
            Step::Long => {
                match wasm::missing_requirement() {
                    None => dist::test_release()?,
                    Some(remedy) => skip("the archives of a release", &remedy)?,
                }
                run(".", &["cargo", "test", "--workspace", "--release", "--quiet", "--", "--ignored"])?;
                run_fuzz_targets()
            }
        }
    }
}

/// The process of the side steps.
struct SideProcess {
    child: Child,
    /// Whether the process has ended and its output was shown.
    is_finished: bool,
}

impl SideProcess {
    fn start(long: bool) -> anyhow::Result<SideProcess> {
        let path = workspace_root().join(SIDE_OUTPUT);
        fs::create_dir_all(path.parent().expect("the output is in a folder"))?;
        let output = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        let mut xtask = Command::new(std::env::current_exe()?);
        xtask.args(["test", "--side"]).args(long.then_some("--long"));
        let child = xtask.stdout(output.try_clone()?).stderr(output).spawn().context("cannot start xtask")?;
        eprintln!("Beside the next steps, into {SIDE_OUTPUT}: {}", SIDE_STEPS.map(Step::name).join(", "));
        Ok(SideProcess { child, is_finished: false })
    }

    /// Returns an error if a side step has failed by now.
    fn check(&mut self) -> anyhow::Result<()> {
        match self.child.try_wait()? {
            Some(status) if !self.is_finished => self.show(status),
            _ => Ok(()),
        }
    }

    /// Waits for the end of the side steps.
    fn finish(&mut self) -> anyhow::Result<()> {
        self.child.wait()?;
        self.check()
    }

    /// Shows what the side steps printed.
    fn show(&mut self, status: ExitStatus) -> anyhow::Result<()> {
        self.is_finished = true;
        let output = fs::read(workspace_root().join(SIDE_OUTPUT))?;
        eprintln!("\nThe side steps printed:\n{}", String::from_utf8_lossy(&output));
        ensure!(status.success(), "a side step failed, with {status}");
        Ok(())
    }
}

impl Drop for SideProcess {
    fn drop(&mut self) {
        if !self.is_finished {
            // The command that it runs ends by itself.
            let _ = self.child.kill();
            eprintln!("The side steps were not finished; what they printed is in {SIDE_OUTPUT}");
        }
    }
}

fn usage_file() -> UsageFile {
    UsageFile::new(workspace_root().join(USAGE))
}

/// Returns the path of the program that the step `build` makes.
fn built_program() -> PathBuf {
    target_folder().join("debug/alfil")
}

/// Checks the programs and tests the rules with features that the workspace as a whole does not have.
fn test_features() -> anyhow::Result<()> {
    // A command each, because one would give all programs the features of all.
    for name in ["alfil", "alfil-server", "alfil-capi"] {
        run(".", &["cargo", "check", "--quiet", "--package", name])?;
    }
    // The step `packages` tests the feature of alfil-othello. The few tests of these two need no optimisation, which
    // takes most of the time.
    let mut arguments = vec!["cargo", "test", "--quiet", "--features", "serde", "--test", "integration"];
    arguments.extend(["--package", "alfil-xiangqi", "--package", "alfil-chess", "serde::"]);
    let mut serde = command(".", &arguments);
    serde.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0").env("CARGO_PROFILE_TEST_OPT_LEVEL", "0");
    eprintln!("$ {}", arguments.join(" "));
    ensure!(serde.status()?.success(), "the tests of the feature serde failed");
    Ok(())
}

/// The target without an operating system for which the rules are built: 32 bits, no `std`.
const BARE_TARGET: &str = "thumbv7em-none-eabihf";

/// The crates that need `core` and `alloc` only.
const WITHOUT_STD: [&str; 4] = ["alfil-kernel", "alfil-xiangqi", "alfil-chess", "alfil-othello"];

/// Builds the rules without the standard library for a target that has none.
fn check_without_std() -> anyhow::Result<()> {
    if !has_target(BARE_TARGET) {
        let remedy = format!("Install the target with: rustup target add {BARE_TARGET}");
        return skip("the build of the rules without std", &remedy);
    }
    let mut build = vec!["cargo", "build", "--quiet", "--no-default-features"];
    build.extend(["--target", BARE_TARGET]);
    build.extend(WITHOUT_STD.iter().flat_map(|name| ["--package", name]));
    run(".", &build)
}

/// Checks the documentation for broken links.
fn check_docs() -> anyhow::Result<()> {
    let mut rustdoc = command(".", &["cargo", "doc", "--workspace", "--no-deps", "--quiet"]);
    rustdoc.env("RUSTDOCFLAGS", "--deny warnings");
    ensure!(rustdoc.status()?.success(), "cargo doc failed");
    Ok(())
}

/// Drives the engine with python-chess, which has a licence of its own and is no part of Alfil.
fn test_clients() -> anyhow::Result<()> {
    let pythons =
        [std::env::var("ALFIL_PYTHON").unwrap_or_default(), python::program("python"), "python3".into()];
    let has_chess =
        |python: &&String| !python.is_empty() && is_available(&[python, "-c", "import chess.engine"]);
    let Some(python) = pythons.iter().find(has_chess) else {
        let remedy = format!(
            "Install it with: python3 -m venv {environment} && {environment}/bin/pip install chess, or set ALFIL_PYTHON",
            environment = python::ENVIRONMENT
        );
        return skip("the tests with python-chess", &remedy);
    };
    run(".", &[python, "apps/alfil/tests/python_chess.py", path_text(&built_program())?])
}

/// Checks the types of the page and runs its unit tests, and its browser tests against the debug build.
fn test_page(long: bool) -> anyhow::Result<()> {
    run("web", &["npm", "run", "--silent", "check"])?;
    run("web", &["npm", "run", "--silent", "test"])?;
    let mut browser = command("web", &["npm", "run", "--silent", "e2e"]);
    browser.env("ALFIL_BIN", built_program()).envs(long.then_some(LONG_BROWSER_TESTS));
    ensure!(browser.status()?.success(), "the browser tests failed");
    Ok(())
}

/// The browser tests that run once more without a server.
const SITE_TESTS: [&str; 8] =
    ["play", "saved-games", "import", "library", "details", "two-windows", "site", "firefox"];
/// Those that run with `--long` alone.
const LONG_SITE_TESTS: [&str; 8] =
    ["dialogs", "analysis", "review", "beginners", "interaction", "undo", "hosts", "authorities"];
/// The variable with which the browser tests check views in every combination of size, language and colour scheme.
const LONG_BROWSER_TESTS: (&str, &str) = ("ALFIL_LONG", "1");

/// Builds the page without a server and runs browser tests on it.
fn test_site(long: bool) -> anyhow::Result<()> {
    let folder = site::build()?;
    let mut arguments = [&["npm", "run", "--silent", "e2e", "--"], &SITE_TESTS[..]].concat();
    if long {
        arguments.extend(LONG_SITE_TESTS);
    }
    let mut browser = command("web", &arguments);
    browser.env("ALFIL_SITE", folder).env("ALFIL_BIN", built_program());
    browser.envs(long.then_some(LONG_BROWSER_TESTS));
    ensure!(browser.status()?.success(), "the browser tests of the page without a server failed");
    Ok(())
}

fn run_fuzz_targets() -> anyhow::Result<()> {
    if !is_available(&["cargo", "+nightly", "fuzz", "--version"]) {
        let remedy = "Install them with: rustup toolchain install nightly && cargo install cargo-fuzz";
        return skip("the fuzz targets, which need nightly Rust and cargo-fuzz", remedy);
    }
    let list = command("fuzz", &["cargo", "+nightly", "fuzz", "list"]).output()?;
    ensure!(list.status.success(), "cannot list the fuzz targets");
    for target in String::from_utf8(list.stdout)?.lines() {
        let time = format!("-max_total_time={FUZZ_SECONDS}");
        run("fuzz", &["cargo", "+nightly", "fuzz", "run", target, "--", &time])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_runs_once() {
        let mut steps = [&FIRST_STEPS[..], &MAIN_STEPS, &SIDE_STEPS, &[Step::Long]].concat();
        steps.sort_by_key(|step| *step as usize);
        assert_eq!(steps, Step::value_variants());
    }
}
