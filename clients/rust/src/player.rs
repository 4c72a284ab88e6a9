//! State machine of a bot process, without I/O: frames of the server in, frames for the server out.

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use log::Level::{Debug, Info};
use serde_json::json;
use tonic::Code;

mod at_the_table;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod transcripts;

use crate::bot::Factory;
use crate::calls::{Task, Thought};
use crate::coming_back::{Ending, Next};
use crate::coming_back::{Loss, Pauses, asked_for};
use crate::decision::Clock;
use crate::decision_log::DecisionLog;
use crate::failure::Failure;
use crate::logging::tell;
use crate::receipts::Receipts;
use crate::seat::{Reply, Seat};
use crate::v1::bot_message::Body as BotBody;
use crate::v1::server_message::Body as ServerBody;
use crate::v1::{
    BotMessage, DescribeEventResponse, Fault, Goodbye, Hello, KnownMatch, PlayRequest, PlayResponse, Resume, Retire,
    ServerMessage, Software, Welcome,
};
use crate::words::{EventCount, bot_line, reason_of, server_line};
use crate::{Bot, Match, Outcome};

pub(crate) const SDK_NAME: &str = "ordago rust";
pub(crate) const SDK_VERSION: &str = env!("CARGO_PKG_VERSION");
const CONTRACT_VERSION: u32 = 1;
/// The capability of a bot that needs no message for each answer that is accepted.
const TACIT_ACCEPTANCE: &str = "tacit_acceptance";

/// The settings of a player.
#[derive(Default)]
pub(crate) struct PlayerSettings {
    /// `bot`, `nonce`, `games` and the counts; the rest is filled in by the player.
    pub(crate) hello: Hello,
    /// Whether bots are called by [`Player::tasks`], in threads of the driver, instead of where frames arrive.
    pub(crate) has_threads: bool,
    /// Whether the default answer is taken when a bot fails, instead of ending the session.
    pub(crate) takes_defaults: bool,
    /// Whether all messages are logged. Then acceptances must be sent, for the cost of each answer.
    pub(crate) is_verbose: bool,
    pub(crate) receipts: Option<Receipts>,
    pub(crate) decisions: Option<DecisionLog>,
}

/// A bot process over all its connections: the session logic, without I/O and without a clock of its own.
///
/// Its driver connects and sends the frame that [`connect`](Self::connect) returns, passes each frame that arrives to
/// [`receive`](Self::receive) and sends the one that this returns, and asks [`lost`](Self::lost) for the next step when
/// a connection ended. With threads, it runs the [`tasks`](Self::tasks) and passes them to [`done`](Self::done).
pub(crate) struct Player<B> {
    factory: Factory<B>,
    clock: Clock,
    hello: Hello,
    has_threads: bool,
    takes_defaults: bool,
    is_verbose: bool,
    /// The seats by the handles of their matches.
    seats: BTreeMap<u32, Seat<B>>,
    /// The seats of matches that are over, while their bots are still called.
    ending: Vec<Seat<B>>,
    /// The seats that have ever been.
    seat_count: u64,
    /// The calls that are due.
    due: Vec<Task<B>>,
    /// The answers for the next frame.
    replies: Vec<Reply>,
    /// Whether the session is open on this connection.
    is_open: bool,
    /// Whether a frame arrived on this connection.
    is_heard: bool,
    /// Whether the server said on this connection that it goes down.
    is_draining: bool,
    has_said_retire: bool,
    /// The Goodbye that arrived on this connection.
    goodbye: Option<Goodbye>,
    resume_window: Duration,
    pauses: Pauses,
    /// Whether the bot takes no more seats. Its matches can set it.
    retiring: Arc<AtomicBool>,
    /// The matches that have begun in this session.
    begun: u32,
    event: EventCount,
    receipts: Option<Receipts>,
    decisions: Option<DecisionLog>,
    outcome: Outcome,
    /// The failure that ends the session.
    failure: Option<Failure>,
}

