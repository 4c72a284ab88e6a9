//! How a process of a bot is told to end.

use std::io;
use std::process;
use std::thread;
use std::time::Duration;

use tokio::sync::watch;

/// The exit code of a bot that was stopped by its user.
pub(crate) const EXIT_INTERRUPTED: i32 = 130;
/// The exit code of a bot whose session ended without a word.
const EXIT_SESSION_ENDED: i32 = 3;
/// How long a bot may take to leave that was told to stop: it does so at once, or when it has thought.
const LONGEST_LEAVE: Duration = Duration::from_secs(3);

/// What a bot was told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Told {
    Nothing,
    /// To take no more seats, and end when its running matches are over.
    Retire,
    /// To say goodbye, and forfeit what it plays.
    Leave,
}

/// Listens for signals: the first one retires the bot, the second makes it leave. One that was launched leaves at once. If
/// it takes too long to leave, the process is ended.
pub(crate) fn listen(is_launched: bool) -> io::Result<watch::Receiver<Told>> {
    let (tell, told) = watch::channel(Told::Nothing);
    let mut signals = Signals::new()?;
    tokio::spawn(async move {
        signals.next().await;
        if !is_launched {
            tell.send_replace(Told::Retire);
            signals.next().await;
        }
        tell.send_replace(Told::Leave);
        tokio::time::sleep(LONGEST_LEAVE).await;
        process::exit(EXIT_INTERRUPTED);
    });
    Ok(told)
}

#[cfg(unix)]
struct Signals(tokio::signal::unix::Signal, tokio::signal::unix::Signal);

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self(signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?))
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.0.recv() => {}
            _ = self.1.recv() => {}
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

    async fn next(&mut self) {
        self.0.recv().await;
    }
}

/// Ends the process when its standard input ends, since then the one that started it has ended, however that happened.
pub(crate) fn end_with_standard_input() {
    thread::spawn(|| {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        process::exit(EXIT_SESSION_ENDED);
    });
}
