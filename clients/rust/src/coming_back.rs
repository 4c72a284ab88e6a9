//! Pauses before the attempts to reconnect, and the decision to give up.

use std::time::Duration;

use tonic::Code;

use crate::failure::Failure;
use crate::words::status_name;

const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(8);
/// How long a server is tried that does not answer, or longer while the session can be resumed.
const PATIENCE: Duration = Duration::from_secs(30);

/// The next step after a connection ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Next {
    /// Connect again after a pause.
    Pause(Duration),
    /// End.
    Over(Ending),
}

/// The end of a session, with the words of the server or of the transport.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ending {
    /// The server said goodbye, or a retiring bot has lost its session.
    Goodbye(String),
    /// The server ended the session otherwise, and coming back is of no use: the status and the sentence.
    Ended(String, String),
    /// The server does not answer.
    NoAnswer(String),
    /// The server answers, but TLS with it cannot work.
    TlsFailed(String),
    /// The bot failed, and default answers are not wanted.
    BotFailed(Failure),
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

    /// The end of the session by this loss.
    pub(crate) fn ended(&self) -> Ending {
        Ending::Ended(status_name(self.status), self.sentence.into())
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
    fn a_broken_connection_has_a_reason_always() {
        let reasons = [(Code::Ok, ""), (Code::Unavailable, ""), (Code::Ok, "away")];
        let told = reasons.map(|(status, sentence)| Loss { status, sentence }.reason());
        assert_eq!(told, ["the stream ended", "UNAVAILABLE", "away"]);
    }
}
