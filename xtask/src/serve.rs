//! `cargo xtask serve`: from a fresh checkout to the page.

use std::fs::File;
use std::time::SystemTime;

use clap::Args;

use crate::shell::{has, root, run};

/// The oldest Node.js that builds the page.
pub(crate) const NODE: &str = "Node.js 20 or newer";
/// How to get it.
pub(crate) const NODE_INSTALL: &str = "install it with: apt-get install -y nodejs npm";

/// Build page and program, and serve.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The port on this machine.
    #[arg(long, default_value_t = 7878)]
    port: u16,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
}

impl Serve {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        if has(&["npm", "--version"]) && has(&["node", "--version"]) {
            build_page()?;
        } else {
            eprintln!("The page needs {NODE}; {NODE_INSTALL}. Serving without it.");
        }
        run(".", &["cargo", "build", "--release", "--package", "alfil"])?;
        let port = self.port.to_string();
        let mut words = vec!["target/release/alfil", "serve", "--port", &port];
        if self.open {
            words.push("--open");
        }
        run(".", &words)
    }
}

/// Installs the page's packages where they are missing or old, and builds it.
pub(crate) fn build_page() -> anyhow::Result<()> {
    install_packages()?;
    run("web", &["npm", "run", "--silent", "build"])?;
    // The compiler does not see new files in a folder that is embedded: tell it that the file that embeds it is new.
    File::options()
        .append(true)
        .open(root().join("apps/server/src/page.rs"))?
        .set_modified(SystemTime::now())?;
    Ok(())
}

/// The page's packages exactly as the lock file has them, unless what is installed is newer.
pub(crate) fn install_packages() -> anyhow::Result<()> {
    let changed = |path: &str| root().join(path).metadata().and_then(|file| file.modified()).ok();
    let installed = changed("web/node_modules/.package-lock.json");
    if installed.is_none() || installed < changed("web/package-lock.json") {
        run("web", &["npm", "ci"])?;
    }
    Ok(())
}