impl<B: Bot> Player<B> {
    /// Prepares a player. The clock returns the time since any beginning, and measures how long the bot thinks.
    pub(crate) fn new(
        factory: impl FnMut(Match) -> B + Send + 'static,
        settings: PlayerSettings,
        clock: impl Fn() -> Duration + Send + Sync + 'static,
    ) -> Self {
        let PlayerSettings { hello, has_threads, takes_defaults, is_verbose, receipts, decisions } = settings;
        let pauses = Pauses::since(clock());
        Self {
            factory: Box::new(factory),
            clock: Arc::new(clock),
            hello: Hello {
                min_version: CONTRACT_VERSION,
                max_version: CONTRACT_VERSION,
                sdk: Some(Software { name: SDK_NAME.into(), version: SDK_VERSION.into(), ..Default::default() }),
                capabilities: if is_verbose { Vec::new() } else { vec![TACIT_ACCEPTANCE.into()] },
                ..hello
            },
            has_threads,
            takes_defaults,
            is_verbose,
            seats: BTreeMap::new(),
            ending: Vec::new(),
            seat_count: 0,
            due: Vec::new(),
            replies: Vec::new(),
            is_open: false,
            is_heard: false,
            is_draining: false,
            has_said_retire: false,
            goodbye: None,
            resume_window: Duration::ZERO,
            pauses,
            retiring: Arc::default(),
            begun: 0,
            event: EventCount::default(),
            receipts,
            decisions,
            outcome: Outcome::default(),
            failure: None,
        }
    }

    /// The counts of the session.
    pub(crate) fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// The failure that ends the session, if there was one.
    pub(crate) fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// Whether [`learn`](Self::learn) has to be called before each connection.
    pub(crate) fn keeps_receipts(&self) -> bool {
        self.receipts.is_some()
    }

    /// Takes the description of the server's event, before a connection begins. There may be no event.
    pub(crate) fn learn(&mut self, described: &DescribeEventResponse) {
        if let Some(receipts) = &mut self.receipts {
            receipts.describe(described, &self.hello.nonce);
        }
    }

    /// Whether the session is open: the server said Welcome on this connection, and no Goodbye.
    pub(crate) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Whether a frame arrived on the last connection.
    pub(crate) fn is_heard(&self) -> bool {
        self.is_heard
    }

    /// Begins a connection and returns its first frame, which resumes the session before, if any.
    pub(crate) fn connect(&mut self) -> PlayRequest {
        self.is_open = false;
        self.is_heard = false;
        self.is_draining = false;
        self.has_said_retire = false;
        self.goodbye = None;
        self.seats.values_mut().for_each(Seat::disconnect);
        if let Some(resume) = &mut self.hello.resume {
            let known =
                |(handle, seat): (&u32, &Seat<B>)| KnownMatch { match_handle: *handle, last_decision: seat.number };
            resume.matches = self.seats.iter().map(known).collect();
        }
        self.frame([BotBody::Hello(self.hello.clone())])
    }

    /// Processes a frame that arrived at a time of the player's clock, and returns the one to send back, if any.
    pub(crate) fn receive(&mut self, response: PlayResponse, arrived: Duration) -> Option<PlayRequest> {
        self.is_heard = true;
        for message in response.messages {
            let reply = self.take(message, arrived);
            self.replies.extend(reply);
            while !self.has_threads
                && let Some(task) = self.due.pop()
            {
                self.finish(task.run());
            }
            if self.failure.is_some() {
                break;
            }
        }
        self.answers()
    }

    /// The calls that are due.
    pub(crate) fn tasks(&mut self) -> Vec<Task<B>> {
        mem::take(&mut self.due)
    }

    /// Takes a call that was made, and returns the frame to send, if any.
    pub(crate) fn done(&mut self, thought: Thought<B>) -> Option<PlayRequest> {
        self.finish(thought);
        self.answers()
    }

