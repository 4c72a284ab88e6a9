// Package ordago runs bots for Ordago in Go. A bot is a type with one method, and [Run] is its main program.
//
//	type bot struct{}
//
//	func (bot) Choose(decision *ordago.Decision) *ordago.Answer {
//		actions := decision.GetActions()
//		return ordago.Complete(actions[decision.Random.IntN(len(actions))], decision.Random)
//	}
//
//	func main() {
//		ordago.Run(func(*ordago.Match) ordago.Bot { return bot{} }, "my-bot", "0.1.0")
//	}
//
// The messages of the contract are in [github.com/ordago/ordago/clients/go/ordago/v1].
package ordago

import (
	"math/rand/v2"

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
// Its methods are called one at a time. A bot that panics ends its process, with its stack trace and the exit code 1.
type Bot interface {
	// Choose returns the answer to a decision: made by [Take], [Complete] or [Act], the default answer of the
	// decision, or any other that is not nil.
	Choose(decision *Decision) *Answer
}

// Refuser is a Bot that answers again after an answer was refused. For other bots the default answer of the decision is
// sent.
type Refuser interface {
	Refused(decision *Decision, refusal *Refused) *Answer
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
type Factory func(match *Match) Bot

// Decision is a question to a bot. It is complete: its view shows everything that the seat sees, and its actions are all
// the legal ones.
type Decision struct {
	*ordagov1.Decision
	// Match is the match of the decision.
	Match *Match
	// Random is a source of random numbers. It depends only on the seed of the match and the number of the decision. A
	// bot that uses no other source plays a repeated match the same way, even in a new process that continues it.
	Random *rand.Rand
}
