//! The bot @NAME@. It plays every game at random: make it better.

use std::process::ExitCode;

use ordago::{Answer, Bot, BotError, Client, Decision, complete};

/// One seat of one match. Each match gets a new one, so its fields belong to that match.
struct Seat;

impl Bot for Seat {
    /// Begin here. `decision.mittlere()`, `decision.mus()` and so on, by the game that is played, is all that you see;
    /// `decision.actions` is all that is legal. `ordago::cards` has the values of the cards.
    fn choose(&mut self, decision: &Decision) -> Result<Answer, BotError> {
        // These random numbers are the same whenever the same match is played again.
        let mut chance = decision.chance();
        let action = chance.choose(&decision.actions).ok_or("nothing is legal")?;
        // Some actions have open parts, such as the amount of a bet: here they are filled in at random.
        Ok(complete(action, &mut chance))
    }
}

fn main() -> ExitCode {
    Client::new("@NAME@", env!("CARGO_PKG_VERSION")).run(|_the_match| Seat)
}

#[cfg(test)]
mod tests {
    use ordago::testing::{ask, is_legal, load_decisions};

    use super::Seat;

    /// `decisions.jsonl` has a decision of each game. Add those that went wrong: `--log-decisions FILE` writes them.
    #[test]
    fn its_answers_are_legal() {
        for logged in load_decisions("decisions.jsonl").expect("decisions") {
            let answer = ask(|_| Seat, &logged).expect("an answer");
            assert!(is_legal(&logged.decision, &answer), "{answer:?} to {:?}", logged.decision);
        }
    }
}
