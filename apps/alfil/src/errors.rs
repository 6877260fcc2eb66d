//! What went wrong, in one line on stderr, and the exit status that says what kind of wrong it was.

use std::io;
use std::process::ExitCode;

use alfil_session::SessionError;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The words of the command line are wrong: exit 2.
    Usage(String),
    /// What they ask for cannot be done: exit 1.
    Input(String),
    /// It was done, and the answer is no; everything was said on stdout: exit 1.
    NegativeResult,
    /// Whoever read our output has gone: exit 0.
    OutputClosed,
}

impl Failure {
    /// Says it, and gives the exit status.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Failure::Usage(words) => print_error(&words, 2),
            Failure::Input(words) => print_error(&words, 1),
            Failure::NegativeResult => ExitCode::from(1),
            Failure::OutputClosed => ExitCode::SUCCESS,
        }
    }
}

fn print_error(words: &str, status: u8) -> ExitCode {
    eprintln!("alfil: {words}");
    ExitCode::from(status)
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        Failure::Input(error.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::OutputClosed,
            _ => Failure::Input(error.to_string()),
        }
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Failure::Input(format!("{error:#}"))
    }
}

/// A command line that cannot be read, in one line; help and version, which are no errors, in full.
///
/// `command` is the one that was meant, if it is known.
pub(crate) fn report_usage_error(error: &clap::Error, command: Option<&str>) -> ExitCode {
    use clap::error::ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
    if matches!(error.kind(), DisplayHelp | DisplayVersion) {
        // A reader that has gone needs no help.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    if error.kind() == DisplayHelpOnMissingArgumentOrSubcommand {
        return print_error("a command is missing; see alfil --help", 2);
    }
    let text = error.render().to_string();
    let first: Vec<_> = text.lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
    let words = first.join(" ");
    let help = command.map_or("alfil --help".into(), |command| format!("alfil {command} --help"));
    print_error(&format!("{}; see {help}", words.trim_start_matches("error: ")), 2)
}
