//! For tests of a bot: decisions from a file, and matches without a server of your own.
//!
//! ```
//! # use ordago::{Answer, Bot, BotError, Decision};
//! use ordago::testing::{ask, is_legal, load_decisions};
//!
//! struct First;
//!
//! impl Bot for First {
//!     fn choose(&mut self, decision: &Decision) -> Result<Answer, BotError> {
//!         Ok(decision.default_answer())
//!     }
//! }
//!
//! for logged in load_decisions("../vectors/decisions.jsonl")? {
//!     let answer = ask(|_| First, &logged)?;
//!     assert!(is_legal(&logged.decision, &answer), "{answer:?}");
//! }
//! # Ok::<(), BotError>(())
//! ```

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use prost::Message;
use serde_json::Value;

use crate::calls::{Call, Task};
use crate::json::from_json;
use crate::v1::answer::ActionChoice;
use crate::v1::{self, Action, LegalAction, Refused};
use crate::{Answer, Bot, BotError, Decision, Match};

pub use crate::legality::is_legal;

/// A question to a bot, as `--log-decisions` and `ordago record FILE --decisions SEAT` write it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoggedDecision {
    /// The decision, with its match; no time runs.
    pub decision: Decision,
    /// The refusal of the answer before; `None` if the bot was asked for the first time.
    pub refused: Option<Refused>,
    /// The answer that was sent; `None` if none was.
    pub answer: Option<Answer>,
    /// How long the bot thought, in milliseconds.
    pub milliseconds: u64,
    /// How the bot failed; `None` if it did not.
    pub error: Option<String>,
}

/// Reads a file of decisions.
///
/// # Errors
///
/// The file cannot be read, or a line of it is no decision.
pub fn load_decisions(path: impl AsRef<Path>) -> Result<Vec<LoggedDecision>, BotError> {
    let path = path.as_ref();
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let read = |(place, line): (usize, &str)| {
        logged(line).map_err(|error| format!("{}, line {}: {error}", path.display(), place + 1).into())
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(read).collect()
}

fn logged(line: &str) -> Result<LoggedDecision, BotError> {
    let line: Value = serde_json::from_str(line)?;
    let message = from_json::<v1::Decision>("Decision", &line["decision"])?;
    let present = |key: &str| line.get(key).filter(|value| !value.is_null());
    Ok(LoggedDecision {
        decision: Decision::of(message, from_json("MatchStart", &line["start"])?),
        refused: present("refused").map(|json| from_json("Refused", json)).transpose()?,
        answer: present("answer").map(|json| from_json::<v1::Answer>("Answer", json)).transpose()?.map(Answer::from),
        milliseconds: line["milliseconds"].as_u64().unwrap_or_default(),
        error: present("error").and_then(Value::as_str).map(Into::into),
    })
}

/// Asks a new bot as in a match, with the random numbers of that decision: for its answer, or again if it was refused.
///
/// # Errors
///
/// The bot failed; a [`Failure`](crate::Failure) has the trace.
pub fn ask<B: Bot>(factory: impl FnOnce(Match) -> B, logged: &LoggedDecision) -> Result<Answer, BotError> {
    let decision = logged.decision.clone();
    let bot = factory(decision.the_match().clone());
    let call = match &logged.refused {
        Some(refused) => Call::ChooseAgain(decision, refused.clone()),
        None => Call::Choose(decision),
    };
    Ok(Task { seat: (0, 0), bot, call }.run().answer?.unwrap_or_default())
}
