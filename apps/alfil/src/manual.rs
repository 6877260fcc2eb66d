//! `alfil man`: the manual pages, made from the definitions of the commands.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use crate::errors::CommandResult;
use crate::output::print_line;

/// Write the manual pages: `alfil.1`, and `alfil-COMMAND.1` for each command.
#[derive(Debug, Args)]
pub(crate) struct Manual {
    /// The folder, which is created if it does not exist.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Manual {
    pub(crate) fn run(&self, command: clap::Command) -> CommandResult {
        let context = || format!("cannot write {}", self.folder.display());
        std::fs::create_dir_all(&self.folder).with_context(context)?;
        clap_mangen::generate_to(command.disable_help_subcommand(true), &self.folder)
            .with_context(context)?;
        print_line(format_args!("the manual pages are in {}", self.folder.display()))?;
        Ok(())
    }
}
