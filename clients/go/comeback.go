package ordago

import (
	"cmp"
	"time"

	"google.golang.org/grpc/codes"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// Those of the contract: docs/protocol.md, broken connections.
const (
	firstPause   = 250 * time.Millisecond
	longestPause = 8 * time.Second
	// leastPatience is how long a server is tried to be reached, whatever the session allows.
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
	// ExitSessionEnded says that the server cannot be reached, or ended the session otherwise than by a goodbye.
	ExitSessionEnded = 3
	// ExitInterrupted says that the bot left, as it was told.
	ExitInterrupted = 130
)

// Loss is how a connection ended.
type Loss struct {
	// Status is that of the stream; [codes.OK] for an orderly end.
	Status codes.Code
	// Sentence is what was said about it.
	Sentence string
	// RetryAfter is how long the server wants to be left alone, by the metadata beside the status; 0 if it does not say.
	RetryAfter time.Duration
	// At is when it ended.
	At time.Time
	// Jitter is drawn evenly from 0 to 1, so that the bots of a server do not all come back at the same moment.
	Jitter float64
}

// Next is what comes after a connection: another one after a pause, or the end.
type Next struct {
	// Pause is how long to wait before the next connection.
	Pause time.Duration
	// Over says that there is none.
	Over bool
	// ExitCode is that of the bot when it is over: [ExitOK] or [ExitSessionEnded].
	ExitCode int
	// Sentence says why it is over, or why the last connection ended. For [ExitSessionEnded] it continues "the server".
	Sentence string
	// unreached says that it is over since the server does not answer.
	unreached bool
}

// comeback is what is kept to tell what comes after a connection.
type comeback struct {
	// resuming says whether the Hello of this connection named a session, alive whether anything came over it.
	resuming, alive bool
	// draining says whether the server said on this connection that it goes down.
	draining bool
	// retrySentence is the reason of a Goodbye for now.
	retrySentence string
	// farewell is the Goodbye that ended the session for good, nil while it goes on.
	farewell *ordagov1.Goodbye
	// retryAfter is how long the server that said goodbye for now wants to be left alone.
	retryAfter time.Duration
	// resumeWindow is how long the session can be resumed after its connection broke; 0 without a session.
	resumeWindow time.Duration
	// pause is the next one that the server does not name.
	pause time.Duration
	// silent is since when nothing was heard of the server; zero before a connection was lost.
	silent time.Time
}

func newComeback() comeback {
	return comeback{pause: firstPause}
}

func (c *comeback) connect(resuming bool) {
	c.resuming, c.alive, c.draining, c.retryAfter, c.retrySentence = resuming, false, false, 0, ""
}

// Lost says what comes after a connection that ended.
func (p *Player) Lost(loss Loss) Next {
	p.open = false
	back := &p.comeback
	invited, anew := back.retryAfter > 0, back.farewell == nil && back.isRefused(loss.Status)
	if anew {
		p.loseSession(loss.Sentence)
	}
	back.retryAfter = cmp.Or(back.retryAfter, loss.RetryAfter)
	switch {
	case back.farewell != nil && !anew && !isBroken(loss.Status):
		return Next{Over: true, ExitCode: ExitSessionEnded, Sentence: ended(loss.Status, back.farewell.GetSentence())}
	case back.farewell != nil:
		return Next{Over: true, ExitCode: ExitOK, Sentence: back.farewell.GetSentence()}
	case invited || anew || back.isWorthIt(loss.Status):
		next := back.next(loss, anew)
		if next.Sentence == "" {
			next.Sentence = back.interruption(loss, invited)
		}
		return next
	}
	return Next{Over: true, ExitCode: ExitSessionEnded, Sentence: ended(loss.Status, loss.Sentence)}
}

// interruption returns the reason for which a session is interrupted.
func (c *comeback) interruption(loss Loss, invited bool) string {
	switch {
	case invited:
		return "the server said goodbye for now: " + reasonGiven(c.retrySentence)
	case c.draining:
		return "the server has gone down"
	}
	return "the connection broke (" + loss.reason() + ")"
}

// isRefused says whether a status means that the session cannot be resumed; then a new one may begin.
func (c *comeback) isRefused(status codes.Code) bool {
	return c.resuming && !c.alive && (status == codes.Unauthenticated || status == codes.PermissionDenied)
}

// isDismissed says whether the server has said goodbye on this connection.
func (p *Player) isDismissed() bool {
	return p.comeback.farewell != nil || p.comeback.retryAfter > 0
}

// isWorthIt judges whether to come back after a status. A server that is full says when to.
func (c *comeback) isWorthIt(status codes.Code) bool {
	refused := status == codes.Unauthenticated || status == codes.PermissionDenied
	return isBroken(status) || c.retryAfter > 0 && !refused
}

// isBroken says whether a status is that of a connection, not one by which the server ends the session. Without a
// Goodbye an orderly end, too, is a broken connection.
func isBroken(status codes.Code) bool {
	switch status {
	case codes.OK, codes.Unavailable, codes.Unknown, codes.Internal, codes.Canceled:
		return true
	default:
		return false
	}
}

// next returns the next pause, or the end where the server was not heard of for too long. It was where it refused to
// resume a session.
func (c *comeback) next(loss Loss, refused bool) Next {
	heard := c.alive || refused || c.retryAfter > 0
	if heard || c.silent.IsZero() {
		c.pause, c.silent = firstPause, loss.At
	}
	if loss.At.Sub(c.silent) > max(leastPatience, c.resumeWindow) {
		sentence := "does not answer (" + loss.reason() + ")"
		return Next{Over: true, ExitCode: ExitSessionEnded, Sentence: sentence, unreached: true}
	}
	if c.retryAfter > 0 {
		return Next{Pause: scaled(c.retryAfter, 1+loss.Jitter/4)}
	}
	pause := c.pause
	c.pause = min(2*pause, longestPause)
	return Next{Pause: scaled(pause, 1-loss.Jitter/2)}
}

func scaled(pause time.Duration, factor float64) time.Duration {
	return time.Duration(float64(pause) * factor)
}
