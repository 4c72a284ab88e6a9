package ordago

import (
	"cmp"
	"context"
	"crypto/rand"
	"io"
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

// A nonce has as many bytes as the contract allows. The least are random ones: 128 bits cannot be guessed.
const (
	nonceBytes     = 16
	mostNonceBytes = 64
)

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
	// Now returns the time, to measure thinking times; nil: [time.Now]. With threads it is called by several goroutines.
	Now func() time.Time
	// Receipts gets receipts of the event, each as a line of JSON by a single Write; nil: none.
	Receipts io.Writer
	// OnError says what happens when a bot fails.
	OnError OnError
	// Threads is the number of matches that think at once, each in a goroutine, while [Server.Play] plays. 0: bots think
	// one after the other, in the goroutine that receives.
	Threads int
	// Logger gets the events of the session; nil: [slog.Default].
	Logger *slog.Logger
	// Decisions gets each decision that a bot was asked for, as a line of JSON by a single Write; nil: none.
	Decisions io.Writer
}

// Player is one process of a bot over all its connections, without I/O: it takes frames of the server and returns frames
// to send, nil if there is nothing to send. It is not safe for concurrent use.
type Player struct {
	factory Factory
	options PlayerOptions
	hello   *ordagov1.Hello
	seats   map[uint32]*seat
	tally   *tally
	// slots has room for the bots that think at once, and finished the calls that are over; nil without threads.
	slots    chan struct{}
	finished chan *call
	backOff  backOff
	receipts receipts
	// decisions is the log of what the bots were asked.
	decisions decisionLog
	event     eventCount
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
	options.Logger = cmp.Or(options.Logger, slog.Default())
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
		Capabilities:     []string{tacitAcceptance},
	}
	player := &Player{
		factory: factory, options: options, hello: hello, seats: map[uint32]*seat{}, tally: newTally(),
		backOff: newBackOff(), retiring: new(atomic.Bool), decisions: decisionLog{output: options.Decisions},
		receipts: receipts{output: options.Receipts, logger: options.Logger},
	}
	if player.isVerbose() {
		// A log of all messages should have the cost of each answer, so acceptances have to be sent.
		hello.Capabilities = nil
	}
	if options.Threads > 0 {
		player.slots, player.finished = make(chan struct{}, options.Threads), make(chan *call, callsAhead)
	}
	return player
}

// isVerbose reports whether every message is shown.
func (p *Player) isVerbose() bool {
	return p.options.Logger.Enabled(context.Background(), slog.LevelDebug)
}

// Summary returns what happened so far. Any goroutine may ask.
func (p *Player) Summary() Summary {
	return p.tally.read()
}

// Connect begins a connection and returns its first frame, which resumes the session before, if any.
func (p *Player) Connect() *ordagov1.PlayRequest {
	p.open, p.saidRetire = false, false
	p.backOff.connect(p.hello.Resume != nil)
	if p.hello.Resume != nil {
		p.hello.Resume.Matches = p.knownMatches()
	}
	return p.frame(&ordagov1.BotMessage{Body: &ordagov1.BotMessage_Hello{Hello: p.hello}})
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
	return p.frame(p.retirement()...)
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
	return p.frame(&ordagov1.BotMessage{Body: &ordagov1.BotMessage_Goodbye{Goodbye: goodbye}})
}

// Receive processes a frame and its time of arrival, and returns a frame with all replies. The context is that of the
// session: when it is done, bots that think are told so. The error is a [BotError], after which the session cannot go on.
func (p *Player) Receive(
	ctx context.Context, response *ordagov1.PlayResponse, arrived time.Time,
) (*ordagov1.PlayRequest, error) {
	p.backOff.alive = true
	var replies []*reply
	for _, message := range response.GetMessages() {
		reply, err := p.take(ctx, message, arrived)
		if err != nil {
			return nil, err
		}
		replies = append(replies, reply)
	}
	return p.frame(append(p.sent(replies), p.retirement()...)...), nil
}

