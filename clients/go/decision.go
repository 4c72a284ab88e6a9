package ordago

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"time"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// Decision is a question to a bot. It is complete: its view shows everything that the seat sees, and its actions are all
// the legal ones.
type Decision struct {
	*ordagov1.Decision
	// Match is the match of the decision.
	Match *Match
	// Random is a source of random numbers. It depends only on the seed of the match and the number of the decision. A
	// bot that uses no other source plays a repeated match the same way, even in a new process that continues it.
	Random *rand.Rand
}

// NewDecision returns a decision for tests of a bot, with its random numbers. In play a [Player] makes it.
func NewDecision(match *Match, message *ordagov1.Decision) *Decision {
	return &Decision{message, match, randomOf(match.GetSeed(), message.GetNumber())}
}

// randomOf returns the random numbers for one decision. They are seeded for each, so that a new process that continues a
// match decides as the one before would have.
func randomOf(seed []byte, number uint32) *rand.Rand {
	text := binary.BigEndian.AppendUint32(slices.Clone(seed), number)
	return rand.New(rand.NewChaCha8(sha256.Sum256(text)))
}

// endOfTime returns the time at which the bot's time for a decision is over; zero if there is no clock.
func (d *Decision) endOfTime(arrived time.Time) time.Time {
	clock := d.GetClock()
	if clock == nil {
		return time.Time{}
	}
	return arrived.Add(milliseconds(clock.GetDecisionMs()) + milliseconds(clock.GetBankMs()))
}
