//! Pauses before the attempts to reconnect, and the decision to give up.

use std::fmt;
use std::time::Duration;

use tonic::Code;

use crate::words::{reason_of, status_name};

const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(8);
/// How long a server is tried that does not answer, or longer while the session can be resumed.
const PATIENCE: Duration = Duration::from_secs(30);

/// The next step after a connection ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// Connect again after a pause.
    Pause(Duration),
    /// End.
    Over(Ending),
}

/// The end of a session, with the words of the server or of the transport.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The server said goodbye, or a retiring bot has lost its session.
    Goodbye(String),
    /// The server ended the session otherwise, and coming back is of no use.
    Ended(String),
    /// The server does not answer.
    NoAnswer(String),
    /// The server answers, but TLS with it cannot work.
    TlsFailed(String),
}

impl Ending {
    /// The exit code of the process.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Goodbye(_) => 0,
            Self::Ended(_) | Self::NoAnswer(_) | Self::TlsFailed(_) => 3,
        }
    }

    /// The ending in one sentence.
    #[must_use]
    pub fn sentence(&self, address: &str) -> String {
        match self {
            Self::Goodbye(words) => format!("the server said goodbye: {words}"),
            Self::Ended(words) => format!("the server at {address} ended the session {words}"),
            Self::NoAnswer(words) => format!("the server at {address} does not answer ({words})"),
            Self::TlsFailed(words) => format!("the server at {address} {words}"),
        }
    }
}

/// The end of a connection.
pub(crate) struct Loss<'a> {
    pub(crate) status: Code,
    pub(crate) sentence: &'a str,
}

impl Loss<'_> {
    /// Whether the connection broke, or could not be opened: a status of the library, not of the server.
    pub(crate) fn is_broken(&self) -> bool {
        matches!(self.status, Code::Ok | Code::Unavailable | Code::Unknown | Code::Internal | Code::Cancelled)
    }

    pub(crate) fn is_not_let_in(&self) -> bool {
        matches!(self.status, Code::Unauthenticated | Code::PermissionDenied)
    }

    /// The reason of a broken connection; never empty.
    pub(crate) fn reason(&self) -> String {
        match (self.sentence, self.status) {
            ("", Code::Ok) => "the stream ended".into(),
            ("", status) => status_name(status),
            (sentence, _) => sentence.into(),
        }
    }
}

impl fmt::Display for Loss<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "({}): {}", status_name(self.status), reason_of(self.sentence))
    }
}

/// The pauses before the attempts to reconnect, since the server was last heard.
#[derive(Debug)]
pub(crate) struct Pauses {
    /// When the server was last heard, by the clock of the player.
    since: Duration,
    next: Duration,
}

impl Pauses {
    pub(crate) fn since(now: Duration) -> Self {
        Self { since: now, next: FIRST_PAUSE }
    }

    /// Whether to give up, if the session can be resumed for `resume_window`.
    pub(crate) fn are_over(&self, now: Duration, resume_window: Duration) -> bool {
        now.saturating_sub(self.since) > resume_window.max(PATIENCE)
    }

    /// The next pause: twice the one before up to a limit, cut by up to a half so that not all bots come at once.
    pub(crate) fn next(&mut self, jitter: f64) -> Duration {
        let pause = self.next;
        self.next = (2 * pause).min(LONGEST_PAUSE);
        pause.mul_f64(1.0 - jitter / 2.0)
    }
}

/// The pause that a server asked for, lengthened by up to a quarter.
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
        let ended = Ending::Ended(Loss { status: Code::FailedPrecondition, sentence: "" }.to_string());
        let sentence = "the server at here:1 ended the session (FAILED_PRECONDITION): no reason was given";
        assert_eq!(ended.sentence("here:1"), sentence);
        let gone = Ending::NoAnswer("refused".into()).sentence("here:1");
        assert_eq!(gone, "the server at here:1 does not answer (refused)");
        assert_eq!((ended.exit_code(), Ending::Goodbye(String::new()).exit_code()), (3, 0));
    }

    #[test]
    fn a_broken_connection_has_a_reason_always() {
        let reasons = [(Code::Ok, ""), (Code::Unavailable, ""), (Code::Ok, "away")];
        let told = reasons.map(|(status, sentence)| Loss { status, sentence }.reason());
        assert_eq!(told, ["the stream ended", "UNAVAILABLE", "away"]);
    }
}
