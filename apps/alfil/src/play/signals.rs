//! Signals in full-screen mode: handlers set flags, and the main loop restores the terminal before it obeys them.

#[cfg(unix)]
pub(crate) use unix::Signals;

#[cfg(not(unix))]
pub(crate) use other::Signals;

#[cfg(unix)]
mod unix {
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP};
    use signal_hook::{flag, iterator, low_level};

    /// The time to restore the terminal after a hang-up, if it still exists.
    const EXIT_DELAY: Duration = Duration::from_secs(1);

    /// Exits a little after a hang-up with the status of the signal: a read from a terminal that is gone never returns
    /// (crossterm retries at the end of file forever), so the flags would not be checked.
    fn exit_after_hangup() -> io::Result<()> {
        let mut hangups = iterator::Signals::new([SIGHUP])?;
        thread::Builder::new().name("hang-up".to_owned()).spawn(move || {
            if hangups.forever().next().is_some() {
                thread::sleep(EXIT_DELAY);
                std::process::exit(128 + SIGHUP);
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
        /// Installs the signal handlers.
        pub(crate) fn new() -> io::Result<Signals> {
            let signals = Signals { exit_signal: Arc::default(), suspend_requested: Arc::default() };
            for signal in [SIGHUP, SIGINT, SIGTERM] {
                flag::register_usize(signal, signals.exit_signal.clone(), signal as usize)?;
            }
            flag::register(SIGTSTP, signals.suspend_requested.clone())?;
            exit_after_hangup()?;
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

    /// The signals of other systems: none.
    #[derive(Debug)]
    pub(crate) struct Signals;

    impl Signals {
        pub(crate) fn new() -> io::Result<Signals> {
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
