package ordago

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// ContractVersion is the version of the contract that this library speaks.
const ContractVersion = 1

const sdkName = "ordago go"

// tacitAcceptance is the capability of bots that get no message for an answer accepted as it is.
const tacitAcceptance = "tacit_acceptance"

// nonceBytes is the least that the contract allows: 128 bits cannot be guessed.
const nonceBytes = 16

// PlayerOptions are the settings of a [Player].
type PlayerOptions struct {
	// Name is the name of the bot, unless its token has one.
	Name string
	// Version is the version of the bot.
	Version string
	// Games are the names of the games to play; none: all that the server offers.
	Games []string
	// Nonce is 16 to 64 bytes, mixed into the deals; none: random ones.
	Nonce []byte
	// MaxMatches is the most matches at once; 0: the server's limit.
	MaxMatches uint32
	// MaxOpenDecisions is the most decisions at once; 0: the server's limit.
	MaxOpenDecisions uint32
	// MatchesInAll is the number of matches after which the bot retires; 0: never.
	MatchesInAll uint32
	// Now returns the time, to measure thinking times; nil: [time.Now].
	Now func() time.Time
	// Receipts collects receipts of the event; nil: none.
	Receipts *Receipts
}

// Player is one process of a bot over all its connections, without I/O: it takes frames of the server and returns frames
// to send, nil if there is nothing to send. It is not safe for concurrent use.
type Player struct {
	factory  Factory
	hello    *ordagov1.Hello
	now      func() time.Time
	receipts *Receipts
	seats    map[uint32]*seat
	backOff  backOff
	event    eventCount
	// open is true from Welcome until either side has said goodbye.
	open bool
	// retiring is true if the bot takes no more seats. Its matches can set it.
	retiring *atomic.Bool
	// saidRetire is true if that was sent on this connection.
	saidRetire bool
	// begun is the number of matches begun in this session.
	begun uint32
}

// NewPlayer returns a player.
func NewPlayer(factory Factory, options PlayerOptions) *Player {
	if options.Now == nil {
		options.Now = time.Now
	}
	if len(options.Nonce) == 0 {
		options.Nonce = make([]byte, nonceBytes)
		_, _ = rand.Read(options.Nonce) // It never fails.
	}
	hello := &ordagov1.Hello{
		MinVersion:       ContractVersion,
		MaxVersion:       ContractVersion,
		Sdk:              &ordagov1.Software{Name: sdkName, Version: Version},
		Bot:              &ordagov1.Software{Name: options.Name, Version: options.Version},
		Nonce:            options.Nonce,
		Games:            options.Games,
		MaxOpenDecisions: options.MaxOpenDecisions,
		MaxMatches:       options.MaxMatches,
		MatchesInAll:     options.MatchesInAll,
		Capabilities:     capabilities(),
	}
	return &Player{
		factory: factory, hello: hello, now: options.Now, receipts: options.Receipts,
		seats: map[uint32]*seat{}, backOff: newBackOff(), retiring: new(atomic.Bool),
	}
}

// capabilities returns the capabilities to ask for. A log of all messages should have the cost of each answer, so then
// acceptances have to be sent.
func capabilities() []string {
	if isVerbose() {
		return nil
	}
	return []string{tacitAcceptance}
}

// isVerbose reports whether every message is shown.
func isVerbose() bool {
	return slog.Default().Enabled(context.Background(), slog.LevelDebug)
}

// Connect begins a connection and returns its first frame, which resumes the session before, if any.
func (p *Player) Connect() *ordagov1.PlayRequest {
	p.open, p.saidRetire = false, false
	p.backOff.connect(p.hello.Resume != nil)
	for _, seat := range p.seats {
		seat.open = nil // The server sends it again.
	}
	if p.hello.Resume != nil {
		p.hello.Resume.Matches = p.knownMatches()
	}
	return frame(&ordagov1.BotMessage{Body: &ordagov1.BotMessage_Hello{Hello: p.hello}})
}

