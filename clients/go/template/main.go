// A bot for Ordago.
package main

import ordago "github.com/ordago/ordago/clients/go"

// bot plays one seat of one match. Its state belongs to this match.
type bot struct {
	match *ordago.Match // The game, its options, the players and their seats, the clocks.
}

func newBot(match *ordago.Match) ordago.Bot {
	return bot{match}
}

// Choose answers a decision by a random legal action. Begin here.
//
// decision.GetView() is all that the seat sees: that of Mittlere Jass is decision.GetView().GetMittlere().
// decision.GetActions() are all legal actions; ordago.Take names one, ordago.Complete also fills its open parts at
// random. ordago.Name, ordago.Suit and b.match.Cards() describe the cards.
func (b bot) Choose(decision *ordago.Decision) *ordago.Answer {
	actions := decision.GetActions()
	return ordago.Complete(actions[decision.Random.IntN(len(actions))], decision.Random)
}

func main() {
	// After the version, name the games that the bot plays, for instance "mittlere"; without any it plays all.
	ordago.Run(newBot, "@NAME@", "0.1.0")
}
