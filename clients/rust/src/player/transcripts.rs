//! The transcripts of clients/transcripts over the player: what is said in which case.

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use log::{LevelFilter, Log, Metadata, Record};
use prost::Message;
use serde_json::{Map, Value, json};
use tonic::Code;

use super::{Player, PlayerSettings};
use crate::client::conclude;
use crate::coming_back::Next;
use crate::logging::{fields_of, level_name};
use crate::v1::bot_message::Body;
use crate::v1::{Forfeited, Hello, LegalAction, MatchEnd, PlayRequest, PlayResponse, Refused, Software};
use crate::{Answer, Bot, BotError, Decision, Match};

/// What the harness and its bots share: the time in milliseconds, how long a thought takes, and what the bots heard.
#[derive(Default)]
struct Stage {
    now: AtomicU64,
    thinks: AtomicU64,
    told: Mutex<Vec<String>>,
}

impl Stage {
    fn tell(&self, words: String) {
        self.told.lock().expect("one thread").push(words);
    }

    fn now(&self) -> u64 {
        self.now.load(Ordering::Relaxed)
    }
}

/// The address of the server.
const ADDRESS: &str = "127.0.0.1:7447";
/// The words of a bot that fails.
const FAILS: &str = "it fails";

/// Answers as a transcript says by the name of a manner.
struct Scripted {
    manner: String,
    the_match: Match,
    stage: Arc<Stage>,
}

impl Scripted {
    fn handle(&self) -> u32 {
        self.the_match.start().match_handle
    }
}

impl Bot for Scripted {
    fn choose(&mut self, decision: &Decision) -> Result<Answer, BotError> {
        self.stage.tell(format!("choose {} {}", self.handle(), decision.number));
        self.stage.now.fetch_add(self.stage.thinks.load(Ordering::Relaxed), Ordering::Relaxed);
        match self.manner.as_str() {
            "default" => return Ok(decision.default_answer()),
            "empty" => return Ok(Answer::default()),
            "failing" => return Err(FAILS.into()),
            "retiring" => self.the_match.retire(),
            _ => {}
        }
        Ok(least(decision.actions.first()))
    }

    fn forfeited(&mut self, _: &Forfeited) {
        self.stage.tell(format!("forfeited {}", self.handle()));
    }

    fn ended(&mut self, _: &MatchEnd) {
        self.stage.tell(format!("ended {}", self.handle()));
        assert!(self.manner != "failing", "{FAILS}");
    }
}

/// Answers refusals itself, which the others leave to the SDK.
struct Insisting(Scripted);

impl Bot for Insisting {
    fn choose(&mut self, decision: &Decision) -> Result<Answer, BotError> {
        self.0.choose(decision)
    }

    fn refused(&mut self, decision: &Decision, refusal: &Refused) -> Result<Answer, BotError> {
        self.0.stage.tell(format!("refused {} {}", self.0.handle(), refusal.number));
        Ok(least(decision.actions.last()))
    }
}

/// Fills in the open parts of an action with the least there is.
fn least(action: Option<&LegalAction>) -> Answer {
    let action = action.expect("something is always legal");
    let cards = action.picks.iter().flat_map(|pick| &pick.cards[..pick.min as usize]).copied();
    let answer = Answer::from(action).with_cards(cards);
    action.amount.into_iter().fold(answer, |answer, range| answer.with_amount(range.min))
}

thread_local! {
    static LINES: RefCell<Vec<Value>> = const { RefCell::new(Vec::new()) };
}

/// Keeps the lines of each thread.
struct Kept;

impl Log for Kept {
    fn enabled(&self, _: &Metadata) -> bool {
        true
    }

    fn log(&self, record: &Record) {
        let mut fields = fields_of(record).into_iter().collect::<Map<_, _>>();
        let event = fields.remove("event").unwrap_or_else(|| "note".into());
        let (level, message) = (level_name(record.level()), record.args().to_string());
        let line = json!({"level": level, "event": event, "message": message, "fields": fields});
        LINES.with_borrow_mut(|lines| lines.push(line));
    }

    fn flush(&self) {}
}

/// Lines without what each language says in its own way: the trace and the words of an error.
fn comparable_lines(lines: &Value) -> Value {
    let mut lines = lines.clone();
    for line in lines.as_array_mut().into_iter().flatten().filter(|line| line["event"] == "failed") {
        let error = line["fields"]["error"].take();
        let message = text(&line["message"]).strip_suffix(text(&error)).expect("it ends with the error").to_owned();
        line["message"] = message.into();
        if let Some(trace) = line["fields"].get_mut("trace") {
            assert!(!text(trace).is_empty());
            *trace = Value::Null;
        }
    }
    lines
}

/// A player that is made and driven as a transcript says.
struct Harness {
    stage: Arc<Stage>,
    player: Player<Box<dyn Bot>>,
}

