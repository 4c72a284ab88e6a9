package ordago

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// seat is the state of one match, over all connections of the session. A decision may come again: after a broken
// connection, or because the server lost time. Then the stored answer is sent again. So the bot is asked once, and the
// server never gets two different answers.
type seat struct {
	match *Match
	bot   Bot
	// number is the number of the last decision that came; 0: none came.
	number uint32
	// answer is the last answer to that decision.
	answer *Answer
	// open is the decision that waits to be answered, or to be accepted or refused; nil: there is none.
	open *Decision
	// asked is the time at which it came.
	asked time.Time
	// closed is the number of the last decision that is known to be closed.
	closed uint32
	// refusals has the causes for which answers in this match were refused.
	refusals map[string]bool
}

func newSeat(match *Match, factory Factory) *seat {
	return &seat{match: match, bot: factory(match), refusals: map[string]bool{}}
}

// reply is an answer to be sent.
type reply struct {
	choice *ordagov1.Choice
	asked  time.Time
}

// sent returns the message of a reply, with the thinking time until now.
func (r *reply) sent(now time.Time) *ordagov1.Choice {
	thought := uint32(max(0, now.Sub(r.asked).Round(time.Millisecond).Milliseconds()))
	r.choice.ThoughtMs = &thought
	return r.choice
}

// carriesOn reports whether a MatchStart is about this match, at no earlier point than the bot has seen.
func (s *seat) carriesOn(start *ordagov1.MatchStart) bool {
	return start.GetMatchId() == s.match.GetMatchId() && start.GetLastDecision()+1 >= s.number
}

func (s *seat) decide(message *ordagov1.Decision, arrived time.Time) *reply {
	s.open = &Decision{message, s.match, randomOf(s.match.GetSeed(), message.GetNumber())}
	s.asked = arrived
	if message.GetNumber() != s.number {
		s.number = message.GetNumber()
		s.answer = s.certain(s.bot.Choose(s.open))
	}
	return s.reply()
}

// decideAgain returns the reply to a refusal; nil if its decision was closed meanwhile.
func (s *seat) decideAgain(refused *ordagov1.Refused) *reply {
	if s.open == nil || s.open.GetNumber() != refused.GetNumber() || !answerIsDue(refused) {
		return nil
	}
	s.answer = s.open.GetDefaultAnswer()
	if bot, ok := s.bot.(Refuser); ok {
		s.answer = s.certain(bot.Refused(s.open, refused))
	}
	return s.reply()
}

// certain returns the bot's answer. It panics if there is none, which is a bug of the bot.
func (s *seat) certain(answer *Answer) *Answer {
	if answer == nil {
		panic(fmt.Sprintf("ordago: the bot returned nil for an answer to decision %d of match %s",
			s.number, s.match.GetMatchId()))
	}
	return answer
}

func (s *seat) forfeited(notice *ordagov1.Forfeited) {
	if bot, ok := s.bot.(Forfeiter); ok {
		bot.Forfeited(notice)
	}
}

func (s *seat) ended(end *ordagov1.MatchEnd) {
	if bot, ok := s.bot.(Ender); ok {
		bot.Ended(end)
	}
}

// name returns the name of the match for the log. There is no seat if the match is not known any more.
func (s *seat) name() string {
	if s == nil {
		return "a match that is over"
	}
	return "match " + s.match.GetMatchId()
}

// isFirstRefusal reports whether no answer in this match was refused for this cause before.
func (s *seat) isFirstRefusal(cause string) bool {
	known := s.refusals[cause]
	s.refusals[cause] = true
	return !known
}

// close closes a decision, and reports whether it was open: after a broken connection the server says so again.
func (s *seat) close(number uint32) bool {
	if s.open != nil && s.open.GetNumber() == number {
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

// answerIsDue reports whether a refusal leaves the decision open. At the last strike the default answer is taken.
func answerIsDue(refused *ordagov1.Refused) bool {
	lastStrike := refused.GetRule() != "" && refused.GetStrikesLeft() == 0
	return refused.GetTimeLeftMs() > 0 && !lastStrike
}

// randomOf returns the random numbers for one decision. They are seeded for each, so that a new process that continues a
// match decides as the one before would have.
func randomOf(seed []byte, number uint32) *rand.Rand {
	text := binary.BigEndian.AppendUint32(slices.Clone(seed), number)
	return rand.New(rand.NewChaCha8(sha256.Sum256(text)))
}
