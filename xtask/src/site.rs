//! `cargo xtask site`: builds the page without a server, a folder of files for any host of static files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use crate::serve::install_packages;
use crate::shell::{run, workspace_root};
use crate::wasm;

/// Build the page without a server into a folder of static files.
#[derive(Debug, Args)]
pub(crate) struct Site {
    /// The folder, which is emptied first.
    #[arg(long, value_name = "DIR", default_value = "target/site")]
    out: PathBuf,
}

/// The features of the module: the page and the searches of all games.
const FEATURES: &str = "xiangqi,chess,othello,page";
/// The games of the player, each with a module of its moves and positions.
const GAMES: [&str; 3] = ["xiangqi", "chess", "othello"];
/// Where the build of the page finds the module and the networks.
const FILES: &str = "web/site-files";

impl Site {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        if let Some(remedy) = wasm::missing_requirement() {
            bail!(remedy);
        }
        let files = workspace_root().join(FILES);
        fs::create_dir_all(&files).with_context(|| format!("cannot create {}", files.display()))?;
        wasm::build_module_into(FEATURES, false, &files.join("page.wasm"))?;
        wasm::copy_networks(&files)?;
        install_packages()?;
        let out = std::path::absolute(&self.out)?;
        let folder = out.to_str().context("the path of the folder is not UTF-8")?;
        run("web", &["npm", "run", "--silent", "site", "--", "--outDir", folder])?;
        build_player(&out)?;
        run("web", &["node", "site-finish.mjs", folder])?;
        eprintln!("\nThe page is in {folder}. Try it: python3 -m http.server --directory {folder}");
        Ok(())
    }
}

/// Builds `<alfil-player>`, its examples and the rules of each game into a folder of the page.
fn build_player(out: &Path) -> anyhow::Result<()> {
    let folder = out.join("player");
    let name = folder.to_str().context("the path of the folder is not UTF-8")?;
    run("web", &["npm", "run", "--silent", "player", "--", "--outDir", name])?;
    for game in GAMES {
        wasm::build_module_into(&format!("{game},player"), true, &folder.join(format!("{game}.wasm")))?;
    }
    Ok(())
}

/// Builds the page into the default folder, which is returned.
///
/// # Errors
/// Returns an error if a step fails.
pub(crate) fn build() -> anyhow::Result<PathBuf> {
    let out = workspace_root().join("target/site");
    Site { out: out.clone() }.run()?;
    Ok(out)
}
