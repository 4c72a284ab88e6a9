//! State of one seat: its bot, the last decision and the answer to it.

use std::collections::HashSet;
use std::time::Duration;

use crate::v1::{Choice, Decision, MatchStart, Refused};
use crate::{Answer, Bot, Match};

/// One seat of one match, over all connections of the session.
///
/// A decision may come again: after a broken connection, or because the server lost time. Its answer is kept and sent
/// again. So the bot is asked once, and the server never gets two different answers.
pub(crate) struct Seat<B> {
    pub(crate) the_match: Match,
    pub(crate) bot: B,
    /// The number of the last decision that arrived; 0 before the first.
    pub(crate) number: u32,
    answer: Answer,
    /// The last decision, until it is closed.
    open: Option<Decision>,
    asked: Duration,
    closed: u32,
    refusals: HashSet<String>,
}

/// An answer ready to be sent.
pub(crate) struct Reply {
    choice: Choice,
    asked: Duration,
}

impl Reply {
    /// The choice with its thinking time, which ends now.
    pub(crate) fn sent(mut self, now: Duration) -> Choice {
        let thought = now.saturating_sub(self.asked) + Duration::from_micros(500);
        self.choice.thought_ms = Some(thought.as_millis().try_into().unwrap_or(u32::MAX));
        self.choice
    }
}

impl<B: Bot> Seat<B> {
    pub(crate) fn new(the_match: Match, bot: B) -> Self {
        Self {
            the_match,
            bot,
            number: 0,
            answer: Answer::default(),
            open: None,
            asked: Duration::ZERO,
            closed: 0,
            refusals: HashSet::new(),
        }
    }

    /// The match, for the log.
    pub(crate) fn name(&self) -> String {
        format!("match {}", self.the_match.start().match_id)
    }

    /// Whether an announced match is this one, and no decision that the bot has seen is undone.
    pub(crate) fn carries_on(&self, start: &MatchStart) -> bool {
        start.match_id == self.the_match.start().match_id && start.last_decision.saturating_add(1) >= self.number
    }

    /// Prepares for another connection, on which the open decision will come again.
    pub(crate) fn disconnect(&mut self) {
        self.open = None;
    }

    /// Answers a decision that arrived at a time of the player's clock.
    pub(crate) fn decide(&mut self, decision: Decision, arrived: Duration) -> Reply {
        if decision.number != self.number {
            self.answer = self.bot.choose(&decision);
            self.number = decision.number;
        }
        self.asked = arrived;
        let reply = self.reply(&decision);
        self.open = Some(decision);
        reply
    }

    /// Answers a refusal; `None` if the decision is closed.
    pub(crate) fn decide_again(&mut self, refused: &Refused) -> Option<Reply> {
        let decision = self.open.as_ref().filter(|open| open.number == refused.number && is_answer_due(refused))?;
        self.answer = self.bot.refused(decision, refused);
        Some(self.reply(decision))
    }

    /// Whether an answer in this match is refused for this cause for the first time.
    pub(crate) fn is_first_refusal(&mut self, cause: &str) -> bool {
        self.refusals.insert(cause.to_owned())
    }

    /// Closes a decision. Returns whether it was open, since a server says it again after a broken connection.
    pub(crate) fn close(&mut self, number: u32) -> bool {
        self.open = self.open.take().filter(|open| open.number != number);
        let is_news = number > self.closed;
        self.closed = self.closed.max(number);
        is_news
    }

    fn reply(&self, decision: &Decision) -> Reply {
        let choice = Choice {
            match_handle: decision.match_handle,
            number: decision.number,
            answer: self.answer.clone().into_bytes(),
            thought_ms: None,
        };
        Reply { choice, asked: self.asked }
    }
}

/// Whether a refusal leaves the decision open. After the last strike the default answer is taken.
fn is_answer_due(refused: &Refused) -> bool {
    let is_last_strike = !refused.rule.is_empty() && refused.strikes_left == 0;
    refused.time_left_ms > 0 && !is_last_strike
}
