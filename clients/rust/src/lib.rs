//! Bots for [Ordago](https://github.com/ordago/ordago), a server for card games with hidden information.
//!
//! A bot is a type with one method, and [`Client::run`] is its whole main program. This one plays every game by chance:
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use ordago::{Answer, Bot, BotError, Client, Decision, complete};
//!
//! struct Random;
//!
//! impl Bot for Random {
//!     fn choose(&mut self, decision: &Decision) -> Result<Answer, BotError> {
//!         let mut chance = decision.chance();
//!         let action = chance.choose(&decision.actions).ok_or("nothing is legal")?;
//!         Ok(complete(action, &mut chance))
//!     }
//! }
//!
//! fn main() -> ExitCode {
//!     Client::new("random", "1.0").run(|_| Random)
//! }
//! ```
//!
//! - [`Bot`] is the trait to implement: one object plays one seat of one match.
//! - [`Match`] has the facts of the match, [`Decision`] a question with all that the seat sees, [`Answer`] its answer.
//! - [`Client`] connects and plays: [`run`](Client::run) is a main program, [`play`](Client::play) a future.
//! - [`cards`] has the names of the cards, and their values in each game.
//! - [`testing`] reads decisions from a file, asks a bot, and plays matches without a server of your own.
//! - [`v1`] has the messages of the contract.
//!
//! Without the default feature `cli` there is no `run`, and no clap.

mod address;
mod answer;
mod bot;
mod calls;
pub mod cards;
mod client;
mod coming_back;
mod decision;
mod decision_log;
mod environment;
mod failure;
mod games;
mod json;
#[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "only a main program has signals"))]
mod launch;
mod legality;
mod logging;
mod look;
mod matches;
mod options;
mod outcome;
mod player;
mod receipts;
#[cfg(feature = "cli")]
mod run;
mod seat;
pub mod testing;
mod threads;
mod tls;
mod token;
mod transport;
/// The messages of the contract, generated from `proto/ordago/v1`.
///
/// Fields of an enum are `i32`, so that values of a newer server survive; methods of the same name return the enum:
/// `view.hand()`. Answers that pass through a bot, [`Decision::default_answer`](v1::Decision) and that of a
/// [`Choice`](v1::Choice), are bytes, the same as on the wire: see [`Answer`].
#[rustfmt::skip]
#[allow(missing_docs, clippy::all, clippy::pedantic)]
pub mod v1;
#[cfg(test)]
mod vectors;
mod words;

/// The examples of README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use answer::{Answer, complete};
pub use bot::{Bot, BotError};
pub use client::{Client, Error};
pub use decision::{Chance, Decision};
pub use failure::Failure;
pub use matches::Match;
pub use options::Options;
pub use outcome::{Outcome, Slowest};
pub use v1::LegalAction;
