//! State machine of a bot process, without I/O: frames of the server in, frames for the server out.

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tonic::Code;

use crate::bot::Factory;
use crate::coming_back::{Loss, Pauses, asked_for};
use crate::receipts::Receipts;
use crate::seat::{Reply, Seat};
use crate::v1::bot_message::Body as BotBody;
use crate::v1::server_message::Body as ServerBody;
use crate::v1::{
    Accepted, BotMessage, Decision, DescribeEventResponse, Fault, Forfeited, Goodbye, Hello, KnownMatch, MatchEnd,
    MatchStart, PlayRequest, PlayResponse, Refused, Resume, Retire, ServerMessage, Software, Welcome,
};
use crate::words::{EventCount, bot_line, cost_words, default_words, end_words, fault_name, reason_of, server_line};
use crate::{Bot, Ending, Match, Next};

pub(crate) const SDK_NAME: &str = "ordago rust";
pub(crate) const SDK_VERSION: &str = env!("CARGO_PKG_VERSION");
const CONTRACT_VERSION: u32 = 1;
/// The capability of a bot that needs no message for each answer that is accepted.
const TACIT_ACCEPTANCE: &str = "tacit_acceptance";

/// A bot process over all its connections: the session logic, without I/O and without a clock of its own.
///
/// Its driver connects and sends the frame that [`connect`](Self::connect) returns, passes each frame that arrives to
/// [`receive`](Self::receive) and sends the one that this returns, and asks [`lost`](Self::lost) for the next step when
/// a connection ended.
pub struct Player<B> {
    factory: Factory<B>,
    clock: Box<dyn Fn() -> Duration>,
    hello: Hello,
    seats: BTreeMap<u32, Seat<B>>,
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
}

impl<B: Bot> Player<B> {
    /// Prepares a player.
    ///
    /// `hello` has the fields `bot`, `nonce`, `games` and the counts; the rest is filled in here. The clock returns the
    /// time since any beginning, and measures how long the bot thinks.
    pub fn new(
        factory: impl FnMut(Match) -> B + 'static,
        hello: Hello,
        clock: impl Fn() -> Duration + 'static,
    ) -> Self {
        let sdk = Software { name: SDK_NAME.into(), version: SDK_VERSION.into(), ..Default::default() };
        let pauses = Pauses::since(clock());
        Self {
            factory: Box::new(factory),
            clock: Box::new(clock),
            hello: Hello {
                min_version: CONTRACT_VERSION,
                max_version: CONTRACT_VERSION,
                sdk: Some(sdk),
                capabilities: capabilities(),
                ..hello
            },
            seats: BTreeMap::new(),
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
            receipts: None,
        }
    }

