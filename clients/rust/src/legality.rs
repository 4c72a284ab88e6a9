//! Whether an answer is legal, as the referee would see it.

use std::borrow::Cow;

use prost::Message;
use prost_reflect::{DynamicMessage, ReflectMessage, Value};

use crate::Answer;
use crate::json::dynamic;
use crate::v1::answer::ActionChoice;
use crate::v1::{self, Action, LegalAction};

/// Whether an answer to a decision is legal: it takes a legal action, by its number or typed, fills in each open part
/// within its bounds and nothing else, and names an extra of the decision or none.
#[must_use]
pub fn is_legal(decision: &v1::Decision, answer: &Answer) -> bool {
    let Ok(answer) = answer.read() else {
        return false;
    };
    if answer.concede && !decision.may_concede {
        return false;
    }
    match &answer.action_choice {
        Some(ActionChoice::LegalAction(number)) => {
            let is_extra = answer.extra == 0 || decision.extras.iter().any(|extra| extra.id == answer.extra);
            let amount = answer.amount.map(i64::from);
            let fits = |action: &LegalAction| action.id == *number && parts_fit(action, amount, &answer.cards);
            is_extra && decision.actions.iter().any(fits)
        }
        Some(ActionChoice::Action(action)) => {
            let is_complete = answer.amount.is_none() && answer.cards.is_empty() && answer.extra == 0;
            is_complete && Typed::of(Some(action)).is_some_and(|action| action.is_legal(decision))
        }
        None => false,
    }
}

/// Whether an amount and cards fill in the open parts of an action, and nothing else.
fn parts_fit(action: &LegalAction, amount: Option<i64>, cards: &[i32]) -> bool {
    let has_amount = match (action.amount, amount) {
        (Some(range), Some(amount)) => (range.min.into()..=range.max.into()).contains(&amount),
        (range, amount) => range.is_none() && amount.is_none(),
    };
    let is_once = |card: &i32| cards.iter().filter(|other| *other == card).count() == 1;
    let mut picks = action.picks.iter();
    has_amount
        && cards.iter().all(|card| is_once(card) && action.picks.iter().any(|pick| pick.cards.contains(card)))
        && picks.all(|pick| {
            let count = cards.iter().filter(|card| pick.cards.contains(card)).count();
            (pick.min as usize..=pick.max as usize).contains(&count)
        })
}

/// The typed action of a game.
#[derive(Clone, PartialEq)]
struct Typed(DynamicMessage);

impl Typed {
    fn of(action: Option<&Action>) -> Option<Self> {
        let action = dynamic("Action", &action?.encode_to_vec()).ok()?;
        let (_, game) = action.fields().next()?;
        Some(Self(game.as_message()?.clone()))
    }

    fn is_legal(&self, decision: &v1::Decision) -> bool {
        let mut plain = self.clone();
        for extra in decision.extras.iter().filter_map(|extra| Self::of(extra.action.as_ref())) {
            for (field, value) in extra.0.fields().filter(|_| extra.is_like(self)) {
                if *self.0.get_field(&field) == *value {
                    plain.0.clear_field(&field);
                }
            }
        }
        decision.actions.iter().any(|legal| plain.takes(legal))
    }

    /// Whether it is a legal action with its open parts filled in.
    fn takes(&self, legal: &LegalAction) -> bool {
        let mut rest = self.clone();
        let amount = legal.amount.and_then(|_| rest.amount());
        let cards = if legal.picks.is_empty() { Vec::new() } else { rest.cards() };
        Self::of(legal.action.as_ref()).is_some_and(|action| action.is_like(self) && action == rest)
            && parts_fit(legal, amount, &cards)
    }

    fn is_like(&self, other: &Self) -> bool {
        self.0.descriptor() == other.0.descriptor()
    }

    /// Takes the amount out.
    fn amount(&mut self) -> Option<i64> {
        let amount = self.take("amount")?;
        amount.as_i32().map(i64::from).or(amount.as_u32().map(i64::from))
    }

    /// Takes the cards out.
    fn cards(&mut self) -> Vec<i32> {
        let (one, many) = (self.take("card"), self.take("cards"));
        let many = many.iter().filter_map(Value::as_list).flatten();
        one.iter().chain(many).filter_map(Value::as_enum_number).collect()
    }

    fn take(&mut self, field: &str) -> Option<Value> {
        let value = self.0.has_field_by_name(field).then(|| self.0.get_field_by_name(field).map(Cow::into_owned));
        self.0.clear_field_by_name(field);
        value.flatten()
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::prelude::BASE64_STANDARD;

    use super::*;
    use crate::json::from_json;
    use crate::vectors::cases;

    #[test]
    fn the_verdicts_are_those_of_the_referee() {
        for case in cases("legality") {
            let decision = from_json::<v1::Decision>("Decision", &case["decision"]).expect("a decision");
            for given in case["answers"].as_array().expect("answers") {
                let encoded = BASE64_STANDARD.decode(given["bytes"].as_str().expect("a text")).expect("base64");
                let legal = is_legal(&decision, &Answer::from_bytes(encoded.into()));
                assert_eq!(legal, given["legal"], "{given}");
            }
        }
    }

    #[test]
    fn what_is_no_answer_is_not_legal() {
        assert!(!is_legal(&v1::Decision::default(), &Answer::from_bytes(b"\xff".as_slice().into())));
    }
}
