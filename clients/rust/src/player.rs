//! Plays for bots, without I/O: frames of the server in, frames for the server out.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tonic::Code;

use crate::bot::Factory;
use crate::coming_back::{Loss, Pauses, asked_for};
use crate::receipts::Receipts;
use crate::seat::{Reply, Seat};
use crate::v1::bot_message::Body as Said;
use crate::v1::server_message::Body as Heard;
use crate::v1::{
    Accepted, BotMessage, Decision, DescribeEventResponse, Fault, Forfeited, Goodbye, Hello, KnownMatch, MatchEnd,
    MatchStart, PlayRequest, PlayResponse, Refused, Resume, Retire, ServerMessage, Software, Welcome,
};
use crate::words::{EventCount, cost_words, default_words, end_words, fault_name, heard, said};
use crate::{Bot, Ending, Match, Next};

const CONTRACT_VERSION: u32 = 1;
/// The capability of a bot whose answers are taken without a word where they stand.
const TACIT_ACCEPTANCE: &str = "tacit_acceptance";

/// One process of a bot over all of its connections: the session logic, without I/O and without a clock of its own.
///
/// Whoever drives it connects and sends what [`connect`](Self::connect) says, hands each frame that comes to
/// [`receive`](Self::receive) and sends what that says, and asks [`lost`](Self::lost) what to do when a connection ended.
pub struct Player<B> {
    factory: Factory<B>,
    clock: Box<dyn Fn() -> Duration>,
    hello: Hello,
    seats: BTreeMap<u32, Seat<B>>,
    /// Whether the session is open on this connection.
    is_open: bool,
    /// Whether a frame came on this connection.
    is_heard: bool,
    has_said_retire: bool,
    /// The Goodbye that came on this connection.
    goodbye: Option<Goodbye>,
    resume_window: Duration,
    pauses: Pauses,
    /// Whether the bot takes no more seats. Matches may say so.
    retiring: Arc<AtomicBool>,
    /// How many matches have begun in this session.
    begun: u32,
    event: EventCount,
    receipts: Option<Receipts>,
}

