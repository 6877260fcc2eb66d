//! The errors of commands: one line on stderr and an exit status for each kind.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use alfil_batch::run_file::RunFileError;
use alfil_batch::run_identity::OtherRunError;
use alfil_session::SessionError;

use crate::output::print_error_line;

/// The exit status after Ctrl-C: 128 and the number of the signal.
pub(crate) const INTERRUPTED_STATUS: u8 = 130;

/// The reason why a command failed or ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line is wrong: exit status 2.
    Usage(String),
    /// The input cannot be processed: exit status 1.
    Input(String),
    /// The command ran and its result is negative, as printed on stdout: exit status 1.
    NegativeResult,
    /// The reader of stdout has closed it: exit status 0.
    OutputClosed,
    /// A signal ended the command, which has printed what is known: this exit status.
    Interrupted(u8),
}

/// The result of a command.
pub(crate) type CommandResult = Result<(), Failure>;

impl Failure {
    /// Prints the message to stderr and returns the exit status.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Failure::Usage(message) => print_error(&message, 2),
            Failure::Input(message) => print_error(&message, 1),
            Failure::NegativeResult => ExitCode::from(1),
            Failure::OutputClosed => ExitCode::SUCCESS,
            Failure::Interrupted(status) => ExitCode::from(status),
        }
    }
}

/// Returns the error of a file that cannot be created; if the file exists, the hint says how to continue.
pub(crate) fn create_error(path: &Path, resume_hint: &str, error: io::Error) -> anyhow::Error {
    let exists = error.kind() == io::ErrorKind::AlreadyExists;
    let hint = if exists { format!(" ({resume_hint})") } else { String::new() };
    anyhow::Error::new(error).context(format!("cannot create {}{hint}", path.display()))
}

fn print_error(message: &str, status: u8) -> ExitCode {
    // An error is one line, whatever the names of files and the errors of other programs contain.
    let lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
    print_error_line(format_args!("alfil: {}", lines.collect::<Vec<_>>().join(" ")));
    ExitCode::from(status)
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        Failure::Input(error.to_string())
    }
}

impl From<alfil_training::TrainingError> for Failure {
    fn from(error: alfil_training::TrainingError) -> Self {
        Failure::Input(error.to_string())
    }
}

impl From<RunFileError> for Failure {
    fn from(error: RunFileError) -> Self {
        Failure::Input(error.to_string())
    }
}

impl From<OtherRunError> for Failure {
    fn from(error: OtherRunError) -> Self {
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

/// Prints a command line error in one line; help and version texts are printed in full.
///
/// `command` is the command on the command line, if it exists.
pub(crate) fn report_usage_error(error: &clap::Error, command: Option<&str>) -> ExitCode {
    use clap::error::ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
    if matches!(error.kind(), DisplayHelp | DisplayVersion) {
        // The reader may have closed the output.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    if error.kind() == DisplayHelpOnMissingArgumentOrSubcommand {
        return print_error("a command is missing; see alfil --help", 2);
    }
    let text = error.render().to_string();
    let first: Vec<_> = text.lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
    let mut message = first.join(" ");
    if let Some(suggestion) = suggestion(error) {
        message += &format!("; did you mean {suggestion}?");
    }
    let help = command.map_or("alfil --help".into(), |command| format!("alfil {command} --help"));
    let separator = if message.ends_with('?') { "" } else { ";" };
    print_error(&format!("{}{separator} see {help}", message.trim_start_matches("error: ")), 2)
}

/// Returns the commands, arguments or values that are similar to a wrong one.
fn suggestion(error: &clap::Error) -> Option<String> {
    use clap::error::{ContextKind, ContextValue};
    let kinds = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let names = match kinds.into_iter().find_map(|kind| error.get(kind))? {
        ContextValue::String(name) => vec![name.clone()],
        ContextValue::Strings(names) => names.clone(),
        _ => return None,
    };
    (!names.is_empty()).then(|| names.join(" or "))
}