// sent returns the messages of all replies to a frame. They are sent together, so their thinking times end with the last.
func (p *Player) sent(replies []*reply) []*ordagov1.BotMessage {
	now := p.options.Now()
	var messages []*ordagov1.BotMessage
	for _, reply := range replies {
		if reply != nil {
			choice := reply.sent(now)
			p.tally.answered(choice, reply.seat.match)
			messages = append(messages, &ordagov1.BotMessage{Body: &ordagov1.BotMessage_Choice{Choice: choice}})
		}
	}
	return messages
}

// take processes a message and returns the reply to it, nil for most. A message of an unknown kind has no body, and is
// ignored.
func (p *Player) take(ctx context.Context, message *ordagov1.ServerMessage, arrived time.Time) (*reply, error) {
	if p.isVerbose() {
		p.log(slog.LevelDebug, "came", "came: "+oneLine(message))
	}
	switch body := message.GetBody().(type) {
	case *ordagov1.ServerMessage_MatchStart:
		return p.start(ctx, p.begin(body.MatchStart))
	case *ordagov1.ServerMessage_Decision:
		reply, call := p.decide(body.Decision, arrived)
		if reply != nil {
			return reply, nil
		}
		return p.start(ctx, call)
	case *ordagov1.ServerMessage_Refused:
		return p.start(ctx, p.refused(body.Refused, arrived))
	case *ordagov1.ServerMessage_Forfeited:
		return p.start(ctx, p.forfeited(body.Forfeited))
	case *ordagov1.ServerMessage_MatchEnd:
		return p.start(ctx, p.end(body.MatchEnd))
	case *ordagov1.ServerMessage_Accepted:
		p.accepted(body.Accepted)
	default:
		p.takeOfSession(message)
	}
	return nil, nil
}

func (p *Player) takeOfSession(message *ordagov1.ServerMessage) {
	switch body := message.GetBody().(type) {
	case *ordagov1.ServerMessage_Welcome:
		p.welcomed(body.Welcome)
	case *ordagov1.ServerMessage_EventNotice:
		p.event.learn(body.EventNotice)
		p.logSentence("event_notice", "event: ", body.EventNotice.GetSentence())
	case *ordagov1.ServerMessage_Announcement:
		p.logSentence("announcement", "announcement: ", body.Announcement.GetSentence())
	case *ordagov1.ServerMessage_Draining:
		p.backOff.draining = true
		p.logSentence("draining", "the server is going down: ", body.Draining.GetSentence())
	case *ordagov1.ServerMessage_Goodbye:
		p.dismissed(body.Goodbye)
	}
}

func (p *Player) welcomed(welcome *ordagov1.Welcome) {
	event, done := "connected", "connected"
	if welcome.GetResumed() {
		event, done = "resumed", "session resumed"
	}
	games := []string{}
	for _, offered := range welcome.GetGames() {
		games = append(games, offered.GetGame())
	}
	p.log(slog.LevelInfo, event, done+"; games: "+strings.Join(games, ", "), "games", games)
	if !welcome.GetResumed() {
		p.forgetSeats()
	}
	p.open = true
	p.hello.Resume = &ordagov1.Resume{SessionId: welcome.GetSessionId(), ResumeToken: welcome.GetResumeToken()}
	p.backOff.resumeWindow = milliseconds(welcome.GetLimits().GetResumeWindowMs())
}

func (p *Player) forgetSeats() {
	for _, seat := range p.seats {
		seat.drop()
	}
	clear(p.seats)
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

// frame returns a frame of messages; nil if there are none.
func (p *Player) frame(messages ...*ordagov1.BotMessage) *ordagov1.PlayRequest {
	if len(messages) == 0 {
		return nil
	}
	if p.isVerbose() {
		for _, message := range messages {
			p.log(slog.LevelDebug, "went", "went: "+oneLine(message))
		}
	}
	return &ordagov1.PlayRequest{Messages: messages}
}

// log logs an event: its sentence, and its fields as keys and values.
func (p *Player) log(level slog.Level, event, sentence string, fields ...any) {
	p.options.Logger.Log(context.Background(), level, sentence, append([]any{"event", event}, fields...)...)
}

// logSentence logs a sentence of the server.
func (p *Player) logSentence(event, words, sentence string) {
	p.log(slog.LevelInfo, event, words+reasonGiven(sentence), "sentence", sentence)
}

func milliseconds(number uint32) time.Duration {
	return time.Duration(number) * time.Millisecond
}
