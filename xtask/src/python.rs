//! `cargo xtask python`: builds the wheel of the Python package and runs its tests in an environment of its own.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;

use crate::shell::{command, is_available, run, workspace_root};

/// Build the wheel of the Python package and run its tests.
#[derive(Debug, Args)]
pub(crate) struct Python {
    /// Also play 200,000 plies in lockstep with python-chess and pyffish, and make a million boards.
    #[arg(long)]
    long: bool,
    /// Build with the profile of the tests, which is faster to build and slower to run.
    #[arg(long)]
    dev: bool,
    /// Measure the speed beside python-chess and pyffish instead of running the tests.
    #[arg(long, conflicts_with = "long")]
    speed: bool,
}

/// The folder of the environment.
pub(crate) const ENVIRONMENT: &str = "target/python";

/// The folder of the package.
const PACKAGE: &str = "apps/python";

/// Where the wheel is built.
const WHEELS: &str = "target/wheels";

impl Python {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        create_environment()?;
        build_wheel(self.dev)?;
        install_wheel()?;
        if self.speed {
            return run(".", &[&program("python"), "apps/python/tests/speed.py"]);
        }
        run_tests(self.long)
    }
}

/// Builds the wheel with the profile of the tests and runs its tests.
///
/// # Errors
/// Returns an error if a step fails.
pub(crate) fn test_package(long: bool) -> anyhow::Result<()> {
    Python { long, dev: true, speed: false }.run()
}

/// Returns why the package cannot be built and tested here, if so.
pub(crate) fn missing_requirement() -> Option<&'static str> {
    if !is_available(&["python3", "-c", "import sys, ensurepip; assert sys.version_info >= (3, 9)"]) {
        return Some("They need Python 3.9 or newer with venv; install python3 and python3-venv");
    }
    let has_requirements = create_environment().is_ok();
    (!has_requirements).then_some("They need the packages of apps/python/tests/requirements.txt from PyPI")
}

/// Returns a program of the environment.
pub(crate) fn program(name: &str) -> String {
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    let path = workspace_root().join(ENVIRONMENT).join(folder).join(name);
    path.to_string_lossy().into_owned()
}

/// Creates the environment with the programs of the tests, unless it has them.
fn create_environment() -> anyhow::Result<()> {
    let requirements = "apps/python/tests/requirements.txt";
    // The file is copied into the environment when its packages are installed, so that a change installs them again.
    let installed = workspace_root().join(ENVIRONMENT).join("requirements.txt");
    let wanted = fs::read_to_string(workspace_root().join(requirements))?;
    if fs::read_to_string(&installed).is_ok_and(|text| text == wanted) {
        return Ok(());
    }
    if !is_available(&[&program("python"), "--version"]) {
        run(".", &["python3", "-m", "venv", ENVIRONMENT])?;
    }
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
    let mut arguments = vec![program("python")];
    arguments.extend(install.map(str::to_owned));
    arguments.push(requirements.to_owned());
    run(".", &arguments.iter().map(String::as_str).collect::<Vec<_>>())?;
    fs::write(&installed, wanted).with_context(|| format!("cannot write {}", installed.display()))
}

/// Builds the wheel.
fn build_wheel(dev: bool) -> anyhow::Result<()> {
    let wheels = workspace_root().join(WHEELS);
    if wheels.exists() {
        fs::remove_dir_all(&wheels)?;
    }
    let profile = if dev { "dev" } else { "release" };
    let wheels = wheels.to_string_lossy().into_owned();
    let python = program("python");
    let arguments = [
        "-m",
        "maturin",
        "build",
        "--quiet",
        "--profile",
        profile,
        "--interpreter",
        &python,
        "--out",
        &wheels,
    ];
    let mut maturin = command(PACKAGE, &[&[python.as_str()], &arguments[..]].concat());
    maturin.env("VIRTUAL_ENV", workspace_root().join(ENVIRONMENT));
    eprintln!("$ maturin build --profile {profile}");
    ensure!(maturin.status()?.success(), "the wheel cannot be built");
    Ok(())
}

/// Returns the path of the wheel.
fn wheel() -> anyhow::Result<PathBuf> {
    let entries = fs::read_dir(workspace_root().join(WHEELS))?;
    let mut paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.find(|path| path.extension().is_some_and(|kind| kind == "whl")).context("maturin wrote no wheel")
}

/// Installs the wheel into the environment, in place of an earlier one.
fn install_wheel() -> anyhow::Result<()> {
    let wheel = wheel()?;
    let (python, path) = (program("python"), wheel.to_string_lossy().into_owned());
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    let last = ["--force-reinstall", "--no-deps", "--no-index", &path];
    run(".", &[&[python.as_str()], &pip[..], &last[..]].concat())?;
    eprintln!("The wheel is {path}");
    Ok(())
}

fn run_tests(long: bool) -> anyhow::Result<()> {
    let python = program("python");
    let mut arguments = vec![python.as_str(), "-m", "pytest", "-q", "-p", "no:cacheprovider"];
    if long {
        arguments.push("--long");
    }
    run(PACKAGE, &arguments)
}
