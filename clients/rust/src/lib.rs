//! Bots for [Ordago](https://github.com/ordago/ordago), a server for card games with hidden information.
//!
//! A bot is a type with one method, and [`run`] is its whole main program. This one plays every game by chance:
//!
//! ```no_run
//! use ordago::rand::seq::IndexedRandom;
//! use ordago::{Answer, Bot, Decision, Match, complete, run};
//!
//! struct Random(Match);
//!
//! impl Bot for Random {
//!     fn choose(&mut self, decision: &Decision) -> Answer {
//!         let mut chance = self.0.chance(decision);
//!         let action = decision.actions.choose(&mut chance).expect("something is always legal");
//!         complete(action, &mut chance)
//!     }
//! }
//!
//! fn main() {
//!     run(Random, "random", "1.0")
//! }
//! ```
//!
//! - [`Bot`] is the trait to implement: one object plays one seat of one match.
//! - [`Match`] has the facts of the match, [`Decision`] a question with all that the seat sees, [`Answer`] its answer.
//! - [`cards`] has the names of the cards, and their values in each game.
//! - [`v1`] has the messages of the contract.
//! - [`Player`] is the session logic, without I/O, for a transport of your own.

mod address;
mod answer;
mod bot;
pub mod cards;
mod coming_back;
mod environment;
mod games;
mod launch;
mod logging;
mod look;
mod matches;
mod options;
mod player;
mod receipts;
mod run;
mod seat;
mod tls;
mod token;
mod transport;
/// The messages of the contract, generated from `proto/ordago/v1`.
///
/// Fields of an enum are `i32`, so that values of a newer server survive; `Card::try_from(number)` reads one. Answers that
/// pass through a bot, [`Decision::default_answer`](v1::Decision) and that of a [`Choice`](v1::Choice), are bytes, the
/// same as on the wire: see [`Answer`].
#[rustfmt::skip]
#[allow(clippy::all, clippy::pedantic)]
pub mod v1;
#[cfg(test)]
mod vectors;
mod words;

pub use answer::{Answer, complete};
pub use bot::Bot;
pub use coming_back::{Ending, Next};
pub use matches::{Chance, Match};
pub use options::Options;
pub use player::Player;
pub use run::{run, run_with};
pub use v1::{Decision, LegalAction};

/// The library that encodes and decodes the messages.
pub use prost;
/// The library that [`Chance`] comes from.
pub use rand;
pub use tonic::Code;
