// Package ordago is what a bot for Ordago in Go is written with: a type with one method, and [Run].
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
// The messages of the contract are those of [github.com/ordago/ordago/clients/go/ordago/v1].
package ordago

import (
	"math/rand/v2"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// Version is the version of this library.
const Version = "0.1.0"

// The messages that a bot names most, so that it need not import the contract for them.
type (
	// Answer is what is said to a decision.
	Answer = ordagov1.Answer
	// LegalAction is an action that a decision offers. Some of its parts may be open.
	LegalAction = ordagov1.LegalAction
	// Card is a card of any pack.
	Card = ordagov1.Card
	// Refused says what was wrong with an answer.
	Refused = ordagov1.Refused
	// Forfeited says why a seat is forfeited.
	Forfeited = ordagov1.Forfeited
	// MatchEnd says how a match ended.
	MatchEnd = ordagov1.MatchEnd
)

// Bot plays one seat of one match. It may also be a [Refuser], a [Forfeiter] and an [Ender].
//
// Its methods are called one at a time. A bot that panics ends its process, with its stack trace and the exit code 1.
type Bot interface {
	// Choose answers a decision: by [Take], [Complete] or [Act], by the default answer of the decision, or by any
	// other answer that is not nil.
	Choose(decision *Decision) *Answer
}

// Refuser is a Bot that answers a decision again by itself after its answer was refused. For others the default answer of
// the decision is given.
type Refuser interface {
	Refused(decision *Decision, refusal *Refused) *Answer
}

// Forfeiter is a Bot that wants to know that its seat is forfeited: it is asked no more then, and the match goes on.
type Forfeiter interface {
	Forfeited(notice *Forfeited)
}

// Ender is a Bot that wants to know how its match ended.
type Ender interface {
	Ended(end *MatchEnd)
}

// Factory makes the bot that plays a match. Whatever that keeps belongs to this match.
type Factory func(match *Match) Bot

// Decision is a question to a bot. It is complete: its view is all that the seat sees, its actions are all that is legal.
type Decision struct {
	*ordagov1.Decision
	// Match is the match that it belongs to.
	Match *Match
	// Random is the bot's own chance. It depends on the seed of the match and the number of the decision alone, so that a
	// bot that draws from nothing else plays a match that is played again the same, also as a new process that carries
	// it on in the middle.
	Random *rand.Rand
}