impl Harness {
    fn new(transcript: &Value) -> Self {
        let (stage, manner) = (Arc::<Stage>::default(), text(&transcript["bot"]).to_owned());
        let (bots, clock) = (Arc::clone(&stage), Arc::clone(&stage));
        let factory = move |the_match: Match| {
            assert!(manner != "failing-at-start", "{FAILS}");
            bots.tell(format!("begin {}", the_match.start().match_handle));
            let scripted = Scripted { manner: manner.clone(), the_match, stage: Arc::clone(&bots) };
            if manner == "insisting" { Box::new(Insisting(scripted)) as Box<dyn Bot> } else { Box::new(scripted) }
        };
        let player = &transcript["player"];
        let settings = PlayerSettings {
            hello: hello(player),
            takes_defaults: player["on_error"] == "default",
            ..Default::default()
        };
        Self { player: Player::new(factory, settings, move || Duration::from_millis(clock.now())), stage }
    }

    /// Takes a step, and returns what it should come to and what it comes to.
    fn take(&mut self, step: &Value) -> (Value, Value) {
        self.stage.now.store(step["at_ms"].as_u64().unwrap_or(self.stage.now()), Ordering::Relaxed);
        self.stage.thinks.store(step["thinks_ms"].as_u64().unwrap_or(0), Ordering::Relaxed);
        self.stage.told.lock().expect("one thread").clear();
        LINES.take();
        let (wanted, came) = self.act(step);
        let told =
            if step["told"].is_null() { Value::Null } else { json!(*self.stage.told.lock().expect("one thread")) };
        let log = comparable_lines(&LINES.take().into());
        (json!([wanted, step["told"], comparable_lines(&step["log"])]), json!([came, told, log]))
    }

    fn act(&mut self, step: &Value) -> (Value, Value) {
        if step["do"] == "lost" {
            return (step["then"].clone(), self.lose(step));
        }
        let sent = match text(&step["do"]) {
            "connect" => Some(self.player.connect()),
            "receive" => self.receive(&step["frame"]),
            "retire" => self.player.retire(),
            "leave" => self.player.leave("the bot was told to stop"),
            other => panic!("there is no step {other}"),
        };
        (wanted(&step["sends"]).into(), comparable(sent).into())
    }

    fn receive(&mut self, frame: &Value) -> Option<PlayRequest> {
        let response = PlayResponse::decode(bytes(frame).as_slice()).expect("a frame of the server");
        self.player.receive(response, Duration::from_millis(self.stage.now()))
    }

    fn lose(&mut self, step: &Value) -> Value {
        let retry_after = Duration::from_millis(step["retry_after_ms"].as_u64().unwrap_or(0));
        match self.player.lost(status(text(&step["status"])), text(&step["sentence"]), retry_after, 0.0) {
            Next::Pause(pause) => json!({"pause_ms": u64::try_from(pause.as_millis()).expect("a short time")}),
            Next::Over(ending) => match conclude(Some(ending), ADDRESS) {
                Ok(()) => json!({"over": 0}),
                Err(error) => json!({"over": error.exit_code()}),
            },
        }
    }
}

fn hello(player: &Value) -> Hello {
    let number = |name: &str| player[name].as_u64().and_then(|number| number.try_into().ok()).expect("a number");
    let nonce = text(&player["nonce"]).as_bytes().chunks(2);
    let byte = |digits: &[u8]| u8::from_str_radix(str::from_utf8(digits).expect("digits"), 16).expect("digits");
    let (name, version) = (text(&player["name"]).into(), text(&player["version"]).into());
    Hello {
        bot: Some(Software { name, version, ..Default::default() }),
        nonce: nonce.map(byte).collect(),
        games: player["games"].as_array().expect("games").iter().map(|game| text(game).into()).collect(),
        max_matches: number("max_matches"),
        max_open_decisions: number("max_open_decisions"),
        matches_in_all: number("matches_in_all"),
        ..Default::default()
    }
}

fn status(name: &str) -> Code {
    (0..=16).map(Code::from_i32).find(|code| format!("{code:?}").to_uppercase() == name.replace('_', "")).expect(name)
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn bytes(frame: &Value) -> Vec<u8> {
    BASE64_STANDARD.decode(text(&frame["bytes"])).expect("base64")
}

fn wanted(frame: &Value) -> String {
    comparable((!frame.is_null()).then(|| PlayRequest::decode(bytes(frame).as_slice()).expect("a frame of a bot")))
}

/// A frame without what each SDK says in its own way. Answers are bytes, so fields that the stubs do not know count too.
fn comparable(frame: Option<PlayRequest>) -> String {
    let mut messages = frame.unwrap_or_default().messages;
    for message in &mut messages {
        if let Some(Body::Hello(hello)) = &mut message.body {
            hello.sdk = None;
        }
    }
    format!("{messages:#?}")
}

#[test]
fn what_the_transcripts_show() {
    log::set_logger(&Kept).expect("no other log");
    log::set_max_level(LevelFilter::Info);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../transcripts");
    let entries = fs::read_dir(&folder).expect("there are transcripts");
    let files =
        entries.map(|entry| entry.expect("a file").path()).filter(|path| path.extension() == Some("json".as_ref()));
    let mut count = 0;
    for file in files {
        let transcript: Value = serde_json::from_slice(&fs::read(&file).expect("a file")).expect("JSON");
        let mut harness = Harness::new(&transcript);
        for (number, step) in transcript["steps"].as_array().expect("steps").iter().enumerate() {
            let (wanted, came) = harness.take(step);
            assert_eq!(came, wanted, "{}, step {number}: {}", file.display(), text(&transcript["shows"]));
        }
        count += 1;
    }
    assert!(count > 0, "there are none in {}", folder.display());
}
