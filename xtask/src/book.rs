//! `cargo xtask book`: builds the book, the documents of `docs/` as a site, with VitePress.

use std::path::PathBuf;
use std::process::Stdio;

use anyhow::{bail, ensure};
use clap::Args;

use crate::node::{install_packages, missing_requirement};
use crate::shell::{command, run, workspace_root};

/// Build the book: `docs/` as a site, which the server of the page has under `/book/`.
#[derive(Debug, Args)]
pub(crate) struct Book {
    /// Serve the book while it is written, and show each change at once.
    #[arg(long)]
    watch: bool,
    /// Write the options of the commands, the outputs in the documents and the pictures of the judge anew, as the
    /// program prints them.
    #[arg(long, conflicts_with = "watch")]
    write: bool,
}

/// Where the configuration and the packages of the book are.
const FOLDER: &str = "book";

impl Book {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        if self.write {
            return write_documents();
        }
        if let Some(remedy) = missing_requirement() {
            bail!(remedy);
        }
        if self.watch {
            install_packages(FOLDER)?;
            return run(FOLDER, &["npm", "run", "--silent", "watch"]);
        }
        let built = build()?;
        eprintln!(
            "\nThe book is in {}. The server of `cargo xtask serve` has it at http://127.0.0.1:7878/book/",
            built.display()
        );
        Ok(())
    }
}

/// The tests that write what the program prints: the package's target, and the name.
const WRITING_TESTS: [(&[&str], &str); 3] = [
    (&["--bin", "alfil"], "command_reference::the_reference_of_the_commands_is_up_to_date"),
    (&["--test", "program"], "chapter_pictures::the_pictures_of_the_chapter_are_those_of_the_judge"),
    (&["--test", "program"], "documents::commands_of_the_documents_print_what_is_shown"),
];

fn write_documents() -> anyhow::Result<()> {
    for (target, test) in WRITING_TESTS {
        let arguments =
            [&["cargo", "test", "--quiet", "--package", "alfil"], target, &["--", "--exact", test]].concat();
        let output =
            command(".", &arguments).env("ALFIL_WRITE_DOCUMENTS", "1").stderr(Stdio::inherit()).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        ensure!(
            output.status.success() && text.contains("1 passed"),
            "the documents cannot be written: {text}"
        );
    }
    eprintln!("The documents are written; git diff shows what has changed.");
    Ok(())
}

/// Builds the book into its folder, which is returned. Its addresses are relative, so that it can be copied anywhere.
///
/// # Errors
/// If npm or VitePress fails, as it does for a link to a page that is not there.
pub(crate) fn build() -> anyhow::Result<PathBuf> {
    install_packages(FOLDER)?;
    run(FOLDER, &["npm", "run", "--silent", "build"])?;
    Ok(workspace_root().join(FOLDER).join("dist"))
}
