package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

const draws = 500

func newChance() *rand.Rand {
	return rand.New(rand.NewPCG(1, 2))
}

func TestAmountsReachBothEndsAndStayWithin(t *testing.T) {
	chance, seen := newChance(), map[int32]bool{}
	for range draws {
		seen[*anyAmount(&ordagov1.AmountRange{Min: -1, Max: 2}, chance)] = true
	}
	if len(seen) != 4 || !seen[-1] || !seen[2] {
		t.Errorf("drew %v from -1 to 2", seen)
	}
	anyAmount(&ordagov1.AmountRange{Min: math.MinInt32, Max: math.MaxInt32}, chance)
}

func TestNoAmountWhereNoneIsOpen(t *testing.T) {
	if amount := anyAmount(nil, newChance()); amount != nil {
		t.Errorf("filled in %d", *amount)
	}
}

func TestEachGroupGetsItsNumberOfDifferentCards(t *testing.T) {
	// No generator knows the cards from 200 on: a newer server may offer them all the same.
	optional := &ordagov1.Pick{Cards: []ordagov1.Card{1, 2, 3}, Min: 0, Max: 3}
	exact := &ordagov1.Pick{Cards: []ordagov1.Card{200, 201, 202}, Min: 2, Max: 2}
	chance, optionalCounts := newChance(), map[int]bool{}
	for range draws {
		cards := anyCards([]*ordagov1.Pick{optional, exact}, chance)
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

func TestExtrasAreSaidNowAndThen(t *testing.T) {
	chance, said := newChance(), map[uint32]int{}
	for range draws {
		said[anyExtra([]*ordagov1.Extra{{Id: 1}, {Id: 2}}, chance)]++
	}
	if len(said) != 3 || said[0] < said[1]+said[2] {
		t.Errorf("said %v", said)
	}
}

func TestAGameThatNobodyKnowsIsPlayed(t *testing.T) {
	unknownArm := protowire.AppendTag(nil, 99, protowire.BytesType)
	unknownArm = protowire.AppendBytes(unknownArm, []byte("an action of another game"))
	var action ordagov1.Action
	if err := proto.Unmarshal(unknownArm, &action); err != nil {
		t.Fatal(err)
	}
	decision := &ordagov1.Decision{Actions: []*ordagov1.LegalAction{{Id: 7, Action: &action}}}
	if got := random(decision, newChance()).GetLegalAction(); got != 7 {
		t.Errorf("answered legal action %d", got)
	}
}

func count(cards, group []ordagov1.Card) int {
	number := 0
	for _, card := range cards {
		if slices.Contains(group, card) {
			number++
		}
	}
	return number
}

func repeats(cards []ordagov1.Card) bool {
	sorted := slices.Sorted(slices.Values(cards))
	return len(slices.Compact(sorted)) != len(cards)
}
