//! `cargo xtask wasm`: builds the JavaScript package and runs its tests in Node and in Chromium.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};
use clap::Args;

use crate::node::{self, install_packages};
use crate::shell::{command, has_target, run, target_folder, workspace_root};

/// Build the JavaScript package into `apps/wasm/dist` and run its tests.
#[derive(Debug, Args)]
pub(crate) struct Wasm {
    /// Build and print the sizes, and run no tests.
    #[arg(long, conflicts_with_all = ["long", "speed"])]
    build: bool,
    /// Also count larger perfts, and try more random texts.
    #[arg(long)]
    long: bool,
    /// Measure the nodes per second of the module and of the program, which is built for it, instead of running the
    /// tests.
    #[arg(long, conflicts_with = "long")]
    speed: bool,
}

/// The folder of the package.
const PACKAGE: &str = "apps/wasm";

/// The target of the compiler.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// How the target is installed: by rustup, or by packages of Debian.
const TOOLCHAIN_HINT: &str = "Install it with: rustup target add wasm32-unknown-unknown, or on Debian 12: \
                              apt-get install --no-install-recommends rustc-web cargo-web rust-web-src lld-16";

/// The modules: names, features, and whether size counts more than speed.
const MODULES: &[(&str, &str, bool)] = &[
    ("alfil", "xiangqi,chess,othello,pictures,engine,records", false),
    ("xiangqi", "xiangqi,boards", true),
    ("chess", "chess,boards", true),
    ("othello", "othello,boards", true),
];

/// The flags of the compiler: vectors of 128 bits, and a stack for the deepest lines of a search.
const FLAGS: &str = "-Ctarget-feature=+simd128 -Clink-arg=-zstack-size=8388608";

impl Wasm {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        if let Some(remedy) = missing_requirement() {
            bail!(remedy);
        }
        build()?;
        run(PACKAGE, &["node", "tests/sizes.mjs"])?;
        if self.build {
            return Ok(());
        }
        if self.speed {
            run(".", &["cargo", "build", "--release", "--quiet", "--package", "alfil"])?;
            let mut node = command(PACKAGE, &["node", "tests/speed.mjs"]);
            let status = node.env("ALFIL_BIN", target_folder().join("release/alfil")).status()?;
            ensure!(status.success(), "the measurement failed");
            return Ok(());
        }
        run_tests(self.long)
    }
}

/// Builds the package and runs its tests.
///
/// # Errors
/// Returns an error if a step fails.
pub(crate) fn test_package(long: bool) -> anyhow::Result<()> {
    Wasm { build: false, long, speed: false }.run()
}

/// Returns why the package cannot be built here, if so.
pub(crate) fn missing_requirement() -> Option<String> {
    let no_toolchain =
        || toolchain().is_none().then(|| format!("It needs Rust for WebAssembly. {TOOLCHAIN_HINT}"));
    node::missing_requirement().or_else(no_toolchain)
}

/// How the target is built.
enum Toolchain {
    /// The standard library of the target is installed.
    Installed,
    /// Debian's compiler, which builds the standard library first, and its linker.
    Debian { linker: PathBuf },
}

fn toolchain() -> Option<Toolchain> {
    if has_target(TARGET) {
        return Some(Toolchain::Installed);
    }
    let sources = Path::new("/usr/lib/rustlib/src/rust/library");
    let has_compiler = Path::new(DEBIAN_RUSTC).exists() && Path::new(DEBIAN_CARGO).exists();
    if !has_compiler || !(sources.is_dir() || has_debian_sources()) {
        return None;
    }
    debian_linker().map(|linker| Toolchain::Debian { linker })
}

const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_CARGO: &str = "/usr/bin/cargo";

/// Returns whether Debian's compiler has the sources of the standard library.
fn has_debian_sources() -> bool {
    let output = Command::new(DEBIAN_RUSTC).args(["--print", "sysroot"]).output();
    output.is_ok_and(|output| {
        let sysroot = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        Path::new(&sysroot).join("lib/rustlib/src/rust/library").is_dir()
    })
}

