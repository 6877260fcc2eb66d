//! A progress bar on a terminal, none in a pipe; Ctrl-C prints the partial result.

use std::sync::{Arc, Mutex};

use indicatif::{ProgressBar, ProgressStyle};

/// The text that is printed when the command is interrupted.
type PartialResult = Arc<Mutex<String>>;

/// The progress of a long command.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    partial_result: PartialResult,
}

impl Progress {
    /// Creates the progress of a command with `steps` steps. The bar is drawn on stderr, and only on a terminal.
    pub(crate) fn new(steps: usize) -> Progress {
        let bar = ProgressBar::new(steps as u64);
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {msg}");
        bar.set_style(style.expect("the template is valid"));
        let partial_result = PartialResult::default();
        let (bar_handle, last_result) = (bar.clone(), partial_result.clone());
        // A process has one Ctrl-C handler: a second call fails, and each process runs one command.
        let _ = ctrlc::set_handler(move || {
            bar_handle.finish_and_clear();
            let text = last_result.lock().map(|partial_result| partial_result.clone()).unwrap_or_default();
            // The process exits even if the output is closed.
            let _ = crate::output::print_line(if text.is_empty() { "no result yet".into() } else { text });
            std::process::exit(130);
        });
        Progress { bar, partial_result }
    }

    /// Adds `steps` steps to the total.
    pub(crate) fn add_steps(&self, steps: usize) {
        self.bar.inc_length(steps as u64);
    }

    /// Counts one step as done and stores the partial result.
    pub(crate) fn step(&self, partial_result: String) {
        self.update(partial_result);
        self.bar.inc(1);
    }

    /// Stores the partial result.
    pub(crate) fn update(&self, partial_result: String) {
        self.bar.set_message(partial_result.lines().last().unwrap_or_default().to_owned());
        if let Ok(mut last) = self.partial_result.lock() {
            *last = partial_result;
        }
    }

    /// Prints a line above the bar.
    pub(crate) fn print_line(&self, text: impl std::fmt::Display) -> std::io::Result<()> {
        self.bar.suspend(|| crate::output::print_line(text))
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
