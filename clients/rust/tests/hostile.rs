//! A server that says nonsense: the player goes on, whatever comes.

use std::fs;
use std::path::Path;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ordago::prost::Message;
use ordago::rand::seq::IndexedRandom;
use ordago::rand::{RngExt, SeedableRng};
use ordago::v1::{Hello, PlayResponse};
use ordago::{Answer, Bot, Chance, Code, Decision, Match, Player, cards, complete};
use serde_json::Value;

/// Looks at all that a bot may look at.
struct Curious(Match);

impl Bot for Curious {
    fn choose(&mut self, decision: &Decision) -> Answer {
        let (seat, mut chance) = (self.0.seat(), self.0.chance(decision));
        let _ = (self.0.partner(), self.0.opponents(), self.0.name(seat), self.0.seat_after(seat), self.0.cards());
        let hand = decision.mittlere().map(|view| cards::MITTLERE.sorted(&view.hand)).unwrap_or_default();
        let _ = hand.iter().map(|card| cards::name(*card)).collect::<Vec<_>>();
        match decision.actions.choose(&mut chance) {
            Some(action) => complete(action, &mut chance),
            None => decision.default_answer(),
        }
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
    let (frames, mut chance) = (frames(), Chance::seed_from_u64(7));
    let mut player = Player::new(Curious, Hello::default(), Duration::default);
    let mut understood = 0;
    for turn in 0..20_000 {
        let mut frame = frames.choose(&mut chance).expect("there are frames").clone();
        for _ in 0..chance.random_range(0..4).min(frame.len()) {
            let place = chance.random_range(0..frame.len());
            frame[place] = chance.random();
        }
        if let Ok(response) = PlayResponse::decode(frame.as_slice()) {
            understood += 1;
            player.receive(response, Duration::from_secs(turn));
        }
        if turn % 50 == 0 {
            player.lost(Code::from_i32(chance.random_range(-1..20)), "", Duration::from_millis(turn), 0.5);
            player.connect();
        }
    }
    assert!(understood > 5_000, "only {understood} were frames at all");
}
