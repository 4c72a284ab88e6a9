//! Words for the log of a player.

use prost::UnknownEnumValue;
use serde_json::{Value, json};
use tonic::Code;

use crate::v1::bot_message::Body as BotBody;
use crate::v1::server_message::Body as ServerBody;
use crate::v1::{Accepted, EventNotice, Fault, Forfeit, MatchEnd};

/// Counter of the matches that begin in an event, corrected by each notice of the server.
#[derive(Default)]
pub(crate) struct EventCount {
    begun: u32,
    planned: u32,
}

impl EventCount {
    pub(crate) fn learn(&mut self, notice: &EventNotice) {
        (self.begun, self.planned) = (notice.matches_begun, notice.matches_planned);
    }

    /// Counts a match that begins; returns its number and the number planned, if that is known.
    pub(crate) fn next(&mut self) -> Option<(u32, u32)> {
        self.begun = self.begun.saturating_add(1);
        (self.planned > 0).then_some((self.begun, self.planned))
    }
}

/// The name of a fault, or its number if only a newer server knows it.
pub(crate) fn fault_name(fault: i32) -> String {
    match Fault::try_from(fault) {
        Ok(known) => known.as_str_name().to_owned(),
        Err(UnknownEnumValue(number)) => format!("fault {number}"),
    }
}

/// The name of a status in gRPC, such as `FAILED_PRECONDITION`.
pub(crate) fn status_name(status: Code) -> String {
    let mut name = String::new();
    for letter in format!("{status:?}").chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}

/// The time charged for a decision, the time that was not, and the time left.
pub(crate) fn cost_words(accepted: &Accepted) -> String {
    let Accepted { charged_ms, bank_ms, lag_ms, lost_ms, .. } = accepted;
    format!(
        "charged {charged_ms} ms, travelled for {lag_ms} ms, the server lost {lost_ms} ms, {bank_ms} ms left in the bank"
    )
}

/// The reason why the default answer was taken, and the faults left before the match is forfeited.
pub(crate) fn default_words(accepted: &Accepted) -> String {
    let reason = format!("{} ({})", reason_of(&accepted.sentence), fault_name(accepted.fault));
    match accepted.faults_left {
        0 => reason,
        left => format!("{reason}; {left} more and the match is forfeited"),
    }
}

/// The placing of a seat, or the reason why the match is void, and the forfeits.
pub(crate) fn end_words(end: &MatchEnd, seat: u32) -> String {
    let words = |forfeit: &Forfeit| format!(", seat {} forfeited ({})", forfeit.seat, fault_name(forfeit.fault));
    let forfeits = end.forfeits.iter().map(words).collect::<String>();
    match &end.outcome {
        Some(outcome) => {
            let placing = outcome.placings.get(seat as usize).map_or("unknown".to_owned(), u32::to_string);
            format!("placing {placing}{forfeits}")
        }
        None => format!("void{forfeits}: {}", reason_of(&end.sentence)),
    }
}

/// What an end comes to, as fields of the log.
pub(crate) fn end_fields(end: &MatchEnd, seat: u32) -> Vec<(&'static str, Value)> {
    let mut fields = match &end.outcome {
        Some(outcome) => {
            outcome.placings.get(seat as usize).map(|placing| ("placing", json!(placing))).into_iter().collect()
        }
        None => vec![("void", json!(end.sentence))],
    };
    if !end.forfeits.is_empty() {
        let forfeit = |forfeit: &Forfeit| json!({"seat": forfeit.seat, "fault": fault_name(forfeit.fault)});
        fields.push(("forfeits", end.forfeits.iter().map(forfeit).collect()));
    }
    fields
}

/// The sentence that was given as a reason, if any was.
pub(crate) fn reason_of(sentence: &str) -> &str {
    if sentence.is_empty() { "no reason was given" } else { sentence }
}

/// A message of the server in one line, without the secrets of the session.
pub(crate) fn server_line(body: Option<&ServerBody>) -> String {
    match body {
        Some(ServerBody::Welcome(_)) => "welcome".into(),
        Some(body) => format!("{body:?}"),
        None => "a message of an unknown kind".into(),
    }
}

/// A message of the bot in one line, without the secrets of the session.
pub(crate) fn bot_line(body: &BotBody) -> String {
    match body {
        BotBody::Hello(_) => "hello".into(),
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
        assert_eq!(server_line(Some(&ServerBody::Welcome(welcome))), "welcome");
        assert_eq!(bot_line(&BotBody::Hello(Hello { resume, ..Default::default() })), "hello");
    }

    #[test]
    fn an_outcome_without_the_seat_and_a_fault_from_the_future_are_told() {
        let forfeits = vec![Forfeit { seat: 1, fault: 250 }];
        let end = MatchEnd { outcome: Some(Outcome::default()), forfeits, ..Default::default() };
        assert_eq!(end_words(&end, 7), "placing unknown, seat 1 forfeited (fault 250)");
    }

    #[test]
    fn a_status_is_named_as_in_grpc() {
        assert_eq!([Code::Ok, Code::OutOfRange].map(status_name), ["OK", "OUT_OF_RANGE"]);
    }

    #[test]
    fn matches_of_an_event_are_counted() {
        let mut count = EventCount::default();
        assert_eq!(count.next(), None);
        count.learn(&EventNotice { matches_begun: 4, matches_planned: 9, ..Default::default() });
        assert_eq!(count.next(), Some((5, 9)));
    }
}
