//! What a player makes of bots that fail, and of threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;

use super::{Player, PlayerSettings};
use crate::calls::Task;
use crate::decision_log::DecisionLog;
use crate::v1::bot_message::Body as BotBody;
use crate::v1::server_message::Body;
use crate::v1::{
    self, ClockState, Forfeited, MatchEnd, MatchStart, PlayRequest, PlayResponse, Refused, ServerMessage, Welcome,
};
use crate::{Answer, Bot, BotError, Decision, LegalAction};

/// Fails at odd decisions: at 1 by an error, at 3 by a panic, at 5 by an answer without an action.
struct Odd(Arc<Mutex<Vec<String>>>);

impl Odd {
    fn note(&self, words: &str, decision: Option<&Decision>) {
        let number = decision.map(|it| it.number.to_string()).unwrap_or_default();
        self.0.lock().expect("no panic in it").push(format!("{words}{number}"));
    }
}

impl Bot for Odd {
    fn choose(&mut self, decision: &Decision) -> Result<Answer, BotError> {
        self.note("choose", Some(decision));
        match decision.number {
            1 => Err("no idea")?,
            3 => panic!("no card"),
            5 => Ok(Answer::default().with_amount(3)),
            _ => Ok(decision.actions.first().ok_or("nothing is legal")?.into()),
        }
    }

    fn refused(&mut self, decision: &Decision, _: &Refused) -> Result<Answer, BotError> {
        let left = decision.time_left().map(|left| left.as_millis());
        self.note(&format!("{left:?} left for "), Some(decision));
        Ok(decision.actions.first().ok_or("nothing is legal")?.into())
    }

    fn forfeited(&mut self, _: &Forfeited) {
        self.note("forfeited", None);
        panic!("no patience");
    }

    fn ended(&mut self, _: &MatchEnd) {
        self.note("ended", None);
    }
}

/// A player of such bots, with the time, what the bots were asked, and the lines of the log of decisions.
struct Stage {
    player: Player<Odd>,
    now: Arc<AtomicU64>,
    heard: Arc<Mutex<Vec<String>>>,
    file: Sink,
}

#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic in it").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Stage {
    fn new(settings: PlayerSettings) -> Self {
        let (now, heard, file) = (Arc::<AtomicU64>::default(), Arc::<Mutex<Vec<String>>>::default(), Sink::default());
        let (clock, ear) = (Arc::clone(&now), Arc::clone(&heard));
        let settings =
            PlayerSettings { decisions: Some(DecisionLog::new(file.clone(), "decisions".into())), ..settings };
        let factory = move |the_match: crate::Match| {
            assert!(the_match.game() != "chess", "no chess");
            Odd(Arc::clone(&ear))
        };
        let clock = move || Duration::from_millis(clock.load(Ordering::Relaxed));
        let mut player = Player::new(factory, settings, clock);
        player.connect();
        let mut stage = Self { player, now, heard, file };
        stage.receive([Body::Welcome(Welcome::default()), begin(1, "mus")]);
        stage
    }

    fn receive(&mut self, bodies: impl IntoIterator<Item = Body>) -> Vec<String> {
        let messages = bodies.into_iter().map(|body| ServerMessage { body: Some(body) }).collect();
        let now = Duration::from_millis(self.now.load(Ordering::Relaxed));
        sent(self.player.receive(PlayResponse { messages }, now))
    }

    fn heard(&self) -> Vec<String> {
        self.heard.lock().expect("no panic in it").drain(..).collect()
    }

    fn lines(&self) -> Vec<Value> {
        let bytes = self.file.0.lock().expect("no panic in it").clone();
        str::from_utf8(&bytes).expect("JSON").lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }
}

fn with_defaults() -> PlayerSettings {
    PlayerSettings { takes_defaults: true, ..Default::default() }
}

fn begin(match_handle: u32, game: &str) -> Body {
    let match_id = format!("m{match_handle}");
    Body::MatchStart(MatchStart { match_handle, match_id, game: game.into(), ..Default::default() })
}

