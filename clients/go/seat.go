package ordago

import (
	"context"
	"time"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// seat is the state of one match, over all connections of the session. A decision may come again: after a broken
// connection, or because the server lost time. Then the stored answer is sent again. So the bot is asked once, and the
// server never gets two different answers.
//
// Its fields belong to the goroutine that plays, but for bot, which belongs to the call that runs.
type seat struct {
	match *Match
	// bot is nil until it was made, and if it failed then.
	bot Bot
	// calls are those of the bot in order. The first one runs.
	calls []*call
	// number is the number of the last decision that came; 0: none came.
	number uint32
	// answer is the last answer to that decision; nil: there is none yet.
	answer *Answer
	// open is the decision that waits to be answered, or to be accepted or refused; nil: there is none.
	open *Decision
	// asked is the time at which it came.
	asked time.Time
	// closed is the number of the last decision that is known to be closed.
	closed uint32
	// refusals has the causes for which answers in this match were refused.
	refusals map[string]bool
	// hasFailed is true if the bot failed before.
	hasFailed bool
}

func newSeat(match *Match) *seat {
	return &seat{match: match, refusals: map[string]bool{}}
}

// reply is an answer to be sent.
type reply struct {
	choice *ordagov1.Choice
	seat   *seat
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

// make returns the call that makes the bot.
func (s *seat) make(factory Factory) *call {
	return &call{seat: s, do: func(context.Context) (*Answer, error) {
		bot, err := factory(s.match)
		if err == nil && bot == nil {
			err = errNoBot
		}
		if err == nil {
			s.bot = bot
		}
		return nil, err
	}}
}

// decide returns the reply to a decision that was answered before, or the call that asks for it; neither if the bot is
// asked already.
func (s *seat) decide(message *ordagov1.Decision, arrived time.Time) (*reply, *call) {
	s.open, s.asked = NewDecision(s.match, message), arrived
	if message.GetNumber() != s.number {
		s.number, s.answer = message.GetNumber(), nil
		s.drop()
	}
	switch {
	case s.isAsked():
		return nil, nil
	case s.answer != nil:
		return s.reply(), nil
	}
	return nil, s.ask(s.open.endOfTime(arrived), nil)
}

// decideAgain returns the call that asks again after a refusal; nil if its decision was closed meanwhile.
func (s *seat) decideAgain(refused *ordagov1.Refused, arrived time.Time) *call {
	if s.open == nil || s.open.GetNumber() != refused.GetNumber() || s.isAsked() || !answerIsDue(refused) {
		return nil
	}
	end := s.open.endOfTime(arrived)
	if !end.IsZero() {
		end = arrived.Add(milliseconds(refused.GetTimeLeftMs()))
	}
	return s.ask(end, refused)
}

// ask returns the call that asks for the open decision. A bot that failed at its start is not asked, and one that is no
// Refuser not twice.
func (s *seat) ask(end time.Time, refused *Refused) *call {
	asking := &call{seat: s, method: "Choose", decision: s.open, refused: refused, end: end}
	if refused != nil {
		asking.method = "Refused"
	}
	asking.do = func(ctx context.Context) (*Answer, error) {
		asking.wasAsked = s.bot != nil
		if asking.wasAsked && refused == nil {
			return s.bot.Choose(ctx, asking.decision)
		}
		if bot, answersAgain := s.bot.(Refuser); answersAgain {
			return bot.Refused(ctx, asking.decision, refused)
		}
		return asking.decision.GetDefaultAnswer(), nil
	}
	return asking
}

// isAsked reports whether the bot thinks about the last decision, or is about to.
func (s *seat) isAsked() bool {
	for _, call := range s.calls {
		if call.decision != nil && !call.isDropped() {
			return true
		}
	}
	return false
}

// drop closes the decision that the bot thinks about. Notices are delivered nevertheless.
func (s *seat) drop() {
	for _, call := range s.calls {
		if call.decision != nil {
			call.drop()
		}
	}
}

// forfeited returns the call that notifies the bot.
func (s *seat) forfeited(notice *ordagov1.Forfeited) *call {
	return &call{seat: s, method: "Forfeited", do: func(context.Context) (*Answer, error) {
		if bot, ok := s.bot.(Forfeiter); ok {
			bot.Forfeited(notice)
		}
		return nil, nil
	}}
}

// ended returns the call that notifies the bot.
func (s *seat) ended(end *ordagov1.MatchEnd) *call {
	return &call{seat: s, method: "Ended", do: func(context.Context) (*Answer, error) {
		if bot, ok := s.bot.(Ender); ok {
			bot.Ended(end)
		}
		return nil, nil
	}}
}

// name returns the name of the match for the log. There is no seat if the match is not known any more.
func (s *seat) name() string {
	if s == nil {
		return "a match that is over"
	}
	return "match " + s.match.GetMatchId()
}

// fields returns fields of the log, after that of the match, if it is known.
func (s *seat) fields(fields ...any) []any {
	if s == nil {
		return fields
	}
	return append([]any{"match", s.match.GetMatchId()}, fields...)
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
		s.drop()
	}
	news := number > s.closed
	s.closed = max(number, s.closed)
	return news
}

// reply returns the answer to the open decision; nil if none is open, as while there is no connection.
func (s *seat) reply() *reply {
	if s.open == nil {
		return nil
	}
	handle, number := s.open.GetMatchHandle(), s.open.GetNumber()
	return &reply{&ordagov1.Choice{MatchHandle: handle, Number: number, Answer: s.answer}, s, s.asked}
}

// answerIsDue reports whether a refusal leaves the decision open. At the last strike the default answer is taken.
func answerIsDue(refused *ordagov1.Refused) bool {
	lastStrike := refused.GetRule() != "" && refused.GetStrikesLeft() == 0
	return refused.GetTimeLeftMs() > 0 && !lastStrike
}
