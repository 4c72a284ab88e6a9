// The random bot: it plays every game that a server offers at random, without knowing any.
package main

import (
	"context"

	ordago "github.com/ordago/ordago/clients/go"
)

type bot struct{}

func (bot) Choose(_ context.Context, decision *ordago.Decision) (*ordago.Answer, error) {
	actions := decision.GetActions()
	return ordago.Complete(actions[decision.Random.IntN(len(actions))], decision.Random), nil
}

func main() {
	newBot := func(*ordago.Match) (ordago.Bot, error) { return bot{}, nil }
	ordago.Main(newBot, ordago.Options{Name: "random-go", Version: ordago.Version})
}
