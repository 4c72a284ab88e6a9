//! Orders to stop: signals, and the end of the runner.

use std::io;
use std::thread;
use std::time::Duration;

use tokio::sync::watch;

use crate::logging::exit;

/// The exit code of a bot that was stopped by its user.
pub(crate) const EXIT_INTERRUPTED: u8 = 130;
/// The exit code of a bot whose session ended without a goodbye.
const EXIT_SESSION_ENDED: i32 = 3;
/// How long a bot may take to leave. It does so at once, or when it has thought.
const LONGEST_LEAVE: Duration = Duration::from_secs(3);

/// The last order to a bot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Order {
    None,
    /// Take no more seats, and end when the running matches are over.
    Retire,
    /// Say goodbye, and forfeit the running matches.
    Leave,
}

/// Listens for signals: the first one retires the bot, the second makes it leave. A launched bot leaves at the first. If
/// it takes too long to leave, the process is ended.
pub(crate) fn listen(is_launched: bool) -> io::Result<watch::Receiver<Order>> {
    let (sender, orders) = watch::channel(Order::None);
    let mut signals = Signals::new()?;
    tokio::spawn(async move {
        signals.first().await;
        if !is_launched {
            sender.send_replace(Order::Retire);
            signals.second().await;
        }
        sender.send_replace(Order::Leave);
        tokio::time::sleep(LONGEST_LEAVE).await;
        exit(EXIT_INTERRUPTED.into());
    });
    Ok(orders)
}

#[cfg(unix)]
use unix::Signals;

#[cfg(unix)]
mod unix {
    use std::{future, io, mem, ptr};

    use tokio::signal::unix::{Signal, SignalKind, signal};

    pub(super) struct Signals {
        interrupt: Signal,
        terminate: Signal,
        /// `None` if it was ignored at the start, as by `nohup`.
        hangup: Option<Signal>,
    }

    impl Signals {
        pub(super) fn new() -> io::Result<Self> {
            let kind = SignalKind::hangup();
            let hangup = (!is_ignored(kind)).then(|| signal(kind)).transpose()?;
            let (interrupt, terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
            Ok(Self { interrupt, terminate, hangup })
        }

        pub(super) async fn first(&mut self) {
            let hangup = &mut self.hangup;
            let hung_up = async {
                match hangup {
                    Some(signal) => signal.recv().await,
                    None => future::pending().await,
                }
            };
            tokio::select! {
                _ = self.interrupt.recv() => {}
                _ = self.terminate.recv() => {}
                _ = hung_up => {}
            }
        }

        /// Shell and kernel both send SIGHUP when a terminal closes, so it is never the second order.
        pub(super) async fn second(&mut self) {
            tokio::select! {
                _ = self.interrupt.recv() => {}
                _ = self.terminate.recv() => {}
            }
        }
    }

    fn is_ignored(kind: SignalKind) -> bool {
        // SAFETY: all bytes zero are a valid `sigaction`, and without a new action the call only writes the old one.
        unsafe {
            let mut action = mem::zeroed::<libc::sigaction>();
            libc::sigaction(kind.as_raw_value(), ptr::null(), &raw mut action) == 0
                && action.sa_sigaction == libc::SIG_IGN
        }
    }
}

#[cfg(windows)]
struct Signals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self(tokio::signal::windows::ctrl_c()?))
    }

    async fn first(&mut self) {
        self.0.recv().await;
    }

    async fn second(&mut self) {
        self.0.recv().await;
    }
}

/// Ends the process when its standard input ends, since then the runner has ended, however that happened.
pub(crate) fn end_with_standard_input() {
    thread::spawn(|| {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink()); // An error ends it, too.
        exit(EXIT_SESSION_ENDED);
    });
}