    /// Returns a frame with all answers that are ready. They are sent together, so their thinking times all end now.
    fn answers(&mut self) -> Option<PlayRequest> {
        let now = (self.clock)();
        let mut bodies = Vec::new();
        for mut reply in mem::take(&mut self.replies) {
            let milliseconds = reply.stop(now);
            self.outcome.think(milliseconds, &reply.match_id, reply.choice.number);
            bodies.push(BotBody::Choice(reply.choice));
        }
        bodies.extend(self.retirement());
        (!bodies.is_empty()).then(|| self.frame(bodies))
    }

    /// Takes no more seats, and returns the frame that says so; none if it was sent, or cannot be sent now. It is sent
    /// again on each later connection.
    pub(crate) fn retire(&mut self) -> Option<PlayRequest> {
        self.retiring.store(true, Ordering::Relaxed);
        self.retirement().map(|retire| self.frame([retire]))
    }

    /// Returns the frame that ends the session; none if it is not open.
    pub(crate) fn leave(&mut self, sentence: &str) -> Option<PlayRequest> {
        let goodbye = Goodbye { sentence: sentence.into(), ..Default::default() };
        self.is_open.then(|| self.frame([BotBody::Goodbye(goodbye)]))
    }

    /// Returns the next step after a connection ended by a status, `Ok` for an orderly end, and with a sentence.
    ///
    /// `retry_after` is the pause that the server asked for with the status, zero if it asked for none. `jitter` is a
    /// random number from 0 to 1, by which the pause varies, so that not all bots come back at once.
    pub(crate) fn lost(&mut self, status: Code, sentence: &str, retry_after: Duration, jitter: f64) -> Next {
        let loss = Loss { status, sentence };
        let (goodbye, is_draining) = (self.goodbye.take(), mem::take(&mut self.is_draining));
        let (event, why, mut fields) = match &goodbye {
            Some(Goodbye { sentence, .. }) => {
                let why = format!("the server said goodbye for now: {}", reason_of(sentence));
                ("goodbye_for_now", why, vec![("sentence", json!(sentence))])
            }
            None if is_draining => ("gone_down", "the server has gone down".into(), vec![]),
            None => {
                let reason = loss.reason();
                ("connection_broke", format!("the connection broke ({reason})"), vec![("reason", json!(reason))])
            }
        };
        let next = match goodbye {
            Some(goodbye) => self.dismissed(goodbye, &loss, jitter),
            None => self.next(&loss, retry_after, jitter),
        };
        self.is_open = false;
        self.is_heard = false;
        if let Next::Pause(pause) = next {
            let seconds = pause.as_secs_f64();
            fields.push(("seconds", json!(seconds)));
            tell(Info, event, format!("{why}; trying again in {seconds:.2} s"), fields);
        }
        next
    }

    fn next(&mut self, loss: &Loss, retry_after: Duration, jitter: f64) -> Next {
        let now = (self.clock)();
        let lost_session = loss.is_not_let_in() && !self.is_heard && self.hello.resume.is_some();
        if lost_session && !self.forget_session() {
            return Next::Over(Ending::Goodbye(loss.sentence.into()));
        }
        let is_awaited = !loss.is_not_let_in() && !retry_after.is_zero();
        if !(lost_session || is_awaited || loss.is_broken()) {
            return Next::Over(loss.ended());
        }
        if self.is_heard || lost_session || is_awaited {
            self.pauses = Pauses::since(now);
        }
        if self.pauses.are_over(now, self.resume_window) {
            return Next::Over(Ending::NoAnswer(loss.reason()));
        }
        Next::Pause(if is_awaited { asked_for(retry_after, jitter) } else { self.pauses.next(jitter) })
    }

    /// Ends for good, or begins a new session after the pause that the server asked for. A status that names an error
    /// outweighs the goodbye before it.
    fn dismissed(&mut self, goodbye: Goodbye, loss: &Loss, jitter: f64) -> Next {
        let is_for_good = goodbye.retry_after_ms == 0 || goodbye.fault != Fault::Unspecified as i32;
        if is_for_good && !loss.is_broken() {
            return Next::Over(Loss { sentence: &goodbye.sentence, ..*loss }.ended());
        }
        if is_for_good || !self.forget_session() {
            return Next::Over(Ending::Goodbye(goodbye.sentence));
        }
        self.pauses = Pauses::since((self.clock)());
        Next::Pause(asked_for(Duration::from_millis(goodbye.retry_after_ms.into()), jitter))
    }

