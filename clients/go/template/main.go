// A bot for Ordago.
package main

import ordago "github.com/ordago/ordago/clients/go"

// bot plays one seat of one match. What it keeps belongs to this match.
type bot struct {
	match *ordago.Match // The game, its options, the players and their seats, the clocks.
}

func newBot(match *ordago.Match) ordago.Bot {
	return bot{match}
}

// Choose answers a decision by any legal action, whatever it is worth. Begin here.
//
// decision.GetView() is all that the seat sees: that of Mittlere Jass is decision.GetView().GetMittlere().
// decision.GetActions() are all legal actions; ordago.Take names one, ordago.Complete fills in its open parts by chance.
// ordago.Name, ordago.Suit and b.match.Cards() know the cards.
func (b bot) Choose(decision *ordago.Decision) *ordago.Answer {
	actions := decision.GetActions()
	return ordago.Complete(actions[decision.Random.IntN(len(actions))], decision.Random)
}

func main() {
	// Name behind the version the games that it plays, "mittlere" for instance; without any it plays all.
	ordago.Run(newBot, "@NAME@", "0.1.0")
}
