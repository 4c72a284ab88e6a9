// Package player plays for a function that answers decisions. It knows the messages of Ordago and no game.
package player

import (
	"crypto/sha256"
	"encoding/binary"
	"log/slog"
	"math/rand/v2"
	"slices"

	ordagov1 "ordago/client/ordago/v1"
)

// ContractVersion is the version of the contract that is spoken here.
const ContractVersion = 1

// Choose answers a decision. What it draws from chance depends on the match, the seat and the number of the decision
// alone, so that a match that is played again is played the same.
type Choose func(decision *ordagov1.Decision, chance *rand.Rand) *ordagov1.Answer

// Player is one process of a bot over all of its connections, without I/O: frames of the server in, frames for the
// server out.
type Player struct {
	choose   Choose
	hello    *ordagov1.Hello
	seats    map[uint32]*seat
	farewell *ordagov1.Goodbye
}

// seat is what is kept of one match.
type seat struct {
	start *ordagov1.MatchStart
	// open is the decision that was asked last, nil once it is closed.
	open *ordagov1.Decision
}

// New returns a player. Hello says who plays, and how much at once; the versions are filled in here.
func New(choose Choose, hello *ordagov1.Hello) *Player {
	hello.MinVersion, hello.MaxVersion = ContractVersion, ContractVersion
	hello.Sdk = &ordagov1.Software{Name: "ordago go", Version: "0.1.0"}
	return &Player{choose: choose, hello: hello, seats: map[uint32]*seat{}}
}

// Greet returns the first frame of a connection. It resumes the session that there was before, if any.
func (p *Player) Greet() *ordagov1.PlayRequest {
	return frame(&ordagov1.BotMessage{Body: &ordagov1.BotMessage_Hello{Hello: p.hello}})
}

// Leave returns the frame that ends the session.
func (p *Player) Leave(sentence string) *ordagov1.PlayRequest {
	goodbye := &ordagov1.Goodbye{Sentence: sentence}
	return frame(&ordagov1.BotMessage{Body: &ordagov1.BotMessage_Goodbye{Goodbye: goodbye}})
}

// Receive takes in a frame and returns the one to send back, nil if there is nothing to say.
func (p *Player) Receive(response *ordagov1.PlayResponse) *ordagov1.PlayRequest {
	var replies []*ordagov1.BotMessage
	for _, message := range response.GetMessages() {
		if choice := p.take(message); choice != nil {
			slog.Debug("went", "message", choice)
			replies = append(replies, &ordagov1.BotMessage{Body: &ordagov1.BotMessage_Choice{Choice: choice}})
		}
	}
	if replies == nil {
		return nil
	}
	return frame(replies...)
}

// Farewell returns the Goodbye of the server, nil while the session goes on.
func (p *Player) Farewell() *ordagov1.Goodbye {
	return p.farewell
}

// ForgetSession makes the next greeting begin a new session. It says whether there was one that could be resumed.
func (p *Player) ForgetSession() bool {
	had := p.hello.Resume != nil
	p.hello.Resume = nil
	return had
}

// take returns the choice that a message asks for, nil for most. A message of an unknown kind has no body, and falls
// through like those that need no answer.
func (p *Player) take(message *ordagov1.ServerMessage) *ordagov1.Choice {
	if message.GetWelcome() == nil { // A Welcome holds the token of the session.
		slog.Debug("came", "message", message)
	}
	switch body := message.GetBody().(type) {
	case *ordagov1.ServerMessage_Welcome:
		p.welcomed(body.Welcome)
	case *ordagov1.ServerMessage_MatchStart:
		p.seats[body.MatchStart.GetMatchHandle()] = &seat{start: body.MatchStart}
	case *ordagov1.ServerMessage_Decision:
		return p.decide(body.Decision)
	case *ordagov1.ServerMessage_Refused:
		return p.decideAgain(body.Refused)
	case *ordagov1.ServerMessage_Accepted:
		p.accepted(body.Accepted)
	case *ordagov1.ServerMessage_MatchEnd:
		delete(p.seats, body.MatchEnd.GetMatchHandle())
	case *ordagov1.ServerMessage_Draining:
		slog.Info("the server is going down", "sentence", body.Draining.GetSentence())
	case *ordagov1.ServerMessage_Goodbye:
		p.farewell = body.Goodbye
	}
	return nil
}

// welcomed begins or resumes a session. Nothing of the seats is kept, since each match that goes on is announced anew.
func (p *Player) welcomed(welcome *ordagov1.Welcome) {
	slog.Info("connected", "resumed", welcome.GetResumed(), "games", len(welcome.GetGames()))
	clear(p.seats)
	p.hello.Resume = &ordagov1.Resume{SessionId: welcome.GetSessionId(), ResumeToken: welcome.GetResumeToken()}
}

func (p *Player) decide(decision *ordagov1.Decision) *ordagov1.Choice {
	seat := p.seats[decision.GetMatchHandle()]
	if seat == nil {
		slog.Warn("a decision of a match that was not announced", "match_handle", decision.GetMatchHandle())
		return nil
	}
	seat.open = decision
	return answered(decision, p.choose(decision, chanceOf(seat.start.GetSeed(), decision.GetNumber())))
}

// decideAgain falls back to the default answer. A refusal may also speak of a decision that was closed meanwhile.
func (p *Player) decideAgain(refused *ordagov1.Refused) *ordagov1.Choice {
	slog.Warn("refused", "sentence", refused.GetSentence(), "rule", refused.GetRule(), "field", refused.GetField())
	seat := p.seatAsked(refused.GetMatchHandle(), refused.GetNumber())
	if seat == nil || refused.GetTimeLeftMs() == 0 {
		return nil
	}
	return answered(seat.open, seat.open.GetDefaultAnswer())
}

func (p *Player) accepted(accepted *ordagov1.Accepted) {
	if accepted.GetFault() != ordagov1.Fault_FAULT_UNSPECIFIED {
		slog.Warn("the default answer was taken", "fault", accepted.GetFault())
	}
	if seat := p.seatAsked(accepted.GetMatchHandle(), accepted.GetNumber()); seat != nil {
		seat.open = nil
	}
}

// seatAsked returns the seat whose open decision has this number, nil if there is none.
func (p *Player) seatAsked(matchHandle, number uint32) *seat {
	seat := p.seats[matchHandle]
	if seat == nil || seat.open == nil || seat.open.GetNumber() != number {
		return nil
	}
	return seat
}

func answered(decision *ordagov1.Decision, answer *ordagov1.Answer) *ordagov1.Choice {
	return &ordagov1.Choice{MatchHandle: decision.GetMatchHandle(), Number: decision.GetNumber(), Answer: answer}
}

func frame(messages ...*ordagov1.BotMessage) *ordagov1.PlayRequest {
	return &ordagov1.PlayRequest{Messages: messages}
}

// chanceOf returns the chance for one decision. It is made anew for each: a decision that is asked again after a
// resume then gets the same answer, and the server takes it for the same.
func chanceOf(seed []byte, number uint32) *rand.Rand {
	text := binary.BigEndian.AppendUint32(slices.Clone(seed), number)
	return rand.New(rand.NewChaCha8(sha256.Sum256(text)))
}
