//! A bot that plays every game by searching with the rules service, without knowing any. `ordago rules -- search` starts
//! both; `ORDAGO_RULES` is the address of the service.

use std::env;
use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use ordago::v1::rules_service_client::RulesServiceClient;
use ordago::v1::{EvaluateActionsRequest, Situation};
use ordago::{Answer, Bot, BotError, Client, Decision};
use tokio::runtime::{Builder, Runtime};
use tonic::Request;
use tonic::transport::{Channel, Endpoint};

const PLAYOUTS: u32 = 1000;
const LONGEST_TIME: Duration = Duration::from_secs(2);

/// Takes the action with the greatest lead at the end of the deal, over random playouts in worlds that fit its view.
#[derive(Clone)]
struct Search {
    rules: RulesServiceClient<Channel>,
    runtime: Arc<Runtime>,
}

impl Search {
    fn connect() -> Result<Self, Box<dyn Error>> {
        let address = env::var("ORDAGO_RULES")
            .map_err(|_| "start it by `ordago rules -- search`, or set ORDAGO_RULES to the address of the rules")?;
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let guard = runtime.enter();
        let rules = RulesServiceClient::new(Endpoint::from_shared(address)?.connect_lazy());
        drop(guard);
        Ok(Self { rules, runtime: Arc::new(runtime) })
    }
}

impl Bot for Search {
    fn choose(&mut self, decision: &Decision) -> Result<Answer, BotError> {
        if let [only] = &decision.actions[..]
            && only.amount.is_none()
            && only.picks.is_empty()
        {
            return Ok(only.into());
        }
        // A quarter of what is left, since a bank has to last for the whole match.
        let time = decision.time_left().map_or(LONGEST_TIME, |left| LONGEST_TIME.min(left / 4));
        let request = Request::new(EvaluateActionsRequest {
            situation: Some(Situation {
                game: decision.the_match().game().to_owned(),
                seat: decision.seat,
                view: decision.view.clone(),
            }),
            worlds: PLAYOUTS,
            most_playouts: PLAYOUTS,
            time_ms: u32::try_from(time.as_millis())?.max(1),
            seed: decision.seed().to_vec(),
            ..Default::default()
        });
        let mut found = self.runtime.block_on(self.rules.evaluate_actions(request))?.into_inner();
        let best = found.values.swap_remove(found.best as usize);
        Ok(best.action.ok_or("an action without a content")?.into())
    }
}

fn main() -> ExitCode {
    match Search::connect() {
        // In a thread of its own, a bot may wait for the service.
        Ok(search) => Client::new("search-rust", env!("CARGO_PKG_VERSION")).threads(1).run(move |_| search.clone()),
        Err(error) => {
            eprintln!("search: {error}");
            ExitCode::from(2)
        }
    }
}
