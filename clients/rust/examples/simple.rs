//! A bot that plays Mittlere Jass by a few rules of thumb: an example that reads a view.

use std::process::ExitCode;

use ordago::cards::MITTLERE;
use ordago::v1::{Card, MittlereAction, MittlereTrump, MittlereView, Suit};
use ordago::{Answer, Bot, BotError, Client, Decision};

struct Simple;

impl Bot for Simple {
    fn games() -> &'static [&'static str] {
        &["mittlere"]
    }

    fn choose(&mut self, decision: &Decision) -> Result<Answer, BotError> {
        let view = decision.mittlere().ok_or("no other game is played")?;
        let legal = decision.actions.iter().filter_map(|action| Some(action.mittlere()?.card())).collect::<Vec<_>>();
        let card = Table::of(view).best(&legal).ok_or("nothing is legal")?;
        Ok(MittlereAction { card: card.into() }.into())
    }
}

/// The trump and the cards on the table.
struct Table {
    trump: Option<Suit>,
    trick: Vec<Card>,
}

impl Table {
    fn of(view: &MittlereView) -> Self {
        let trump = view.trump.as_ref().map(MittlereTrump::suit);
        Self { trump, trick: view.trick().collect() }
    }

    /// Leads the cheapest card. Follows with the richest card that does not take the trick, else with the cheapest.
    fn best(&self, legal: &[Card]) -> Option<Card> {
        let losing = legal.iter().copied().filter(|card| !self.trick.is_empty() && !self.takes(*card));
        let richest = losing.max_by_key(|card| (self.points(*card), self.height(*card), *card));
        let cheapest = legal.iter().copied().min_by_key(|card| (self.is_trump(*card), self.height(*card), *card));
        richest.or(cheapest)
    }

    /// Whether a card would take the trick. While there is no trump, a card of another suit makes one.
    fn takes(&self, card: Card) -> bool {
        let best = self.trick.iter().copied().reduce(|best, next| if self.beats(next, best) { next } else { best });
        let makes_trump = self.trump.is_none() && card.suit() != self.trick[0].suit();
        makes_trump || best.is_some_and(|best| self.beats(card, best))
    }

    fn beats(&self, card: Card, best: Card) -> bool {
        if card.suit() == best.suit() { self.height(card) > self.height(best) } else { self.is_trump(card) }
    }

    fn is_trump(&self, card: Card) -> bool {
        self.trump.is_some() && card.suit() == self.trump
    }

    fn height(&self, card: Card) -> i32 {
        MITTLERE.values(self.condition(card)).height(card)
    }

    fn points(&self, card: Card) -> i32 {
        MITTLERE.values(self.condition(card)).points(card)
    }

    fn condition(&self, card: Card) -> &'static str {
        if self.is_trump(card) { "trump" } else { "plain" }
    }
}

fn main() -> ExitCode {
    Client::new("simple-rust", env!("CARGO_PKG_VERSION")).run(|_| Simple)
}
