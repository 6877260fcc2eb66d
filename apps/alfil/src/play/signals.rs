//! Signals. In full-screen mode handlers set flags, and the main loop restores the terminal before it obeys them; line
//! by line a thread waits for them.

#[cfg(unix)]
pub(crate) use unix::{Signals, on_exit_signal};

#[cfg(not(unix))]
pub(crate) use other::{Signals, on_exit_signal};

#[cfg(unix)]
mod unix {
    use std::io;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex, PoisonError};
    use std::thread;
    use std::time::Duration;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP};
    use signal_hook::{flag, iterator, low_level};

    use super::super::terminal_game::UnsavedGame;

    /// The time to restore the terminal after a hang-up, if it still exists.
    const EXIT_DELAY: Duration = Duration::from_secs(1);

    /// Exits a little after a hang-up with the status of the signal: a read from a terminal that is gone never returns
    /// (crossterm retries at the end of file forever), so the flags would not be checked.
    fn exit_after_hangup(unsaved: Arc<Mutex<Option<UnsavedGame>>>) -> io::Result<()> {
        let mut hangups = iterator::Signals::new([SIGHUP])?;
        thread::Builder::new().name("hang-up".to_owned()).spawn(move || {
            if hangups.forever().next().is_some() {
                thread::sleep(EXIT_DELAY);
                // The lock is held until the exit, so that the game is kept once.
                let unsaved = unsaved.lock().unwrap_or_else(PoisonError::into_inner);
                unsaved.iter().for_each(|game| drop(game.write()));
                std::process::exit(128 + SIGHUP);
            }
        })?;
        Ok(())
    }

    /// Calls a function with the exit status when a signal requests the end of the program. The second one ends it at
    /// once.
    pub(crate) fn on_exit_signal(handler: impl FnOnce(u8) + Send + 'static) -> io::Result<()> {
        let mut signals = iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])?;
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            let mut statuses = signals.forever().filter_map(|signal| u8::try_from(128 + signal).ok());
            if let Some(status) = statuses.next() {
                // It may wait for the end of a search.
                thread::spawn(move || handler(status));
            }
            if let Some(status) = statuses.next() {
                std::process::exit(status.into());
            }
        })?;
        Ok(())
    }

    /// The signals that have arrived and are not handled yet.
    #[derive(Debug)]
    pub(crate) struct Signals {
        /// The number of the signal that requested the end; 0 before.
        exit_signal: Arc<AtomicUsize>,
        suspend_requested: Arc<AtomicBool>,
    }

    impl Signals {
        /// Installs the signal handlers. A game that is there at a hang-up is kept.
        pub(crate) fn new(unsaved: Arc<Mutex<Option<UnsavedGame>>>) -> io::Result<Signals> {
            let signals = Signals { exit_signal: Arc::default(), suspend_requested: Arc::default() };
            for signal in [SIGHUP, SIGINT, SIGTERM] {
                flag::register_usize(signal, signals.exit_signal.clone(), signal as usize)?;
            }
            flag::register(SIGTSTP, signals.suspend_requested.clone())?;
            exit_after_hangup(unsaved)?;
            Ok(signals)
        }

        /// Returns the exit status if a signal has requested the end of the program: 128 and the number of the signal.
        pub(crate) fn exit_status(&self) -> Option<u8> {
            match self.exit_signal.load(Ordering::Relaxed) {
                0 => None,
                signal => u8::try_from(128 + signal).ok(),
            }
        }

        /// Returns whether suspension was requested, and clears the request.
        pub(crate) fn take_suspend_request(&self) -> bool {
            self.suspend_requested.swap(false, Ordering::Relaxed)
        }

        /// Suspends the process until it is continued.
        pub(crate) fn suspend_process(&self) -> io::Result<()> {
            low_level::emulate_default_handler(SIGTSTP)
        }
    }
}

#[cfg(not(unix))]
mod other {
    use std::io;
    use std::sync::{Arc, Mutex};

    use super::super::terminal_game::UnsavedGame;

    /// The signals of other systems: none.
    #[derive(Debug)]
    pub(crate) struct Signals;

    /// Calls a function with the exit status when Ctrl-C requests the end of the program.
    pub(crate) fn on_exit_signal(handler: impl FnOnce(u8) + Send + 'static) -> io::Result<()> {
        let mut handler = Some(handler);
        let call = move || {
            if let Some(handler) = handler.take() {
                handler(crate::errors::INTERRUPTED_STATUS);
            }
        };
        ctrlc::set_handler(call).map_err(io::Error::other)
    }

    impl Signals {
        pub(crate) fn new(_: Arc<Mutex<Option<UnsavedGame>>>) -> io::Result<Signals> {
            Ok(Signals)
        }

        pub(crate) fn exit_status(&self) -> Option<u8> {
            None
        }

        pub(crate) fn take_suspend_request(&self) -> bool {
            false
        }

        pub(crate) fn suspend_process(&self) -> io::Result<()> {
            Ok(())
        }
    }
}
