// The search bot: it plays every game by searching with the rules service, without knowing any. `ordago rules -- search`
// starts both; ORDAGO_RULES is the address of the service.
package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"time"

	ordago "github.com/ordago/ordago/clients/go"
	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

const (
	playouts    = 1000
	longestTime = 2 * time.Second
)

// bot takes the action with the greatest lead at the end of the deal, over random playouts in worlds that fit its view.
type bot struct {
	rules ordagov1.RulesServiceClient
}

func (b bot) Choose(ctx context.Context, decision *ordago.Decision) (*ordago.Answer, error) {
	actions := decision.GetActions()
	if len(actions) == 1 && actions[0].GetAmount() == nil && len(actions[0].GetPicks()) == 0 {
		return ordago.Complete(actions[0], decision.Random), nil
	}
	found, err := b.rules.EvaluateActions(ctx, &ordagov1.EvaluateActionsRequest{
		Situation: &ordagov1.Situation{
			Game: decision.Match.GetGame(),
			Seat: decision.GetSeat(),
			View: decision.GetView(),
		},
		Worlds:       playouts,
		MostPlayouts: playouts,
		TimeMs:       uint32(timeFor(ctx).Milliseconds()),
		Seed:         binary.BigEndian.AppendUint64(nil, decision.Random.Uint64()),
	})
	if err != nil {
		return nil, fmt.Errorf("the rules service: %w", err)
	}
	best := found.GetValues()[found.GetBest()].GetAction()
	return &ordago.Answer{ActionChoice: &ordagov1.Answer_Action{Action: best}}, nil
}

// timeFor returns the time to search: a quarter of what is left, since a bank has to last for the whole match.
func timeFor(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return longestTime
	}
	return max(time.Millisecond, min(longestTime, time.Until(deadline)/4))
}

func main() {
	address := os.Getenv("ORDAGO_RULES")
	if address == "" {
		fmt.Fprintln(os.Stderr, "search: start it by `ordago rules -- search`, or set ORDAGO_RULES to the address of the rules")
		os.Exit(2)
	}
	connection, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		fmt.Fprintln(os.Stderr, "search: ORDAGO_RULES:", err)
		os.Exit(2)
	}
	rules := ordagov1.NewRulesServiceClient(connection)
	newBot := func(*ordago.Match) (ordago.Bot, error) { return bot{rules}, nil }
	ordago.Main(newBot, ordago.Options{Name: "search-go", Version: ordago.Version})
}
