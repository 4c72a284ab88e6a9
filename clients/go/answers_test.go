package ordago_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	ordago "github.com/ordago/ordago/clients/go"
	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

const draws = 500

func newRandom() *rand.Rand {
	return rand.New(rand.NewPCG(1, 2))
}

func TestAmountsReachBothEndsAndStayWithin(t *testing.T) {
	random, seen := newRandom(), map[int32]bool{}
	for range draws {
		seen[*ordago.Complete(withAmount(-1, 2), random).Amount] = true
	}
	if len(seen) != 4 || !seen[-1] || !seen[2] {
		t.Errorf("drew %v from -1 to 2", seen)
	}
	ordago.Complete(withAmount(math.MinInt32, math.MaxInt32), random)
}

func withAmount(least, most int32) *ordago.LegalAction {
	return &ordago.LegalAction{Id: 1, Amount: &ordagov1.AmountRange{Min: least, Max: most}}
}

func TestNothingIsFilledInWhereNothingIsOpen(t *testing.T) {
	if answer := ordago.Complete(&ordago.LegalAction{Id: 3}, newRandom()); !proto.Equal(answer, byNumber(3)) {
		t.Errorf("answered %v", answer)
	}
}

func byNumber(number uint32) *ordago.Answer {
	return &ordago.Answer{ActionChoice: &ordagov1.Answer_LegalAction{LegalAction: number}}
}

func TestEachGroupGetsItsNumberOfDifferentCards(t *testing.T) {
	// Nobody here knows the cards from 200 on: a newer server may offer them all the same.
	optional := &ordagov1.Pick{Cards: []ordago.Card{1, 2, 3}, Min: 0, Max: 3}
	exact := &ordagov1.Pick{Cards: []ordago.Card{200, 201, 202}, Min: 2, Max: 2}
	action := &ordago.LegalAction{Id: 1, Picks: []*ordagov1.Pick{optional, exact}}
	random, optionalCounts := newRandom(), map[int]bool{}
	for range draws {
		cards := ordago.Complete(action, random).GetCards()
		fromExact := count(cards, exact.Cards)
		if fromExact != 2 || fromExact+count(cards, optional.Cards) != len(cards) || repeats(cards) {
			t.Fatalf("picked %v", cards)
		}
		optionalCounts[len(cards)-fromExact] = true
	}
	if len(optionalCounts) != 4 {
		t.Errorf("picked %v cards of 0 to 3", optionalCounts)
	}
}

func count(cards, group []ordago.Card) int {
	return len(cards) - len(slices.DeleteFunc(slices.Clone(cards), func(card ordago.Card) bool {
		return slices.Contains(group, card)
	}))
}

func repeats(cards []ordago.Card) bool {
	return len(slices.Compact(slices.Sorted(slices.Values(cards)))) != len(cards)
}

func TestAServerThatConfusesTheEndsOfARangeDoesNotEndTheBot(t *testing.T) {
	action := withAmount(5, -5)
	action.Picks = []*ordagov1.Pick{{Cards: []ordago.Card{1}, Min: math.MaxUint32, Max: 0}, {Max: 3}}
	answer := ordago.Complete(action, newRandom())
	if answer.GetAmount() != 5 || len(answer.GetCards()) != 1 {
		t.Errorf("answered %v", answer)
	}
}

func TestAGameThatNobodyKnowsIsPlayed(t *testing.T) {
	unknownArm := protowire.AppendTag(nil, 99, protowire.BytesType)
	unknownArm = protowire.AppendBytes(unknownArm, []byte("an action of another game"))
	var action ordagov1.Action
	if err := proto.Unmarshal(unknownArm, &action); err != nil {
		t.Fatal(err)
	}
	legal := &ordago.LegalAction{Id: 7, Action: &action}
	if answer := ordago.Complete(legal, newRandom()); !proto.Equal(answer, byNumber(7)) {
		t.Errorf("answered %v", answer)
	}
}

func TestATypedActionStandsInTheArmOfItsGame(t *testing.T) {
	arms := map[string]*ordago.Answer{
		"mus":      ordago.Act(&ordagov1.MusAction{}),
		"mitaines": ordago.Act(&ordagov1.MitainesAction{}),
		"mitigati": ordago.Act(&ordagov1.MitigatiAction{}),
		"mittlere": ordago.Act(&ordagov1.MittlereAction{}),
		"taihe":    ordago.Act(&ordagov1.TaiheAction{}),
	}
	for game, answer := range arms {
		action := answer.GetAction().ProtoReflect()
		arm := action.WhichOneof(action.Descriptor().Oneofs().ByName("game"))
		if arm == nil || string(arm.Name()) != game {
			t.Errorf("an action of %s stands in %v", game, arm)
		}
	}
	// Every game of the contract can be answered so; "other" is for those of other packages.
	if fields := (&ordagov1.Action{}).ProtoReflect().Descriptor().Fields(); fields.Len() != len(arms)+1 {
		t.Errorf("there are %d arms", fields.Len())
	}
}
