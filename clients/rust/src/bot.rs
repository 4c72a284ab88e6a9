//! What a bot author writes.

use crate::v1::{Decision, Forfeited, MatchEnd, Refused};
use crate::{Answer, Match};

/// One seat of one match. One is made for each, so whatever it keeps belongs to that match.
///
/// A bot that panics ends its process, with its stack trace and the exit code 1.
pub trait Bot {
    /// Answers a decision.
    ///
    /// The decision is complete: `view` is all that the seat sees, `actions` all that is legal. Between two calls the bot
    /// need not keep anything. What its answers depend on beside the decision should come from [`Match::chance`].
    fn choose(&mut self, decision: &Decision) -> Answer;

    /// Answers a decision again, after the server refused the answer: by the default answer, unless overridden.
    fn refused(&mut self, decision: &Decision, refusal: &Refused) -> Answer {
        let _ = refusal;
        decision.default_answer()
    }

    /// Learns that the seat is forfeited: it is asked no more, and [`ended`](Self::ended) follows when the match is over.
    fn forfeited(&mut self, notice: &Forfeited) {
        let _ = notice;
    }

    /// Learns how the match ended.
    fn ended(&mut self, end: &MatchEnd) {
        let _ = end;
    }

    /// The games that it plays, by their short names. None: whatever the server offers.
    #[must_use]
    fn games() -> &'static [&'static str]
    where
        Self: Sized,
    {
        &[]
    }
}

/// For a factory whose bots are of several types. It has to say by `--game` what they play, where that is not everything.
impl Bot for Box<dyn Bot> {
    fn choose(&mut self, decision: &Decision) -> Answer {
        self.as_mut().choose(decision)
    }

    fn refused(&mut self, decision: &Decision, refusal: &Refused) -> Answer {
        self.as_mut().refused(decision, refusal)
    }

    fn forfeited(&mut self, notice: &Forfeited) {
        self.as_mut().forfeited(notice);
    }

    fn ended(&mut self, end: &MatchEnd) {
        self.as_mut().ended(end);
    }
}

/// Makes the bot for a match.
pub(crate) type Factory<B> = Box<dyn FnMut(Match) -> B>;
