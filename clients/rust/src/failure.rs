//! Failures of a bot: what it returned or threw, and where.

use std::any::Any;
use std::backtrace::Backtrace;
use std::cell::{Cell, RefCell};
use std::error::Error;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use crate::BotError;

/// A failure of a bot.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Failure {
    /// The id of its match; empty in a test.
    pub match_id: String,
    /// The number of the decision; `None` when it was made, in a notice, or in a test.
    pub decision: Option<u32>,
    /// What went wrong.
    pub error: String,
    /// Where: the stack of a panic, or the error with its causes.
    pub trace: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}the bot failed: {}", self.place(), self.error)
    }
}

impl Error for Failure {}

impl Failure {
    /// The match and the decision, as the beginning of a sentence.
    pub(crate) fn place(&self) -> String {
        match self.decision {
            Some(number) => format!("match {}, decision {number}: ", self.match_id),
            None if self.match_id.is_empty() => String::new(),
            None => format!("match {}: ", self.match_id),
        }
    }
}

impl From<BotError> for Failure {
    fn from(error: BotError) -> Self {
        // Errors that know their stack, such as those of `anyhow`, show it here.
        Self { error: error.to_string(), trace: format!("{error:?}"), ..Self::default() }
    }
}

thread_local! {
    static IS_WATCHED: Cell<bool> = const { Cell::new(false) };
    static TRACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Calls a bot, and returns its panic as a failure.
pub(crate) fn caught<T>(call: impl FnOnce() -> T) -> Result<T, Failure> {
    keep_traces();
    let is_nested = IS_WATCHED.replace(true);
    let called = panic::catch_unwind(AssertUnwindSafe(call));
    IS_WATCHED.set(is_nested);
    called.map_err(|thrown| Failure { error: words_of(&*thrown), trace: TRACE.take(), ..Failure::default() })
}

/// Keeps the stacks of panics in calls of bots. All others go where they went before.
fn keep_traces() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panicked| {
            if IS_WATCHED.get() {
                TRACE.set(format!("{panicked}\n{}", Backtrace::force_capture()));
            } else {
                before(panicked);
            }
        }));
    });
}

fn words_of(thrown: &(dyn Any + Send)) -> String {
    match (thrown.downcast_ref::<&str>(), thrown.downcast_ref::<String>()) {
        (Some(words), _) => (*words).into(),
        (_, Some(words)) => words.clone(),
        _ => "it panicked without words".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_returned_with_its_place() {
        let failure = caught::<()>(|| panic!("no {}", "card")).expect_err("it panicked");
        assert_eq!((failure.error.as_str(), failure.to_string().as_str()), ("no card", "the bot failed: no card"));
        assert!(failure.trace.contains("failure.rs") && failure.trace.contains("caught"), "{}", failure.trace);
        assert_eq!(caught(|| 7), Ok(7));
    }

    #[test]
    fn panics_without_words_are_told_too() {
        let error = |call: fn()| caught(call).expect_err("it panicked").error;
        assert_eq!(error(|| panic::panic_any("short")), "short");
        assert_eq!(error(|| panic::panic_any(7)), "it panicked without words");
    }
}
