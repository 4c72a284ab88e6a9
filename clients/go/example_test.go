package ordago_test

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"testing"
	"time"

	ordago "github.com/ordago/ordago/clients/go"
	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
	"github.com/ordago/ordago/clients/go/ordagotest"
)

// searcher is a bot that looks further ahead as long as it has time.
type searcher struct {
	match *ordago.Match
	depth int
}

func (b *searcher) Choose(ctx context.Context, decision *ordago.Decision) (*ordago.Answer, error) {
	if end, isTimed := ctx.Deadline(); isTimed {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, end.Add(-100*time.Millisecond)) // The answer travels, too.
		defer cancel()
	}
	best := decision.GetActions()[0]
	for depth := 1; depth <= b.depth && ctx.Err() == nil; depth++ {
		best = b.search(ctx, decision, depth)
	}
	b.match.Logger().Debug("searched", "action", best.GetId())
	return ordago.Complete(best, decision.Random), nil
}

// Refused answers again after a refusal, instead of the default answer.
func (b *searcher) Refused(
	_ context.Context, decision *ordago.Decision, refusal *ordago.Refused,
) (*ordago.Answer, error) {
	b.match.Logger().Warn("refused", "because", refusal.GetSentence())
	return ordago.Complete(decision.GetActions()[0], decision.Random), nil
}

func (b *searcher) search(_ context.Context, decision *ordago.Decision, depth int) *ordago.LegalAction {
	actions := decision.GetActions()
	return actions[depth%len(actions)]
}

func ExampleRun() {
	flags := flag.NewFlagSet("my-bot", flag.ContinueOnError)
	depth := flags.Int("depth", 3, "how far it looks")
	newBot := func(match *ordago.Match) (ordago.Bot, error) { return &searcher{match, *depth}, nil }
	code := ordago.Run(context.Background(), []string{"--depth", "5", "--version"}, newBot, ordago.Options{
		Name:    "my-bot",
		Version: "0.1.0",
		Games:   []string{"mittlere", "mus"},
		Threads: 4,                                             // So many matches think at once.
		Logger:  slog.New(slog.NewJSONHandler(os.Stdout, nil)), // It gets the events of the log, too.
		Flags:   flags,                                         // Options of its own.
	})
	fmt.Println("exit code", code)
	// Output:
	// my-bot 0.1.0 (ordago go 0.1.0)
	// exit code 0
}

func ExampleServer_Play() {
	server := ordago.Server{Address: "nowhere"}
	newBot := func(match *ordago.Match) (ordago.Bot, error) { return &searcher{match, 3}, nil }
	player := ordago.NewPlayer(newBot, ordago.PlayerOptions{Name: "my-bot", OnError: ordago.DefaultOnError})
	_, err := server.Play(context.Background(), player, nil)
	fmt.Println(err)
	fmt.Println(player.Summary().Matches, "matches")
	// Output:
	// 'nowhere' is not HOST:PORT, [IPv6]:PORT or unix:PATH: it has no port
	// 0 matches
}

func ExampleAct() {
	fmt.Println(ordago.Act(&ordagov1.MittlereAction{Card: ordagov1.Card_CARD_TEN_OF_HEARTS}).GetAction().GetMittlere().GetCard())
	// Output: CARD_TEN_OF_HEARTS
}

func newBot(match *ordago.Match) (ordago.Bot, error) { return &searcher{match, 3}, nil }

func TestTheSearcherAnswersInTime(t *testing.T) {
	decisions, err := ordagotest.LoadDecisions("../vectors/decisions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, decision := range decisions {
		answer, err := ordagotest.Ask(t.Context(), newBot, decision)
		if err == nil {
			err = ordagotest.CheckLegal(decision.Decision, answer)
		}
		if err != nil {
			t.Errorf("%s, decision %d: %v", decision.Start.GetGame(), decision.Decision.GetNumber(), err)
		}
	}
}
