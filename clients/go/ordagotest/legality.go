package ordagotest

import (
	"errors"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	ordago "github.com/ordago/ordago/clients/go"
	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// CheckLegal returns why an answer to a decision is not legal; nil if it is.
//
// An answer is legal if it takes a legal action by its number, fills in each open part within its bounds and nothing else,
// and names an extra of the decision or none; or if it is a typed action that is such an action, filled in. It concedes
// only where the decision allows it.
func CheckLegal(decision *ordagov1.Decision, answer *ordago.Answer) error {
	if answer.GetConcede() && !decision.GetMayConcede() {
		return errors.New("the match cannot be conceded")
	}
	switch choice := answer.GetActionChoice().(type) {
	case *ordagov1.Answer_LegalAction:
		return checkNumbered(decision, answer)
	case *ordagov1.Answer_Action:
		if answer.Amount != nil || len(answer.GetCards()) > 0 || answer.GetExtra() > 0 {
			return errors.New("a typed action has its parts inside, and nothing beside it")
		}
		return checkTyped(decision, choice.Action)
	}
	return errors.New("the answer names no action")
}

func checkNumbered(decision *ordagov1.Decision, answer *ordago.Answer) error {
	place := slices.IndexFunc(decision.GetActions(), func(action *ordago.LegalAction) bool {
		return action.GetId() == answer.GetLegalAction()
	})
	hasExtra := answer.GetExtra() == 0 || slices.ContainsFunc(decision.GetExtras(), func(extra *ordagov1.Extra) bool {
		return extra.GetId() == answer.GetExtra()
	})
	switch {
	case place < 0:
		return fmt.Errorf("there is no legal action %d", answer.GetLegalAction())
	case !hasExtra:
		return fmt.Errorf("there is no extra %d", answer.GetExtra())
	}
	return checkParts(decision.GetActions()[place], answer.Amount, answer.GetCards())
}

// checkParts checks the parts that an action leaves open; amount is nil where none is given.
func checkParts(action *ordago.LegalAction, amount *int32, given []ordago.Card) error {
	bounds := action.GetAmount()
	switch {
	case bounds == nil && amount != nil:
		return errors.New("the action takes no amount")
	case bounds != nil && (amount == nil || *amount < bounds.GetMin() || *amount > bounds.GetMax()):
		return fmt.Errorf("the action takes an amount from %d to %d", bounds.GetMin(), bounds.GetMax())
	}
	cards := slices.Sorted(slices.Values(given))
	if len(slices.Compact(cards)) != len(given) {
		return errors.New("a card is there twice")
	}
	picked := 0
	for _, pick := range action.GetPicks() {
		number := 0
		for _, card := range given {
			if slices.Contains(pick.GetCards(), card) {
				number++
			}
		}
		if number < int(pick.GetMin()) || number > int(pick.GetMax()) {
			return fmt.Errorf("between %d and %d cards of a group are to be picked, not %d", pick.GetMin(), pick.GetMax(), number)
		}
		picked += number
	}
	if picked != len(given) {
		return errors.New("a card is there that is not offered")
	}
	return nil
}

// checkTyped checks whether a typed action is a legal one, filled in.
func checkTyped(decision *ordagov1.Decision, action *ordagov1.Action) error {
	var reasons []error
	for _, legal := range decision.GetActions() {
		typed := takeApart(decision, legal, action)
		if !typed.isEqual(legal.GetAction()) {
			continue
		}
		err := checkParts(legal, typed.amount, typed.cards)
		if err == nil {
			return nil
		}
		reasons = append(reasons, err)
	}
	if reasons != nil {
		return reasons[0]
	}
	return errors.New("the typed action is none of the legal actions")
}

// apart is a typed action without the parts that a legal action leaves open, and these.
type apart struct {
	action *ordagov1.Action
	amount *int32
	cards  []ordago.Card
}

// takeApart takes the open parts and the extra out of a typed action.
func takeApart(decision *ordagov1.Decision, legal *ordago.LegalAction, action *ordagov1.Action) apart {
	taken := apart{action: proto.CloneOf(action)}
	arm := armOf(taken.action)
	if arm == nil {
		return taken
	}
	field := func(name protoreflect.Name) protoreflect.FieldDescriptor {
		return arm.Descriptor().Fields().ByName(name)
	}
	if amount := field("amount"); legal.GetAmount() != nil && amount != nil && arm.Has(amount) {
		number := numberOf(arm.Get(amount))
		taken.amount = &number
		arm.Clear(amount)
	}
	for _, name := range []protoreflect.Name{"card", "cards"} {
		if cards := field(name); len(legal.GetPicks()) > 0 && cards != nil && arm.Has(cards) {
			taken.cards = append(taken.cards, cardsOf(arm.Get(cards))...)
			arm.Clear(cards)
		}
	}
	for _, extra := range decision.GetExtras() {
		said := armOf(extra.GetAction())
		if said == nil {
			continue
		}
		said.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
			if arm.Descriptor() == field.Parent() && arm.Get(field).Equal(value) {
				arm.Clear(field)
			}
			return true
		})
	}
	return taken
}

// isEqual reports whether the action is a legal one. The order of its cards does not count.
func (a apart) isEqual(legal *ordagov1.Action) bool {
	return proto.Equal(inOrder(a.action), inOrder(legal))
}

func inOrder(action *ordagov1.Action) *ordagov1.Action {
	ordered := proto.CloneOf(action)
	arm := armOf(ordered)
	if arm == nil {
		return ordered
	}
	if field := arm.Descriptor().Fields().ByName("cards"); field != nil && arm.Has(field) {
		list := arm.Mutable(field).List()
		for place, card := range slices.Sorted(slices.Values(cardsOf(arm.Get(field)))) {
			list.Set(place, protoreflect.ValueOfEnum(card.Number()))
		}
	}
	return ordered
}

// armOf returns the action of the game itself; nil for one that is not known here.
func armOf(action *ordagov1.Action) protoreflect.Message {
	whole := action.ProtoReflect()
	arm := whole.WhichOneof(whole.Descriptor().Oneofs().ByName("game"))
	if arm == nil {
		return nil
	}
	return whole.Mutable(arm).Message()
}

func numberOf(value protoreflect.Value) int32 {
	if number, isUnsigned := value.Interface().(uint32); isUnsigned {
		return int32(min(number, 1<<31-1))
	}
	return int32(value.Int())
}

// cardsOf returns the cards of a field with one card or with many.
func cardsOf(value protoreflect.Value) []ordago.Card {
	list, isList := value.Interface().(protoreflect.List)
	if !isList {
		return []ordago.Card{ordago.Card(value.Enum())}
	}
	var cards []ordago.Card
	for place := range list.Len() {
		cards = append(cards, ordago.Card(list.Get(place).Enum()))
	}
	return cards
}
