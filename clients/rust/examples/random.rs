//! A bot that plays every game at random.

use ordago::rand::seq::IndexedRandom;
use ordago::{Answer, Bot, Decision, Match, complete, run};

struct Random(Match);

impl Bot for Random {
    fn choose(&mut self, decision: &Decision) -> Answer {
        let mut chance = self.0.chance(decision);
        let action = decision.actions.choose(&mut chance).expect("something is always legal");
        complete(action, &mut chance)
    }
}

fn main() {
    run(Random, "random-rust", env!("CARGO_PKG_VERSION"))
}
