//! State of one seat: its bot, the last decision and the answer to it.

use std::collections::{HashSet, VecDeque};
use std::time::Duration;

use crate::calls::{Call, SeatId, Task};
use crate::v1::{self, Choice, MatchStart, Refused};
use crate::{Answer, Decision, Match};

/// One seat of one match, over all connections of the session.
///
/// A decision may come again: after a broken connection, or because the server lost time. Its answer is kept and sent
/// again. So the bot is asked once, and the server never gets two different answers.
pub(crate) struct Seat<B> {
    pub(crate) id: SeatId,
    pub(crate) the_match: Match,
    /// The number of the last decision that arrived; 0 before the first.
    pub(crate) number: u32,
    /// Whether the bot has failed before.
    pub(crate) has_failed: bool,
    /// The bot, unless it is called just now, or failed when it was made.
    bot: Option<B>,
    /// Whether the bot failed when it was made.
    is_broken: bool,
    waiting: VecDeque<Call>,
    /// The number of the decision that the bot thinks about, or is going to.
    asking: Option<u32>,
    /// The answer to the last decision, when the bot has thought.
    answer: Option<Answer>,
    /// The last decision, until it is closed.
    open: Option<Decision>,
    asked: Duration,
    closed: u32,
    refusals: HashSet<String>,
}

/// An answer ready to be sent.
pub(crate) struct Reply {
    pub(crate) match_id: String,
    pub(crate) choice: Choice,
    asked: Duration,
}

impl Reply {
    /// Ends the thinking time.
    pub(crate) fn stop(&mut self, now: Duration) -> u32 {
        let thought = now.saturating_sub(self.asked) + Duration::from_micros(500);
        let milliseconds = thought.as_millis().try_into().unwrap_or(u32::MAX);
        self.choice.thought_ms = Some(milliseconds);
        milliseconds
    }
}

impl<B> Seat<B> {
    /// A seat with its bot; `None` if that failed when it was made.
    pub(crate) fn new(id: SeatId, the_match: Match, bot: Option<B>) -> Self {
        Self {
            id,
            the_match,
            number: 0,
            has_failed: false,
            is_broken: bot.is_none(),
            bot,
            waiting: VecDeque::new(),
            asking: None,
            answer: None,
            open: None,
            asked: Duration::ZERO,
            closed: 0,
            refusals: HashSet::new(),
        }
    }

    /// The id of the match.
    pub(crate) fn match_id(&self) -> &str {
        &self.the_match.start().match_id
    }

    /// Whether an announced match is this one, and no decision that the bot has seen is undone.
    pub(crate) fn carries_on(&self, start: &MatchStart) -> bool {
        start.match_id == self.match_id() && start.last_decision.saturating_add(1) >= self.number
    }

    /// Prepares for another connection, on which the open decision will come again.
    pub(crate) fn disconnect(&mut self) {
        self.open = None;
    }

    /// Takes a decision that arrived at a time of the player's clock, and returns the answer if it is known.
    pub(crate) fn decide(&mut self, decision: Decision, arrived: Duration) -> Option<Reply> {
        if decision.number != self.number {
            self.drop_question();
            self.number = decision.number;
            self.answer = self.is_broken.then(|| decision.default_answer());
        }
        self.asked = arrived;
        if self.answer.is_none() && self.asking != Some(decision.number) {
            self.ask(Call::Choose(decision.clone()));
        }
        self.open = Some(decision);
        self.reply()
    }

    /// Takes a refusal that arrived at a time of the player's clock, and returns the answer if it is known.
    pub(crate) fn decide_again(&mut self, refused: &Refused, arrived: Duration) -> Option<Reply> {
        let open = self.open.as_ref().filter(|open| open.number == refused.number && is_answer_due(refused))?;
        if self.asking.is_some() {
            return None;
        }
        if self.is_broken {
            return self.reply();
        }
        let decision = open.until(arrived + Duration::from_millis(refused.time_left_ms.into()));
        self.answer = None;
        self.ask(Call::ChooseAgain(decision, refused.clone()));
        None
    }

    /// Takes the bot back from a call, with its answer to a decision, and returns what to send if it is still wanted.
    pub(crate) fn take_back(&mut self, bot: B, answered: Option<(u32, Answer)>) -> Option<Reply> {
        self.bot = Some(bot);
        let (number, answer) = answered?;
        if self.asking != Some(number) {
            return None;
        }
        self.asking = None;
        self.answer = Some(answer);
        self.reply()
    }

    /// Calls the bot as soon as it is free, unless it failed when it was made.
    pub(crate) fn tell(&mut self, notice: Call) {
        if !self.is_broken {
            self.waiting.push_back(notice);
        }
    }

    /// The next call of the bot, if it is free.
    pub(crate) fn next_task(&mut self) -> Option<Task<B>> {
        let bot = self.bot.take_if(|_| !self.waiting.is_empty())?;
        Some(Task { seat: self.id, bot, call: self.waiting.pop_front()? })
    }

    /// Whether the bot is being called, or going to be.
    pub(crate) fn is_busy(&self) -> bool {
        !self.is_broken && (self.bot.is_none() || !self.waiting.is_empty())
    }

    /// Whether an answer in this match is refused for this cause for the first time.
    pub(crate) fn is_first_refusal(&mut self, cause: &str) -> bool {
        self.refusals.insert(cause.to_owned())
    }

    /// Closes a decision. Returns whether it was open, since a server says it again after a broken connection.
    pub(crate) fn close(&mut self, number: u32) -> bool {
        if self.open.take_if(|open| open.number == number).is_some() {
            self.drop_question();
        }
        let is_news = number > self.closed;
        self.closed = self.closed.max(number);
        is_news
    }

    /// Drops the question that the bot has not begun with. The answer to one that it thinks about is not sent.
    pub(crate) fn drop_question(&mut self) {
        let waiting = self.waiting.len();
        self.waiting.retain(|call| call.decision().is_none());
        if self.waiting.len() < waiting {
            self.asking = None;
        }
    }

    fn ask(&mut self, question: Call) {
        self.asking = question.decision().map(|decision| decision.number);
        self.waiting.push_back(question);
    }

    fn reply(&self) -> Option<Reply> {
        let decision: &v1::Decision = self.open.as_ref()?;
        let choice = Choice {
            match_handle: decision.match_handle,
            number: decision.number,
            answer: self.answer.clone()?.into_bytes(),
            thought_ms: None,
        };
        Some(Reply { match_id: self.match_id().into(), choice, asked: self.asked })
    }
}

/// Whether a refusal leaves the decision open. After the last strike the default answer is taken.
fn is_answer_due(refused: &Refused) -> bool {
    let is_last_strike = !refused.rule.is_empty() && refused.strikes_left == 0;
    refused.time_left_ms > 0 && !is_last_strike
}
