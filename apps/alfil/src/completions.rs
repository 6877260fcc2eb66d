//! `alfil completions`: the completions of a shell, made from the definitions of the commands.

use std::io::Write;

use clap::Args;
use clap_complete::Shell;

use crate::errors::CommandResult;
use crate::help::with_value_hints;

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
    pub(crate) fn run(&self, program: clap::Command) -> CommandResult {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut with_value_hints(program), "alfil", &mut script);
        let mut out = std::io::stdout().lock();
        out.write_all(&script)?;
        out.flush()?;
        Ok(())
    }
}
