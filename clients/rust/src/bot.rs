//! The trait that a bot author implements.

use crate::v1::{Decision, Forfeited, MatchEnd, Refused};
use crate::{Answer, Match};

/// One seat of one match. Each match gets a new object, so its state belongs to that match.
///
/// A bot that panics ends its process with a stack trace and exit code 1.
pub trait Bot {
    /// Answers a decision.
    ///
    /// The decision is complete: `view` has all that the seat sees, `actions` all that is legal. The bot need not keep
    /// anything between two calls. Draw random numbers from [`Match::chance`], so that a match can be repeated.
    fn choose(&mut self, decision: &Decision) -> Answer;

    /// Answers a decision again after the server refused the answer; by default with the default answer.
    fn refused(&mut self, decision: &Decision, refusal: &Refused) -> Answer {
        let _ = refusal;
        decision.default_answer()
    }

    /// Called when the seat is forfeited: it is asked no more, and [`ended`](Self::ended) follows when the match is over.
    fn forfeited(&mut self, notice: &Forfeited) {
        let _ = notice;
    }

    /// Called when the match has ended.
    fn ended(&mut self, end: &MatchEnd) {
        let _ = end;
    }

    /// The short names of the games that the bot plays; empty for all that the server offers.
    #[must_use]
    fn games() -> &'static [&'static str]
    where
        Self: Sized,
    {
        &[]
    }
}

/// For a factory that makes bots of several types. Unless these play every game, name their games with `--game`.
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
