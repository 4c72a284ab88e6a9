// Package ordago runs bots for Ordago in Go. A bot is a type with one method, and [Main] is its main program.
//
//	type bot struct{}
//
//	func (bot) Choose(ctx context.Context, decision *ordago.Decision) (*ordago.Answer, error) {
//		actions := decision.GetActions()
//		return ordago.Complete(actions[decision.Random.IntN(len(actions))], decision.Random), nil
//	}
//
//	func main() {
//		newBot := func(*ordago.Match) (ordago.Bot, error) { return bot{}, nil }
//		ordago.Main(newBot, ordago.Options{Name: "my-bot", Version: "0.1.0"})
//	}
//
// The messages of the contract are in [github.com/ordago/ordago/clients/go/ordago/v1], helpers for the tests of a bot in
// [github.com/ordago/ordago/clients/go/ordagotest].
package ordago

import (
	"context"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// Version is the version of this library.
const Version = "0.1.0"

// The most common messages, so that a bot need not import the contract for them.
type (
	// Answer is the answer to a decision.
	Answer = ordagov1.Answer
	// LegalAction is an action that a decision offers. Some of its parts may be left to the bot.
	LegalAction = ordagov1.LegalAction
	// Card is a card of any pack.
	Card = ordagov1.Card
	// Refused says why an answer was refused.
	Refused = ordagov1.Refused
	// Forfeited says why the bot forfeited its seat.
	Forfeited = ordagov1.Forfeited
	// MatchEnd says how a match ended.
	MatchEnd = ordagov1.MatchEnd
)

// Bot plays one seat of one match. It may also be a [Refuser], a [Forfeiter] and an [Ender].
//
// Its methods are called one at a time, in order. A method fails if it panics, or returns an error, no answer, or an
// empty answer. [OnError] says what becomes of it.
type Bot interface {
	// Choose returns the answer to a decision: made by [Take], [Complete] or [Act], the default answer of the
	// decision, or any other that names an action.
	//
	// The deadline of the context is the end of the bot's time: answer before, since to return its error is to fail.
	// There is none without a clock. The context is cancelled when the answer is not needed any more, because the decision
	// was closed or the bot leaves; its error is ignored then.
	Choose(ctx context.Context, decision *Decision) (*Answer, error)
}

// Refuser is a Bot that answers again after an answer was refused. For other bots the default answer of the decision is
// sent.
type Refuser interface {
	Refused(ctx context.Context, decision *Decision, refusal *Refused) (*Answer, error)
}

// Forfeiter is a Bot that is notified when it forfeits its seat. The match goes on, without further decisions for it.
type Forfeiter interface {
	Forfeited(notice *Forfeited)
}

// Ender is a Bot that is notified when its match ends.
type Ender interface {
	Ended(end *MatchEnd)
}

// Factory makes the bot for one match. The state of the bot belongs to this match.
type Factory func(match *Match) (Bot, error)
