//! A progress bar on a terminal, none in a pipe; Ctrl-C prints a partial result, or one line on stderr, and exits with
//! status 130. SIGTERM does the same with status 143, SIGHUP with 129.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::output::print_error_line;
use crate::terminal;

/// Returns the text that is printed when the command is interrupted; `None` if nothing is known yet.
type PartialResult = Box<dyn Fn() -> Option<String> + Send>;

/// The time between two updates of the elapsed time.
const TICK_INTERVAL: Duration = Duration::from_millis(250);

/// Calls a function with the exit status when the process is interrupted. If no handler can be installed, the
/// signal ends the process.
#[cfg(unix)]
fn on_interruption(handler: impl FnOnce(i32) + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let mut signals = vec![SIGINT, SIGTERM];
    // A process that is started to outlive its terminal ignores SIGHUP.
    if !is_ignored(SIGHUP) {
        signals.push(SIGHUP);
    }
    let Ok(mut signals) = signal_hook::iterator::Signals::new(signals) else { return };
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            handler(128 + signal);
        }
    };
    // If no thread can be started, the signals are ignored.
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
}

/// Returns whether the process was started with a signal ignored, as far as the system shows it.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // Without /proc: a process whose stderr is no terminal may have been started by nohup.
    ignored.map_or(!terminal::is_stderr_terminal(), |mask| mask >> (signal - 1) & 1 != 0)
}

/// Calls a function with the exit status when the process is interrupted by Ctrl-C.
#[cfg(not(unix))]
fn on_interruption(handler: impl Fn(i32) + Send + 'static) {
    let _ = ctrlc::set_handler(move || handler(crate::errors::INTERRUPTED_STATUS.into()));
}

/// The progress of a long command. A clone is a handle of the same bar.
#[derive(Clone)]
pub(crate) struct Progress {
    bar: ProgressBar,
    partial_result: Arc<Mutex<PartialResult>>,
    is_interrupted: Arc<AtomicBool>,
}

impl Progress {
    /// Creates the progress of a command with `steps` steps. The bar is drawn on stderr, and only on a terminal.
    pub(crate) fn new(steps: usize) -> Progress {
        Progress::with_bar(Some(steps as u64), "{bar:30} {pos}/{len} {elapsed} {wide_msg}")
    }

    /// Creates the progress of a command with `steps` steps, `done` of which were done before, with the time that the
    /// others may take.
    pub(crate) fn with_remaining_time(steps: usize, done: usize) -> Progress {
        let progress =
            Progress::with_bar(Some(steps as u64), "{bar:30} {pos}/{len} {elapsed}{left} {wide_msg}");
        progress.bar.set_position(done as u64);
        progress.bar.reset_eta();
        progress
    }

    /// Creates the progress of reading so many bytes.
    pub(crate) fn with_bytes(bytes: u64) -> Progress {
        Progress::with_bar(Some(bytes), "{bar:30} {bytes}/{total_bytes} {elapsed}{left} {wide_msg}")
    }

    /// Creates the progress of work of unknown length: the elapsed time and a message.
    pub(crate) fn without_steps() -> Progress {
        Progress::with_bar(None, "{spinner} {elapsed} {wide_msg}")
    }

    fn with_bar(steps: Option<u64>, template: &str) -> Progress {
        let target = match terminal::shows_progress() {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(steps, target);
        let style = ProgressStyle::with_template(template).expect("the template is valid");
        // Before anything is done the time that is left is not known.
        let style = style.with_key("left", |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            // Writing to a bar cannot fail.
            let _ = match (state.per_sec(), state.eta()) {
                (rate, left) if rate > 0.0 && !left.is_zero() => {
                    write!(out, ", {:#} left", HumanDuration(left))
                }
                _ => Ok(()),
            };
        });
        bar.set_style(style.tick_chars("|/-\\ "));
        let partial_result: Arc<Mutex<PartialResult>> = Arc::new(Mutex::new(Box::new(|| None)));
        let (bar_handle, last_result) = (bar.clone(), partial_result.clone());
        let is_interrupted = Arc::new(AtomicBool::new(false));
        let interrupted = is_interrupted.clone();
        on_interruption(move |status| {
            interrupted.store(true, Ordering::SeqCst);
            // The lock is held until the exit, so that nothing is printed after the partial result.
            let partial_result = last_result.lock().unwrap_or_else(PoisonError::into_inner);
            // Without this, a last tick could draw the bar again.
            bar_handle.disable_steady_tick();
            bar_handle.finish_and_clear();
            match partial_result() {
                // The process exits even if the output is closed.
                Some(text) => drop(crate::output::print_line(text)),
                None => match bar_handle.message() {
                    message if message.is_empty() => print_error_line("alfil: interrupted"),
                    message => print_error_line(format_args!("alfil: interrupted: {message}")),
                },
            }
            crate::engine_process::kill_engines();
            std::process::exit(status);
        });
        // The first tick draws the bar: a user who sees it may press Ctrl-C.
        if terminal::shows_progress() {
            bar.enable_steady_tick(TICK_INTERVAL);
        }
        Progress { bar, partial_result, is_interrupted }
    }

