package ordago

import (
	"math/rand/v2"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// GameAction is an action of one of the games.
type GameAction interface {
	*ordagov1.MitainesAction | *ordagov1.MitigatiAction | *ordagov1.MittlereAction | *ordagov1.MusAction |
		*ordagov1.TaiheAction
}

// Take returns an answer that names a legal action. Parts that the action leaves open can be set afterwards: the Amount
// and the Cards of the answer.
func Take(action *LegalAction) *Answer {
	return &Answer{ActionChoice: &ordagov1.Answer_LegalAction{LegalAction: action.GetId()}}
}

// Complete returns an answer that names a legal action, and fills its open parts at random.
func Complete(action *LegalAction, random *rand.Rand) *Answer {
	answer := Take(action)
	if amounts := action.GetAmount(); amounts != nil {
		// A range may have more numbers than an int32 can count.
		amount := int32(between(int64(amounts.GetMin()), int64(amounts.GetMax()), random))
		answer.Amount = &amount
	}
	for _, pick := range action.GetPicks() {
		offered := pick.GetCards()
		count := between(int64(pick.GetMin()), int64(pick.GetMax()), random)
		for _, place := range random.Perm(len(offered))[:min(int(count), len(offered))] {
			answer.Cards = append(answer.Cards, offered[place])
		}
	}
	return answer
}

// between returns a random number from a range, both ends included; the first if the server confused the ends.
func between(least, most int64, random *rand.Rand) int64 {
	return least + random.Int64N(max(0, most-least)+1)
}

// Act returns an answer with a complete action of a game, for instance &ordagov1.MittlereAction{Card: card}.
func Act[A GameAction](action A) *Answer {
	var whole ordagov1.Action
	switch action := any(action).(type) {
	case *ordagov1.MitainesAction:
		whole.Game = &ordagov1.Action_Mitaines{Mitaines: action}
	case *ordagov1.MitigatiAction:
		whole.Game = &ordagov1.Action_Mitigati{Mitigati: action}
	case *ordagov1.MittlereAction:
		whole.Game = &ordagov1.Action_Mittlere{Mittlere: action}
	case *ordagov1.MusAction:
		whole.Game = &ordagov1.Action_Mus{Mus: action}
	case *ordagov1.TaiheAction:
		whole.Game = &ordagov1.Action_Taihe{Taihe: action}
	}
	return &Answer{ActionChoice: &ordagov1.Answer_Action{Action: &whole}}
}
