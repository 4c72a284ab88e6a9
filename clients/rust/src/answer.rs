//! Answers of a bot.

use prost::Message;
use prost::bytes::{Bytes, BytesMut};

use crate::v1::answer::ActionChoice;
use crate::v1::{self, Extra, LegalAction};
use crate::{BotError, Chance};

/// An answer to a decision.
///
/// Make one from a legal action (`action.into()`, or [`complete`] if parts of it are open), from a typed action of a game
/// (`MittlereAction { card }.into()`), or from any [`v1::Answer`]; or take the default answer of the decision.
///
/// It holds the bytes of the message, so the default answer of a newer server returns unchanged, with fields that these
/// stubs do not know.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    encoded: Bytes,
}

impl Answer {
    /// Adds an amount, for a legal action with an open one.
    #[must_use]
    pub fn with_amount(self, amount: i32) -> Self {
        self.and(&v1::Answer { amount: Some(amount), ..Default::default() })
    }

    /// Adds cards, for a legal action with picks.
    #[must_use]
    pub fn with_cards(self, cards: impl IntoIterator<Item = impl Into<i32>>) -> Self {
        let cards = cards.into_iter().map(Into::into).collect();
        self.and(&v1::Answer { cards, ..Default::default() })
    }

    /// Adds an extra of the decision.
    #[must_use]
    pub fn with_extra(self, extra: &Extra) -> Self {
        self.and(&v1::Answer { extra: extra.id, ..Default::default() })
    }

    /// Concedes the match, where the decision says that the answer may.
    #[must_use]
    pub fn conceding(self) -> Self {
        self.and(&v1::Answer { concede: true, ..Default::default() })
    }

    /// Decodes the message.
    ///
    /// # Errors
    ///
    /// The bytes are no answer.
    pub fn read(&self) -> Result<v1::Answer, BotError> {
        Ok(v1::Answer::decode(self.encoded.clone())?)
    }

    pub(crate) fn names_action(&self) -> bool {
        self.read().is_ok_and(|answer| answer.action_choice.is_some())
    }

    pub(crate) fn from_bytes(encoded: Bytes) -> Self {
        Self { encoded }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.encoded
    }

    /// Adds the fields of another message: protobuf merges messages whose bytes follow each other.
    fn and(self, more: &v1::Answer) -> Self {
        let mut encoded = BytesMut::from(self.encoded);
        more.encode(&mut encoded).expect("it grows as needed");
        Self { encoded: encoded.freeze() }
    }

    pub(crate) fn into_bytes(self) -> Bytes {
        self.encoded
    }
}

impl From<v1::Answer> for Answer {
    fn from(answer: v1::Answer) -> Self {
        Self { encoded: answer.encode_to_vec().into() }
    }
}

impl From<&LegalAction> for Answer {
    fn from(action: &LegalAction) -> Self {
        by_number(action).into()
    }
}

impl From<v1::Action> for Answer {
    fn from(action: v1::Action) -> Self {
        v1::Answer { action_choice: Some(ActionChoice::Action(action)), ..Default::default() }.into()
    }
}

/// Returns a legal action with its open parts filled in at random.
pub fn complete(action: &LegalAction, chance: &mut Chance) -> Answer {
    let mut answer = by_number(action);
    answer.amount = action.amount.map(|range| chance.number(range.min..=range.max));
    for pick in &action.picks {
        let most = pick.cards.len().min(pick.max as usize);
        let count = chance.number(small(most.min(pick.min as usize))..=small(most));
        answer.cards.extend(chance.sample(&pick.cards, count.unsigned_abs() as usize));
    }
    answer.into()
}

fn small(count: usize) -> i32 {
    count.try_into().unwrap_or(i32::MAX)
}

fn by_number(action: &LegalAction) -> v1::Answer {
    v1::Answer { action_choice: Some(ActionChoice::LegalAction(action.id)), ..Default::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::v1::{AmountRange, Card, MittlereAction, Pick};

    fn completed(action: &LegalAction, seed: u8) -> v1::Answer {
        complete(action, &mut Chance::from_seed([seed; 32])).read().expect("it is an answer")
    }

    #[test]
    fn every_amount_of_a_range_comes_and_no_other() {
        let amount = Some(AmountRange { min: -1, max: 1 });
        let action = LegalAction { id: 4, amount, ..Default::default() };
        let amounts = (0..50).map(|seed| completed(&action, seed).amount).collect::<std::collections::HashSet<_>>();
        assert_eq!(amounts, [Some(-1), Some(0), Some(1)].into());
    }

    #[test]
    fn a_range_of_all_numbers_and_one_that_is_empty_do_no_harm() {
        for (min, max) in [(i32::MIN, i32::MAX), (5, -5)] {
            let action = LegalAction { amount: Some(AmountRange { min, max }), ..Default::default() };
            assert!(completed(&action, 1).amount.is_some());
        }
    }

    #[test]
    fn picked_cards_are_as_many_as_allowed_and_none_twice() {
        let pick = Pick { cards: vec![1, 2, 3, 200], min: 2, max: 3 };
        let action = LegalAction {
            id: 1,
            picks: vec![pick.clone(), Pick { cards: vec![9], min: 1, max: 1 }],
            ..Default::default()
        };
        for seed in 0..50 {
            let mut cards = completed(&action, seed).cards;
            assert_eq!(cards.pop(), Some(9));
            assert!((2..=3).contains(&cards.len()) && cards.iter().all(|card| pick.cards.contains(card)));
            cards.sort_unstable();
            cards.dedup();
            assert!(cards.len() >= 2);
        }
    }

    #[test]
    fn a_pick_that_cannot_be_is_filled_as_far_as_it_can() {
        let action = LegalAction { picks: vec![Pick { cards: vec![7], min: 5, max: 2 }], ..Default::default() };
        assert_eq!(completed(&action, 1).cards, [7]);
    }

    #[test]
    fn parts_are_added_to_a_legal_action() {
        let action = LegalAction { id: 3, ..Default::default() };
        let answer = Answer::from(&action).with_amount(0).with_cards([Card::AceOfClubs]).with_cards([2]);
        let answer = answer.with_extra(&Extra { id: 5, action: None }).read().expect("it is an answer");
        assert_eq!(answer.action_choice, Some(ActionChoice::LegalAction(3)));
        assert_eq!((answer.amount, answer.cards, answer.extra), (Some(0), vec![1, 2], 5));
    }

    #[test]
    fn a_typed_action_is_an_answer() {
        let answer = Answer::from(MittlereAction { card: Card::TenOfHearts.into() }).read().expect("it is an answer");
        let Some(ActionChoice::Action(action)) = answer.action_choice else { panic!("{answer:?}") };
        assert_eq!(action.mittlere().map(v1::MittlereAction::card), Some(Card::TenOfHearts));
    }
}
