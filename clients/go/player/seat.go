package player

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"time"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// seat is what is kept of one match, over all connections of the session. A decision may come again: after a broken
// connection, or because the server lost time. Its answer is kept and sent again, so that the server is never told two
// things.
type seat struct {
	start *ordagov1.MatchStart
	// number is that of the last decision that came, 0 if none did.
	number uint32
	// answer is the last answer to that decision.
	answer *ordagov1.Answer
	// open is the decision that waits for an answer or for what became of it, nil if there is none.
	open *ordagov1.Decision
	// asked is when it came.
	asked time.Time
	// closed is the number of the last decision that is known to be closed.
	closed uint32
	// refusals holds the causes for which answers in this match were refused.
	refusals map[string]bool
}

func newSeat(start *ordagov1.MatchStart) *seat {
	return &seat{start: start, refusals: map[string]bool{}}
}

// reply is an answer that is ready to be sent.
type reply struct {
	choice *ordagov1.Choice
	asked  time.Time
}

// sent returns the choice, with the time that was thought about it until it was sent.
func (r *reply) sent(now time.Time) *ordagov1.Choice {
	thought := uint32(now.Sub(r.asked).Round(time.Millisecond).Milliseconds())
	r.choice.ThoughtMs = &thought
	return r.choice
}

// carriesOn says whether a match that is announced is this one, at no earlier point than the bot has seen.
func (s *seat) carriesOn(start *ordagov1.MatchStart) bool {
	return start.GetMatchId() == s.start.GetMatchId() && start.GetLastDecision()+1 >= s.number
}

func (s *seat) decide(choose Choose, decision *ordagov1.Decision, arrived time.Time) *reply {
	s.open, s.asked = decision, arrived
	if decision.GetNumber() != s.number {
		s.number = decision.GetNumber()
		s.answer = choose(decision, chanceOf(s.start.GetSeed(), s.number))
	}
	return s.reply()
}

// decideAgain falls back to the default answer. A refusal may also speak of a decision that was closed meanwhile.
func (s *seat) decideAgain(refused *ordagov1.Refused) *reply {
	if s.open == nil || s.open.GetNumber() != refused.GetNumber() || !answerIsDue(refused) {
		return nil
	}
	s.answer = s.open.GetDefaultAnswer()
	return s.reply()
}

// isFirstRefusal says whether no answer in this match was refused before for this cause.
func (s *seat) isFirstRefusal(cause string) bool {
	known := s.refusals[cause]
	s.refusals[cause] = true
	return !known
}

// close closes a decision. It says whether that is news, since it may be told again after a broken connection.
func (s *seat) close(number uint32) bool {
	if s.open.GetNumber() == number {
		s.open = nil
	}
	news := number > s.closed
	s.closed = max(number, s.closed)
	return news
}

func (s *seat) reply() *reply {
	handle, number := s.open.GetMatchHandle(), s.open.GetNumber()
	return &reply{&ordagov1.Choice{MatchHandle: handle, Number: number, Answer: s.answer}, s.asked}
}

// answerIsDue says whether a refusal leaves the decision open. With the last strike the default answer is taken.
func answerIsDue(refused *ordagov1.Refused) bool {
	lastStrike := refused.GetRule() != "" && refused.GetStrikesLeft() == 0
	return refused.GetTimeLeftMs() > 0 && !lastStrike
}

// chanceOf returns the chance for one decision. It is made anew for each, so that a new process that carries on a match
// in the middle decides as the one before it would have done.
func chanceOf(seed []byte, number uint32) *rand.Rand {
	text := binary.BigEndian.AppendUint32(slices.Clone(seed), number)
	return rand.New(rand.NewChaCha8(sha256.Sum256(text)))
}
