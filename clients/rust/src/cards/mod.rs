//! Names and signs of the cards, and their values in each game.
//!
//! A message holds cards as numbers, so that those of a newer server survive; its methods return them as [`Card`]:
//! `view.hand()`, `pick.cards()`.
//!
//! ```
//! use ordago::cards::MITTLERE;
//! use ordago::v1::{Card, Suit};
//!
//! let card = Card::TenOfHearts;
//! assert_eq!((card.name(), card.sign(), card.suit(), card.rank()), ("ten of hearts", "10♥", Some(Suit::Hearts), 10));
//! assert_eq!(MITTLERE.values("plain").points(card), 10);
//! ```

use crate::v1::{Card, Suit};

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

impl Card {
    /// Its suit; `None` if it has none.
    #[must_use]
    pub fn suit(self) -> Option<Suit> {
        facts_of(self)?.suit
    }

    /// Its rank within its suit, from 1; 0 if it has none.
    #[must_use]
    pub fn rank(self) -> u32 {
        facts_of(self).map_or(0, |card| card.rank)
    }

    /// Its sign, such as `10♥`; `?` if it is [`Unspecified`](Self::Unspecified).
    #[must_use]
    pub fn sign(self) -> &'static str {
        facts_of(self).map_or("?", |card| card.sign)
    }

    /// Its name, such as `ten of hearts`; `no card` if it is [`Unspecified`](Self::Unspecified).
    #[must_use]
    pub fn name(self) -> &'static str {
        facts_of(self).map_or("no card", |card| card.name)
    }
}

/// The cards of a game, by its short name; `None` if the game is unknown to this SDK.
#[must_use]
pub fn game(name: &str) -> Option<&'static GameCards> {
    facts::GAMES.into_iter().find(|game| game.game == name)
}

fn facts_of(card: Card) -> Option<&'static CardFacts> {
    let place = facts::CARDS.binary_search_by_key(&card.into(), |facts| facts.card).ok()?;
    Some(&facts::CARDS[place])
}

/// The cards of a game.
#[derive(Debug)]
pub struct GameCards {
    /// The short name of the game.
    pub game: &'static str,
    /// The name of the game.
    pub title: &'static str,
    pack: &'static [i32],
    held: &'static [i32],
    values: &'static [Values],
}

impl GameCards {
    /// Its cards, ascending by code.
    pub fn pack(&self) -> impl Iterator<Item = Card> + use<> {
        self.pack.iter().filter_map(|card| Card::try_from(*card).ok())
    }

    /// Sorts cards as a player holds them. Cards that are not of this game come last.
    #[must_use]
    pub fn sorted(&self, cards: impl IntoIterator<Item = Card>) -> Vec<Card> {
        let place = |card: Card| self.held.iter().position(|held| *held == i32::from(card)).unwrap_or(self.held.len());
        let mut sorted = cards.into_iter().collect::<Vec<_>>();
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
    #[must_use]
    pub fn height(&self, card: Card) -> i32 {
        self.worth_of(card).1
    }

    /// What a card counts; 0 for nothing.
    ///
    /// # Panics
    ///
    /// The card is not of this game.
    #[must_use]
    pub fn points(&self, card: Card) -> i32 {
        self.worth_of(card).2
    }

    fn worth_of(&self, card: Card) -> &(i32, i32, i32) {
        let place = self.worth.binary_search_by_key(&card.into(), |worth| worth.0);
        &self.worth[place.unwrap_or_else(|_| panic!("this game has no {}", card.name()))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_have_names_signs_suits_and_ranks() {
        let facts = |card: Card| (card.name(), card.sign(), card.suit(), card.rank());
        assert_eq!(facts(Card::KingOfHearts), ("king of hearts", "K♥", Some(Suit::Hearts), 14));
        assert_eq!(facts(Card::Fool), ("Fool", Card::Fool.sign(), None, 0));
        assert_eq!(facts(Card::Unspecified), ("no card", "?", None, 0));
    }

    #[test]
    fn every_card_of_the_contract_has_facts_and_no_other() {
        let cards = (1..300).filter_map(|number| Card::try_from(number).ok()).collect::<Vec<_>>();
        assert_eq!(cards.len(), facts::CARDS.len());
        assert!(cards.iter().all(|card| facts_of(*card).is_some()));
    }

    #[test]
    fn a_hand_is_sorted_as_it_is_held() {
        for game in facts::GAMES {
            let numbers = game.sorted(game.pack()).into_iter().map(i32::from).collect::<Vec<_>>();
            assert_eq!(numbers, game.held, "{}", game.game);
        }
        let (six, ace, red, fool) = (Card::SixOfClubs, Card::AceOfClubs, Card::AceOfDiamonds, Card::Fool);
        assert_eq!(MITTLERE.sorted([fool, six, red, ace]), [ace, six, red, fool]);
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
        let _ = MITTLERE.values("plain").height(Card::TwoOfClubs);
    }

    #[test]
    #[should_panic(expected = "Mittlere Jass has no values \"trumps\", only plain, trump, no_trump")]
    fn values_that_are_not_there_are_an_error() {
        let _ = MITTLERE.values("trumps");
    }
}
