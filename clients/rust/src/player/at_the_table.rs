//! Messages of the server about a match.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use log::Level::{Debug, Error, Info, Warn};
use prost::Message;
use serde_json::json;

use super::Player;
use crate::calls::{Call, Thought};
use crate::failure::{Failure, caught};
use crate::json::to_json;
use crate::logging::tell;
use crate::seat::{Reply, Seat};
use crate::v1::{self, Accepted, Fault, Forfeited, MatchEnd, MatchStart, Refused};
use crate::words::{cost_words, default_words, end_fields, end_words, fault_name, reason_of};
use crate::{Bot, Decision, Match};

impl<B: Bot> Player<B> {
    /// Begins a match. One that goes on after a resume keeps its bot, with all its state.
    pub(super) fn begin(&mut self, start: MatchStart) {
        let known = self.seats.get(&start.match_handle);
        let mut fields =
            vec![("match", json!(start.match_id)), ("game", json!(start.game)), ("seat", json!(start.seat))];
        let sentence = |how| format!("match {} of {} {how}, seat {}", start.match_id, start.game, start.seat);
        if known.is_some_and(|seat| seat.carries_on(&start)) {
            tell(Info, "match_goes_on", sentence("goes on"), fields);
            return;
        }
        if known.is_none() {
            self.begun = self.begun.saturating_add(1);
        }
        let mut sentence = sentence("begins");
        if let Some((number, planned)) = self.event.next() {
            sentence = format!("{sentence}, match {number} of {planned}");
            fields.extend([("number", json!(number)), ("planned", json!(planned))]);
        }
        tell(Info, "match_begins", sentence, fields);
        if let Some(receipts) = &mut self.receipts {
            receipts.begin(&start);
        }
        let handle = start.match_handle;
        let seat = self.seat(start);
        if let Some(before) = self.seats.insert(handle, seat) {
            self.put_away(before);
        }
    }

    /// Makes the bot of a match.
    fn seat(&mut self, start: MatchStart) -> Seat<B> {
        self.seat_count += 1;
        let id = (start.match_handle, self.seat_count);
        let the_match = Match::new(start, Arc::clone(&self.retiring));
        match caught(|| (self.factory)(the_match.clone())) {
            Ok(bot) => Seat::new(id, the_match, Some(bot)),
            Err(failure) => {
                let place = the_match.start().match_id.clone();
                self.failed(&place, Occasion::Start, true, failure);
                Seat::new(id, the_match, None)
            }
        }
    }

    pub(super) fn decide(&mut self, decision: v1::Decision, arrived: Duration) -> Option<Reply> {
        let Some(seat) = self.seats.get_mut(&decision.match_handle) else {
            log::warn!("a match that is over, decision {}: not answered", decision.number);
            return None;
        };
        let decision = Decision::new(decision, seat.the_match.clone(), Arc::clone(&self.clock), arrived);
        let reply = seat.decide(decision, arrived);
        self.due.extend(seat.next_task());
        reply
    }

    pub(super) fn refused(&mut self, refused: &Refused, arrived: Duration) -> Option<Reply> {
        let mut seat = self.seats.get_mut(&refused.match_handle);
        // A faulty bot may have every answer of a match refused: its author has to see it, but once for each cause.
        let fault = fault_name(refused.fault);
        let cause = [&refused.rule, &refused.field, &fault].into_iter().find(|word| !word.is_empty())?;
        *self.outcome.refused.entry(cause.clone()).or_default() += 1;
        if seat.as_mut().is_none_or(|seat| seat.is_first_refusal(cause)) {
            let place =
                seat.as_ref().map_or("a match that is over".into(), |seat| format!("match {}", seat.match_id()));
            let sentence = reason_of(&refused.sentence);
            let mut fields = seat.iter().map(|seat| ("match", json!(seat.match_id()))).collect::<Vec<_>>();
            fields.extend([
                ("decision", json!(refused.number)),
                ("cause", json!(cause)),
                ("sentence", json!(refused.sentence)),
            ]);
            tell(
                Warn,
                "refused",
                format!("{place}, decision {}: refused: {sentence} ({cause})", refused.number),
                fields,
            );
        }
        let seat = seat?;
        let reply = seat.decide_again(refused, arrived);
        self.due.extend(seat.next_task());
        reply
    }

    pub(super) fn accepted(&mut self, accepted: &Accepted) {
        let Some(seat) = self.seats.get_mut(&accepted.match_handle) else {
            return;
        };
        if !seat.close(accepted.number) {
            return;
        }
        let place = format!("match {}, decision {}", seat.match_id(), accepted.number);
        if self.is_verbose {
            tell(Debug, "note", format!("{place}: {}", cost_words(accepted)), vec![]);
        }
        if accepted.fault != Fault::Unspecified as i32 {
            let fault = fault_name(accepted.fault);
            let fields = vec![
                ("match", json!(seat.match_id())),
                ("decision", json!(accepted.number)),
                ("fault", json!(fault)),
                ("faults_left", json!(accepted.faults_left)),
                ("sentence", json!(accepted.sentence)),
            ];
            let sentence = format!("{place}: the default answer was taken: {}", default_words(accepted));
            tell(Warn, "default_taken", sentence, fields);
            *self.outcome.default_answers.entry(fault).or_default() += 1;
        }
    }