impl<B: Bot> Player<B> {
    /// Prepares to play.
    ///
    /// `hello` says who plays, and how much: `bot`, `nonce`, `games` and the numbers. The rest is filled in here. The clock
    /// tells the time since any beginning; it measures how long the bot thinks.
    pub fn new(
        factory: impl FnMut(Match) -> B + 'static,
        hello: Hello,
        clock: impl Fn() -> Duration + 'static,
    ) -> Self {
        let sdk =
            Software { name: "ordago rust".into(), version: env!("CARGO_PKG_VERSION").into(), ..Default::default() };
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

    /// Keeps receipts of what the server says of its event.
    pub(crate) fn keeping(self, receipts: Option<Receipts>) -> Self {
        Self { receipts, ..self }
    }

    /// Whether it wants to learn, before each connection, which event the server plays.
    pub(crate) fn keeps_receipts(&self) -> bool {
        self.receipts.is_some()
    }

    /// Learns which event the server plays, before a connection begins. It may be none.
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

    /// Begins a connection: returns the first frame. It resumes the session that there was before, if any.
    pub fn connect(&mut self) -> PlayRequest {
        self.is_open = false;
        self.is_heard = false;
        self.has_said_retire = false;
        self.goodbye = None;
        self.seats.values_mut().for_each(Seat::disconnect);
        if let Some(resume) = &mut self.hello.resume {
            let known =
                |(handle, seat): (&u32, &Seat<B>)| KnownMatch { match_handle: *handle, last_decision: seat.number };
            resume.matches = self.seats.iter().map(known).collect();
        }
        frame([Said::Hello(self.hello.clone())])
    }

    /// Takes in a frame that came at a time, by the player's clock, and returns the one to send back, if any.
    pub fn receive(&mut self, response: PlayResponse, arrived: Duration) -> Option<PlayRequest> {
        self.is_heard = true;
        let take = |message| self.take(message, arrived);
        let replies = response.messages.into_iter().filter_map(take).collect::<Vec<_>>();
        // All answers to a frame are sent together, so the time of each ends with the last.
        let now = (self.clock)();
        let choices = replies.into_iter().map(|reply| Said::Choice(reply.sent(now)));
        let said = choices.chain(self.retirement()).collect::<Vec<_>>();
        (!said.is_empty()).then(|| frame(said))
    }

    /// Takes no more seats: returns the frame that says so; none if that was said, or cannot be said now. It is said
    /// again on each connection after this one.
    pub fn retire(&mut self) -> Option<PlayRequest> {
        self.retiring.store(true, Ordering::Relaxed);
        self.retirement().map(|retire| frame([retire]))
    }

    /// Returns the frame that ends the session; none if it is not open.
    pub fn leave(&mut self, sentence: &str) -> Option<PlayRequest> {
        let goodbye = Goodbye { sentence: sentence.into(), ..Default::default() };
        self.is_open.then(|| frame([Said::Goodbye(goodbye)]))
    }

    /// Learns that the connection ended, by a status and with a sentence, `Ok` for an orderly end; `retry_after` is how
    /// long the server wants to be left alone, zero if it does not say. Returns what comes next. The pause is changed by
    /// `jitter`, which is drawn evenly from 0 to 1, so that many bots do not come back at a stroke.
    pub fn lost(&mut self, status: Code, sentence: &str, retry_after: Duration, jitter: f64) -> Next {
        let loss = Loss { status, sentence };
        let (now, was_heard) = ((self.clock)(), std::mem::take(&mut self.is_heard));
        self.is_open = false;
        if let Some(goodbye) = self.goodbye.take() {
            return self.dismissed(goodbye, &loss, now, jitter);
        }
        let lost_session = loss.is_not_let_in() && !was_heard && self.hello.resume.is_some();
        if lost_session && !self.forget_session() {
            return Next::Over(Ending::Goodbye(sentence.into()));
        }
        let is_awaited = !loss.is_not_let_in() && !retry_after.is_zero();
        if !(lost_session || is_awaited || loss.is_broken()) {
            return Next::Over(Ending::Ended(loss.to_string()));
        }
        if was_heard || lost_session || is_awaited {
            self.pauses = Pauses::since(now);
        }
        if self.pauses.are_over(now, self.resume_window) {
            return Next::Over(Ending::NoAnswer(sentence.into()));
        }
        Next::Pause(if is_awaited { asked_for(retry_after, jitter) } else { self.pauses.next(jitter) })
    }

    /// Ends for good, or begins a new session after the time that the server names. A status that says what was wrong
    /// counts for more than the words before it.
    fn dismissed(&mut self, goodbye: Goodbye, loss: &Loss, now: Duration, jitter: f64) -> Next {
        let is_for_good = goodbye.retry_after_ms == 0 || goodbye.fault != Fault::Unspecified as i32;
        if is_for_good && !loss.is_broken() {
            return Next::Over(Ending::Ended(goodbye.sentence));
        }
        if is_for_good || !self.forget_session() {
            return Next::Over(Ending::Goodbye(goodbye.sentence));
        }
        self.pauses = Pauses::since(now);
        Next::Pause(asked_for(Duration::from_millis(goodbye.retry_after_ms.into()), jitter))
    }

    /// Forgets the session. Says whether the bot needs another: not if it takes no more seats. Those that are left of the
    /// matches that it plays in all are asked of the next one.
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

    fn retirement(&mut self) -> Option<Said> {
        let is_due = self.is_open && self.is_retiring() && !self.has_said_retire;
        self.has_said_retire |= is_due;
        is_due.then_some(Said::Retire(Retire {}))
    }

    /// Takes in a message, and returns the reply that it asks for. A message of an unknown kind has no body.
    fn take(&mut self, message: ServerMessage, arrived: Duration) -> Option<Reply> {
        log::debug!("came: {}", heard(message.body.as_ref()));
        match message.body? {
            Heard::Welcome(welcome) => self.welcomed(welcome),
            Heard::MatchStart(start) => self.begin(start),
            Heard::Decision(decision) => return self.decide(decision, arrived),
            Heard::Refused(refused) => return self.refused(&refused),
            Heard::Accepted(accepted) => self.accepted(&accepted),
            Heard::Forfeited(notice) => self.forfeited(&notice),
            Heard::MatchEnd(end) => self.end(&end),
            Heard::Draining(draining) => log::info!("the server is going down: {}", draining.sentence),
            Heard::EventNotice(notice) => {
                self.event.learn(&notice);
                log::info!("event: {}", notice.sentence);
            }
            Heard::Goodbye(goodbye) => {
                self.is_open = false;
                self.goodbye = Some(goodbye);
            }
        }
        None
    }

    fn welcomed(&mut self, welcome: Welcome) {
        let games = welcome.games.iter().map(|offered| offered.game.as_str()).collect::<Vec<_>>();
        log::info!("connected; games: {}", games.join(", "));
        if !welcome.resumed {
            self.seats.clear();
        }
        self.is_open = true;
        self.resume_window = Duration::from_millis(welcome.limits.unwrap_or_default().resume_window_ms.into());
        let Welcome { session_id, resume_token, .. } = welcome;
        self.hello.resume = Some(Resume { session_id, resume_token, matches: Vec::new() });
    }

    /// Begins a match. After a resume the bot of one that goes on is kept, with all that it knows.
    fn begin(&mut self, start: MatchStart) {
        let known = self.seats.get(&start.match_handle);
        if known.is_some_and(|seat| seat.carries_on(&start)) {
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
            log::warn!("a decision of a match that was not announced: {}", decision.match_handle);
        }
        Some(seat?.decide(decision, arrived))
    }

    fn refused(&mut self, refused: &Refused) -> Option<Reply> {
        let mut seat = self.seats.get_mut(&refused.match_handle);
        // The default answer may stand in for all answers of a match: its author has to hear of it, but not each time.
        let fault = fault_name(refused.fault);
        let cause = [&refused.rule, &refused.field, &fault].into_iter().find(|word| !word.is_empty())?;
        if seat.as_mut().is_none_or(|seat| seat.is_first_refusal(cause)) {
            let (handle, number) = (refused.match_handle, refused.number);
            log::warn!("match {handle}, decision {number}: refused: {} ({cause})", refused.sentence);
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
        let place = format!("match {}, decision {}", seat.the_match.start().match_id, accepted.number);
        log::debug!("{place}: {}", cost_words(accepted));
        if accepted.fault != Fault::Unspecified as i32 {
            log::warn!("{place}: the default answer was taken: {}", default_words(accepted));
        }
    }

    fn forfeited(&mut self, notice: &Forfeited) {
        let Some(seat) = self.seats.get_mut(&notice.match_handle) else {
            return;
        };
        let id = &seat.the_match.start().match_id;
        log::warn!("match {id} is forfeited: {} ({})", notice.sentence, fault_name(notice.fault));
        seat.bot.forfeited(notice);
    }

    fn end(&mut self, end: &MatchEnd) {
        let Some(mut seat) = self.seats.remove(&end.match_handle) else {
            return;
        };
        let start = seat.the_match.start();
        log::info!("match {} ended: {}", start.match_id, end_words(end, start.seat));
        if let Some(receipts) = &mut self.receipts {
            receipts.end(start, end);
        }
        seat.bot.ended(end);
    }
}

/// What is asked of the server. Whoever is shown all that comes wants to see what each answer cost.
fn capabilities() -> Vec<String> {
    let is_verbose = log::log_enabled!(log::Level::Debug);
    if is_verbose { Vec::new() } else { vec![TACIT_ACCEPTANCE.into()] }
}

/// Joins what is said to a frame.
fn frame(bodies: impl IntoIterator<Item = Said>) -> PlayRequest {
    let message = |body| {
        log::debug!("went: {}", said(&body));
        BotMessage { body: Some(body) }
    };
    PlayRequest { messages: bodies.into_iter().map(message).collect() }
}
