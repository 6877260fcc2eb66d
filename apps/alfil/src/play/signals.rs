//! Signals of the system while the whole screen is ours: they are noted, and obeyed when the terminal can be put right.

#[cfg(unix)]
pub(crate) use unix::Signals;

#[cfg(not(unix))]
pub(crate) use other::Signals;

#[cfg(unix)]
mod unix {
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::Duration;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP};
    use signal_hook::{flag, iterator, low_level};

    /// How long after a hang-up we may still put the terminal right, if it is there.
    const EXIT_DELAY: Duration = Duration::from_secs(1);

    /// Reading from a terminal that is gone never comes back to the flags (crossterm reads its end for ever): after a hang-up
    /// the program ends a little later by itself, with the status that the signal would have given.
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

    /// What was asked of us and not yet done.
    #[derive(Debug)]
    pub(crate) struct Signals {
        exit_requested: Arc<AtomicBool>,
        suspend_requested: Arc<AtomicBool>,
    }

    impl Signals {
        /// Begins to listen.
        pub(crate) fn new() -> io::Result<Signals> {
            let signals = Signals { exit_requested: Arc::default(), suspend_requested: Arc::default() };
            for signal in [SIGHUP, SIGINT, SIGTERM] {
                flag::register(signal, signals.exit_requested.clone())?;
            }
            flag::register(SIGTSTP, signals.suspend_requested.clone())?;
            exit_after_hangup()?;
            Ok(signals)
        }

        /// Whether we shall end.
        pub(crate) fn is_exit_requested(&self) -> bool {
            self.exit_requested.load(Ordering::Relaxed)
        }

        /// Whether we shall stop for a while; asked once, it is forgotten.
        pub(crate) fn take_suspend_request(&self) -> bool {
            self.suspend_requested.swap(false, Ordering::Relaxed)
        }

        /// Stops until somebody wakes us.
        pub(crate) fn suspend_process(&self) -> io::Result<()> {
            low_level::emulate_default_handler(SIGTSTP)
        }
    }
}

#[cfg(not(unix))]
mod other {
    use std::io;

    /// There are none.
    #[derive(Debug)]
    pub(crate) struct Signals;

    impl Signals {
        pub(crate) fn new() -> io::Result<Signals> {
            Ok(Signals)
        }

        pub(crate) fn leave(&self) -> bool {
            false
        }

        pub(crate) fn suspend(&self) -> bool {
            false
        }

        pub(crate) fn stop(&self) -> io::Result<()> {
            Ok(())
        }
    }
}
