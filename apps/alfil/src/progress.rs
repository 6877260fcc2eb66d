//! A bar on a terminal, nothing when piped, and what is known so far when somebody presses Ctrl-C.

use std::sync::{Arc, Mutex};

use indicatif::{ProgressBar, ProgressStyle};

/// What can be said when the work is cut short.
type PartialResult = Arc<Mutex<String>>;

/// The progress of a long piece of work.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    partial_result: PartialResult,
}

impl Progress {
    /// Work of so many steps. The bar goes to stderr, and only if that is a terminal.
    pub(crate) fn new(steps: usize) -> Progress {
        let bar = ProgressBar::new(steps as u64);
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {msg}");
        bar.set_style(style.expect("a sound template"));
        let known = PartialResult::default();
        let (shown, heard) = (bar.clone(), known.clone());
        // A second handler in one process is refused; the commands are run one a process.
        let _ = ctrlc::set_handler(move || {
            shown.finish_and_clear();
            let words = heard.lock().map(|known| known.clone()).unwrap_or_default();
            // Whether or not anybody reads it, the work ends here.
            let _ = crate::output::print_line(if words.is_empty() {
                "nothing is known yet".into()
            } else {
                words
            });
            std::process::exit(130);
        });
        Progress { bar, partial_result: known }
    }

    /// So many more steps.
    pub(crate) fn add_steps(&self, steps: usize) {
        self.bar.inc_length(steps as u64);
    }

    /// One more step is done, and this is what is known now.
    pub(crate) fn step(&self, known: String) {
        self.update(known);
        self.bar.inc(1);
    }

    /// This is what is known now.
    pub(crate) fn update(&self, known: String) {
        self.bar.set_message(known.lines().last().unwrap_or_default().to_owned());
        if let Ok(mut last) = self.partial_result.lock() {
            *last = known;
        }
    }

    /// Prints a line above the bar.
    pub(crate) fn print_line(&self, text: impl std::fmt::Display) -> std::io::Result<()> {
        self.bar.suspend(|| crate::output::print_line(text))
    }

    /// The work is done: the bar goes.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
