//! `cargo xtask package`: packages every library crate as a release would, and builds and tests the packages.

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use clap::Args;

use crate::shell::{command, path_text, run, target_folder, workspace_root};

/// Package every library crate, unpack the packages, and build and test them without the workspace.
#[derive(Debug, Args)]
pub(crate) struct Package {
    /// Run the tests of every package, each on its own. Otherwise all are checked, and those of `--test` are tested.
    #[arg(long, conflicts_with = "test")]
    long: bool,
    /// The packages whose tests run.
    #[arg(long, value_name = "CRATE", default_values_t = TESTED.map(String::from))]
    test: Vec<String>,
}

/// The packages that every test run tests: one without and one with files of test data.
const TESTED: [&str; 2] = ["alfil-kernel", "alfil-othello"];

/// Where the packages are unpacked, as the members of a workspace of their own.
const UNPACKED: &str = "target/packages";

/// The files that every package has.
const FILES: [&str; 4] = ["Cargo.toml", "README.md", "LICENSE-MIT", "LICENSE-APACHE"];

impl Package {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let crates = crates()?;
        let mut package = vec!["cargo", "package", "--quiet", "--allow-dirty", "--no-verify"];
        package.extend(crates.iter().flat_map(|name| ["--package", name]));
        run(".", &package)?;
        unpack(&crates)?;
        if self.long {
            for name in &crates {
                self.cargo(&["test", "--quiet", "--all-features", "--package", name])?;
            }
        } else {
            self.cargo(&["check", "--quiet", "--workspace", "--all-targets", "--all-features"])?;
            for name in &self.test {
                self.cargo(&["test", "--quiet", "--all-features", "--package", name])?;
            }
        }
        eprintln!("\n{} packages are in {}.", crates.len(), target_folder().join("package").display());
        Ok(())
    }

    /// Runs cargo among the unpacked packages. The crates of others come from the target folder of the workspace.
    fn cargo(&self, arguments: &[&str]) -> anyhow::Result<()> {
        let root = workspace_root();
        let mut cargo = command(UNPACKED, &[&["cargo"], arguments].concat());
        cargo.env("CARGO_TARGET_DIR", target_folder());
        // Tests that read sample files look for them beside the workspace.
        let samples = root.join("../shared/data/samples");
        if std::env::var_os("ALFIL_SAMPLES").is_none() && samples.is_dir() {
            cargo.env("ALFIL_SAMPLES", samples);
        }
        eprintln!("$ cd {UNPACKED} && cargo {}", arguments.join(" "));
        let status = cargo.status().context("cannot start cargo")?;
        ensure!(status.success(), "cargo {} ended with {status}", arguments.join(" "));
        Ok(())
    }
}

/// Packages and checks all library crates; with `long`, all their tests run.
///
/// # Errors
/// Returns an error if a step fails.
pub(crate) fn test_packages(long: bool) -> anyhow::Result<()> {
    Package { long, test: TESTED.map(String::from).to_vec() }.run()
}

/// Returns the names of the library crates.
fn crates() -> anyhow::Result<Vec<String>> {
    let folders = fs::read_dir(workspace_root().join("crates"))?;
    let mut names = folders
        .map(|folder| Ok(format!("alfil-{}", folder?.file_name().to_string_lossy())))
        .collect::<anyhow::Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}

/// Unpacks the packages and makes a workspace of them, in which they find each other.
fn unpack(crates: &[String]) -> anyhow::Result<()> {
    let root = workspace_root();
    let folder = root.join(UNPACKED);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let version = env!("CARGO_PKG_VERSION");
    let mut manifest =
        String::from("[workspace]\nresolver = \"3\"\nmembers = [\"*-*\"]\n\n[patch.crates-io]\n");
    for name in crates {
        let archive = target_folder().join(format!("package/{name}-{version}.crate"));
        // All files in an archive have the same old time, by which cargo would take a changed crate for the built one.
        run(UNPACKED, &["tar", "--touch", "-xzf", path_text(&archive)?])?;
        let package = format!("{name}-{version}");
        check_files(&root, &folder.join(&package))?;
        manifest += &format!("{name} = {{ path = \"{package}\" }}\n");
    }
    // The profiles of the workspace, so that the crates of others are not built again.
    let workspace = fs::read_to_string(root.join("Cargo.toml"))?;
    let profiles = workspace.find("[profile.dev]").context("Cargo.toml has no [profile.dev]")?;
    let profiles = workspace[profiles..].split("[profile.release]").next().unwrap_or_default();
    fs::write(folder.join("Cargo.toml"), format!("{manifest}\n{profiles}"))?;
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    Ok(())
}

/// Checks that a package has its files, and the licences of the workspace.
fn check_files(root: &Path, package: &Path) -> anyhow::Result<()> {
    for name in FILES {
        let text = fs::read_to_string(package.join(name))
            .with_context(|| format!("the package {} has no {name}", package.display()))?;
        let is_licence = name.starts_with("LICENSE");
        let is_equal = !is_licence || text == fs::read_to_string(root.join(name))?;
        ensure!(is_equal, "{name} of {} is not that of the workspace", package.display());
    }
    Ok(())
}
