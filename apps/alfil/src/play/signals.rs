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
    const FAREWELL: Duration = Duration::from_secs(1);

    /// Reading from a terminal that is gone never comes back to the flags (crossterm reads its end for ever): after a hang-up
    /// the program ends a little later by itself, with the status that the signal would have given.
    fn leave_without_a_terminal() -> io::Result<()> {
        let mut hangups = iterator::Signals::new([SIGHUP])?;
        thread::Builder::new().name("hang-up".to_owned()).spawn(move || {
            if hangups.forever().next().is_some() {
                thread::sleep(FAREWELL);
                std::process::exit(128 + SIGHUP);
            }
        })?;
        Ok(())
    }

    /// What was asked of us and not yet done.
    #[derive(Debug)]
    pub(crate) struct Signals {
        leave: Arc<AtomicBool>,
        suspend: Arc<AtomicBool>,
    }

    impl Signals {
        /// Begins to listen.
        pub(crate) fn new() -> io::Result<Signals> {
            let signals = Signals { leave: Arc::default(), suspend: Arc::default() };
            for signal in [SIGHUP, SIGINT, SIGTERM] {
                flag::register(signal, signals.leave.clone())?;
            }
            flag::register(SIGTSTP, signals.suspend.clone())?;
            leave_without_a_terminal()?;
            Ok(signals)
        }

        /// Whether we shall end.
        pub(crate) fn leave(&self) -> bool {
            self.leave.load(Ordering::Relaxed)
        }

        /// Whether we shall stop for a while; asked once, it is forgotten.
        pub(crate) fn suspend(&self) -> bool {
            self.suspend.swap(false, Ordering::Relaxed)
        }

        /// Stops until somebody wakes us.
        pub(crate) fn stop(&self) -> io::Result<()> {
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