    /// Forgets the session. Returns whether the bot needs a new one: not if it takes no more seats. The new one is asked
    /// for those matches that are left of `matches_in_all`.
    fn forget_session(&mut self) -> bool {
        let in_all = self.hello.matches_in_all;
        let is_done = self.is_retiring() || (in_all > 0 && self.begun >= in_all);
        self.hello.matches_in_all = in_all.saturating_sub(self.begun);
        self.hello.resume = None;
        self.resume_window = Duration::ZERO;
        self.seats.clear();
        self.begun = 0;
        !is_done
    }

    fn is_retiring(&self) -> bool {
        self.retiring.load(Ordering::Relaxed)
    }

    fn retirement(&mut self) -> Option<BotBody> {
        let is_due = self.is_open && self.is_retiring() && !self.has_said_retire;
        self.has_said_retire |= is_due;
        is_due.then_some(BotBody::Retire(Retire {}))
    }

    /// Processes a message and returns the reply to it, if it is known. A message of an unknown kind has no body.
    fn take(&mut self, message: ServerMessage, arrived: Duration) -> Option<Reply> {
        if self.is_verbose {
            let line = server_line(message.body.as_ref());
            tell(Debug, "came", format!("came: {line}"), vec![]);
        }
        match message.body? {
            ServerBody::Welcome(welcome) => self.welcomed(welcome),
            ServerBody::MatchStart(start) => self.begin(start),
            ServerBody::Decision(decision) => return self.decide(decision, arrived),
            ServerBody::Refused(refused) => return self.refused(&refused, arrived),
            ServerBody::Accepted(accepted) => self.accepted(&accepted),
            ServerBody::Forfeited(notice) => self.forfeited(notice),
            ServerBody::MatchEnd(end) => self.end(end),
            ServerBody::Draining(draining) => {
                self.is_draining = true;
                let sentence = format!("the server is going down: {}", reason_of(&draining.sentence));
                tell(Info, "draining", sentence, vec![("sentence", json!(draining.sentence))]);
            }
            ServerBody::EventNotice(notice) => {
                self.event.learn(&notice);
                let sentence = format!("event: {}", reason_of(&notice.sentence));
                tell(Info, "event_notice", sentence, vec![("sentence", json!(notice.sentence))]);
            }
            ServerBody::Announcement(announcement) => {
                let sentence = format!("announcement: {}", reason_of(&announcement.sentence));
                tell(Info, "announcement", sentence, vec![("sentence", json!(announcement.sentence))]);
            }
            ServerBody::Goodbye(goodbye) => {
                self.is_open = false;
                self.goodbye = Some(goodbye);
            }
        }
        None
    }

    fn welcomed(&mut self, welcome: Welcome) {
        let games = welcome.games.iter().map(|offered| offered.game.as_str()).collect::<Vec<_>>();
        let (event, how) = if welcome.resumed { ("resumed", "session resumed") } else { ("connected", "connected") };
        tell(Info, event, format!("{how}; games: {}", games.join(", ")), vec![("games", json!(games))]);
        if !welcome.resumed {
            self.seats.clear();
        }
        self.is_open = true;
        self.resume_window = Duration::from_millis(welcome.limits.unwrap_or_default().resume_window_ms.into());
        let Welcome { session_id, resume_token, .. } = welcome;
        self.hello.resume = Some(Resume { session_id, resume_token, matches: Vec::new() });
    }

    /// Returns a frame with some messages.
    fn frame(&self, bodies: impl IntoIterator<Item = BotBody>) -> PlayRequest {
        let message = |body| {
            if self.is_verbose {
                tell(Debug, "went", format!("went: {}", bot_line(&body)), vec![]);
            }
            BotMessage { body: Some(body) }
        };
        PlayRequest { messages: bodies.into_iter().map(message).collect() }
    }
}
