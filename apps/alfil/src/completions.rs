//! `alfil completions`: the completions of a shell, made from the definitions of the commands.

use std::io::Write;

use clap::Args;
use clap_complete::Shell;

use crate::errors::CommandResult;

/// Print the completions of a shell.
///
/// For bash: `alfil completions bash > ~/.local/share/bash-completion/completions/alfil`.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, mut command: clap::Command) -> CommandResult {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "alfil", &mut script);
        let mut out = std::io::stdout().lock();
        out.write_all(&script)?;
        out.flush()?;
        Ok(())
    }
}
