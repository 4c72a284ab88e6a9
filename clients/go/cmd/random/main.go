// The random bot: it plays every game that a server offers at random, without knowing any.
package main

import ordago "github.com/ordago/ordago/clients/go"

type bot struct{}

func (bot) Choose(decision *ordago.Decision) *ordago.Answer {
	actions := decision.GetActions()
	return ordago.Complete(actions[decision.Random.IntN(len(actions))], decision.Random)
}

func main() {
	ordago.Run(func(*ordago.Match) ordago.Bot { return bot{} }, "random-go", ordago.Version)
}