/// A decision with one action, number 7; the default answer is extra 9 alone.
fn decision(match_handle: u32, number: u32) -> Body {
    let actions = vec![LegalAction { id: 7, ..Default::default() }];
    let clock = Some(ClockState { decision_ms: 1_000, ..Default::default() });
    let default_answer = Answer::from(v1::Answer { extra: 9, ..Default::default() }).into_bytes();
    Body::Decision(v1::Decision { match_handle, number, actions, clock, default_answer, ..Default::default() })
}

/// The choices of a frame, by match, number, whether the default answer was taken, and thinking time.
fn sent(frame: Option<PlayRequest>) -> Vec<String> {
    let bodies = frame.into_iter().flat_map(|frame| frame.messages).filter_map(|message| message.body);
    let words = |body| match body {
        BotBody::Choice(choice) => {
            let answer = Answer::from_bytes(choice.answer).read().expect("an answer");
            let what = if answer.extra == 9 { "default" } else { "own" };
            format!("{}.{} {what} {}", choice.match_handle, choice.number, choice.thought_ms.expect("a time"))
        }
        other => panic!("{other:?}"),
    };
    bodies.map(words).collect()
}

#[test]
fn with_default_answers_a_bot_goes_on_after_each_failure() {
    let mut stage = Stage::new(with_defaults());
    for number in 1..=5 {
        let what = if number % 2 == 1 { "default" } else { "own" };
        assert_eq!(stage.receive([decision(1, number)]), [format!("1.{number} {what} 0")]);
    }
    let notices = [Body::Forfeited(Forfeited { match_handle: 1, ..Default::default() })];
    assert_eq!(stage.receive(notices), [] as [&str; 0]);
    stage.receive([Body::MatchEnd(MatchEnd { match_handle: 1, ..Default::default() })]);
    let asked = ["choose1", "choose2", "choose3", "choose4", "choose5", "forfeited", "ended"];
    assert_eq!(stage.heard(), asked);
    let outcome = stage.player.outcome();
    assert_eq!((outcome.failures, outcome.forfeited, outcome.void, outcome.is_faultless()), (4, 1, 1, false));
    assert_eq!(stage.player.failure(), None);
}

#[test]
fn without_default_answers_the_first_failure_ends_the_session() {
    let mut stage = Stage::new(PlayerSettings::default());
    assert_eq!(stage.receive([decision(1, 3), decision(1, 4)]), [] as [&str; 0]);
    let failure = stage.player.failure().expect("it failed");
    assert_eq!((failure.error.as_str(), stage.heard()), ("no card", vec!["choose3".to_owned()]));
    assert_eq!(failure.to_string(), "match m1, decision 3: the bot failed: no card");
    assert!(failure.trace.contains("player/tests.rs"), "{}", failure.trace);
}

#[test]
fn a_bot_that_fails_when_it_is_made_is_not_asked() {
    let mut stage = Stage::new(with_defaults());
    assert_eq!(stage.receive([begin(2, "chess"), decision(2, 1), decision(1, 2)]), ["2.1 default 0", "1.2 own 0"]);
    stage.receive([Body::MatchEnd(MatchEnd { match_handle: 2, ..Default::default() })]);
    assert_eq!((stage.heard(), stage.player.outcome().failures), (vec!["choose2".to_owned()], 1));
    let mut strict = Stage::new(PlayerSettings::default());
    strict.receive([begin(2, "chess")]);
    assert_eq!(strict.player.failure().map(ToString::to_string), Some("match m2: the bot failed: no chess".into()));
}

#[test]
fn each_question_is_kept_in_the_file() {
    let mut stage = Stage::new(with_defaults());
    stage.now.store(5_000, Ordering::Relaxed);
    stage.receive([decision(1, 1), decision(1, 2)]);
    let rule = "follow_suit".into();
    let refused =
        Refused { match_handle: 1, number: 2, rule, strikes_left: 1, time_left_ms: 700, ..Default::default() };
    assert_eq!(stage.receive([Body::Refused(refused)]), ["1.2 own 0"]);
    assert_eq!(stage.heard(), ["choose1", "choose2", "Some(700) left for 2"]);
    let lines = stage.lines();
    let told = lines
        .iter()
        .map(|line| (&line["start"]["matchId"], &line["decision"]["number"], &line["answer"], &line["error"]));
    let (id, legal, default) =
        (&Value::from("m1"), &serde_json::json!({"legalAction": 7}), &serde_json::json!({"extra": 9}));
    let (one, two, no) = (&Value::from(1), &Value::from(2), &Value::Null);
    assert_eq!(
        told.collect::<Vec<_>>(),
        [(id, one, default, &Value::from("no idea")), (id, two, legal, no), (id, two, legal, no)]
    );
    assert_eq!((lines[1].get("refused"), &lines[2]["refused"]["rule"]), (None, &Value::from("follow_suit")));
    assert!(lines.iter().all(|line| line["milliseconds"].is_u64()));
}

