package ordago

import (
	"cmp"
	"fmt"
	"slices"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

type suitFacts struct {
	name, sign string
}

type cardFacts struct {
	name, sign string
	suit       ordagov1.Suit
	rank       int
}

// Suit returns the suit of a card; that of the Fool, and of cards that a newer server knows, is SUIT_UNSPECIFIED.
func Suit(card Card) ordagov1.Suit {
	return factsOf(card).suit
}

// Rank returns the rank of a card within its suit, from 1; that of the Fool, and of cards that a newer server knows, is 0.
func Rank(card Card) int {
	return factsOf(card).rank
}

// Sign returns the short sign of a card, for instance "10♥"; "?" for cards that only a newer server knows.
func Sign(card Card) string {
	return cmp.Or(factsOf(card).sign, "?")
}

// Name returns the name of a card, for instance "ten of hearts"; "card 120" for one that only a newer server knows.
func Name(card Card) string {
	return cmp.Or(factsOf(card).name, fmt.Sprint("card ", int32(card)))
}

// SuitSign returns the sign of a suit, for instance "♥"; "?" for one that only a newer server knows.
func SuitSign(suit ordagov1.Suit) string {
	return cmp.Or(at(suits[:], suit).sign, "?")
}

// SuitName returns the name of a suit, for instance "hearts"; "suit 12" for one that only a newer server knows.
func SuitName(suit ordagov1.Suit) string {
	return cmp.Or(at(suits[:], suit).name, fmt.Sprint("suit ", int32(suit)))
}

func factsOf(card Card) cardFacts {
	return at(cards[:], card)
}

// at returns what stands in a table at a number, and nothing where the table does not reach.
func at[Facts any, Number ~int32](table []Facts, number Number) (facts Facts) {
	if number >= 0 && int(number) < len(table) {
		facts = table[number]
	}
	return facts
}

// GameCards is the cards of a game.
type GameCards struct {
	game   string
	pack   []Card
	places map[Card]int
	values map[string]*Values
}

// Values has the values of the cards of a game under a condition.
type Values struct {
	name            string
	heights, points map[Card]int
}

// worth has the values of the cards of a pack, in its order.
type worth struct {
	name            string
	heights, points []int
}

func newGameCards(game string, pack, held []Card, values ...worth) *GameCards {
	cards := &GameCards{game, pack, map[Card]int{}, map[string]*Values{}}
	for place, card := range held {
		cards.places[card] = place
	}
	for _, worth := range values {
		named := &Values{game + " " + worth.name, map[Card]int{}, map[Card]int{}}
		for place, card := range pack {
			named.heights[card], named.points[card] = worth.heights[place], worth.points[place]
		}
		cards.values[worth.name] = named
	}
	return cards
}

// CardsOf returns the cards of a game by its short name, and whether this library knows it.
func CardsOf(game string) (*GameCards, bool) {
	place := slices.IndexFunc(games, func(cards *GameCards) bool { return cards.game == game })
	if place < 0 {
		return nil, false
	}
	return games[place], true
}

// Game returns the short name of the game.
func (c *GameCards) Game() string {
	return c.game
}

// Pack returns all cards of the game, ascending by code.
func (c *GameCards) Pack() []Card {
	return slices.Clone(c.pack)
}

// Sorted returns cards in the order in which a player holds them. Those that are not of the game come last.
func (c *GameCards) Sorted(cards []Card) []Card {
	return slices.SortedStableFunc(slices.Values(cards), func(one, other Card) int {
		return cmp.Or(c.place(one)-c.place(other), int(one-other))
	})
}

func (c *GameCards) place(card Card) int {
	if place, known := c.places[card]; known {
		return place
	}
	return len(c.places)
}

// Values returns what the cards are worth under the condition of that name. It panics if the game has no such values.
func (c *GameCards) Values(name string) *Values {
	values, known := c.values[name]
	if !known {
		panic(fmt.Sprintf("ordago: the cards of %s have no values called %q", c.game, name))
	}
	return values
}

// Height returns how high a card stands, from 0; cards that are equal have equal heights. It panics if the card is not of
// the game.
func (v *Values) Height(card Card) int {
	return v.of(v.heights, card)
}

// Points returns what a card counts, 0 for nothing. It panics if the card is not of the game.
func (v *Values) Points(card Card) int {
	return v.of(v.points, card)
}

func (v *Values) of(numbers map[Card]int, card Card) int {
	number, known := numbers[card]
	if !known {
		panic(fmt.Sprintf("ordago: the %s is not among the cards of %s", Name(card), v.name))
	}
	return number
}
