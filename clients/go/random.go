package main

import (
	"math/rand/v2"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// oneInExtras says how rarely an extra is said: once in so many decisions that offer any.
const oneInExtras = 4

// random answers any decision of any game: each legal action is as likely as the others, and so is each way to fill
// in its open parts.
func random(decision *ordagov1.Decision, chance *rand.Rand) *ordagov1.Answer {
	legal := anyOf(decision.GetActions(), chance)
	return &ordagov1.Answer{
		ActionChoice: &ordagov1.Answer_LegalAction{LegalAction: legal.GetId()},
		Amount:       anyAmount(legal.GetAmount(), chance),
		Cards:        anyCards(legal.GetPicks(), chance),
		Extra:        anyExtra(decision.GetExtras(), chance),
	}
}

func anyAmount(amounts *ordagov1.AmountRange, chance *rand.Rand) *int32 {
	if amounts == nil {
		return nil
	}
	// A range may hold more numbers than an int32 can count.
	least, most := int64(amounts.GetMin()), int64(amounts.GetMax())
	amount := int32(least + chance.Int64N(most-least+1))
	return &amount
}

func anyCards(picks []*ordagov1.Pick, chance *rand.Rand) []ordagov1.Card {
	var cards []ordagov1.Card
	for _, pick := range picks {
		offered := pick.GetCards()
		count := int(pick.GetMin()) + chance.IntN(int(pick.GetMax()-pick.GetMin())+1)
		for _, place := range chance.Perm(len(offered))[:count] {
			cards = append(cards, offered[place])
		}
	}
	return cards
}

// anyExtra returns the number of an extra, or 0 for none.
func anyExtra(extras []*ordagov1.Extra, chance *rand.Rand) uint32 {
	if len(extras) == 0 || chance.IntN(oneInExtras) != 0 {
		return 0
	}
	return anyOf(extras, chance).GetId()
}

func anyOf[T any](items []T, chance *rand.Rand) T {
	return items[chance.IntN(len(items))]
}
