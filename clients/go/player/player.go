// Package player plays for a function that answers decisions. It knows the messages of Ordago and no game.
package player

import (
	"cmp"
	"log/slog"
	"math/rand/v2"
	"time"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// ContractVersion is the version of the contract that is spoken here.
const ContractVersion = 1

// Choose answers a decision. What it draws from chance depends on the match, the seat and the number of the decision
// alone, so that a match that is played again, or carried on by another process, is played the same.
type Choose func(decision *ordagov1.Decision, chance *rand.Rand) *ordagov1.Answer

// Player is one process of a bot over all of its connections, without I/O: frames of the server in, frames for the
// server out.
type Player struct {
	choose Choose
	hello  *ordagov1.Hello
	seats  map[uint32]*seat
	// patience is how long a broken connection is tried to be taken up again, whatever the session allows.
	patience time.Duration
	// now tells the time; it measures how long the bot thinks.
	now      func() time.Time
	farewell *ordagov1.Goodbye
	// retryAfter is how long the server that ended the session wants to be left alone before the bot comes back.
	retryAfter time.Duration
	// resumeWindow is how long the session can be resumed after its connection broke.
	resumeWindow time.Duration
	// retiring says whether the bot takes no more seats, since it was told so.
	retiring bool
	// retireDue says whether that has to be said once more, since the connection is a new one.
	retireDue bool
	// begun is how many matches have begun in this session.
	begun uint32
}

// New returns a player. Hello says who plays, and how much at once; the versions are filled in here.
func New(choose Choose, hello *ordagov1.Hello) *Player {
	hello.MinVersion, hello.MaxVersion = ContractVersion, ContractVersion
	hello.Sdk = &ordagov1.Software{Name: "ordago go", Version: "0.1.0"}
	return &Player{
		choose: choose, hello: hello, seats: map[uint32]*seat{}, patience: usualPatience, now: time.Now,
	}
}

// Greet returns the first frame of a connection. It resumes the session that there was before, if any.
func (p *Player) Greet() *ordagov1.PlayRequest {
	p.retryAfter = 0
	for _, seat := range p.seats {
		seat.open = nil // It will come again.
	}
	if p.hello.Resume != nil {
		p.hello.Resume.Matches = p.knownMatches()
	}
	return frame(&ordagov1.BotMessage{Body: &ordagov1.BotMessage_Hello{Hello: p.hello}})
}

func (p *Player) knownMatches() []*ordagov1.KnownMatch {
	var known []*ordagov1.KnownMatch
	for handle, seat := range p.seats {
		known = append(known, &ordagov1.KnownMatch{MatchHandle: handle, LastDecision: seat.number})
	}
	return known
}

// Retire returns the frame by which the bot takes no more seats. It is said again on each connection after this one.
func (p *Player) Retire() *ordagov1.PlayRequest {
	p.retiring = true
	return frame(retirement())
}

func retirement() *ordagov1.BotMessage {
	return &ordagov1.BotMessage{Body: &ordagov1.BotMessage_Retire{Retire: &ordagov1.Retire{}}}
}

// Leave returns the frame that ends the session.
func (p *Player) Leave(sentence string) *ordagov1.PlayRequest {
	goodbye := &ordagov1.Goodbye{Sentence: sentence}
	return frame(&ordagov1.BotMessage{Body: &ordagov1.BotMessage_Goodbye{Goodbye: goodbye}})
}

// Receive takes in a frame that came at a time and returns the one to send back, nil if there is nothing to say.
func (p *Player) Receive(response *ordagov1.PlayResponse, arrived time.Time) *ordagov1.PlayRequest {
	var replies []*reply
	for _, message := range response.GetMessages() {
		if reply := p.take(message, arrived); reply != nil {
			replies = append(replies, reply)
		}
	}
	messages := p.sent(replies)
	if p.retireDue {
		messages, p.retireDue = append(messages, retirement()), false
	}
	if messages == nil {
		return nil
	}
	return frame(messages...)
}

// sent returns all answers to a frame. They are sent together, so the time of each ends with the last.
func (p *Player) sent(replies []*reply) []*ordagov1.BotMessage {
	now := p.now()
	var messages []*ordagov1.BotMessage
	for _, reply := range replies {
		choice := reply.sent(now)
		slog.Debug("went", "message", choice)
		messages = append(messages, &ordagov1.BotMessage{Body: &ordagov1.BotMessage_Choice{Choice: choice}})
	}
	return messages
}

// Farewell returns the Goodbye of the server that ended the session for good, nil while it goes on.
func (p *Player) Farewell() *ordagov1.Goodbye {
	return p.farewell
}

// LoseSession notes that the session is over, and why. It says whether there was one. A new one begins with the next
// greeting; who takes no more seats needs none: then this is the farewell.
func (p *Player) LoseSession(sentence string) bool {
	had, inAll := p.hello.Resume != nil, p.hello.MatchesInAll
	p.hello.Resume, p.resumeWindow = nil, 0
	if had && (p.retiring || inAll > 0 && p.begun >= inAll) {
		p.farewell = &ordagov1.Goodbye{Sentence: sentence}
	}
	p.hello.MatchesInAll, p.begun = inAll-min(inAll, p.begun), 0
	return had
}

// take returns the reply that a message asks for, nil for most. A message of an unknown kind has no body, and falls
// through like those that need no answer.
func (p *Player) take(message *ordagov1.ServerMessage, arrived time.Time) *reply {
	if message.GetWelcome() == nil { // A Welcome holds the token of the session.
		slog.Debug("came", "message", message)
	}
	switch body := message.GetBody().(type) {
	case *ordagov1.ServerMessage_Welcome:
		p.welcomed(body.Welcome)
	case *ordagov1.ServerMessage_MatchStart:
		p.begin(body.MatchStart)
	case *ordagov1.ServerMessage_Decision:
		return p.decide(body.Decision, arrived)
	case *ordagov1.ServerMessage_Refused:
		return p.refused(body.Refused)
	case *ordagov1.ServerMessage_Accepted:
		p.accepted(body.Accepted)
	case *ordagov1.ServerMessage_Forfeited:
		slog.Warn("forfeited", "match_handle", body.Forfeited.GetMatchHandle(),
			"sentence", body.Forfeited.GetSentence(), "fault", body.Forfeited.GetFault())
	case *ordagov1.ServerMessage_MatchEnd:
		p.end(body.MatchEnd)
	case *ordagov1.ServerMessage_Draining:
		slog.Info("the server is going down", "sentence", body.Draining.GetSentence())
	case *ordagov1.ServerMessage_Goodbye:
		p.dismissed(body.Goodbye)
	}
	return nil
}

func (p *Player) welcomed(welcome *ordagov1.Welcome) {
	slog.Info("connected", "resumed", welcome.GetResumed(), "games", len(welcome.GetGames()))
	if !welcome.GetResumed() {
		clear(p.seats)
	}
	p.hello.Resume = &ordagov1.Resume{SessionId: welcome.GetSessionId(), ResumeToken: welcome.GetResumeToken()}
	p.retireDue = p.retiring
	p.resumeWindow = time.Duration(welcome.GetLimits().GetResumeWindowMs()) * time.Millisecond
}

// dismissed ends the session: for good, or until the time that the server names.
func (p *Player) dismissed(goodbye *ordagov1.Goodbye) {
	if goodbye.GetRetryAfterMs() == 0 || goodbye.GetFault() != ordagov1.Fault_FAULT_UNSPECIFIED {
		p.farewell = goodbye
		return
	}
	slog.Info("the server said goodbye for now", "sentence", goodbye.GetSentence())
	p.LoseSession(goodbye.GetSentence())
	p.retryAfter = time.Duration(goodbye.GetRetryAfterMs()) * time.Millisecond
}

// begin begins a match, or goes on with it after a resume.
func (p *Player) begin(start *ordagov1.MatchStart) {
	known := p.seats[start.GetMatchHandle()]
	if known == nil {
		p.begun++
	}
	if known == nil || !known.carriesOn(start) {
		p.seats[start.GetMatchHandle()] = newSeat(start)
	}
}

func (p *Player) decide(decision *ordagov1.Decision, arrived time.Time) *reply {
	seat := p.seats[decision.GetMatchHandle()]
	if seat == nil {
		slog.Warn("a decision of a match that was not announced", "match_handle", decision.GetMatchHandle())
		return nil
	}
	return seat.decide(p.choose, decision, arrived)
}

func (p *Player) refused(refused *ordagov1.Refused) *reply {
	seat := p.seats[refused.GetMatchHandle()]
	// The default answer may stand in for all answers of a match: its author has to hear of it, but not each time.
	cause := cmp.Or(refused.GetRule(), refused.GetField(), refused.GetFault().String())
	if seat == nil || seat.isFirstRefusal(cause) {
		slog.Warn("refused", "match_handle", refused.GetMatchHandle(), "decision", refused.GetNumber(),
			"sentence", refused.GetSentence(), "cause", cause)
	}
	if seat == nil {
		return nil
	}
	return seat.decideAgain(refused)
}

func (p *Player) accepted(accepted *ordagov1.Accepted) {
	seat := p.seats[accepted.GetMatchHandle()]
	if seat == nil || !seat.close(accepted.GetNumber()) {
		return
	}
	slog.Debug("accepted", "match", seat.start.GetMatchId(), "decision", accepted.GetNumber(),
		"charged_ms", accepted.GetChargedMs(), "lag_ms", accepted.GetLagMs(), "lost_ms", accepted.GetLostMs(),
		"bank_ms", accepted.GetBankMs())
	if accepted.GetFault() != ordagov1.Fault_FAULT_UNSPECIFIED {
		slog.Warn("the default answer was taken", "fault", accepted.GetFault(), "sentence", accepted.GetSentence(),
			"faults_left", accepted.GetFaultsLeft())
	}
}

func (p *Player) end(end *ordagov1.MatchEnd) {
	if end.GetOutcome() == nil {
		slog.Warn("a match is void", "match_handle", end.GetMatchHandle(), "sentence", end.GetSentence())
	}
	for _, forfeit := range end.GetForfeits() {
		slog.Info("a seat was forfeited", "match_handle", end.GetMatchHandle(), "seat", forfeit.GetSeat(),
			"fault", forfeit.GetFault())
	}
	delete(p.seats, end.GetMatchHandle())
}

func frame(messages ...*ordagov1.BotMessage) *ordagov1.PlayRequest {
	return &ordagov1.PlayRequest{Messages: messages}
}
