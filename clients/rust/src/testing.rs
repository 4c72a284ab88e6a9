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
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::Value;

use crate::calls::{Call, Task};
use crate::environment::variable;
use crate::json::from_json;
use crate::v1::{self, Refused};
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

/// Asks a new bot as in a match, with the random numbers of that decision, and its time from now on. One that was refused
/// is asked first and refused then.
///
/// # Errors
///
/// The bot failed; a [`Failure`](crate::Failure) has the trace.
pub fn ask<B: Bot>(factory: impl FnOnce(Match) -> B, logged: &LoggedDecision) -> Result<Answer, BotError> {
    let (began, the_match) = (Instant::now(), logged.decision.the_match().clone());
    let bot = factory(the_match.clone());
    let message = v1::Decision::clone(&logged.decision);
    let decision = Decision::new(message, the_match, Arc::new(move || began.elapsed()), Duration::ZERO);
    let run = |bot, call| Task { seat: (0, 0), bot, call }.run();
    let mut thought = run(bot, Call::Choose(decision.clone()));
    if let (Some(refused), Ok(_)) = (&logged.refused, &thought.answer) {
        let again = decision.until(began.elapsed() + Duration::from_millis(refused.time_left_ms.into()));
        thought = run(thought.bot, Call::ChooseAgain(again, refused.clone()));
    }
    Ok(thought.answer?.unwrap_or_default())
}

/// A match that [`play`] played.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct PlayedMatch {
    /// The id of the match.
    pub match_id: String,
    /// The short name of the game.
    pub game: String,
    /// Its number, from 1.
    pub number: u32,
    /// Its seats, in the order of play.
    pub seats: Vec<PlayedSeat>,
    /// The faults of all seats.
    pub faults: u32,
    /// The forfeits.
    pub forfeits: Vec<PlayedForfeit>,
}

/// A seat of a match.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct PlayedSeat {
    /// The place of its bot among those that play, from 0.
    pub bot: usize,
    /// The name of its bot.
    pub name: String,
    /// Its score.
    pub score: i32,
    /// Its placing, from 1.
    pub placing: u32,
    /// Its illegal answers by rule or field.
    pub strikes: BTreeMap<String, u32>,
}

/// A forfeit of a match.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct PlayedForfeit {
    /// The seat.
    pub seat: usize,
    /// The fault that led to it, such as `FAULT_CRASHED`.
    pub fault: String,
}

/// Plays matches of a game between bots, each `cmd:COMMAND` or `house:NAME`, one for each seat; it waits for the end. The
/// bots rotate: with n bots, n matches in a row deal the same cards and put each bot once on every seat.
///
/// It runs the program that the variable `ORDAGO_PROGRAM` names, else `ordago` of the path, with further arguments of
/// yours.
///
/// ```no_run
/// use ordago::testing::play;
///
/// let bots = ["cmd:target/release/bot", "house:random", "house:random"];
/// let sum: i32 = play("mittlere", &bots, 12, &["--option", "deals=3", "--seed", "2a"])?
///     .iter()
///     .flat_map(|played| played.seats.iter().filter(|seat| seat.bot == 0).map(|seat| seat.score))
///     .sum();
/// assert!(sum > 0, "worse than chance: {sum}");
/// # Ok::<(), ordago::BotError>(())
/// ```
///
/// # Errors
///
/// The program is not there, or fails: its words are in the error.
pub fn play(game: &str, bots: &[&str], matches: u32, arguments: &[&str]) -> Result<Vec<PlayedMatch>, BotError> {
    play_by(&variable("ORDAGO_PROGRAM").unwrap_or_else(|| "ordago".into()), game, bots, matches, arguments)
}

