//! When to come back after a connection ended, and when not to.

use std::fmt;
use std::time::Duration;

use tonic::Code;

const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(8);
/// How long a broken connection is tried to be taken up again, whatever the session allows.
const PATIENCE: Duration = Duration::from_secs(30);

/// What comes after a connection ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// Another connection, after so long.
    Pause(Duration),
    /// Nothing: the bot is done.
    Over(Ending),
}

/// Why a bot is done. Its words are those of the server or of the transport.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The server said goodbye, or a bot that retires has lost its session.
    Goodbye(String),
    /// The server ended the session otherwise, and coming back is of no use.
    Ended(String),
    /// No server answers.
    NoAnswer(String),
}

impl Ending {
    /// The exit code that says so.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Goodbye(_) => 0,
            Self::Ended(_) | Self::NoAnswer(_) => 3,
        }
    }

    /// Says it in a sentence.
    #[must_use]
    pub fn sentence(&self, address: &str) -> String {
        match self {
            Self::Goodbye(words) => format!("the server said goodbye: {words}"),
            Self::Ended(words) => format!("the server at {address} ended the session {words}"),
            Self::NoAnswer(words) => format!("no server answers at {address} ({words})"),
        }
    }
}

/// How a connection ended, as the transport tells it.
pub(crate) struct Loss<'a> {
    pub(crate) status: Code,
    pub(crate) sentence: &'a str,
}

impl Loss<'_> {
    /// Whether the connection broke, or was not there, so that nobody ended anything.
    pub(crate) fn is_broken(&self) -> bool {
        matches!(self.status, Code::Ok | Code::Unavailable | Code::Unknown | Code::Internal | Code::Cancelled)
    }

    pub(crate) fn is_not_let_in(&self) -> bool {
        matches!(self.status, Code::Unauthenticated | Code::PermissionDenied)
    }
}

impl fmt::Display for Loss<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "({:?}): {}", self.status, self.sentence)
    }
}

/// How long to wait before each attempt to come back, since the server was last heard of.
#[derive(Debug)]
pub(crate) struct Pauses {
    /// When the server was last heard of, by the clock of the player.
    since: Duration,
    next: Duration,
}

impl Pauses {
    pub(crate) fn since(now: Duration) -> Self {
        Self { since: now, next: FIRST_PAUSE }
    }

    /// Whether it was tried for long enough, where a session can be resumed for so long.
    pub(crate) fn are_over(&self, now: Duration, resume_window: Duration) -> bool {
        now.saturating_sub(self.since) > resume_window.max(PATIENCE)
    }

    /// The next pause: twice the one before, within a bound, and less by up to a half, so that bots do not come in step.
    pub(crate) fn next(&mut self, jitter: f64) -> Duration {
        let pause = self.next;
        self.next = (2 * pause).min(LONGEST_PAUSE);
        pause.mul_f64(1.0 - jitter / 2.0)
    }
}

/// The pause that a server asked for, and up to a quarter more.
pub(crate) fn asked_for(pause: Duration, jitter: f64) -> Duration {
    pause.mul_f64(1.0 + jitter / 4.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_are_shortened_and_what_a_server_asks_for_is_lengthened() {
        let mut pauses = Pauses::since(Duration::ZERO);
        assert_eq!(pauses.next(0.5), Duration::from_micros(187_500));
        assert_eq!(pauses.next(1.0), Duration::from_millis(250));
        assert_eq!(asked_for(Duration::from_secs(4), 1.0), Duration::from_secs(5));
    }

    #[test]
    fn sentences_name_the_server() {
        let ended = Ending::Ended("(Aborted): elsewhere".into());
        assert_eq!(ended.sentence("here:1"), "the server at here:1 ended the session (Aborted): elsewhere");
        assert_eq!((ended.exit_code(), Ending::Goodbye(String::new()).exit_code()), (3, 0));
    }
}
