//! A match, as a bot sees it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::cards::{self, GameCards};
use crate::v1::{ClockTerms, FaultTerms, GameOptions, MatchStart, Player};

/// The facts of a match that stay from its beginning to its end. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Match {
    start: Arc<MatchStart>,
    retiring: Arc<AtomicBool>,
}

impl Match {
    pub(crate) fn new(start: MatchStart, retiring: Arc<AtomicBool>) -> Self {
        Self { start: Arc::new(start), retiring }
    }

    /// The announcement of the server.
    #[must_use]
    pub fn start(&self) -> &MatchStart {
        &self.start
    }

    /// The short name of the game, such as `mittlere`.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.start.game
    }

    /// The cards of the game; `None` for a game that this SDK does not know.
    #[must_use]
    pub fn cards(&self) -> Option<&'static GameCards> {
        cards::game(self.game())
    }

    /// The options of the game; `None` if the server sent none.
    #[must_use]
    pub fn options(&self) -> Option<&GameOptions> {
        self.start.options.as_ref()
    }

    /// The time that each seat has.
    #[must_use]
    pub fn clock(&self) -> ClockTerms {
        self.start.clock.unwrap_or_default()
    }

    /// The consequences of faults.
    #[must_use]
    pub fn faults(&self) -> FaultTerms {
        self.start.faults.unwrap_or_default()
    }

    /// The seed of the bot's random numbers, 16 bytes.
    #[must_use]
    pub fn seed(&self) -> &[u8] {
        &self.start.seed
    }

    /// The seat of the bot, from 0.
    #[must_use]
    pub fn seat(&self) -> u32 {
        self.start.seat
    }

    /// All seats in the order of play.
    #[must_use]
    pub fn players(&self) -> &[Player] {
        &self.start.players
    }

    /// The name of the player at a seat; empty if there is no such seat.
    #[must_use]
    pub fn name(&self, seat: u32) -> &str {
        self.players().get(seat as usize).map_or("", |player| &player.name)
    }

    /// The seat after a seat, in the order of play.
    #[must_use]
    pub fn seat_after(&self, seat: u32) -> u32 {
        seat.wrapping_add(1).checked_rem(self.seat_count()).unwrap_or_default()
    }

    /// The other seats of the bot's side, in the order of play, beginning after its own.
    #[must_use]
    pub fn partners(&self) -> Vec<u32> {
        self.others().filter(|seat| self.side(*seat) == self.side(self.seat())).collect()
    }

    /// The seat of the bot's only partner; `None` if it has none, or several.
    #[must_use]
    pub fn partner(&self) -> Option<u32> {
        match self.partners()[..] {
            [partner] => Some(partner),
            _ => None,
        }
    }

    /// The seats of all other sides, in the order of play, beginning after the bot's own.
    #[must_use]
    pub fn opponents(&self) -> Vec<u32> {
        self.others().filter(|seat| self.side(*seat) != self.side(self.seat())).collect()
    }

    /// Takes no more seats: this process plays its running matches to their end, and then ends. The server hears of it
    /// with the next answer, or when a match is over; a match that begins at the same time is played, too.
    pub fn retire(&self) {
        self.retiring.store(true, Ordering::Relaxed);
    }

    #[expect(clippy::cast_possible_truncation, reason = "a table has a few seats")]
    fn seat_count(&self) -> u32 {
        self.players().len() as u32
    }

    fn side(&self, seat: u32) -> Option<u32> {
        self.players().get(seat as usize).map(|player| player.side)
    }

    fn others(&self) -> impl Iterator<Item = u32> {
        let (seat, count) = (self.seat(), self.seat_count());
        (1..count).map(move |step| (seat % count + step) % count)
    }
}

/// A match on its own, for tests of a bot.
impl From<MatchStart> for Match {
    fn from(start: MatchStart) -> Self {
        Self::new(start, Arc::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_table(sides: &[u32], seat: u32) -> Match {
        let names = ["ana", "ben", "cleo", "dov"];
        let player = |(name, side): (&str, &u32)| Player { name: name.into(), side: *side, ..Default::default() };
        let players = names.into_iter().zip(sides).map(player).collect();
        let start = MatchStart { game: "mus".into(), seed: b"seed".to_vec(), seat, players, ..Default::default() };
        start.into()
    }

    #[test]
    fn partners_and_opponents_are_told_from_each_other() {
        let mus = at_table(&[0, 1, 0, 1], 3);
        assert_eq!((mus.partner(), mus.partners(), mus.opponents()), (Some(1), vec![1], vec![0, 2]));
        let alone = at_table(&[0, 1, 2], 0);
        assert_eq!((alone.partner(), alone.partners(), alone.opponents()), (None, vec![], vec![1, 2]));
        assert_eq!((mus.name(3), mus.name(4), mus.seat_after(3), mus.seat_after(0)), ("dov", "", 0, 1));
    }

    #[test]
    fn a_server_that_says_nonsense_of_seats_does_no_harm() {
        let nobody = at_table(&[], u32::MAX);
        assert_eq!((nobody.partners(), nobody.opponents(), nobody.seat_after(0)), (vec![], vec![], 0));
        let absent = at_table(&[0, 1], u32::MAX);
        assert_eq!((absent.partners(), absent.seat_after(u32::MAX)), (vec![], 0));
    }
}
