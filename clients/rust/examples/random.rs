//! A bot that plays every game at random.

use std::process::ExitCode;

use ordago::{Answer, Bot, BotError, Client, Decision, complete};

struct Random;

impl Bot for Random {
    fn choose(&mut self, decision: &Decision) -> Result<Answer, BotError> {
        let mut chance = decision.chance();
        let action = chance.choose(&decision.actions).ok_or("nothing is legal")?;
        Ok(complete(action, &mut chance))
    }
}

fn main() -> ExitCode {
    Client::new("random-rust", env!("CARGO_PKG_VERSION")).run(|_| Random)
}