/// A player whose bots are called by hand.
fn in_threads() -> Stage {
    let mut stage = Stage::new(PlayerSettings { has_threads: true, ..with_defaults() });
    stage.receive([begin(2, "mus")]);
    stage
}

#[test]
fn matches_are_thought_about_side_by_side_and_waiting_counts() {
    let mut stage = in_threads();
    assert_eq!(stage.receive([decision(1, 2), decision(2, 2)]), [] as [&str; 0]);
    let [first, second] = stage.player.tasks().try_into().ok().expect("one for each match");
    stage.now.store(30, Ordering::Relaxed);
    assert_eq!(sent(stage.player.done(second.run())), ["2.2 own 30"]);
    stage.now.store(70, Ordering::Relaxed);
    assert_eq!(sent(stage.player.done(first.run())), ["1.2 own 70"]);
    assert_eq!(stage.player.outcome().slowest.as_ref().map(|slowest| slowest.milliseconds), Some(70));
}

#[test]
fn calls_of_a_bot_never_overlap_and_closed_decisions_get_no_answer() {
    let mut stage = in_threads();
    stage.receive([decision(1, 2)]);
    let [asked] = stage.player.tasks().try_into().ok().expect("one question");
    // Closed, forfeited and over while the bot thinks: nothing more is due before it has thought.
    let accepted = v1::Accepted { match_handle: 1, number: 2, ..Default::default() };
    stage.receive([Body::Accepted(accepted), decision(1, 3), decision(1, 4)]);
    let over = [
        Body::Forfeited(Forfeited { match_handle: 1, ..Default::default() }),
        Body::MatchEnd(MatchEnd { match_handle: 1, ..Default::default() }),
    ];
    stage.receive(over);
    assert!(stage.player.tasks().is_empty());
    let mut due = vec![asked];
    while let Some(task) = due.pop() {
        assert_eq!(sent(stage.player.done(Task::run(task))), [] as [&str; 0]);
        due = stage.player.tasks();
        assert!(due.len() < 2);
    }
    assert_eq!(stage.heard(), ["choose2", "forfeited", "ended"]);
    assert!(stage.player.ending.is_empty());
}

#[test]
fn a_decision_that_comes_again_while_the_bot_thinks_is_asked_once() {
    let mut stage = in_threads();
    stage.receive([decision(1, 2)]);
    let [asked] = stage.player.tasks().try_into().ok().expect("one question");
    stage.player.connect();
    stage.now.store(100, Ordering::Relaxed);
    let resumed = Body::Welcome(Welcome { resumed: true, ..Default::default() });
    assert_eq!(stage.receive([resumed, decision(1, 2)]), [] as [&str; 0]);
    stage.now.store(130, Ordering::Relaxed);
    assert_eq!(sent(stage.player.done(asked.run())), ["1.2 own 30"]);
    assert!(stage.player.tasks().is_empty());
    stage.player.connect();
    assert_eq!(stage.receive([decision(1, 2)]), ["1.2 own 0"]);
}

#[test]
fn only_without_a_verbose_log_answers_are_taken_without_a_word() {
    let capabilities = |is_verbose| {
        let settings = PlayerSettings { is_verbose, ..Default::default() };
        let frame = Player::new(|_| Odd(Arc::default()), settings, Duration::default).connect();
        match frame.messages.into_iter().next().and_then(|message| message.body) {
            Some(BotBody::Hello(hello)) => hello.capabilities,
            other => panic!("a first message that is no Hello: {other:?}"),
        }
    };
    assert_eq!(capabilities(false), ["tacit_acceptance"]);
    assert!(capabilities(true).is_empty());
}
