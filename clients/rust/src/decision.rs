//! A decision, as a bot sees it: the message, the time left for it, and its random numbers.

use std::fmt;
use std::ops::{Deref, RangeInclusive};
use std::sync::Arc;
use std::time::Duration;

use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

use crate::v1::{self, MatchStart};
use crate::{Answer, Match};

/// The time since any beginning.
pub(crate) type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// A question to a bot, with all that its seat sees: the fields are those of [`v1::Decision`].
///
/// ```
/// # use ordago::{Answer, BotError, Decision};
/// fn choose(decision: &Decision) -> Result<Answer, BotError> {
///     let dearest = decision.actions.last().ok_or("nothing is legal")?;
///     Ok(dearest.into())
/// }
/// ```
#[derive(Clone)]
pub struct Decision {
    message: Arc<v1::Decision>,
    the_match: Match,
    clock: Clock,
    deadline: Option<Duration>,
}

impl Decision {
    /// A decision that arrived at a time of the clock.
    pub(crate) fn new(message: v1::Decision, the_match: Match, clock: Clock, arrived: Duration) -> Self {
        let time = message.clock.map(|clock| u64::from(clock.decision_ms) + u64::from(clock.bank_ms));
        let deadline = time.map(|milliseconds| arrived + Duration::from_millis(milliseconds));
        Self { message: Arc::new(message), the_match, clock, deadline }
    }

    /// The decision after a refusal of its answer, with another end of its time. Without a clock it has none.
    pub(crate) fn until(&self, deadline: Duration) -> Self {
        Self { deadline: self.deadline.map(|_| deadline), ..self.clone() }
    }

    /// The time left to answer, with the bank: zero if it has run out, `None` if none ever runs out, as in a test. It is
    /// measured from the arrival, so that waiting behind other matches counts.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_sub((self.clock)()))
    }

    /// The match that it belongs to.
    #[must_use]
    pub fn the_match(&self) -> &Match {
        &self.the_match
    }

    /// The answer that the server takes if the bot gives none: always legal.
    #[must_use]
    pub fn default_answer(&self) -> Answer {
        Answer::from_bytes(self.message.default_answer.clone())
    }

    /// Random numbers for this decision. Each call begins anew. A bot that draws from nothing else, and decides by the
    /// view alone, plays the same whenever the match is repeated, even if a new process goes on in the middle.
    #[must_use]
    pub fn chance(&self) -> Chance {
        Chance::from_seed(self.seed())
    }

    /// The seed of [`chance`](Self::chance), for a random generator of your own: it depends on the match's seed and the
    /// decision's number.
    #[must_use]
    pub fn seed(&self) -> [u8; 32] {
        let mut seed = [0; 32];
        let drawn = self.the_match.seed().iter().copied().chain(self.number.to_be_bytes());
        for (place, byte) in drawn.enumerate() {
            seed[place % seed.len()] ^= byte;
        }
        seed
    }
}

impl Deref for Decision {
    type Target = v1::Decision;

    fn deref(&self) -> &v1::Decision {
        &self.message
    }
}

impl fmt::Debug for Decision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message.fmt(formatter)
    }
}

/// A decision without a clock, of a match that nothing is known of: for tests.
impl From<v1::Decision> for Decision {
    fn from(message: v1::Decision) -> Self {
        Self::of(message, MatchStart::default())
    }
}

impl Decision {
    /// A decision of a match, for tests: no time runs.
    #[must_use]
    pub fn of(message: v1::Decision, start: MatchStart) -> Self {
        let the_match = Match::from(start);
        Self { message: Arc::new(message), the_match, clock: Arc::new(|| Duration::ZERO), deadline: None }
    }
}

/// Random numbers that are the same whenever the same match is played again.
#[derive(Debug)]
pub struct Chance(ChaCha8Rng);

impl Chance {
    /// Begins with a seed.
    #[must_use]
    pub fn from_seed(seed: [u8; 32]) -> Self {
        Self(ChaCha8Rng::from_seed(seed))
    }

    /// One of these, all equally likely; `None` if there are none.
    pub fn choose<'a, T>(&mut self, among: &'a [T]) -> Option<&'a T> {
        among.choose(&mut self.0)
    }

    /// So many of these, no one twice, in any order; all if there are fewer.
    pub fn sample<T: Clone>(&mut self, among: &[T], count: usize) -> Vec<T> {
        among.sample(&mut self.0, count).cloned().collect()
    }

    /// A number of a range; its first number if the range is empty.
    pub fn number(&mut self, range: RangeInclusive<i32>) -> i32 {
        let (first, last) = range.into_inner();
        self.0.random_range(first..=last.max(first))
    }

    /// A fraction from 0 up to, but without, 1.
    pub fn fraction(&mut self) -> f64 {
        self.0.random()
    }

    /// Puts these in any order.
    pub fn shuffle<T>(&mut self, order: &mut [T]) {
        order.shuffle(&mut self.0);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::v1::ClockState;

    fn first(seed: &[u8], number: u32) -> [i32; 3] {
        let start = MatchStart { seed: seed.to_vec(), ..Default::default() };
        let mut chance = Decision::of(v1::Decision { number, ..Default::default() }, start).chance();
        [(); 3].map(|()| chance.number(i32::MIN..=i32::MAX))
    }

    #[test]
    fn chance_is_a_function_of_seed_and_number() {
        assert_eq!(first(b"seed", 7), first(b"seed", 7));
        assert_ne!(first(b"seed", 7), first(b"seed", 8));
        assert_ne!(first(b"seed", 7), first(b"tree", 7));
    }

    #[test]
    fn chance_takes_each_once_and_needs_nothing_to_choose_from() {
        let mut chance = Chance::from_seed([1; 32]);
        let mut all = [1, 2, 3, 4];
        chance.shuffle(&mut all);
        let mut taken = chance.sample(&all, 9);
        taken.sort_unstable();
        assert_eq!(
            (taken, chance.choose(&[] as &[u8]), chance.number(RangeInclusive::new(5, -5))),
            (vec![1, 2, 3, 4], None, 5)
        );
        assert!((0.0..1.0).contains(&chance.fraction()));
    }

    #[test]
    fn time_runs_from_the_arrival_and_never_below_zero() {
        let now = Arc::new(AtomicU64::new(1_500));
        let hands = Arc::clone(&now);
        let clock: Clock = Arc::new(move || Duration::from_millis(hands.load(Ordering::Relaxed)));
        let message = |clock| v1::Decision { clock, ..Default::default() };
        let terms = Some(ClockState { decision_ms: 1_000, bank_ms: 500, ..Default::default() });
        let asked =
            |terms| Decision::new(message(terms), MatchStart::default().into(), clock.clone(), Duration::from_secs(1));
        let decision = asked(terms);
        assert_eq!(decision.time_left(), Some(Duration::from_secs(1)));
        now.store(9_000, Ordering::Relaxed);
        assert_eq!(decision.time_left(), Some(Duration::ZERO));
        assert_eq!(decision.until(Duration::from_millis(9_007)).time_left(), Some(Duration::from_millis(7)));
        assert_eq!((asked(None).time_left(), Decision::from(message(terms)).time_left()), (None, None));
        assert_eq!(asked(None).until(Duration::from_secs(10)).time_left(), None);
    }
}
