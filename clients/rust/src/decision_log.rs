//! The file of `--log-decisions`: a line of JSON for each question to the bot.

use std::io::Write;
use std::mem;

use prost::Message;
use serde_json::{Map, Value, json};

use crate::calls::Thought;
use crate::json::to_json;
use crate::v1::MatchStart;
use crate::{Answer, BotError, Decision};

/// Writer of decisions, a line each, over all connections.
pub(crate) struct DecisionLog {
    file: Box<dyn Write + Send>,
    name: String,
    has_warned: bool,
}

impl DecisionLog {
    pub(crate) fn new(file: impl Write + Send + 'static, name: String) -> Self {
        Self { file: Box::new(file), name, has_warned: false }
    }

    /// Appends what a bot was asked, unless it was a notice, with the answer that was taken, if any. A single system call
    /// does it, so that lines of several processes never mix.
    pub(crate) fn keep<B>(&mut self, thought: &Thought<B>, answer: Option<&Answer>) {
        let Some(decision) = thought.call.decision() else {
            return;
        };
        let written = line(decision, thought, answer).and_then(|line| Ok(self.file.write_all(line.as_bytes())?));
        if let Err(error) = written
            && !mem::replace(&mut self.has_warned, true)
        {
            log::warn!("decisions cannot be written to {}: {error}", self.name);
        }
    }
}

fn line<B>(decision: &Decision, thought: &Thought<B>, answer: Option<&Answer>) -> Result<String, BotError> {
    let start: &MatchStart = decision.the_match().start();
    let mut line = Map::new();
    line.insert("start".into(), to_json("MatchStart", &start.encode_to_vec())?);
    line.insert("decision".into(), to_json("Decision", &decision.encode_to_vec())?);
    if let Some(refused) = thought.call.refused() {
        line.insert("refused".into(), to_json("Refused", &refused.encode_to_vec())?);
    }
    if let Some(answer) = answer {
        line.insert("answer".into(), to_json("Answer", answer.as_bytes())?);
    }
    line.insert("milliseconds".into(), json!(u64::try_from(thought.took.as_millis())?));
    if let Err(failure) = &thought.answer {
        line.insert("error".into(), json!(failure.error));
    }
    Ok(format!("{}\n", Value::from(line)))
}