    /// Adds `steps` steps to the total.
    pub(crate) fn add_steps(&self, steps: usize) {
        self.bar.inc_length(steps as u64);
    }

    /// Begins a part of the work: the bar counts its steps alone, `done` of which were done before.
    pub(crate) fn begin(&self, steps: u64, done: u64) {
        self.bar.set_length(steps);
        self.bar.set_position(done);
        self.bar.reset_eta();
    }

    /// Counts one step as done and shows a message beside the bar.
    pub(crate) fn step(&self, message: String) {
        self.show_message(message);
        self.bar.inc(1);
    }

    /// Counts steps as not done any more.
    pub(crate) fn step_back(&self, steps: u64) {
        self.bar.dec(steps.min(self.bar.position()));
    }

    /// Sets the number of steps or bytes that are done.
    pub(crate) fn set_position(&self, position: u64) {
        self.bar.set_position(position);
    }

    /// Shows a message beside the bar. An interruption without a partial result prints it on stderr.
    pub(crate) fn show_message(&self, message: impl Into<String>) {
        self.bar.set_message(message.into());
    }

    /// Sets what is printed on stdout when the command is interrupted. With `--json` it must be JSON.
    pub(crate) fn set_partial_result(&self, partial_result: impl Fn() -> Option<String> + Send + 'static) {
        *self.lock() = Box::new(partial_result);
    }

    /// Prints a line above the bar.
    pub(crate) fn print_line(&self, text: impl std::fmt::Display) -> std::io::Result<()> {
        let _not_interrupted = self.lock();
        self.bar.suspend(|| crate::output::print_line(text))
    }

    /// Prints a line on stderr, above the bar. It prints nothing after an interruption: the partial result may need a
    /// lock that the caller holds, so waiting for it would be a deadlock.
    pub(crate) fn print_note(&self, text: impl std::fmt::Display) {
        let _not_interrupted = loop {
            match self.partial_result.try_lock() {
                Ok(lock) => break lock,
                Err(TryLockError::Poisoned(lock)) => break lock.into_inner(),
                Err(TryLockError::WouldBlock) if self.is_interrupted.load(Ordering::SeqCst) => return,
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
            }
        };
        self.bar.suspend(|| print_error_line(text));
    }

    /// Prints a line above the bar and sets the partial result that counts it. An interruption comes before both or
    /// after both.
    pub(crate) fn print_row(
        &self,
        text: impl std::fmt::Display,
        partial_result: impl Fn() -> Option<String> + Send + 'static,
    ) -> std::io::Result<()> {
        let mut current = self.lock();
        self.bar.suspend(|| crate::output::print_line(text))?;
        *current = Box::new(partial_result);
        Ok(())
    }

    /// Removes the bar. The result follows, so an interruption from now on prints no partial result on stdout, only the
    /// line on stderr.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
        self.set_partial_result(|| None);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, PartialResult> {
        self.partial_result.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::Progress;

    #[test]
    fn a_bar_counts_the_steps_of_the_part_of_the_work_that_it_shows() {
        let progress = Progress::new(0);
        let shown = || (progress.bar.position(), progress.bar.length());
        // 64 chunks, of which 30 were searched before.
        progress.begin(64, 30);
        progress.step("searching".into());
        assert_eq!(shown(), (31, Some(64)));
        progress.step_back(40);
        assert_eq!(shown(), (0, Some(64)));
        progress.begin(64, 0);
        progress.step("merging".into());
        assert_eq!(shown(), (1, Some(64)));
    }
}
