package ordago_test

import (
	"context"
	"errors"
	"testing"

	ordago "github.com/ordago/ordago/clients/go"
	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// threaded returns a player with threads.
func threaded(bot ordago.Bot) *ordago.Player {
	return ordago.NewPlayer(always(bot), ordago.PlayerOptions{Threads: 2})
}

func TestAMatchIsAnsweredWhileAnotherThinks(t *testing.T) {
	answered := make(chan uint32, 2)
	server := serve(t, &scripted{scene: func(stream stream) error {
		welcomed(stream, start(1, "a"), start(2, "b"), decision(1, 1), decision(2, 1))
		for len(answered) < 2 {
			request, err := stream.Recv()
			if err != nil {
				return err
			}
			for _, message := range request.GetMessages() {
				answered <- message.GetChoice().GetMatchHandle()
			}
		}
		return stream.Send(frameOf(&ordagov1.Goodbye{}))
	}})
	other := make(chan struct{})
	waits := choosing(func(decision *ordago.Decision) *ordago.Answer {
		if decision.GetMatchHandle() == 2 {
			close(other)
		}
		<-other
		return decision.GetDefaultAnswer()
	})
	within(t, func(ctx context.Context) {
		if _, err := server.Play(ctx, threaded(waits), nil); err != nil {
			t.Error(err)
		}
	})
	if first, second := <-answered, <-answered; first+second != 3 {
		t.Errorf("answered %d, then %d", first, second)
	}
}

func TestABotThatHeedsItsContextLeavesAtOnce(t *testing.T) {
	for name, make := range map[string]func(ordago.Bot) *ordago.Player{"alone": playerOf, "in a thread": threaded} {
		server, asked := asking(t)
		heeds := asker{choose: func(ctx context.Context) (*ordago.Answer, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}
		within(t, func(ctx context.Context) {
			ctx, leave := context.WithCancel(ctx)
			go func() {
				<-asked
				leave()
			}()
			if _, err := server.Play(ctx, make(heeds), nil); !errors.Is(err, context.Canceled) || errors.As(err, new(*ordago.BotError)) {
				t.Errorf("%s it ended with %v", name, err)
			}
		})
	}
}