func (p *Player) knownMatches() []*ordagov1.KnownMatch {
	var known []*ordagov1.KnownMatch
	for _, handle := range slices.Sorted(maps.Keys(p.seats)) {
		known = append(known, &ordagov1.KnownMatch{MatchHandle: handle, LastDecision: p.seats[handle].number})
	}
	return known
}

// Retire makes the bot take no more seats. It returns the frame that says so; nil if it was sent, or cannot be sent now.
// It is sent again on each later connection.
func (p *Player) Retire() *ordagov1.PlayRequest {
	p.retiring.Store(true)
	return frame(p.retirement()...)
}

func (p *Player) retirement() []*ordagov1.BotMessage {
	if !p.retiring.Load() || p.saidRetire || !p.open {
		return nil
	}
	p.saidRetire = true
	return []*ordagov1.BotMessage{{Body: &ordagov1.BotMessage_Retire{Retire: &ordagov1.Retire{}}}}
}

// Leave ends the session and returns the frame that says goodbye; nil if there is no session.
func (p *Player) Leave() *ordagov1.PlayRequest {
	if !p.open {
		return nil
	}
	p.open = false
	goodbye := &ordagov1.Goodbye{Sentence: "the bot was told to stop"}
	return frame(&ordagov1.BotMessage{Body: &ordagov1.BotMessage_Goodbye{Goodbye: goodbye}})
}

// Receive processes a frame and its time of arrival, and returns a frame with all replies.
func (p *Player) Receive(response *ordagov1.PlayResponse, arrived time.Time) *ordagov1.PlayRequest {
	p.backOff.alive = true
	var replies []*reply
	for _, message := range response.GetMessages() {
		if reply := p.take(message, arrived); reply != nil {
			replies = append(replies, reply)
		}
	}
	return frame(append(p.sent(replies), p.retirement()...)...)
}

// sent returns the messages of all replies to a frame. They are sent together, so their thinking times end with the last.
func (p *Player) sent(replies []*reply) []*ordagov1.BotMessage {
	now := p.now()
	var messages []*ordagov1.BotMessage
	for _, reply := range replies {
		choice := reply.sent(now)
		messages = append(messages, &ordagov1.BotMessage{Body: &ordagov1.BotMessage_Choice{Choice: choice}})
	}
	return messages
}

// take processes a message and returns the reply to it, nil for most. A message of an unknown kind has no body, and is
// ignored.
func (p *Player) take(message *ordagov1.ServerMessage, arrived time.Time) *reply {
	if isVerbose() {
		slog.Debug("came: " + oneLine(message))
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
		p.forfeited(body.Forfeited)
	case *ordagov1.ServerMessage_MatchEnd:
		p.end(body.MatchEnd)
	case *ordagov1.ServerMessage_EventNotice:
		p.event.learn(body.EventNotice)
		slog.Info("event: " + reasonGiven(body.EventNotice.GetSentence()))
	case *ordagov1.ServerMessage_Draining:
		p.backOff.draining = true
		slog.Info("the server is going down: " + reasonGiven(body.Draining.GetSentence()))
	case *ordagov1.ServerMessage_Goodbye:
		p.dismissed(body.Goodbye)
	}
	return nil
}

func (p *Player) welcomed(welcome *ordagov1.Welcome) {
	done := "connected"
	if welcome.GetResumed() {
		done = "session resumed"
	}
	var games []string
	for _, offered := range welcome.GetGames() {
		games = append(games, offered.GetGame())
	}
	slog.Info(done + "; games: " + strings.Join(games, ", "))
	if !welcome.GetResumed() {
		clear(p.seats)
	}
	p.open = true
	p.hello.Resume = &ordagov1.Resume{SessionId: welcome.GetSessionId(), ResumeToken: welcome.GetResumeToken()}
	p.backOff.resumeWindow = milliseconds(welcome.GetLimits().GetResumeWindowMs())
}

