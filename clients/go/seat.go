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

// seat is what is kept of one match, over all connections of the session. A decision may come again: after a broken
// connection, or because the server lost time. Its answer is kept and sent again, so that the bot is asked once, and the
// server is never told two things.
type seat struct {
	match *Match
	bot   Bot
	// number is that of the last decision that came, 0 if none did.
	number uint32
	// answer is the last answer to that decision.
	answer *Answer
	// open is the decision that waits for an answer or for what became of it, nil if there is none.
	open *Decision
	// asked is when it came.
	asked time.Time
	// closed is the number of the last decision that is known to be closed.
	closed uint32
	// refusals holds the causes for which answers in this match were refused.
	refusals map[string]bool
}

func newSeat(match *Match, factory Factory) *seat {
	return &seat{match: match, bot: factory(match), refusals: map[string]bool{}}
}

// reply is an answer that is ready to be sent.
type reply struct {
	choice *ordagov1.Choice
	asked  time.Time
}

// sent returns the choice, with the time that was thought about it until it was sent.
func (r *reply) sent(now time.Time) *ordagov1.Choice {
	thought := uint32(max(0, now.Sub(r.asked).Round(time.Millisecond).Milliseconds()))
	r.choice.ThoughtMs = &thought
	return r.choice
}

// carriesOn says whether a match that is announced is this one, at no earlier point than the bot has seen.
func (s *seat) carriesOn(start *ordagov1.MatchStart) bool {
	return start.GetMatchId() == s.match.GetMatchId() && start.GetLastDecision()+1 >= s.number
}

func (s *seat) decide(message *ordagov1.Decision, arrived time.Time) *reply {
	s.open = &Decision{message, s.match, chanceOf(s.match.GetSeed(), message.GetNumber())}
	s.asked = arrived
	if message.GetNumber() != s.number {
		s.number = message.GetNumber()
		s.answer = s.certain(s.bot.Choose(s.open))
	}
	return s.reply()
}

// decideAgain answers a refusal. It may also speak of a decision that was closed meanwhile.
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

// certain returns an answer that the bot gave, and panics if it gave none: that is a mistake of its author.
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

// isFirstRefusal says whether no answer in this match was refused before for this cause.
func (s *seat) isFirstRefusal(cause string) bool {
	known := s.refusals[cause]
	s.refusals[cause] = true
	return !known
}

// close closes a decision. It says whether that is news, since it may be told again after a broken connection.
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
