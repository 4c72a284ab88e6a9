package ordago

import (
	"fmt"
	"sync/atomic"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// Match is what is known of a match: the game, its options, the seat of the bot, all players, the clock, what comes of
// faults, and the seed.
type Match struct {
	*ordagov1.MatchStart
	retiring *atomic.Bool
}

// NewMatch returns the match that a message announces. A [Player] does so by itself; tests of a bot may need it.
func NewMatch(start *ordagov1.MatchStart) *Match {
	return &Match{start, new(atomic.Bool)}
}

// Retire lets this process take no more seats: all its running matches are played to their end, then it ends. It is said
// with the next answer, or when a match is over; a match that begins at the same time is played too.
func (m *Match) Retire() {
	m.retiring.Store(true)
}

// Name returns how the player at a seat is called.
func (m *Match) Name(seat uint32) string {
	if name := m.player(seat).GetName(); name != "" {
		return name
	}
	return fmt.Sprint("seat ", seat)
}

func (m *Match) player(seat uint32) *ordagov1.Player {
	if int(seat) >= len(m.GetPlayers()) {
		return nil
	}
	return m.GetPlayers()[seat]
}

// After returns the seat after a seat, in the order of play.
func (m *Match) After(seat uint32) uint32 {
	return (seat + 1) % max(1, uint32(len(m.GetPlayers())))
}

// Partners returns the other seats of the bot's own side, in order.
func (m *Match) Partners() []uint32 {
	return m.others(true)
}

// Opponents returns the seats of all other sides, in order.
func (m *Match) Opponents() []uint32 {
	return m.others(false)
}

// others returns the seats but the bot's own that play for its side, or for the other ones.
func (m *Match) others(ownSide bool) []uint32 {
	var seats []uint32
	side := m.player(m.GetSeat()).GetSide()
	for seat, player := range m.GetPlayers() {
		if uint32(seat) != m.GetSeat() && (player.GetSide() == side) == ownSide {
			seats = append(seats, uint32(seat))
		}
	}
	return seats
}

// Cards returns the facts of the cards of the game. It panics if this library does not know the game; [CardsOf] asks.
func (m *Match) Cards() *GameCards {
	cards, known := CardsOf(m.GetGame())
	if !known {
		panic(fmt.Sprintf("ordago: nothing is known of the cards of the game %q", m.GetGame()))
	}
	return cards
}