fn play_by(
    program: &OsStr,
    game: &str,
    bots: &[&str],
    matches: u32,
    arguments: &[&str],
) -> Result<Vec<PlayedMatch>, BotError> {
    let mut command = Command::new(program);
    command.args(["play", game, "--json", "--matches", &matches.to_string()]);
    command.args(bots.iter().flat_map(|bot| ["--bot", *bot])).args(arguments);
    let output = command.output().map_err(|error| {
        let name = program.display();
        match error.kind() {
            ErrorKind::NotFound => format!("there is no program {name}: install Ordago, or set ORDAGO_PROGRAM"),
            _ => format!("{name} cannot be started: {error}"),
        }
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} play ended with {}: {}", program.display(), output.status, said.trim()).into());
    }
    str::from_utf8(&output.stdout)?.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

#[cfg(test)]
mod tests {
    use prost::Message;

    use super::*;
    use crate::json::to_json;

    const DECISIONS: &str = "../vectors/decisions.jsonl";

    /// Draws a number for an amount, or fails.
    #[derive(Default)]
    struct Drawing {
        has_chosen: bool,
    }

    impl Bot for Drawing {
        fn choose(&mut self, decision: &Decision) -> Result<Answer, BotError> {
            self.has_chosen = true;
            assert!(is_timed(decision, decision.clock.expect("a clock").decision_ms));
            Ok(Answer::from(&decision.actions[0]).with_amount(decision.chance().number(0..=1_000_000)))
        }

        fn refused(&mut self, decision: &Decision, refusal: &Refused) -> Result<Answer, BotError> {
            assert!(self.has_chosen && is_timed(decision, refusal.time_left_ms));
            Err(refusal.rule.as_str().into())
        }
    }

    /// Whether time runs, so many milliseconds at most.
    fn is_timed(decision: &Decision, milliseconds: u32) -> bool {
        decision.time_left().is_some_and(|left| left <= Duration::from_millis(milliseconds.into()))
    }

    #[test]
    fn decisions_are_read_as_they_were_written() {
        let logged = load_decisions(DECISIONS).expect("decisions");
        let text = fs::read_to_string(DECISIONS).expect("decisions");
        assert_eq!(logged.len(), 5);
        for (logged, line) in logged.iter().zip(text.lines()) {
            let line: Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(to_json("Decision", &logged.decision.encode_to_vec()).expect("JSON"), line["decision"]);
            assert_eq!(
                to_json("MatchStart", &logged.decision.the_match().start().encode_to_vec()).expect("JSON"),
                line["start"]
            );
            let answer = logged.answer.as_ref().expect("an answer");
            assert_eq!(to_json("Answer", answer.as_bytes()).expect("JSON"), line["answer"]);
            assert!(
                is_legal(&logged.decision, answer) && is_legal(&logged.decision, &logged.decision.default_answer())
            );
        }
    }

    #[test]
    fn a_bot_is_asked_with_the_same_chance_each_time() {
        let mut logged = load_decisions(DECISIONS).expect("decisions").remove(0);
        let answer = ask(|_| Drawing::default(), &logged).expect("an answer");
        assert_eq!(ask(|_| Drawing::default(), &logged).expect("an answer"), answer);
        assert_eq!(answer.read().expect("an answer").amount, Some(logged.decision.chance().number(0..=1_000_000)));
        logged.refused = Some(Refused { rule: "follow_suit".into(), time_left_ms: 500, ..Default::default() });
        let failure = ask(|_| Drawing::default(), &logged).expect_err("it fails");
        assert_eq!(failure.to_string(), "the bot failed: follow_suit");
    }

    #[test]
    fn a_line_that_is_no_decision_is_named() {
        let file = std::env::temp_dir().join(format!("ordago-decisions-{}", std::process::id()));
        fs::write(&file, "\n{\"decision\": {\"number\": \"many\"}}\n").expect("there is a place for it");
        let told = load_decisions(&file).expect_err("it is wrong").to_string();
        fs::remove_file(&file).expect("it is there");
        assert!(told.starts_with(&format!("{}, line 2: ", file.display())), "{told}");
        let nowhere = load_decisions("/nowhere").expect_err("it is not there").to_string();
        assert!(nowhere.starts_with("/nowhere: "), "{nowhere}");
    }

    /// Plays by a shell script, and removes it.
    #[cfg(unix)]
    fn play_by_script(name: &str, lines: &str) -> Result<Vec<PlayedMatch>, BotError> {
        let script = std::env::temp_dir().join(format!("ordago-{name}-{}", std::process::id()));
        fs::write(&script, format!("#!/bin/sh\n{lines}\n")).expect("there is a place for it");
        fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o700)).expect("it is ours");
        let played = play_by(script.as_os_str(), "mus", &["cmd:bot", "house:random"], 3, &["--seed", "2a"]);
        fs::remove_file(&script).expect("it is there");
        played
    }

    #[cfg(unix)]
    #[test]
    fn matches_are_played_by_the_program() {
        let line = r#"{"match_id": "'"$*"'", "number": 1, "game": "mus", "seats": [{"bot": 1, "name": "b", "score": -3,
            "placing": 2, "strikes": {"follow_suit": 2}}], "faults": 4, "forfeits": [{"seat": 0, "fault": "FAULT_CRASHED"}]}"#;
        let [played] = play_by_script("play", &format!("echo '{}'", line.replace('\n', "")))
            .expect("matches")
            .try_into()
            .expect("one match");
        assert_eq!(played.match_id, "play mus --json --matches 3 --bot cmd:bot --bot house:random --seed 2a");
        assert_eq!((played.number, played.faults, played.forfeits[0].fault.as_str()), (1, 4, "FAULT_CRASHED"));
        let PlayedSeat { bot, name, score, placing, strikes } = &played.seats[0];
        assert_eq!((*bot, name.as_str(), *score, *placing, strikes["follow_suit"]), (1, "b", -3, 2, 2));
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_fails_or_is_not_there_is_told() {
        let told = play_by_script("fail", "echo 'no such game' >&2; exit 2").expect_err("it fails").to_string();
        assert!(told.ends_with("play ended with exit status: 2: no such game"), "{told}");
        let absent =
            play_by(OsStr::new("/nowhere/ordago"), "mus", &[], 1, &[]).expect_err("it is not there").to_string();
        assert_eq!(absent, "there is no program /nowhere/ordago: install Ordago, or set ORDAGO_PROGRAM");
    }
}
