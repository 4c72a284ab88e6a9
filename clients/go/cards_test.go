package ordago_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	ordago "github.com/ordago/ordago/clients/go"
	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

func TestACardIsToldByItsNameSignSuitAndRank(t *testing.T) {
	for card, told := range map[ordago.Card]string{
		ordagov1.Card_CARD_TEN_OF_HEARTS: "ten of hearts 10♥ SUIT_HEARTS 10",
		ordagov1.Card_CARD_KING_OF_CLUBS: "king of clubs K♣ SUIT_CLUBS 14",
		ordagov1.Card_CARD_REY_OF_BASTOS: "rey of bastos Rb SUIT_BASTOS 10",
		ordagov1.Card_CARD_FOOL:          "Fool O SUIT_UNSPECIFIED 0",
		120:                              "card 120 ? SUIT_UNSPECIFIED 0",
		-1:                               "card -1 ? SUIT_UNSPECIFIED 0",
	} {
		got := fmt.Sprintf("%s %s %v %d", ordago.Name(card), ordago.Sign(card), ordago.Suit(card), ordago.Rank(card))
		if got != told {
			t.Errorf("%d is told as %q, not %q", card, got, told)
		}
	}
	if ordago.SuitName(3) != "hearts" || ordago.SuitSign(3) != "♥" {
		t.Errorf("hearts are %s, %s", ordago.SuitName(3), ordago.SuitSign(3))
	}
	if ordago.SuitName(12) != "suit 12" || ordago.SuitSign(0) != "?" {
		t.Errorf("others are %s, %s", ordago.SuitName(12), ordago.SuitSign(0))
	}
}

func TestEveryCardOfTheContractIsKnown(t *testing.T) {
	for code, constant := range ordagov1.Card_name {
		if name := ordago.Name(ordago.Card(code)); code > 0 && strings.HasPrefix(name, "card") {
			t.Errorf("%s is called %q", constant, name)
		}
	}
}

func TestAHandIsSortedAsItIsHeldAndUnknownCardsComeLast(t *testing.T) {
	hand := []ordago.Card{
		130, ordagov1.Card_CARD_SIX_OF_SPADES, ordagov1.Card_CARD_KING_OF_CLUBS, 120, ordagov1.Card_CARD_ACE_OF_CLUBS,
	}
	sorted := ordago.Mittlere.Sorted(hand)
	expected := []ordago.Card{
		ordagov1.Card_CARD_ACE_OF_CLUBS, ordagov1.Card_CARD_KING_OF_CLUBS, ordagov1.Card_CARD_SIX_OF_SPADES, 120, 130,
	}
	if !slices.Equal(sorted, expected) || hand[0] != 130 {
		t.Errorf("%v was sorted to %v", hand, sorted)
	}
}

func TestCardsAreWorthWhatTheGameSays(t *testing.T) {
	plain, trump := ordago.Mittlere.Values("plain"), ordago.Mittlere.Values("trump")
	jack, ace := ordagov1.Card_CARD_JACK_OF_HEARTS, ordagov1.Card_CARD_ACE_OF_HEARTS
	if plain.Height(jack) >= plain.Height(ace) || trump.Height(jack) <= trump.Height(ace) {
		t.Error("a jack is high in trumps alone")
	}
	if plain.Points(jack) != 2 || trump.Points(jack) != 20 {
		t.Errorf("a jack counts %d and %d", plain.Points(jack), trump.Points(jack))
	}
}

func TestWhatIsNotOfAGameIsAMistakeOfTheProgram(t *testing.T) {
	plain := ordago.Mittlere.Values("plain")
	two := ordagov1.Card_CARD_TWO_OF_CLUBS
	mustPanic(t, "the two of clubs is not among the cards of mittlere plain", func() { plain.Height(two) })
	mustPanic(t, "the card 120 is not among", func() { plain.Points(120) })
	mustPanic(t, `the cards of mittlere have no values called "trumps"`, func() { ordago.Mittlere.Values("trumps") })
}

func TestGamesAreFoundByTheirShortNames(t *testing.T) {
	for _, cards := range []*ordago.GameCards{ordago.Mus, ordago.Mitaines, ordago.Mitigati, ordago.Mittlere, ordago.Taihe} {
		if found, known := ordago.CardsOf(cards.Game()); !known || found != cards {
			t.Errorf("%s was not found", cards.Game())
		}
		if pack := cards.Pack(); !slices.Equal(slices.Sorted(slices.Values(cards.Sorted(pack))), pack) {
			t.Errorf("the pack of %s is not what it was", cards.Game())
		}
	}
	if _, known := ordago.CardsOf("skat"); known {
		t.Error("skat is known")
	}
}

// mustPanic checks that a function panics, and with which words.
func mustPanic(t *testing.T, words string, function func()) {
	t.Helper()
	defer func() {
		if reason := fmt.Sprint(recover()); !strings.Contains(reason, words) {
			t.Errorf("it said %q, not %q", reason, words)
		}
	}()
	function()
}
