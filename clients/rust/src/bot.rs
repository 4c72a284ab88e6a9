//! The trait that a bot author implements.

use std::error::Error;

use crate::v1::{Forfeited, MatchEnd, Refused};
use crate::{Answer, Decision, Match};

/// An error of a bot: any error, or a text, by `?` or `into()`.
pub type BotError = Box<dyn Error + Send + Sync>;

/// One seat of one match. Each match gets a new object, so its state belongs to that match.
///
/// A bot fails if it returns an error or panics. `--on-error` says what comes of that: its process ends with exit code 1
/// (`stop`), or the default answer is taken and the bot goes on (`default`).
///
/// The methods of one object are called one after the other, but perhaps in different threads: see
/// [`Client::threads`](crate::Client::threads).
pub trait Bot: Send + 'static {
    /// Answers a decision.
    ///
    /// The decision is complete: `view` has all that the seat sees, `actions` all that is legal. The bot need not keep
    /// anything between two calls. Draw random numbers from [`Decision::chance`], so that a match can be repeated.
    ///
    /// # Errors
    ///
    /// The bot failed.
    fn choose(&mut self, decision: &Decision) -> Result<Answer, BotError>;

    /// Answers a decision again after the server refused the answer; by default with the default answer.
    ///
    /// # Errors
    ///
    /// The bot failed.
    fn refused(&mut self, decision: &Decision, refusal: &Refused) -> Result<Answer, BotError> {
        let _ = refusal;
        Ok(decision.default_answer())
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
    fn choose(&mut self, decision: &Decision) -> Result<Answer, BotError> {
        self.as_mut().choose(decision)
    }

    fn refused(&mut self, decision: &Decision, refusal: &Refused) -> Result<Answer, BotError> {
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
pub(crate) type Factory<B> = Box<dyn FnMut(Match) -> B + Send>;
