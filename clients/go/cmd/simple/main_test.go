package main

import (
	"testing"

	ordago "github.com/ordago/ordago/clients/go"
	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

const (
	sixOfClubs    = ordagov1.Card_CARD_SIX_OF_CLUBS
	tenOfClubs    = ordagov1.Card_CARD_TEN_OF_CLUBS
	jackOfClubs   = ordagov1.Card_CARD_JACK_OF_CLUBS
	kingOfClubs   = ordagov1.Card_CARD_KING_OF_CLUBS
	aceOfClubs    = ordagov1.Card_CARD_ACE_OF_CLUBS
	sixOfHearts   = ordagov1.Card_CARD_SIX_OF_HEARTS
	nineOfHearts  = ordagov1.Card_CARD_NINE_OF_HEARTS
	jackOfHearts  = ordagov1.Card_CARD_JACK_OF_HEARTS
	aceOfHearts   = ordagov1.Card_CARD_ACE_OF_HEARTS
	queenOfSpades = ordagov1.Card_CARD_QUEEN_OF_SPADES
	hearts        = ordagov1.Suit_SUIT_HEARTS
	none          = ordagov1.Suit_SUIT_UNSPECIFIED
)

func TestItPlaysByItsRules(t *testing.T) {
	for _, test := range []struct {
		shows        string
		trump        ordagov1.Suit
		trick, legal []ordago.Card
		plays        ordago.Card
	}{
		{"it leads the lowest card", none,
			nil, []ordago.Card{kingOfClubs, tenOfClubs, aceOfHearts}, tenOfClubs},
		{"of two that are as low the first", none,
			nil, []ordago.Card{sixOfHearts, sixOfClubs}, sixOfClubs},
		{"no trump, if it can", hearts, nil, []ordago.Card{sixOfHearts, aceOfClubs}, aceOfClubs},
		{"it loses as much as it can", none,
			[]ordago.Card{kingOfClubs}, []ordago.Card{sixOfClubs, tenOfClubs, aceOfClubs}, tenOfClubs},
		{"it takes with the cheapest", none,
			[]ordago.Card{tenOfClubs}, []ordago.Card{aceOfClubs, kingOfClubs}, kingOfClubs},
		{"a trump takes a trick", hearts,
			[]ordago.Card{aceOfClubs}, []ordago.Card{sixOfHearts, queenOfSpades}, queenOfSpades},
		{"another trump was better", hearts,
			[]ordago.Card{aceOfClubs, nineOfHearts}, []ordago.Card{aceOfHearts, jackOfHearts}, aceOfHearts},
		{"the first off-suit card sets the trump", none,
			[]ordago.Card{aceOfClubs}, []ordago.Card{queenOfSpades, jackOfClubs}, jackOfClubs},
	} {
		if played := play(t, test.trump, test.trick, test.legal); played != test.plays {
			t.Errorf("%s: it plays the %s", test.shows, ordago.Name(played))
		}
	}
}

// play returns the card that the bot plays.
func play(t *testing.T, trump ordagov1.Suit, trick, legal []ordago.Card) ordago.Card {
	view := &ordagov1.MittlereView{Trick: trick}
	if trump != none {
		view.Trump = &ordagov1.MittlereTrump{Suit: trump}
	}
	decision := &ordagov1.Decision{View: &ordagov1.View{Game: &ordagov1.View_Mittlere{Mittlere: view}}}
	for place, card := range legal {
		decision.Actions = append(decision.Actions, &ordago.LegalAction{
			Id: uint32(place + 1), Action: ordago.Act(&ordagov1.MittlereAction{Card: card}).GetAction(),
		})
	}
	answer, _ := bot{}.Choose(t.Context(), &ordago.Decision{Decision: decision})
	return answer.GetAction().GetMittlere().GetCard()
}
