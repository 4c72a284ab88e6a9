//! A server that says nonsense: the player goes on, whatever comes.

use std::fs;
use std::path::Path;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use prost::Message;
use serde_json::Value;
use tonic::Code;

use super::{Player, PlayerSettings};
use crate::cards::MITTLERE;
use crate::v1::PlayResponse;
use crate::{Answer, Bot, BotError, Chance, Decision, Match, complete};

/// Looks at all that a bot may look at.
struct Curious(Match);

impl Bot for Curious {
    fn choose(&mut self, decision: &Decision) -> Result<Answer, BotError> {
        let (seat, mut chance, _) = (self.0.seat(), decision.chance(), decision.time_left());
        let _ = (self.0.partner(), self.0.opponents(), self.0.name(seat), self.0.seat_after(seat), self.0.cards());
        let hand = decision.mittlere().map(|view| MITTLERE.sorted(view.hand())).unwrap_or_default();
        let _ = hand.iter().map(|card| card.name()).collect::<Vec<_>>();
        let action = chance.choose(&decision.actions).ok_or("nothing is legal")?;
        Ok(complete(action, &mut chance))
    }
}

/// The frames of all transcripts, as they are written.
fn frames() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../transcripts");
    let mut paths =
        fs::read_dir(folder).expect("transcripts").map(|file| file.expect("a file").path()).collect::<Vec<_>>();
    paths.sort();
    let json = paths.iter().filter(|path| path.extension() == Some("json".as_ref()));
    let transcripts = json.map(|path| serde_json::from_slice::<Value>(&fs::read(path).expect("a file")).expect("JSON"));
    let steps = transcripts.flat_map(|it| it["steps"].as_array().expect("steps").clone());
    steps.filter_map(|step| BASE64_STANDARD.decode(step["frame"]["bytes"].as_str()?).ok()).collect()
}

#[test]
fn frames_that_were_spoilt_do_no_harm() {
    let (frames, mut chance) = (frames(), Chance::from_seed([7; 32]));
    let settings = PlayerSettings { takes_defaults: true, ..Default::default() };
    let mut player = Player::new(Curious, settings, Duration::default);
    let mut understood = 0;
    for turn in 0..20_000 {
        let mut frame = chance.choose(&frames).expect("there are frames").clone();
        for _ in 0..chance.number(0..=3) {
            let places = (0..frame.len()).collect::<Vec<_>>();
            if let Some(place) = chance.choose(&places) {
                frame[*place] = u8::try_from(chance.number(0..=255)).expect("a byte");
            }
        }
        if let Ok(response) = PlayResponse::decode(frame.as_slice()) {
            understood += 1;
            player.receive(response, Duration::from_secs(turn));
        }
        if turn % 50 == 0 {
            player.lost(Code::from_i32(chance.number(-1..=19)), "", Duration::from_millis(turn), 0.5);
            player.connect();
        }
    }
    assert!(understood > 5_000, "only {understood} were frames at all");
}
