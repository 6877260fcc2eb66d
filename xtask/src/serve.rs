//! `cargo xtask serve`: builds page and program from a checkout and starts the server.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::PathBuf;
use std::time::SystemTime;

use clap::Args;

use crate::shell::{is_available, run, workspace_root};

/// The required version of Node.js.
pub(crate) const NODE_REQUIREMENT: &str = "Node.js 20 or newer";
/// How to install it.
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
    /// Folder in which games are saved.
    #[arg(long, value_name = "FOLDER")]
    data: Option<String>,
}

impl Serve {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        if is_available(&["npm", "--version"]) && is_available(&["node", "--version"]) {
            build_page()?;
        } else {
            eprintln!("The page needs {NODE_REQUIREMENT}; {NODE_INSTALL_HINT}. Serving without the page.");
        }
        run(".", &["cargo", "build", "--release", "--package", "alfil"])?;
        let port = self.port.to_string();
        let mut arguments = vec!["target/release/alfil", "serve", "--port", &port];
        if self.open {
            arguments.push("--open");
        }
        if let Some(data) = &self.data {
            arguments.extend(["--data", data]);
        }
        run(".", &arguments)
    }
}

/// Returns the contents and the modification times of the built page's files.
fn built_files() -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
    let entries = fs::read_dir(workspace_root().join("web/dist")).into_iter().flatten().flatten();
    let file = |path: PathBuf| {
        let written = path.metadata().ok()?.modified().ok()?;
        Some((path.clone(), (fs::read(path).ok()?, written)))
    };
    entries.filter_map(|entry| file(entry.path())).collect()
}

/// Installs the page's packages if needed, and builds the page.
pub(crate) fn build_page() -> anyhow::Result<()> {
    install_packages()?;
    let before = built_files();
    run("web", &["npm", "run", "--silent", "build"])?;
    let after = built_files();
    let text = |(path, (text, _)): (&PathBuf, &(Vec<u8>, SystemTime))| (path.clone(), text.clone());
    if before.iter().map(text).eq(after.iter().map(text)) {
        // The page is unchanged: restored times avoid a recompilation.
        for (path, (_, written)) in before {
            File::options().append(true).open(path)?.set_modified(written)?;
        }
        return Ok(());
    }
    // Cargo does not track the embedded folder; a new time of the embedding file makes it recompile.
    File::options()
        .append(true)
        .open(workspace_root().join("apps/server/src/page.rs"))?
        .set_modified(SystemTime::now())?;
    Ok(())
}

/// Installs the packages of the lock file, unless the installed ones are newer.
pub(crate) fn install_packages() -> anyhow::Result<()> {
    let changed = |path: &str| workspace_root().join(path).metadata().and_then(|file| file.modified()).ok();
    let installed = changed("web/node_modules/.package-lock.json");
    if installed.is_none() || installed < changed("web/package-lock.json") {
        run("web", &["npm", "ci"])?;
    }
    Ok(())
}
