//! `alfil man`: the manual pages, made from the definitions of the commands.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Command};
use clap_mangen::Man as Page;
use clap_mangen::roff::{Roff, bold, roman};

use crate::errors::CommandResult;
use crate::help::{EXIT_STATUSES, examples};
use crate::output::{ForceArg, print_line, write_file};

/// Write the manual pages.
///
/// They are `alfil.1`, and `alfil-COMMAND.1` for each command.
#[derive(Debug, Args)]
pub(crate) struct Manual {
    /// The folder, which is created if it does not exist.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    force_arg: ForceArg,
}

impl Manual {
    /// Writes the pages of a program, whose help is not completed.
    pub(crate) fn run(&self, program: Command) -> CommandResult {
        std::fs::create_dir_all(&self.folder)
            .with_context(|| format!("cannot write {}", self.folder.display()))?;
        let mut program = program.disable_help_subcommand(true);
        program.build();
        let commands = program.get_subcommands().cloned().chain([program.clone()]);
        let pages = commands.map(|command| {
            let examples = examples(command.get_name());
            let page = Page::new(command);
            Ok((self.folder.join(page.get_filename()), render(&page, examples)?))
        });
        let pages: Vec<_> = pages.collect::<std::io::Result<_>>()?;
        pages.iter().try_for_each(|(path, _)| self.force_arg.check_new_file(path))?;
        pages.iter().try_for_each(|(path, page)| write_file(path, page))?;
        print_line(format_args!("the manual pages are in {}", self.folder.display()))?;
        Ok(())
    }
}

/// Returns a manual page: what the definition of the command says, its examples and the exit statuses.
fn render(page: &Page, examples: &[(&str, &str)]) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    page.render(&mut bytes)?;
    let mut roff = Roff::new();
    if !examples.is_empty() {
        roff.control("SH", ["EXAMPLES"]);
    }
    for (text, line) in examples {
        roff.control("TP", []).text([roman(format!("{text}:"))]).control("nf", []);
        roff.text([bold(*line)]).control("fi", []);
    }
    roff.control("SH", ["EXIT STATUS"]);
    for (status, text) in EXIT_STATUSES {
        roff.control("TP", []).text([bold(status)]).text([roman(text)]);
    }
    roff.to_writer(&mut bytes)?;
    Ok(bytes)
}
