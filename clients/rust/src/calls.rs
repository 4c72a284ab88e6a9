//! Calls of bots, wherever they run. A call takes its bot along, so those of one bot cannot overlap.

use std::time::{Duration, Instant};

use crate::failure::{Failure, caught};
use crate::v1::{Forfeited, MatchEnd, Refused};
use crate::{Answer, Bot, BotError, Decision};

/// The handle of a match, and a number that no other seat has.
pub(crate) type SeatId = (u32, u64);

/// A call of a bot.
pub(crate) enum Call {
    Choose(Decision),
    ChooseAgain(Decision, Refused),
    Forfeited(Forfeited),
    Ended(MatchEnd),
}

impl Call {
    /// The decision that it asks for; `None` if it is a notice.
    pub(crate) fn decision(&self) -> Option<&Decision> {
        match self {
            Self::Choose(decision) | Self::ChooseAgain(decision, _) => Some(decision),
            Self::Forfeited(_) | Self::Ended(_) => None,
        }
    }

    pub(crate) fn refused(&self) -> Option<&Refused> {
        match self {
            Self::ChooseAgain(_, refused) => Some(refused),
            _ => None,
        }
    }

    fn of(&self, bot: &mut impl Bot) -> Result<Option<Answer>, BotError> {
        match self {
            Self::Choose(decision) => return bot.choose(decision).map(Some),
            Self::ChooseAgain(decision, refused) => return bot.refused(decision, refused).map(Some),
            Self::Forfeited(notice) => bot.forfeited(notice),
            Self::Ended(end) => bot.ended(end),
        }
        Ok(None)
    }
}

/// A call that is due.
pub(crate) struct Task<B> {
    pub(crate) seat: SeatId,
    pub(crate) bot: B,
    pub(crate) call: Call,
}

/// A call that was made.
pub(crate) struct Thought<B> {
    pub(crate) seat: SeatId,
    pub(crate) bot: B,
    pub(crate) call: Call,
    /// The answer, none to a notice.
    pub(crate) answer: Result<Option<Answer>, Failure>,
    pub(crate) took: Duration,
}

impl<B: Bot> Task<B> {
    /// Calls the bot.
    pub(crate) fn run(self) -> Thought<B> {
        let Self { seat, mut bot, call } = self;
        let began = Instant::now();
        let answer = caught(|| call.of(&mut bot)).and_then(|answer| checked(answer?, &call));
        Thought { seat, bot, call, answer, took: began.elapsed() }
    }
}

/// Refuses an answer without an action. That of a newer server may have one that these stubs do not know.
fn checked(answer: Option<Answer>, call: &Call) -> Result<Option<Answer>, Failure> {
    let is_empty = |answer: &Answer| !answer.names_action();
    match (&answer, call.decision()) {
        (Some(answer), Some(decision)) if is_empty(answer) && *answer != decision.default_answer() => {
            let error = "its answer names no action";
            Err(Failure { error: error.into(), trace: format!("{error}: {:?}", answer.read()), ..Failure::default() })
        }
        _ => Ok(answer),
    }
}
