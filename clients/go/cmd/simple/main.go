// The simple bot: it plays Mittlere Jass by a few rules of thumb, and shows how to read a view.
package main

import (
	"cmp"
	"context"
	"slices"

	ordago "github.com/ordago/ordago/clients/go"
	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

var (
	plain = ordago.Mittlere.Values("plain")
	trump = ordago.Mittlere.Values("trump")
)

func main() {
	newBot := func(*ordago.Match) (ordago.Bot, error) { return bot{}, nil }
	ordago.Main(newBot, ordago.Options{
		Name: "simple-go", Version: ordago.Version, Games: []string{ordago.Mittlere.Game()},
	})
}

// bot leads its cheapest card. It loses a trick if it can, with the card worth the most points, and takes it with its
// cheapest one otherwise.
type bot struct{}

func (bot) Choose(_ context.Context, decision *ordago.Decision) (*ordago.Answer, error) {
	table := table{decision.GetView().GetMittlere()}
	return ordago.Act(&ordagov1.MittlereAction{Card: table.choose(legalCards(decision))}), nil
}

func legalCards(decision *ordago.Decision) []ordago.Card {
	var cards []ordago.Card
	for _, action := range decision.GetActions() {
		cards = append(cards, action.GetAction().GetMittlere().GetCard())
	}
	return cards
}

// table is the view of a seat.
type table struct {
	*ordagov1.MittlereView
}

func (t table) choose(legal []ordago.Card) ordago.Card {
	losing := slices.DeleteFunc(slices.Clone(legal), t.takes)
	if len(losing) > 0 {
		return slices.MaxFunc(losing, t.byPoints)
	}
	return slices.MinFunc(legal, t.byCheapness)
}

// takes reports whether a card would take the trick on the table. The leader holds it so far; while there is no trump, a
// card of another suit sets it.
func (t table) takes(card ordago.Card) bool {
	if len(t.GetTrick()) == 0 {
		return true
	}
	return t.beats(card, t.best()) || t.GetTrump() == nil && ordago.Suit(card) != ordago.Suit(t.GetTrick()[0])
}

// best returns the card that takes the trick so far.
func (t table) best() ordago.Card {
	best := t.GetTrick()[0]
	for _, card := range t.GetTrick()[1:] {
		if t.beats(card, best) {
			best = card
		}
	}
	return best
}

// beats reports whether a card that is played later beats another.
func (t table) beats(card, best ordago.Card) bool {
	if ordago.Suit(card) == ordago.Suit(best) {
		return t.height(card) > t.height(best)
	}
	return t.isTrump(card) && !t.isTrump(best)
}

func (t table) byCheapness(one, other ordago.Card) int {
	return slices.Compare(t.cheapness(one), t.cheapness(other))
}

// cheapness is least for the card to give away first: no trump, low, and of the first suit.
func (t table) cheapness(card ordago.Card) []int {
	if t.isTrump(card) {
		return []int{1, t.height(card), int(card)}
	}
	return []int{0, t.height(card), int(card)}
}

func (t table) byPoints(one, other ordago.Card) int {
	return cmp.Or(
		t.values(one).Points(one)-t.values(other).Points(other),
		t.height(one)-t.height(other),
		int(one-other),
	)
}

func (t table) height(card ordago.Card) int {
	return t.values(card).Height(card)
}

// values returns the values of a card, as trump or plain.
func (t table) values(card ordago.Card) *ordago.Values {
	if t.isTrump(card) {
		return trump
	}
	return plain
}

func (t table) isTrump(card ordago.Card) bool {
	return t.GetTrump() != nil && ordago.Suit(card) == t.GetTrump().GetSuit()
}
