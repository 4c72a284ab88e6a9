package ordago

import (
	"cmp"
	"time"

	"google.golang.org/grpc/codes"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// The pauses of the contract: docs/protocol.md, broken connections.
const (
	firstPause   = 250 * time.Millisecond
	longestPause = 8 * time.Second
	// leastPatience is the time for which a bot tries to reach a server; longer while its session can be resumed.
	leastPatience = 30 * time.Second
)

// The exit codes of a bot.
const (
	// ExitOK says that the server said goodbye.
	ExitOK = 0
	// ExitFailed says that the bot itself failed.
	ExitFailed = 1
	// ExitUsage says that the command line or the environment is wrong.
	ExitUsage = 2
	// ExitSessionEnded says that the server cannot be reached, or ended the session without a goodbye.
	ExitSessionEnded = 3
	// ExitInterrupted says that the bot was told to leave.
	ExitInterrupted = 130
)

// unreachable is the event of a server that does not answer.
const unreachable = "unreachable"

// Loss is the end of a connection.
type Loss struct {
	// Status is the status of the stream; [codes.OK] for an orderly end.
	Status codes.Code
	// Sentence is the reason, in the words of gRPC or of the server; it may be empty.
	Sentence string
	// RetryAfter is the pause that the server asks for, in the metadata beside the status; 0: none.
	RetryAfter time.Duration
	// At is the time of the end.
	At time.Time
	// Jitter is a random number from 0 to 1, so that the bots of a server do not all reconnect at the same moment.
	Jitter float64
}

// Next is the step after a connection: another one after a pause, or the end.
type Next struct {
	// Pause is the time to wait before the next connection.
	Pause time.Duration
	// Over is true if there is no next connection.
	Over bool
	// ExitCode is the exit code when it is over: [ExitOK] or [ExitSessionEnded].
	ExitCode int
	// Sentence says why it is over, or why the last connection ended. For [ExitSessionEnded] it continues "the server".
	Sentence string
	// event is the name of the event in the log, and fields are its fields.
	event  string
	fields []any
}

// backOff decides what comes after a connection.
type backOff struct {
	// resuming is true if the Hello of this connection named a session, alive if anything came over it.
	resuming, alive bool
	// draining is true if the server said on this connection that it goes down.
	draining bool
	// retrySentence is the reason of a Goodbye for now.
	retrySentence string
	// farewell is the Goodbye that ended the session for good; nil while it goes on.
	farewell *ordagov1.Goodbye
	// retryAfter is the pause that the server asks for, by a Goodbye for now or beside a status.
	retryAfter time.Duration
	// resumeWindow is the time for which the session can be resumed after its connection broke; 0 without a session.
	resumeWindow time.Duration
	// pause is the next pause, unless the server asks for one.
	pause time.Duration
	// silent is the time since which nothing was heard of the server; zero before a connection was lost.
	silent time.Time
}

func newBackOff() backOff {
	return backOff{pause: firstPause}
}

func (b *backOff) connect(resuming bool) {
	b.resuming, b.alive, b.draining, b.retryAfter, b.retrySentence = resuming, false, false, 0, ""
}

// Lost returns the step after a connection that ended.
func (p *Player) Lost(loss Loss) Next {
	p.open = false
	for _, seat := range p.seats {
		seat.open = nil // The server sends it again.
	}
	back := &p.backOff
	invited, anew := back.retryAfter > 0, back.farewell == nil && back.isRefused(loss.Status)
	if anew {
		p.loseSession(loss.Sentence)
	}
	back.retryAfter = cmp.Or(back.retryAfter, loss.RetryAfter)
	switch {
	case back.farewell != nil && !anew && !isBroken(loss.Status):
		return sessionEnded(loss.Status, back.farewell.GetSentence())
	case back.farewell != nil:
		sentence := back.farewell.GetSentence()
		return Next{
			Over: true, ExitCode: ExitOK, Sentence: sentence, event: "goodbye", fields: []any{"sentence", sentence},
		}
	case invited || anew || back.isWorthIt(loss.Status):
		next := back.next(loss, anew)
		if !next.Over {
			next.Sentence, next.event, next.fields = back.interruption(loss, invited)
			next.fields = append(next.fields, "seconds", next.Pause.Seconds())
		}
		return next
	}
	return sessionEnded(loss.Status, loss.Sentence)
}

// sessionEnded returns the end of a session by a status.
func sessionEnded(status codes.Code, sentence string) Next {
	return Next{
		Over: true, ExitCode: ExitSessionEnded, Sentence: ended(status, sentence),
		event: "session_ended", fields: []any{"status", statusName(status), "sentence", sentence},
	}
}

// interruption returns the reason for which a session is interrupted, and its event with its fields.
func (b *backOff) interruption(loss Loss, invited bool) (sentence, event string, fields []any) {
	switch {
	case invited:
		sentence = "the server said goodbye for now: " + reasonGiven(b.retrySentence)
		return sentence, "goodbye_for_now", []any{"sentence", b.retrySentence}
	case b.draining:
		return "the server has gone down", "gone_down", nil
	}
	return "the connection broke (" + loss.reason() + ")", "connection_broke", []any{"reason", loss.reason()}
}

// isRefused reports whether a status means that the session cannot be resumed; then a new one may begin.
func (b *backOff) isRefused(status codes.Code) bool {
	return b.resuming && !b.alive && (status == codes.Unauthenticated || status == codes.PermissionDenied)
}

// isDismissed reports whether the server has said goodbye on this connection.
func (p *Player) isDismissed() bool {
	return p.backOff.farewell != nil || p.backOff.retryAfter > 0
}

// isWorthIt reports whether to reconnect after a status. A server that is full says when to.
func (b *backOff) isWorthIt(status codes.Code) bool {
	refused := status == codes.Unauthenticated || status == codes.PermissionDenied
	return isBroken(status) || b.retryAfter > 0 && !refused
}

// isBroken reports whether a status is that of a broken connection, not one by which the server ends the session. An
// orderly end without a Goodbye counts as broken.
func isBroken(status codes.Code) bool {
	switch status {
	case codes.OK, codes.Unavailable, codes.Unknown, codes.Internal, codes.Canceled:
		return true
	default:
		return false
	}
}

// next returns the next pause, or the end if the server has been silent for too long. A server that refused to resume a
// session was heard of.
func (b *backOff) next(loss Loss, refused bool) Next {
	heard := b.alive || refused || b.retryAfter > 0
	if heard || b.silent.IsZero() {
		b.pause, b.silent = firstPause, loss.At
	}
	if loss.At.Sub(b.silent) > max(leastPatience, b.resumeWindow) {
		sentence := "does not answer (" + loss.reason() + ")"
		return Next{
			Over: true, ExitCode: ExitSessionEnded, Sentence: sentence,
			event: unreachable, fields: []any{"reason", loss.reason()},
		}
	}
	if b.retryAfter > 0 {
		return Next{Pause: scaled(b.retryAfter, 1+loss.Jitter/4)}
	}
	pause := b.pause
	b.pause = min(2*pause, longestPause)
	return Next{Pause: scaled(pause, 1-loss.Jitter/2)}
}

func scaled(pause time.Duration, factor float64) time.Duration {
	return time.Duration(float64(pause) * factor)
}
