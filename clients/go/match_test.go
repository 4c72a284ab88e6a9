package ordago_test

import (
	"slices"
	"testing"

	ordago "github.com/ordago/ordago/clients/go"
	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

func TestAMatchKnowsWhoPlaysWithWhom(t *testing.T) {
	match := ordago.NewMatch(&ordagov1.MatchStart{
		Game: "mus", Seat: 1,
		Players: []*ordagov1.Player{{Name: "ana"}, {Name: "ben", Side: 1}, {Name: "cleo"}, {Side: 1}},
	})
	if partners := match.Partners(); !slices.Equal(partners, []uint32{3}) {
		t.Errorf("partners %v", partners)
	}
	if opponents := match.Opponents(); !slices.Equal(opponents, []uint32{0, 2}) {
		t.Errorf("opponents %v", opponents)
	}
	if match.After(1) != 2 || match.After(3) != 0 {
		t.Errorf("after 1 comes %d, after 3 %d", match.After(1), match.After(3))
	}
	if match.Name(0) != "ana" || match.Name(3) != "seat 3" || match.Name(9) != "seat 9" {
		t.Errorf("names %q, %q, %q", match.Name(0), match.Name(3), match.Name(9))
	}
	if match.Cards() != ordago.Mus {
		t.Errorf("the cards of %s", match.Cards().Game())
	}
}

func TestAMatchThatSaysNothingOfItsPlayersDoesNoHarm(t *testing.T) {
	match := ordago.NewMatch(&ordagov1.MatchStart{Game: "a game of tomorrow", Seat: 7})
	if match.Partners() != nil || match.Opponents() != nil || match.After(0) != 0 {
		t.Error("there is nobody")
	}
	mustPanic(t, `the cards of the game "a game of tomorrow"`, func() { match.Cards() })
}
