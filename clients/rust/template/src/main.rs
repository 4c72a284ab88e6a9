//! The bot @NAME@. It plays every game at random: make it better.

use ordago::rand::seq::IndexedRandom;
use ordago::{Answer, Bot, Decision, Match, complete, run};

/// One seat of one match. Each match gets a new one, so its fields belong to that match.
struct Seat {
    the_match: Match,
}

impl Bot for Seat {
    /// Begin here. `decision.mittlere()`, `decision.mus()` and so on, by the game that is played, is all that you see;
    /// `decision.actions` is all that is legal. `ordago::cards` has the values of the cards.
    fn choose(&mut self, decision: &Decision) -> Answer {
        // These random numbers are the same whenever the same match is played again.
        let mut chance = self.the_match.chance(decision);
        let action = decision.actions.choose(&mut chance).expect("something is always legal");
        // Some actions have open parts, such as the amount of a bet: here they are filled in at random.
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
