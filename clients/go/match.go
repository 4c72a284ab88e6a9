package ordago

import (
	"fmt"
	"log/slog"
	"sync/atomic"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// Match is a match: the game, its options, the seat of the bot, the players, the clock, the consequences of faults, and
// the seed.
type Match struct {
	*ordagov1.MatchStart
	retiring *atomic.Bool
	logger   *slog.Logger
}

// NewMatch returns a match for tests of a bot. In play a [Player] makes it.
func NewMatch(start *ordagov1.MatchStart) *Match {
	return &Match{start, new(atomic.Bool), slog.New(slog.DiscardHandler)}
}

// Retire makes this process take no more seats, and exit when all its running matches are over. The server is notified
// with the next answer, or at the end of a match; a match that begins at the same time is played too.
func (m *Match) Retire() {
	m.retiring.Store(true)
}

// Logger returns a logger for the bot's own lines in the log of its process; in tests of a bot they go nowhere.
func (m *Match) Logger() *slog.Logger {
	return m.logger.With("match", m.GetMatchId())
}

// Name returns the name of the player at a seat.
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

// others returns the seats on the bot's side, without its own, or those on other sides.
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

// Cards returns the cards of the game. It panics if this library does not know the game; [CardsOf] does not.
func (m *Match) Cards() *GameCards {
	cards, known := CardsOf(m.GetGame())
	if !known {
		panic(fmt.Sprintf("ordago: the cards of the game %q are not known", m.GetGame()))
	}
	return cards
}