/// Returns Debian's newest linker for WebAssembly.
fn debian_linker() -> Option<PathBuf> {
    let entries = fs::read_dir("/usr/bin").ok()?;
    let version = |path: &PathBuf| {
        let name = path.file_name()?.to_str()?;
        let rest = name.strip_prefix("wasm-ld")?;
        if rest.is_empty() { Some(0) } else { rest.strip_prefix('-')?.parse::<u32>().ok() }
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.filter_map(|path| Some((version(&path)?, path))).max().map(|(_, path)| path)
}

/// Builds the modules and the package.
fn build() -> anyhow::Result<()> {
    let dist = workspace_root().join(PACKAGE).join("dist");
    // A file of an earlier build would be packed, too.
    let _ = fs::remove_dir_all(&dist);
    fs::create_dir_all(dist.join("networks"))?;
    for (name, features, is_small) in MODULES {
        build_module_into(features, *is_small, &dist.join(format!("{name}.wasm")))?;
    }
    copy_networks(&dist.join("networks"))?;
    // The notice names the font of the outlines of pieces.
    for file in ["LICENSE-APACHE", "LICENSE-MIT", "crates/session/NOTICE"] {
        let name = Path::new(file).file_name().context("a file has a name")?;
        fs::copy(workspace_root().join(file), workspace_root().join(PACKAGE).join(name))?;
    }
    install_packages(PACKAGE)?;
    run(PACKAGE, &["npm", "run", "--silent", "build"])
}

/// Returns the folder of builds, one for each toolchain: in one folder the compilers of Debian and of rustup would
/// build everything anew in turns.
fn build_folder(toolchain: &Toolchain) -> PathBuf {
    match toolchain {
        Toolchain::Installed => target_folder(),
        Toolchain::Debian { .. } => target_folder().join("wasm"),
    }
}

/// Builds the module with features into a file.
///
/// # Errors
/// Returns an error if there is no toolchain, or the module cannot be built.
pub(crate) fn build_module_into(features: &str, is_small: bool, path: &Path) -> anyhow::Result<()> {
    let toolchain = toolchain().context(TOOLCHAIN_HINT)?;
    build_module(&toolchain, features, is_small)?;
    let built = build_folder(&toolchain).join(TARGET).join("wasm/alfil_wasm.wasm");
    fs::copy(&built, path).with_context(|| format!("cannot copy {}", built.display()))?;
    Ok(())
}

fn build_module(toolchain: &Toolchain, features: &str, is_small: bool) -> anyhow::Result<()> {
    let cargo = match toolchain {
        Toolchain::Installed => "cargo",
        Toolchain::Debian { .. } => DEBIAN_CARGO,
    };
    // The page needs this feature. With it, all modules are made of the same crates, and the code for it is left out
    // where it is not used.
    let features = format!("{features},alfil-session/serde");
    let mut arguments = vec![cargo, "rustc", "--quiet", "--profile", "wasm", "--target", TARGET];
    arguments.extend(["--package", "alfil-wasm", "--no-default-features", "--features", &features]);
    if matches!(toolchain, Toolchain::Debian { .. }) {
        arguments.push("-Zbuild-std=std,panic_abort");
    }
    if is_small {
        // Nearly all code is generic, hence compiled with the last crate.
        arguments.extend(["--", "-Copt-level=s"]);
    }
    eprintln!("$ {}", arguments.join(" "));
    let mut build = command(".", &arguments);
    build.env("RUSTFLAGS", FLAGS).env("CARGO_TARGET_DIR", build_folder(toolchain));
    if let Toolchain::Debian { linker } = toolchain {
        build.env("RUSTC", DEBIAN_RUSTC).env("RUSTC_BOOTSTRAP", "1");
        build.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    }
    ensure!(build.status()?.success(), "the module with {features} cannot be built");
    Ok(())
}

/// Copies the networks, which are files of their own beside the code.
pub(crate) fn copy_networks(folder: &Path) -> anyhow::Result<()> {
    let source = workspace_root().join("crates/evaluation/nets");
    let mut copied = 0;
    for entry in fs::read_dir(&source).with_context(|| format!("cannot read {}", source.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "net") {
            let name = path.with_extension("nnue");
            fs::copy(&path, folder.join(name.file_name().context("a network has a name")?))?;
            copied += 1;
        }
    }
    ensure!(copied > 0, "there is no network in {}", source.display());
    Ok(())
}

fn run_tests(long: bool) -> anyhow::Result<()> {
    run(PACKAGE, &["npm", "run", "--silent", "check"])?;
    let mut tests: Vec<_> = fs::read_dir(workspace_root().join(PACKAGE).join("tests"))?
        .filter_map(|entry| Some(format!("tests/{}", entry.ok()?.file_name().to_str()?)))
        .filter(|name| name.ends_with(".test.mjs"))
        .collect();
    tests.sort();
    let mut arguments = vec!["node", "--expose-gc", "--test", "--test-reporter=spec"];
    arguments.extend(tests.iter().map(String::as_str));
    eprintln!("$ {}", arguments.join(" "));
    let mut node = command(PACKAGE, &arguments);
    if long {
        node.env("ALFIL_LONG", "1");
    }
    ensure!(node.status()?.success(), "the tests of the JavaScript package failed");
    Ok(())
}
