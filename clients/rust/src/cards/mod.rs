//! Names and signs of the cards, and their values in each game.
//!
//! A card is a [`Card`](crate::v1::Card), or its number in a message: all functions take both.
//!
//! ```
//! use ordago::cards::{self, MITTLERE};
//! use ordago::v1::{Card, Suit};
//!
//! assert_eq!(cards::name(Card::TenOfHearts), "ten of hearts");
//! assert_eq!(cards::sign(Card::TenOfHearts), "10♥");
//! assert_eq!(cards::suit(Card::TenOfHearts), Some(Suit::Hearts));
//! assert_eq!(MITTLERE.values("plain").points(Card::TenOfHearts), 10);
//! ```

use std::borrow::Cow;

use crate::v1::Suit;

#[rustfmt::skip]
mod facts;

pub use facts::{MITAINES, MITIGATI, MITTLERE, MUS, TAIHE};

/// The facts of a card.
struct CardFacts {
    card: i32,
    suit: Option<Suit>,
    rank: u32,
    sign: &'static str,
    name: &'static str,
}

/// The suit of a card; `None` if it has none, or is unknown to this SDK.
pub fn suit(card: impl Into<i32>) -> Option<Suit> {
    facts_of(card.into())?.suit
}

/// The rank of a card within its suit, from 1; 0 if it has none, or is unknown to this SDK.
pub fn rank(card: impl Into<i32>) -> u32 {
    facts_of(card.into()).map_or(0, |card| card.rank)
}

/// The sign of a card, such as `10♥`; `?` if it is unknown to this SDK.
pub fn sign(card: impl Into<i32>) -> &'static str {
    facts_of(card.into()).map_or("?", |card| card.sign)
}

/// The name of a card, such as `ten of hearts`; `card 120` if it is unknown to this SDK.
pub fn name(card: impl Into<i32>) -> Cow<'static, str> {
    let card = card.into();
    facts_of(card).map_or_else(|| format!("card {card}").into(), |card| card.name.into())
}

/// The cards of a game, by its short name; `None` if the game is unknown to this SDK.
#[must_use]
pub fn game(name: &str) -> Option<&'static GameCards> {
    facts::GAMES.into_iter().find(|game| game.game == name)
}

fn facts_of(card: i32) -> Option<&'static CardFacts> {
    let place = facts::CARDS.binary_search_by_key(&card, |facts| facts.card).ok()?;
    Some(&facts::CARDS[place])
}

/// The cards of a game.
#[derive(Debug)]
pub struct GameCards {
    /// The short name of the game.
    pub game: &'static str,
    /// The name of the game.
    pub title: &'static str,
    /// Its cards, ascending by code.
    pub pack: &'static [i32],
    held: &'static [i32],
    values: &'static [Values],
}

impl GameCards {
    /// Sorts cards as a player holds them. Cards that are not of this game come last.
    #[must_use]
    pub fn sorted(&self, cards: &[i32]) -> Vec<i32> {
        let place = |card: i32| self.held.iter().position(|held| *held == card).unwrap_or(self.held.len());
        let mut sorted = cards.to_vec();
        sorted.sort_by_key(|card| (place(*card), *card));
        sorted
    }

    /// The values of the cards under a condition: see [`GameCards::all_values`].
    ///
    /// # Panics
    ///
    /// The game has no values of that name.
    #[must_use]
    pub fn values(&self, name: &str) -> &Values {
        self.values.iter().find(|values| values.name == name).unwrap_or_else(|| {
            let names = self.values.iter().map(|values| values.name).collect::<Vec<_>>();
            panic!("{} has no values {name:?}, only {}", self.title, names.join(", "))
        })
    }

    /// The values of the cards under each condition.
    #[must_use]
    pub fn all_values(&self) -> &[Values] {
        self.values
    }
}

/// The values of the cards of a game under a condition.
#[derive(Debug)]
pub struct Values {
    /// What these values are called, for instance `trump`.
    pub name: &'static str,
    /// The condition, in words.
    pub when: &'static str,
    /// Which cards can be compared by their height: `all cards` or `cards of one suit`.
    pub compares: &'static str,
    /// The height and the points of each card, ascending by card.
    worth: &'static [(i32, i32, i32)],
}

impl Values {
    /// How high a card stands, from 0; cards that are equal have equal heights.
    ///
    /// # Panics
    ///
    /// The card is not of this game.
    pub fn height(&self, card: impl Into<i32>) -> i32 {
        self.worth_of(card.into()).1
    }

    /// What a card counts; 0 for nothing.
    ///
    /// # Panics
    ///
    /// The card is not of this game.
    pub fn points(&self, card: impl Into<i32>) -> i32 {
        self.worth_of(card.into()).2
    }

    fn worth_of(&self, card: i32) -> &(i32, i32, i32) {
        let place = self.worth.binary_search_by_key(&card, |worth| worth.0);
        &self.worth[place.unwrap_or_else(|_| panic!("this game has no {}", name(card)))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::v1::Card;

    #[test]
    fn cards_have_names_signs_suits_and_ranks() {
        assert_eq!(
            (name(Card::KingOfHearts).as_ref(), sign(42), suit(42), rank(42)),
            ("king of hearts", "K♥", Some(Suit::Hearts), 14)
        );
        assert_eq!((suit(Card::Fool), rank(Card::Fool)), (None, 0));
    }

    #[test]
    fn every_card_of_the_contract_is_known_and_no_other() {
        let known = |card: &i32| sign(*card) != "?";
        assert_eq!((-1..300).filter(known).collect::<Vec<_>>(), (1..=118).collect::<Vec<_>>());
        assert_eq!((name(120).as_ref(), sign(120), suit(120), rank(120)), ("card 120", "?", None, 0));
    }

    #[test]
    fn a_hand_is_sorted_as_it_is_held() {
        for game in facts::GAMES {
            assert_eq!(game.sorted(game.pack), game.held, "{}", game.game);
        }
        assert_eq!(MITTLERE.sorted(&[200, 6, 120, 15, 1]), [1, 6, 15, 120, 200]);
    }

    #[test]
    fn values_know_all_cards_of_their_pack() {
        for values in facts::GAMES.into_iter().flat_map(|game| game.values.iter().map(move |values| (game, values))) {
            let cards = values.1.worth.iter().map(|worth| worth.0).collect::<Vec<_>>();
            assert_eq!(cards, values.0.pack, "{} {}", values.0.game, values.1.name);
        }
        let (plain, trump) = (MITTLERE.values("plain"), MITTLERE.values("trump"));
        assert!(plain.height(Card::JackOfClubs) < plain.height(Card::AceOfClubs));
        assert!(trump.height(Card::JackOfClubs) > trump.height(Card::AceOfClubs));
        assert_eq!((plain.points(Card::NineOfClubs), trump.points(Card::NineOfClubs)), (0, 14));
    }

    #[test]
    #[should_panic(expected = "this game has no two of clubs")]
    fn a_card_of_another_pack_has_no_height() {
        MITTLERE.values("plain").height(Card::TwoOfClubs);
    }

    #[test]
    #[should_panic(expected = "Mittlere Jass has no values \"trumps\", only plain, trump, no_trump")]
    fn values_that_are_not_there_are_an_error() {
        let _ = MITTLERE.values("trumps");
    }
}