    /// Keeps receipts of the server's event.
    pub(crate) fn keeping(self, receipts: Option<Receipts>) -> Self {
        Self { receipts, ..self }
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
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Whether a frame arrived on the last connection.
    pub(crate) fn is_heard(&self) -> bool {
        self.is_heard
    }

    /// Begins a connection and returns its first frame, which resumes the session before, if any.
    pub fn connect(&mut self) -> PlayRequest {
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
        frame([BotBody::Hello(self.hello.clone())])
    }

    /// Processes a frame that arrived at a time of the player's clock, and returns the one to send back, if any.
    pub fn receive(&mut self, response: PlayResponse, arrived: Duration) -> Option<PlayRequest> {
        self.is_heard = true;
        let take = |message| self.take(message, arrived);
        let replies = response.messages.into_iter().filter_map(take).collect::<Vec<_>>();
        // All answers to a frame are sent together, so their thinking times all end with the last one.
        let now = (self.clock)();
        let choices = replies.into_iter().map(|reply| BotBody::Choice(reply.sent(now)));
        let bodies = choices.chain(self.retirement()).collect::<Vec<_>>();
        (!bodies.is_empty()).then(|| frame(bodies))
    }

    /// Takes no more seats, and returns the frame that says so; none if it was sent, or cannot be sent now. It is sent
    /// again on each later connection.
    pub fn retire(&mut self) -> Option<PlayRequest> {
        self.retiring.store(true, Ordering::Relaxed);
        self.retirement().map(|retire| frame([retire]))
    }

    /// Returns the frame that ends the session; none if it is not open.
    pub fn leave(&mut self, sentence: &str) -> Option<PlayRequest> {
        let goodbye = Goodbye { sentence: sentence.into(), ..Default::default() };
        self.is_open.then(|| frame([BotBody::Goodbye(goodbye)]))
    }

    /// Returns the next step after a connection ended by a status, `Ok` for an orderly end, and with a sentence.
    ///
    /// `retry_after` is the pause that the server asked for with the status, zero if it asked for none. `jitter` is a
    /// random number from 0 to 1, by which the pause varies, so that not all bots come back at once.
    pub fn lost(&mut self, status: Code, sentence: &str, retry_after: Duration, jitter: f64) -> Next {
        let loss = Loss { status, sentence };
        let (goodbye, is_draining) = (self.goodbye.take(), mem::take(&mut self.is_draining));
        let reason = match &goodbye {
            Some(goodbye) => format!("the server said goodbye for now: {}", reason_of(&goodbye.sentence)),
            None if is_draining => "the server has gone down".into(),
            None => format!("the connection broke ({})", loss.reason()),
        };
        let next = match goodbye {
            Some(goodbye) => self.dismissed(goodbye, &loss, jitter),
            None => self.next(&loss, retry_after, jitter),
        };
        self.is_open = false;
        self.is_heard = false;
        if let Next::Pause(pause) = next {
            log::info!("{reason}; trying again in {:.2} s", pause.as_secs_f64());
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
            return Next::Over(Ending::Ended(loss.to_string()));
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
            return Next::Over(Ending::Ended(Loss { sentence: &goodbye.sentence, ..*loss }.to_string()));
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

    /// Processes a message and returns the reply to it, if any. A message of an unknown kind has no body.
    fn take(&mut self, message: ServerMessage, arrived: Duration) -> Option<Reply> {
        log::debug!("came: {}", server_line(message.body.as_ref()));
        match message.body? {
            ServerBody::Welcome(welcome) => self.welcomed(welcome),
            ServerBody::MatchStart(start) => self.begin(start),
            ServerBody::Decision(decision) => return self.decide(decision, arrived),
            ServerBody::Refused(refused) => return self.refused(&refused),
            ServerBody::Accepted(accepted) => self.accepted(&accepted),
            ServerBody::Forfeited(notice) => self.forfeited(&notice),
            ServerBody::MatchEnd(end) => self.end(&end),
            ServerBody::Draining(draining) => {
                self.is_draining = true;
                log::info!("the server is going down: {}", reason_of(&draining.sentence));
            }
            ServerBody::EventNotice(notice) => {
                self.event.learn(&notice);
                log::info!("event: {}", reason_of(&notice.sentence));
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
        let how = if welcome.resumed { "session resumed" } else { "connected" };
        log::info!("{how}; games: {}", games.join(", "));
        if !welcome.resumed {
            self.seats.clear();
        }
        self.is_open = true;
        self.resume_window = Duration::from_millis(welcome.limits.unwrap_or_default().resume_window_ms.into());
        let Welcome { session_id, resume_token, .. } = welcome;
        self.hello.resume = Some(Resume { session_id, resume_token, matches: Vec::new() });
    }

    /// Begins a match. One that goes on after a resume keeps its bot, with all its state.
    fn begin(&mut self, start: MatchStart) {
        let known = self.seats.get(&start.match_handle);
        if known.is_some_and(|seat| seat.carries_on(&start)) {
            log::info!("match {} of {} goes on, seat {}", start.match_id, start.game, start.seat);
            return;
        }
        if known.is_none() {
            self.begun = self.begun.saturating_add(1);
        }
        log::info!("match {} of {} begins, seat {}{}", start.match_id, start.game, start.seat, self.event.next());
        if let Some(receipts) = &mut self.receipts {
            receipts.begin(&start);
        }
        let handle = start.match_handle;
        let the_match = Match::new(start, Arc::clone(&self.retiring));
        self.seats.insert(handle, Seat::new(the_match.clone(), (self.factory)(the_match)));
    }

    fn decide(&mut self, decision: Decision, arrived: Duration) -> Option<Reply> {
        let seat = self.seats.get_mut(&decision.match_handle);
        if seat.is_none() {
            log::warn!("a match that is over, decision {}: not answered", decision.number);
        }
        Some(seat?.decide(decision, arrived))
    }

    fn refused(&mut self, refused: &Refused) -> Option<Reply> {
        let mut seat = self.seats.get_mut(&refused.match_handle);
        // A faulty bot may have every answer of a match refused: its author has to see it, but once for each cause.
        let fault = fault_name(refused.fault);
        let cause = [&refused.rule, &refused.field, &fault].into_iter().find(|word| !word.is_empty())?;
        if seat.as_mut().is_none_or(|seat| seat.is_first_refusal(cause)) {
            let place = seat.as_ref().map_or("a match that is over".into(), |seat| seat.name());
            let sentence = reason_of(&refused.sentence);
            log::warn!("{place}, decision {}: refused: {sentence} ({cause})", refused.number);
        }
        seat?.decide_again(refused)
    }

    fn accepted(&mut self, accepted: &Accepted) {
        let Some(seat) = self.seats.get_mut(&accepted.match_handle) else {
            return;
        };
        if !seat.close(accepted.number) {
            return;
        }
        let place = format!("{}, decision {}", seat.name(), accepted.number);
        log::debug!("{place}: {}", cost_words(accepted));
        if accepted.fault != Fault::Unspecified as i32 {
            log::warn!("{place}: the default answer was taken: {}", default_words(accepted));
        }
    }

    fn forfeited(&mut self, notice: &Forfeited) {
        let Some(seat) = self.seats.get_mut(&notice.match_handle) else {
            return;
        };
        log::warn!("{} is forfeited: {} ({})", seat.name(), reason_of(&notice.sentence), fault_name(notice.fault));
        seat.bot.forfeited(notice);
    }

    fn end(&mut self, end: &MatchEnd) {
        let Some(mut seat) = self.seats.remove(&end.match_handle) else {
            return;
        };
        let start = seat.the_match.start();
        log::info!("{} ended: {}", seat.name(), end_words(end, start.seat));
        if let Some(receipts) = &mut self.receipts {
            receipts.end(start, end);
        }
        seat.bot.ended(end);
    }
}

/// The capabilities to ask for. A log of all messages should have the cost of each answer, so acceptances must be sent.
fn capabilities() -> Vec<String> {
    let is_verbose = log::log_enabled!(log::Level::Debug);
    if is_verbose { Vec::new() } else { vec![TACIT_ACCEPTANCE.into()] }
}

/// Returns a frame with some messages.
fn frame(bodies: impl IntoIterator<Item = BotBody>) -> PlayRequest {
    let message = |body| {
        log::debug!("went: {}", bot_line(&body));
        BotMessage { body: Some(body) }
    };
    PlayRequest { messages: bodies.into_iter().map(message).collect() }
}
