// A bot for Ordago.
package main

import (
	"context"

	ordago "github.com/ordago/ordago/clients/go"
)

// bot plays one seat of one match. Its state belongs to this match.
type bot struct {
	match *ordago.Match // The game, its options, the players and their seats, the clocks.
}

func newBot(match *ordago.Match) (ordago.Bot, error) {
	return bot{match}, nil
}

// Choose answers a decision by a random legal action. Begin here.
//
// decision.GetView() is all that the seat sees: that of Mittlere Jass is decision.GetView().GetMittlere().
// decision.GetActions() are all legal actions; ordago.Take names one, ordago.Complete also fills its open parts at
// random. ordago.Name, ordago.Suit and b.match.Cards() describe the cards. The deadline of the context is the end of the
// time.
func (b bot) Choose(ctx context.Context, decision *ordago.Decision) (*ordago.Answer, error) {
	actions := decision.GetActions()
	return ordago.Complete(actions[decision.Random.IntN(len(actions))], decision.Random), nil
}

func main() {
	// Games: []string{"mittlere"} names the games that the bot plays; without it, it plays all. Threads: 4 lets it think
	// about four matches at once.
	ordago.Main(newBot, ordago.Options{Name: "@NAME@", Version: "0.1.0"})
}
