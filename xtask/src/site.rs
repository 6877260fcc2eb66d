//! `cargo xtask site`: builds the page without a server, a folder of files for any host of static files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use clap::Args;

use crate::book;
use crate::files::copy_folder;
use crate::node::install_packages;
use crate::shell::{path_text, run, workspace_root};
use crate::wasm;

/// Build the page without a server into a folder of static files.
#[derive(Debug, Args)]
pub(crate) struct Site {
    /// The folder: a new or empty one, or that of an earlier build, which is emptied.
    #[arg(long, value_name = "DIR", default_value = FOLDER)]
    out: PathBuf,
}

/// The default folder.
const FOLDER: &str = "target/site";

/// The features of the module: the page and the searches of all games.
pub(crate) const FEATURES: &str = "xiangqi,chess,othello,page";
/// The games of the player, each with a module of its moves and positions.
const GAMES: [&str; 3] = ["xiangqi", "chess", "othello"];
/// Where the build of the page finds the module and the networks.
const FILES: &str = "web/site-files";

impl Site {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        if let Some(remedy) = wasm::missing_requirement() {
            bail!(remedy);
        }
        let out = std::path::absolute(&self.out)?;
        check_may_be_emptied(&out)?;
        let files = workspace_root().join(FILES);
        fs::create_dir_all(&files).with_context(|| format!("cannot create {}", files.display()))?;
        wasm::build_module_into(FEATURES, false, &files.join("page.wasm"))?;
        wasm::copy_networks(&files)?;
        install_packages("web")?;
        let folder = path_text(&out)?;
        run("web", &["npm", "run", "--silent", "site", "--", "--outDir", folder])?;
        build_player(&out)?;
        copy_folder(&book::build()?, &out.join("book"))?;
        run("web", &["node", "site-finish.mjs", folder])?;
        eprintln!("\nThe page is in {folder}. Try it: python3 -m http.server --directory {folder}");
        Ok(())
    }
}

/// Returns an error if a folder holds anything but an earlier build of the page. The build empties it.
fn check_may_be_emptied(folder: &Path) -> anyhow::Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    let mut entries =
        fs::read_dir(folder).with_context(|| format!("{} is not a folder", folder.display()))?;
    // Only a built page has this mark, which `web/site.vite.config.ts` sets; the sources have not.
    let has_mark = |page: String| page.contains("name=\"alfil-transport\"");
    let is_site = || fs::read_to_string(folder.join("index.html")).is_ok_and(has_mark);
    ensure!(
        entries.next().is_none() || is_site(),
        "{} would be emptied, and its files are not an earlier build of the page: choose a new folder",
        folder.display()
    );
    let holds_workspace = workspace_root().canonicalize()?.starts_with(folder.canonicalize()?);
    ensure!(!holds_workspace, "{} would be emptied, and it holds the sources", folder.display());
    Ok(())
}

/// Builds `<alfil-player>`, its examples and the rules of each game into a folder of the page.
fn build_player(out: &Path) -> anyhow::Result<()> {
    let folder = out.join("player");
    let name = path_text(&folder)?;
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
    let out = workspace_root().join(FOLDER);
    Site { out: out.clone() }.run()?;
    Ok(out)
}

/// Returns the default folder, in which the page is built unless it is there.
///
/// # Errors
/// Returns an error if a step of the build fails.
pub(crate) fn built() -> anyhow::Result<PathBuf> {
    let folder = workspace_root().join(FOLDER);
    if folder.join("index.html").exists() { Ok(folder) } else { build() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_earlier_page_is_emptied() {
        let root = workspace_root();
        for folder in [root.clone(), root.join("docs"), root.join("web"), root.join("web/site-public")] {
            assert!(check_may_be_emptied(&folder).is_err(), "{}", folder.display());
        }
        assert!(check_may_be_emptied(&root.join("LICENSE-MIT")).is_err());
        let folder = std::env::temp_dir().join(format!("alfil-site-{}", std::process::id()));
        check_may_be_emptied(&folder).unwrap();
        fs::create_dir(&folder).unwrap();
        check_may_be_emptied(&folder).unwrap();
        fs::write(folder.join("index.html"), "<title>A page</title>").unwrap();
        let message = check_may_be_emptied(&folder).unwrap_err().to_string();
        assert!(message.contains("would be emptied"), "{message}");
        fs::write(folder.join("index.html"), "<meta name=\"alfil-transport\" content=\"worker\" />").unwrap();
        check_may_be_emptied(&folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
    }
}