    pub(super) fn forfeited(&mut self, notice: Forfeited) {
        let Some(seat) = self.seats.get_mut(&notice.match_handle) else {
            return;
        };
        let (id, fault) = (seat.match_id(), fault_name(notice.fault));
        let sentence = format!("match {id} is forfeited: {} ({fault})", reason_of(&notice.sentence));
        let fields = vec![("match", json!(id)), ("fault", json!(fault)), ("sentence", json!(notice.sentence))];
        tell(Warn, "forfeited", sentence, fields);
        self.outcome.forfeited += 1;
        seat.drop_question();
        seat.tell(Call::Forfeited(notice));
        self.due.extend(seat.next_task());
    }

    pub(super) fn end(&mut self, end: MatchEnd) {
        let Some(mut seat) = self.seats.remove(&end.match_handle) else {
            return;
        };
        let start = seat.the_match.start();
        let sentence = format!("match {} ended: {}", start.match_id, end_words(&end, start.seat));
        let mut fields = vec![("match", json!(start.match_id))];
        fields.extend(end_fields(&end, start.seat));
        tell(Info, "match_ended", sentence, fields);
        if let Some(receipts) = &mut self.receipts {
            receipts.end(start, &end);
        }
        self.outcome.end(&end, start.seat);
        seat.disconnect();
        seat.drop_question();
        seat.tell(Call::Ended(end));
        self.due.extend(seat.next_task());
        self.put_away(seat);
    }

    /// Keeps a seat whose match is over until its bot is no longer called.
    fn put_away(&mut self, seat: Seat<B>) {
        if seat.is_busy() {
            self.ending.push(seat);
        }
    }

    /// Takes a call that was made. A bot whose seat was forgotten is dropped.
    pub(super) fn finish(&mut self, thought: Thought<B>) {
        let answer = match (&thought.answer, thought.call.decision()) {
            (Ok(answer), _) => answer.clone(),
            (Err(_), decision) => decision.filter(|_| self.takes_defaults).map(Decision::default_answer),
        };
        if let Some(decisions) = &mut self.decisions {
            decisions.keep(&thought, answer.as_ref());
        }
        let Thought { seat: id, bot, call, answer: came, .. } = thought;
        let seat = self.seats.get_mut(&id.0).filter(|seat| seat.id == id);
        let Some(seat) = seat.or_else(|| self.ending.iter_mut().find(|seat| seat.id == id)) else {
            return;
        };
        let answered = call.decision().zip(answer).map(|(decision, answer)| (decision.number, answer));
        self.replies.extend(seat.take_back(bot, answered));
        self.due.extend(seat.next_task());
        if let Err(failure) = came {
            let is_first = !mem::replace(&mut seat.has_failed, true);
            let place = seat.match_id().to_owned();
            self.failed(&place, call.decision().map_or(Occasion::Notice, Occasion::Decision), is_first, failure);
        }
        self.ending.retain(Seat::is_busy);
    }

    /// Tells of a failure, or lets it end the session.
    fn failed(&mut self, id: &str, occasion: Occasion, is_first: bool, failure: Failure) {
        self.outcome.failures += 1;
        let asked = if let Occasion::Decision(decision) = occasion { Some(decision) } else { None };
        let failure = Failure { match_id: id.into(), decision: asked.map(|decision| decision.number), ..failure };
        if !self.takes_defaults {
            self.failure.get_or_insert(failure);
            return;
        }
        let consequence = match occasion {
            Occasion::Start => " at its start, and default answers are taken",
            Occasion::Decision(_) => ", and the default answer is taken",
            Occasion::Notice => "",
        };
        let sentence = format!("{}the bot failed{consequence}: {}", failure.place(), failure.error);
        let mut fields = vec![("match", json!(id))];
        fields.extend(failure.decision.map(|number| ("decision", json!(number))));
        fields.push(("error", json!(failure.error)));
        if is_first {
            fields.push(("trace", json!(failure.trace)));
            let json = asked.map(|decision| to_json("Decision", &decision.encode_to_vec()));
            fields.extend(json.map(|json| ("asked", json.unwrap_or_else(|error| json!(error.to_string())))));
        }
        tell(Error, "failed", sentence, fields);
    }
}

/// When a bot failed.
enum Occasion<'a> {
    Start,
    Notice,
    Decision(&'a Decision),
}
