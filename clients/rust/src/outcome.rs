//! Counts of a session, and the last line of its log.

use std::collections::BTreeMap;

use log::Level;
use serde_json::{Value, json};

use crate::logging::tell;
use crate::v1::MatchEnd;

/// The counts of a session.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    /// The matches that have ended.
    pub matches: u32,
    /// The matches by the placing of the bot, from 1.
    pub placings: BTreeMap<u32, u32>,
    /// The matches that ended void.
    pub void: u32,
    /// The decision that took longest, the first of several.
    pub slowest: Option<Slowest>,
    /// The refused answers by rule, field or fault.
    pub refused: BTreeMap<String, u32>,
    /// The default answers that were taken for a fault, by fault.
    pub default_answers: BTreeMap<String, u32>,
    /// The matches that the bot forfeited.
    pub forfeited: u32,
    /// How often the bot failed.
    pub failures: u32,
}

/// A decision that took long.
#[derive(Clone, Debug, PartialEq)]
pub struct Slowest {
    /// How long it took, in milliseconds.
    pub milliseconds: u32,
    /// The id of its match.
    pub match_id: String,
    /// Its number.
    pub number: u32,
}

impl Outcome {
    /// Whether nothing was refused, taken by default for a fault, or forfeited, and the bot never failed.
    #[must_use]
    pub fn is_faultless(&self) -> bool {
        self.refused.is_empty() && self.default_answers.is_empty() && self.forfeited == 0 && self.failures == 0
    }

    pub(crate) fn end(&mut self, end: &MatchEnd, seat: u32) {
        self.matches += 1;
        match &end.outcome {
            None => self.void += 1,
            Some(outcome) => {
                if let Some(placing) = outcome.placings.get(seat as usize) {
                    *self.placings.entry(*placing).or_default() += 1;
                }
            }
        }
    }

    pub(crate) fn think(&mut self, milliseconds: u32, match_id: &str, number: u32) {
        if self.slowest.as_ref().is_none_or(|slowest| slowest.milliseconds < milliseconds) {
            self.slowest = Some(Slowest { milliseconds, match_id: match_id.into(), number });
        }
    }

    /// Logs the summary, if a match has ended.
    pub(crate) fn tell(&self) {
        if self.matches > 0 {
            tell(Level::Info, "summary", self.sentence(), self.fields());
        }
    }

    fn sentence(&self) -> String {
        let placings = self.placings.iter().map(|(placing, count)| format!("placing {placing}: {count}"));
        let ends = placings.chain([format!("void: {}", self.void)]).collect::<Vec<_>>();
        let matches = if self.matches == 1 { "match" } else { "matches" };
        let head = format!("{} {matches}: {}", self.matches, ends.join(", "));
        let slowest = self.slowest.as_ref().map(|Slowest { milliseconds, match_id, number }| {
            format!("slowest decision: {milliseconds} ms (match {match_id}, decision {number})")
        });
        let counts = [("refused", counted(&self.refused)), ("default answers", counted(&self.default_answers))];
        let single = [("forfeited", self.forfeited), ("failures", self.failures)];
        let faults = counts.into_iter().filter_map(|(name, counts)| Some(format!("{name}: {}", counts?)));
        let others = single.into_iter().filter(|(_, count)| *count > 0).map(|(name, count)| format!("{name}: {count}"));
        [head].into_iter().chain(slowest).chain(faults).chain(others).collect::<Vec<_>>().join("; ")
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields =
            vec![("matches", json!(self.matches)), ("placings", json!(self.placings)), ("void", json!(self.void))];
        if let Some(Slowest { milliseconds, match_id, number }) = &self.slowest {
            let slowest = [
                ("slowest_ms", json!(milliseconds)),
                ("slowest_match", json!(match_id)),
                ("slowest_decision", json!(number)),
            ];
            fields.extend(slowest);
        }
        fields.extend([
            ("refused", json!(self.refused)),
            ("default_answers", json!(self.default_answers)),
            ("forfeited", json!(self.forfeited)),
            ("failures", json!(self.failures)),
        ]);
        fields
    }
}

/// A total with its parts, such as `3 (follow_suit 2, rank 1)`; `None` for none.
fn counted(counts: &BTreeMap<String, u32>) -> Option<String> {
    let parts = counts.iter().map(|(cause, count)| format!("{cause} {count}")).collect::<Vec<_>>();
    let total: u32 = counts.values().sum();
    (total > 0).then(|| format!("{total} ({})", parts.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_leaves_out_faults_that_did_not_happen() {
        let end = |placing| MatchEnd {
            outcome: Some(crate::v1::Outcome { placings: vec![9, placing], ..Default::default() }),
            ..Default::default()
        };
        let mut outcome = Outcome::default();
        outcome.end(&end(2), 1);
        assert_eq!((outcome.sentence().as_str(), outcome.is_faultless()), ("1 match: placing 2: 1, void: 0", true));
        outcome.end(&MatchEnd::default(), 1);
        outcome.end(&end(1), 1);
        for (milliseconds, number) in [(30, 8), (34, 9), (34, 10)] {
            outcome.think(milliseconds, "m", number);
        }
        outcome.refused = [("rank".into(), 1), ("follow_suit".into(), 2)].into();
        outcome.default_answers = [("FAULT_TOO_LATE".into(), 1)].into();
        (outcome.forfeited, outcome.failures) = (1, 2);
        let told = "3 matches: placing 1: 1, placing 2: 1, void: 1; slowest decision: 34 ms (match m, decision 9); \
            refused: 3 (follow_suit 2, rank 1); default answers: 1 (FAULT_TOO_LATE 1); forfeited: 1; failures: 2";
        assert_eq!((outcome.sentence().as_str(), outcome.is_faultless()), (told, false));
        let names = outcome.fields().into_iter().map(|field| field.0).collect::<Vec<_>>();
        let slowest = ["slowest_ms", "slowest_match", "slowest_decision"];
        assert_eq!(
            names,
            [&["matches", "placings", "void"][..], &slowest, &["refused", "default_answers", "forfeited", "failures"]]
                .concat()
        );
    }
}
