//! The bot @NAME@: it plays every game by chance. Make it better.

use ordago::rand::seq::IndexedRandom;
use ordago::{Answer, Bot, Decision, Match, complete, run};

/// One seat of one match. One is made for each, so whatever you keep in here belongs to that match.
struct Seat {
    the_match: Match,
}

impl Bot for Seat {
    /// Begin here. What you see is `decision.mittlere()`, `decision.mus()` and so on, by the game that is played, and
    /// `decision.actions` is all that is legal. `ordago::cards` knows what the cards are worth.
    fn choose(&mut self, decision: &Decision) -> Answer {
        // This chance is the same whenever the same match is played again.
        let mut chance = self.the_match.chance(decision);
        let action = decision.actions.choose(&mut chance).expect("something is always legal");
        // Some actions have open parts, for instance the amount of a bet: they are filled in by chance here.
        complete(action, &mut chance)
    }
}

fn main() {
    run(|the_match| Seat { the_match }, "@NAME@", env!("CARGO_PKG_VERSION"))
}

#[cfg(test)]
mod tests {
    use ordago::v1::MatchStart;
    use ordago::v1::answer::ActionChoice;
    use ordago::{Bot, Decision, LegalAction, Match};

    use super::Seat;

    #[test]
    fn it_answers_by_a_legal_action() {
        let mut seat = Seat { the_match: Match::from(MatchStart::default()) };
        let actions = vec![LegalAction { id: 7, ..Default::default() }];
        let answer = seat.choose(&Decision { number: 1, actions, ..Default::default() });
        let choice = answer.read().expect("it is an answer").action_choice;
        assert_eq!(choice, Some(ActionChoice::LegalAction(7)));
    }
}
