//! Whoever is told everything is told of each answer that is taken. A log is that of a whole process, so that this test
//! has one of its own.

use std::time::Duration;

use log::{LevelFilter, Log, Metadata, Record};
use ordago::v1::Hello;
use ordago::v1::bot_message::Body;
use ordago::{Answer, Bot, Decision, Player};

struct Idle;

impl Bot for Idle {
    fn choose(&mut self, decision: &Decision) -> Answer {
        decision.default_answer()
    }
}

/// Wants to hear everything, and keeps nothing of it.
struct Curious;

impl Log for Curious {
    fn enabled(&self, _: &Metadata) -> bool {
        true
    }

    fn log(&self, _: &Record) {}

    fn flush(&self) {}
}

/// What a new player asks of the server.
fn capabilities() -> Vec<String> {
    let frame = Player::new(|_| Idle, Hello::default(), Duration::default).connect();
    match frame.messages.into_iter().next().and_then(|message| message.body) {
        Some(Body::Hello(hello)) => hello.capabilities,
        other => panic!("a first message that is no Hello: {other:?}"),
    }
}

#[test]
fn only_without_a_verbose_log_answers_are_taken_without_a_word() {
    log::set_logger(&Curious).expect("no other log");
    log::set_max_level(LevelFilter::Info);
    assert_eq!(capabilities(), ["tacit_acceptance"]);
    log::set_max_level(LevelFilter::Debug);
    assert!(capabilities().is_empty());
}
