package ordago_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"os"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	ordago "github.com/ordago/ordago/clients/go"
	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

func TestMain(m *testing.M) {
	runBot()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(m.Run())
}

// choosing is a bot that is a function.
type choosing func(decision *ordago.Decision) *ordago.Answer

func (c choosing) Choose(_ context.Context, decision *ordago.Decision) (*ordago.Answer, error) {
	return c(decision), nil
}

// always is a factory that makes one bot.
func always(bot ordago.Bot) ordago.Factory {
	return func(*ordago.Match) (ordago.Bot, error) { return bot, nil }
}

func playerOf(bot ordago.Bot) *ordago.Player {
	return ordago.NewPlayer(always(bot), ordago.PlayerOptions{})
}

// anyNumber shows by its answers what chance it was given.
var anyNumber = choosing(func(decision *ordago.Decision) *ordago.Answer { return byNumber(decision.Random.Uint32()) })

func serverMessage(body any) *ordagov1.ServerMessage {
	switch body := body.(type) {
	case *ordagov1.Welcome:
		return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Welcome{Welcome: body}}
	case *ordagov1.MatchStart:
		return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_MatchStart{MatchStart: body}}
	case *ordagov1.Decision:
		return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Decision{Decision: body}}
	case *ordagov1.Refused:
		return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Refused{Refused: body}}
	case *ordagov1.Accepted:
		return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Accepted{Accepted: body}}
	case *ordagov1.Forfeited:
		return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Forfeited{Forfeited: body}}
	case *ordagov1.MatchEnd:
		return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_MatchEnd{MatchEnd: body}}
	case *ordagov1.Goodbye:
		return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Goodbye{Goodbye: body}}
	}
	return nil
}

func frameOf(bodies ...any) *ordagov1.PlayResponse {
	var frame ordagov1.PlayResponse
	for _, body := range bodies {
		frame.Messages = append(frame.Messages, serverMessage(body))
	}
	return &frame
}

func receive(player *ordago.Player, bodies ...any) []*ordagov1.BotMessage {
	reply, err := player.Receive(context.Background(), frameOf(bodies...), time.Now())
	if err != nil {
		panic(err)
	}
	return reply.GetMessages()
}

func start(handle uint32, seed string) *ordagov1.MatchStart {
	return &ordagov1.MatchStart{MatchHandle: handle, Seed: []byte(seed)}
}

func decision(handle, number uint32) *ordagov1.Decision {
	return &ordagov1.Decision{MatchHandle: handle, Number: number, DefaultAnswer: byNumber(77)}
}

func number(message *ordagov1.BotMessage) uint32 {
	return message.GetChoice().GetAnswer().GetLegalAction()
}

func TestChanceDependsOnTheSeedAndTheNumberOfTheDecisionAlone(t *testing.T) {
	whole := receive(playerOf(anyNumber), start(1, "seed"), decision(1, 1), decision(1, 2))
	again := receive(playerOf(anyNumber), start(7, "seed"), decision(7, 2))
	other := receive(playerOf(anyNumber), start(1, "other"), decision(1, 2))
	if number(whole[1]) != number(again[0]) {
		t.Error("a process that carries on in the middle has another chance")
	}
	if number(whole[0]) == number(whole[1]) || number(whole[1]) == number(other[0]) {
		t.Error("two decisions had the same chance")
	}
}

func TestADecisionKnowsItsMatch(t *testing.T) {
	asked := false
	receive(playerOf(choosing(func(decision *ordago.Decision) *ordago.Answer {
		asked = decision.Match.Name(0) == "ana"
		return decision.GetDefaultAnswer()
	})), &ordagov1.MatchStart{MatchHandle: 1, Players: []*ordagov1.Player{{Name: "ana"}}}, decision(1, 1))
	if !asked {
		t.Error("it did not")
	}
}

func TestADecisionOfAMatchThatWasNotAnnouncedIsLeftAlone(t *testing.T) {
	if replies := receive(playerOf(anyNumber), decision(1, 1)); replies != nil {
		t.Errorf("replied %v", replies)
	}
}

// retiring is a bot that retires when its match is over.
type retiring struct {
	choosing
	match *ordago.Match
}

func (r retiring) Ended(*ordago.MatchEnd) { r.match.Retire() }

func TestABotMayRetireWhenItsMatchIsOver(t *testing.T) {
	player := ordago.NewPlayer(func(match *ordago.Match) (ordago.Bot, error) {
		return retiring{anyNumber, match}, nil
	}, ordago.PlayerOptions{})
	player.Connect()
	replies := receive(player, &ordagov1.Welcome{}, start(1, "a"), &ordagov1.MatchEnd{MatchHandle: 1})
	if len(replies) != 1 || replies[0].GetRetire() == nil {
		t.Errorf("said %v", replies)
	}
}

// logTo lets the log go somewhere, everything, until the test is over.
func logTo(t *testing.T, output io.Writer) {
	usual := slog.Default()
	t.Cleanup(func() { slog.SetDefault(usual) })
	slog.SetDefault(slog.New(slog.NewTextHandler(output, &slog.HandlerOptions{Level: slog.LevelDebug})))
}

func TestChanceShortensTheBackOffAndLengthensThePauseOfAServer(t *testing.T) {
	lost := func(loss ordago.Loss) time.Duration {
		player := playerOf(anyNumber)
		player.Connect()
		loss.Status = codes.Unavailable
		return player.Lost(loss).Pause
	}
	if pause := lost(ordago.Loss{Jitter: 0.5}); pause != 187_500*time.Microsecond {
		t.Errorf("a pause of %v", pause)
	}
	if pause := lost(ordago.Loss{Jitter: 0.5, RetryAfter: time.Second}); pause != 1125*time.Millisecond {
		t.Errorf("a pause of %v after a second", pause)
	}
}

func TestWhoIsToldEverythingIsToldOfEachAnswerThatIsTaken(t *testing.T) {
	asked := func() []string { return playerOf(anyNumber).Connect().GetMessages()[0].GetHello().GetCapabilities() }
	if names := asked(); !slices.Equal(names, []string{"tacit_acceptance"}) {
		t.Errorf("asked for %q", names)
	}
	logTo(t, io.Discard)
	if names := asked(); len(names) > 0 {
		t.Errorf("asked for %q, with a verbose log", names)
	}
}

func TestANonceIsDrawnForEachPlayer(t *testing.T) {
	nonce := func() []byte { return playerOf(anyNumber).Connect().GetMessages()[0].GetHello().GetNonce() }
	if one, other := nonce(), nonce(); len(one) != 16 || bytes.Equal(one, other) {
		t.Errorf("nonces %x and %x", one, other)
	}
}
