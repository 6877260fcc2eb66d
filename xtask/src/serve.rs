//! `cargo xtask serve`: from a fresh checkout to the page.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::PathBuf;
use std::time::SystemTime;

use clap::Args;

use crate::shell::{is_available, run, workspace_root};

/// The oldest Node.js that builds the page.
pub(crate) const NODE_REQUIREMENT: &str = "Node.js 20 or newer";
/// How to get it.
pub(crate) const NODE_INSTALL_HINT: &str = "install it with: apt-get install -y nodejs npm";

/// Build page and program, and serve.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The port on this machine.
    #[arg(long, default_value_t = 7878)]
    port: u16,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    /// The folder in which games are kept.
    #[arg(long, value_name = "FOLDER")]
    data: Option<String>,
}

impl Serve {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        if is_available(&["npm", "--version"]) && is_available(&["node", "--version"]) {
            build_page()?;
        } else {
            eprintln!("The page needs {NODE_REQUIREMENT}; {NODE_INSTALL_HINT}. Serving without it.");
        }
        run(".", &["cargo", "build", "--release", "--package", "alfil"])?;
        let port = self.port.to_string();
        let mut words = vec!["target/release/alfil", "serve", "--port", &port];
        if self.open {
            words.push("--open");
        }
        if let Some(data) = &self.data {
            words.extend(["--data", data]);
        }
        run(".", &words)
    }
}

/// The files of the page as it was built, if it was, and when each was written.
fn built_files() -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
    let entries = fs::read_dir(workspace_root().join("web/dist")).into_iter().flatten().flatten();
    let file = |path: PathBuf| {
        let written = path.metadata().ok()?.modified().ok()?;
        Some((path.clone(), (fs::read(path).ok()?, written)))
    };
    entries.filter_map(|entry| file(entry.path())).collect()
}

/// Installs the page's packages where they are missing or old, and builds it.
pub(crate) fn build_page() -> anyhow::Result<()> {
    install_packages()?;
    let before = built_files();
    run("web", &["npm", "run", "--silent", "build"])?;
    let after = built_files();
    let text = |(path, (text, _)): (&PathBuf, &(Vec<u8>, SystemTime))| (path.clone(), text.clone());
    if before.iter().map(text).eq(after.iter().map(text)) {
        // Nothing new is to be embedded: whoever only wants to play need not wait for the compiler.
        for (path, (_, written)) in before {
            File::options().append(true).open(path)?.set_modified(written)?;
        }
        return Ok(());
    }
    // The compiler does not see new files in a folder that is embedded: tell it that the file that embeds it is new.
    File::options()
        .append(true)
        .open(workspace_root().join("apps/server/src/page.rs"))?
        .set_modified(SystemTime::now())?;
    Ok(())
}

/// The page's packages exactly as the lock file has them, unless what is installed is newer.
pub(crate) fn install_packages() -> anyhow::Result<()> {
    let changed = |path: &str| workspace_root().join(path).metadata().and_then(|file| file.modified()).ok();
    let installed = changed("web/node_modules/.package-lock.json");
    if installed.is_none() || installed < changed("web/package-lock.json") {
        run("web", &["npm", "ci"])?;
    }
    Ok(())
}