// dismissed ends the session: for good, or for the time that the server names.
func (p *Player) dismissed(goodbye *ordagov1.Goodbye) {
	p.open = false
	if goodbye.GetRetryAfterMs() == 0 || goodbye.GetFault() != ordagov1.Fault_FAULT_UNSPECIFIED {
		p.backOff.farewell = goodbye
		return
	}
	p.loseSession(goodbye.GetSentence())
	p.backOff.retryAfter, p.backOff.retrySentence = milliseconds(goodbye.GetRetryAfterMs()), goodbye.GetSentence()
}

// loseSession forgets the session; the next connection begins a new one. A bot that takes no more seats needs none, so
// that the sentence is its farewell.
func (p *Player) loseSession(sentence string) {
	inAll := p.hello.MatchesInAll
	if p.retiring.Load() || inAll > 0 && p.begun >= inAll {
		p.backOff.farewell = &ordagov1.Goodbye{Sentence: sentence}
	}
	p.hello.Resume, p.backOff.resumeWindow = nil, 0
	p.hello.MatchesInAll, p.begun = inAll-min(inAll, p.begun), 0
}

// begin begins a match, or continues it after a resume.
func (p *Player) begin(start *ordagov1.MatchStart) {
	known := p.seats[start.GetMatchHandle()]
	if known == nil {
		p.begun++
	}
	if known != nil && known.carriesOn(start) {
		slog.Info(begins(start, "goes on"))
		return
	}
	slog.Info(begins(start, "begins") + p.event.next())
	p.seats[start.GetMatchHandle()] = newSeat(&Match{start, p.retiring}, p.factory)
	p.receipts.begin(start)
}

func (p *Player) decide(decision *ordagov1.Decision, arrived time.Time) *reply {
	seat := p.seats[decision.GetMatchHandle()]
	if seat == nil {
		slog.Warn(fmt.Sprintf("%s, decision %d: it is not answered", seat.name(), decision.GetNumber()))
		return nil
	}
	return seat.decide(decision, arrived)
}

func (p *Player) refused(refused *ordagov1.Refused) *reply {
	seat := p.seats[refused.GetMatchHandle()]
	// A faulty bot may have every answer of a match refused: its author has to see it, but once for each cause.
	cause := cmp.Or(refused.GetRule(), refused.GetField(), faultName(refused.GetFault()))
	if seat == nil || seat.isFirstRefusal(cause) {
		slog.Warn(fmt.Sprintf("%s, decision %d: refused: %s (%s)", seat.name(), refused.GetNumber(),
			reasonGiven(refused.GetSentence()), cause))
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
	where := fmt.Sprintf("%s, decision %d: ", seat.name(), accepted.GetNumber())
	if isVerbose() {
		slog.Debug(where + cost(accepted))
	}
	if accepted.GetFault() != ordagov1.Fault_FAULT_UNSPECIFIED {
		slog.Warn(where + "the default answer was taken: " + defaultTaken(accepted))
	}
}

func (p *Player) forfeited(notice *ordagov1.Forfeited) {
	seat := p.seats[notice.GetMatchHandle()]
	slog.Warn(fmt.Sprintf("%s is forfeited: %s (%s)", seat.name(), reasonGiven(notice.GetSentence()),
		faultName(notice.GetFault())))
	if seat != nil {
		seat.forfeited(notice)
	}
}

func (p *Player) end(end *ordagov1.MatchEnd) {
	seat := p.seats[end.GetMatchHandle()]
	if seat == nil {
		return
	}
	delete(p.seats, end.GetMatchHandle())
	p.receipts.end(seat.match.MatchStart, end)
	slog.Info(ends(seat.match.MatchStart, end))
	seat.ended(end)
}

// frame returns a frame of messages; nil if there are none.
func frame(messages ...*ordagov1.BotMessage) *ordagov1.PlayRequest {
	if len(messages) == 0 {
		return nil
	}
	if isVerbose() {
		for _, message := range messages {
			slog.Debug("went: " + oneLine(message))
		}
	}
	return &ordagov1.PlayRequest{Messages: messages}
}

func milliseconds(number uint32) time.Duration {
	return time.Duration(number) * time.Millisecond
}
