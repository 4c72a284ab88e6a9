//! What a player writes into its log, for whoever watches the bot.

use prost::UnknownEnumValue;

use crate::v1::bot_message::Body as Said;
use crate::v1::server_message::Body as Heard;
use crate::v1::{Accepted, EventNotice, Fault, Forfeit, MatchEnd};

/// Counts the matches of an event that begin, from what the server said of them last.
#[derive(Default)]
pub(crate) struct EventCount {
    begun: u32,
    planned: u32,
}

impl EventCount {
    pub(crate) fn learn(&mut self, notice: &EventNotice) {
        (self.begun, self.planned) = (notice.matches_begun, notice.matches_planned);
    }

    /// Counts a match that begins, and says which it is, to be put behind other words; nothing if unknown.
    pub(crate) fn next(&mut self) -> String {
        self.begun = self.begun.saturating_add(1);
        if self.planned == 0 { String::new() } else { format!(", match {} of {}", self.begun, self.planned) }
    }
}

/// The name of a fault. A server that is newer than this may know others.
pub(crate) fn fault_name(fault: i32) -> String {
    match Fault::try_from(fault) {
        Ok(known) => known.as_str_name().to_owned(),
        Err(UnknownEnumValue(number)) => format!("fault {number}"),
    }
}

/// What a decision cost, and what it did not.
pub(crate) fn cost_words(accepted: &Accepted) -> String {
    let Accepted { charged_ms, bank_ms, lag_ms, lost_ms, .. } = accepted;
    format!(
        "charged {charged_ms} ms, travelled for {lag_ms} ms, the server lost {lost_ms} ms, {bank_ms} ms left in the bank"
    )
}

/// Why the default answer was taken, and how near the seat is to forfeiting the match.
pub(crate) fn default_words(accepted: &Accepted) -> String {
    let reason = format!("{} ({})", reason_of(&accepted.sentence), fault_name(accepted.fault));
    match accepted.faults_left {
        0 => reason,
        left => format!("{reason}; {left} more and the match is forfeited"),
    }
}

/// How a match ended for a seat.
pub(crate) fn end_words(end: &MatchEnd, seat: u32) -> String {
    let told = |forfeit: &Forfeit| format!(", seat {} forfeited ({})", forfeit.seat, fault_name(forfeit.fault));
    let forfeits = end.forfeits.iter().map(told).collect::<String>();
    match &end.outcome {
        Some(outcome) => {
            let placing = outcome.placings.get(seat as usize).map_or("unknown".to_owned(), u32::to_string);
            format!("placing {placing}{forfeits}")
        }
        None => format!("void{forfeits}: {}", reason_of(&end.sentence)),
    }
}

fn reason_of(sentence: &str) -> &str {
    if sentence.is_empty() { "no reason was given" } else { sentence }
}

/// A message that came, in one line, without the secrets of a session.
pub(crate) fn heard(body: Option<&Heard>) -> String {
    match body {
        Some(Heard::Welcome(_)) => "welcome".into(),
        Some(body) => format!("{body:?}"),
        None => "a message of an unknown kind".into(),
    }
}

/// A message that goes, in one line, without the secrets of a session.
pub(crate) fn said(body: &Said) -> String {
    match body {
        Said::Hello(_) => "hello".into(),
        body => format!("{body:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::v1::{Hello, Outcome, Resume, Welcome};

    #[test]
    fn the_token_of_a_session_is_not_told() {
        let welcome = Welcome { resume_token: "secret".into(), ..Default::default() };
        let resume = Some(Resume { resume_token: "secret".into(), ..Default::default() });
        assert_eq!(heard(Some(&Heard::Welcome(welcome))), "welcome");
        assert_eq!(said(&Said::Hello(Hello { resume, ..Default::default() })), "hello");
    }

    #[test]
    fn an_outcome_without_the_seat_and_a_fault_from_the_future_are_told() {
        let forfeits = vec![Forfeit { seat: 1, fault: 250 }];
        let end = MatchEnd { outcome: Some(Outcome::default()), forfeits, ..Default::default() };
        assert_eq!(end_words(&end, 7), "placing unknown, seat 1 forfeited (fault 250)");
    }

    #[test]
    fn matches_of_an_event_are_counted() {
        let mut count = EventCount::default();
        assert_eq!(count.next(), "");
        count.learn(&EventNotice { matches_begun: 4, matches_planned: 9, ..Default::default() });
        assert_eq!(count.next(), ", match 5 of 9");
    }
}
