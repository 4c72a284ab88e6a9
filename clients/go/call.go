package ordago

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"google.golang.org/protobuf/proto"
)

// OnError says what a process does when one of its bots fails.
type OnError int

const (
	// StopOnError ends the session; it is the default.
	StopOnError OnError = iota
	// DefaultOnError sends the default answer of the decision, logs the failure, and goes on.
	DefaultOnError
)

var (
	errNoAnswer    = errors.New("it returned no answer")
	errEmptyAnswer = errors.New("its answer names no action")
	errNoBot       = errors.New("there is no bot, and no error either")
)

// BotError is the failure of a bot.
type BotError struct {
	// Match is the match of the bot.
	Match *Match
	// Decision is the decision at which it failed; nil if it failed when it was made, or in a notice.
	Decision *Decision
	// Err is the error that the bot returned, or the reason of its panic.
	Err error
	// Trace is the stack trace of a panic. For an error it is the error as %+v shows it, and the method that returned it.
	Trace string
}

// Error returns the match, the decision, and the reason.
func (e *BotError) Error() string { return e.sentence("the bot failed") }

func (e *BotError) sentence(what string) string {
	where := "match " + e.Match.GetMatchId()
	if e.Decision != nil {
		where += fmt.Sprint(", decision ", e.Decision.GetNumber())
	}
	return where + ": " + what + ": " + e.Err.Error()
}

// fields returns the fields of the log, and with details those for the first failure of a match.
func (e *BotError) fields(withDetails bool) []any {
	fields := []any{"match", e.Match.GetMatchId()}
	if e.Decision != nil {
		fields = append(fields, "decision", e.Decision.GetNumber())
	}
	fields = append(fields, "error", e.Err.Error())
	if withDetails {
		fields = append(fields, "trace", e.Trace)
	}
	if withDetails && e.Decision != nil {
		fields = append(fields, "asked", jsonOf(e.Decision.Decision))
	}
	return fields
}

// Unwrap returns the error of the bot.
func (e *BotError) Unwrap() error { return e.Err }

// call is one call of a bot: it is made, asked or notified.
type call struct {
	seat *seat
	// method is its name.
	method string
	// decision is what the bot is asked, and refused why it is asked again; nil if it is not.
	decision *Decision
	refused  *Refused
	// end is the time at which the time of the bot is over; zero: there is no clock.
	end time.Time
	// do makes the call.
	do func(ctx context.Context) (*Answer, error)
	// session lives as long as the session, ctx only until the answer is not needed any more.
	session, ctx context.Context
	// drop ends ctx.
	drop context.CancelFunc

	// wasAsked is true if there is a bot to ask.
	wasAsked bool
	answer   *Answer
	failure  *BotError
	thought  time.Duration
}

// name returns the name of the method that is called.
func (c *call) name() string {
	if c.seat.bot == nil {
		return "the factory"
	}
	return fmt.Sprintf("%T.%s", c.seat.bot, c.method)
}

// isDropped reports whether the answer is not needed any more.
func (c *call) isDropped() bool { return c.ctx.Err() != nil }

// run calls the bot, unless that is of no use any more. It does not panic.
func (c *call) run(now func() time.Time) {
	if c.isDropped() {
		return
	}
	began := now()
	defer func() {
		c.thought = now().Sub(began)
		if reason := recover(); reason != nil {
			c.fail(errorOf(reason), fmt.Sprintf("panic: %v\n\n%s", reason, debug.Stack()))
		}
	}()
	ctx := c.ctx
	if !c.end.IsZero() {
		timed, cancel := context.WithTimeout(ctx, c.end.Sub(began))
		defer cancel()
		ctx = timed
	}
	var err error
	if c.answer, err = c.do(ctx); err == nil {
		err = c.check()
	}
	if err != nil && !(c.isDropped() && errors.Is(err, context.Canceled)) {
		c.fail(err, fmt.Sprintf("%+v\nreturned by %s", err, c.name()))
	}
}

// check returns an error for an answer that is none.
func (c *call) check() error {
	switch {
	case c.decision == nil:
		return nil
	case c.answer == nil:
		return errNoAnswer
	case c.answer.GetActionChoice() == nil && !proto.Equal(c.answer, c.decision.GetDefaultAnswer()):
		return errEmptyAnswer
	}
	return nil
}

// fail notes a failure, in whose place the default answer is taken.
func (c *call) fail(err error, trace string) {
	c.answer = c.decision.defaultAnswer()
	c.failure = &BotError{c.seat.match, c.decision, err, trace}
}

func (d *Decision) defaultAnswer() *Answer {
	if d == nil {
		return nil
	}
	return d.GetDefaultAnswer()
}

func errorOf(reason any) error {
	if err, isError := reason.(error); isError {
		return err
	}
	return fmt.Errorf("%v", reason)
}
