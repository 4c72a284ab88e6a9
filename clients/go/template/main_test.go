package main

import (
	"math/rand/v2"
	"testing"

	ordago "github.com/ordago/ordago/clients/go"
	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

func TestItTakesALegalAction(t *testing.T) {
	match := ordago.NewMatch(&ordagov1.MatchStart{Game: "mittlere"})
	decision := &ordago.Decision{
		Decision: &ordagov1.Decision{Actions: []*ordago.LegalAction{{Id: 1}, {Id: 2}}},
		Match:    match,
		Random:   rand.New(rand.NewPCG(1, 2)),
	}
	bot, err := newBot(match)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := bot.Choose(t.Context(), decision)
	if err != nil {
		t.Fatal(err)
	}
	if action := answer.GetLegalAction(); action != 1 && action != 2 {
		t.Errorf("it takes the legal action %d", action)
	}
}
