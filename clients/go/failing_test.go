package ordago_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	ordago "github.com/ordago/ordago/clients/go"
	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// asker is a bot whose methods are functions.
type asker struct {
	choose, refused func(ctx context.Context) (*ordago.Answer, error)
	ended           func()
}

func (a asker) Choose(ctx context.Context, _ *ordago.Decision) (*ordago.Answer, error) {
	return a.choose(ctx)
}

func (a asker) Refused(ctx context.Context, _ *ordago.Decision, _ *ordago.Refused) (*ordago.Answer, error) {
	return a.refused(ctx)
}

func (a asker) Ended(*ordago.MatchEnd) { a.ended() }

// deciding plays one decision with a bot, refuses the answer, ends the match, and returns the frames and the log.
func deciding(factory ordago.Factory, onError ordago.OnError) (answers []uint32, log string, err error) {
	var lines strings.Builder
	player := ordago.NewPlayer(factory, ordago.PlayerOptions{
		OnError: onError, Logger: slog.New(slog.NewTextHandler(&lines, nil)),
	})
	player.Connect()
	for _, body := range []any{
		&ordagov1.Welcome{}, &ordagov1.MatchStart{MatchHandle: 1, MatchId: "m"}, decision(1, 1),
		&ordagov1.Refused{MatchHandle: 1, Number: 1, TimeLeftMs: 5}, &ordagov1.MatchEnd{MatchHandle: 1},
	} {
		sent, err := player.Receive(context.Background(), frameOf(body), time.Now())
		if err != nil {
			return answers, lines.String(), err
		}
		for _, message := range sent.GetMessages() {
			answers = append(answers, number(message))
		}
	}
	return answers, lines.String(), nil
}

var errNoIdea = errors.New("no idea")

// failures are bots that fail in each call, by the words with which they do.
func failures() map[string]asker {
	bots := map[string]asker{}
	for words, choose := range map[string]func(context.Context) (*ordago.Answer, error){
		"no idea":                    func(context.Context) (*ordago.Answer, error) { return nil, errNoIdea },
		"out of cards":               func(context.Context) (*ordago.Answer, error) { panic("out of cards") },
		"it returned no answer":      func(context.Context) (*ordago.Answer, error) { return nil, nil },
		"its answer names no action": func(context.Context) (*ordago.Answer, error) { return &ordago.Answer{Extra: 1}, nil },
		"invalid memory address": func(context.Context) (*ordago.Answer, error) {
			var none *ordago.Answer
			return &ordago.Answer{Extra: none.Extra}, nil
		},
		"context deadline exceeded": func(context.Context) (*ordago.Answer, error) { return nil, context.DeadlineExceeded },
		// Of the bot's own, not of the context that it got.
		"context canceled": func(context.Context) (*ordago.Answer, error) { return nil, context.Canceled },
	} {
		bots[words] = asker{choose, choose, func() { panic(words) }}
	}
	return bots
}

func TestABotThatFailsEndsTheSessionWithItsErrorAndItsTrace(t *testing.T) {
	for words, bot := range failures() {
		_, _, err := deciding(always(bot), ordago.StopOnError)
		var failure *ordago.BotError
		if !errors.As(err, &failure) || !strings.Contains(err.Error(), "match m, decision 1: the bot failed: ") {
			t.Fatalf("%s: it ended with %v", words, err)
		}
		if !strings.Contains(failure.Err.Error(), words) || failure.Decision.GetNumber() != 1 || failure.Trace == "" {
			t.Errorf("%s: it failed by %+v", words, failure)
		}
	}
}

func TestABotThatFailsMayGoOnByDefaultAnswers(t *testing.T) {
	for words, bot := range failures() {
		answers, log, err := deciding(always(bot), ordago.DefaultOnError)
		if err != nil || len(answers) != 2 || answers[0] != 77 || answers[1] != 77 {
			t.Errorf("%s: it answered %v, %v", words, answers, err)
		}
		// At the decision, at its refusal, and when it ends; the trace and the decision once.
		for word, times := range map[string]int{"event=failed": 3, "trace=": 1, "asked=": 1, "default answer is taken: ": 2} {
			if strings.Count(log, word) != times {
				t.Errorf("%s: %q is there %d times in %s", words, word, strings.Count(log, word), log)
			}
		}
	}
}

func TestABotThatCannotBeMadeGetsNoCalls(t *testing.T) {
	for words, factory := range map[string]ordago.Factory{
		"no idea":            func(*ordago.Match) (ordago.Bot, error) { return nil, errNoIdea },
		"out of cards":       func(*ordago.Match) (ordago.Bot, error) { panic("out of cards") },
		"there is no bot":    func(*ordago.Match) (ordago.Bot, error) { return nil, nil },
		"half of it is here": func(*ordago.Match) (ordago.Bot, error) { return anyNumber, errors.New("half of it is here") },
	} {
		answers, log, err := deciding(factory, ordago.DefaultOnError)
		if err != nil || len(answers) != 2 || answers[0] != 77 || answers[1] != 77 {
			t.Errorf("%s: it answered %v, %v", words, answers, err)
		}
		if strings.Count(log, "event=failed") != 1 ||
			!strings.Contains(log, "match m: the bot failed at its start, and default answers are taken: "+words) {
			t.Errorf("%s: it logged %s", words, log)
		}
		if _, _, err = deciding(factory, ordago.StopOnError); !strings.Contains(err.Error(), "match m: the bot failed: "+words) {
			t.Errorf("%s: it ended with %v", words, err)
		}
	}
}

func TestADefaultAnswerThatNamesNoActionIsAnAnswer(t *testing.T) {
	empty := &ordagov1.Decision{MatchHandle: 1, Number: 1, DefaultAnswer: &ordago.Answer{Extra: 3}}
	player := playerOf(choosing(func(decision *ordago.Decision) *ordago.Answer { return decision.GetDefaultAnswer() }))
	if sent := receive(player, start(1, "a"), empty); sent[0].GetChoice().GetAnswer().GetExtra() != 3 {
		t.Errorf("it sent %v", sent)
	}
}

func TestErrorsAreFoundInAFailure(t *testing.T) {
	_, _, err := deciding(always(failures()["no idea"]), ordago.StopOnError)
	if !errors.Is(err, errNoIdea) {
		t.Errorf("it ended with %v", err)
	}
}

func TestAStrictBotEndsWithOneIfSomethingWentWrong(t *testing.T) {
	accepted := &ordagov1.Accepted{MatchHandle: 1, Number: 1, Fault: ordagov1.Fault_FAULT_TOO_LATE}
	for name, test := range map[string]struct {
		bodies []any
		code   int
	}{
		"nothing": {nil, ordago.ExitOK}, "default": {[]any{accepted}, ordago.ExitFailed},
		"refused": {[]any{&ordagov1.Refused{MatchHandle: 1, Number: 1}}, ordago.ExitFailed},
		"forfeit": {[]any{&ordagov1.Forfeited{MatchHandle: 1}}, ordago.ExitFailed},
	} {
		t.Run(name, func(t *testing.T) {
			server := oneDecision(t, test.bodies...)
			for option, code := range map[string]int{"--strict": test.code, "--verbose": ordago.ExitOK} {
				within(t, func(ctx context.Context) {
					if ended := run(ctx, "default", option, "--address", server.Address); ended != code {
						t.Errorf("with %s it ended with %d", option, ended)
					}
				})
			}
		})
	}
}

// run runs a bot as a program, and returns its exit code.
func run(ctx context.Context, name string, arguments ...string) int {
	return ordago.Run(ctx, arguments, always(bots[name]), ordago.Options{Name: name})
}

func TestABotThatFailsEndsWithOneOrGoesOn(t *testing.T) {
	for option, code := range map[string]int{"stop": ordago.ExitFailed, "default": ordago.ExitOK, "other": ordago.ExitUsage} {
		server := oneDecision(t)
		within(t, func(ctx context.Context) {
			if ended := run(ctx, "panicking", "--on-error", option, "--address", server.Address); ended != code {
				t.Errorf("with %s it ended with %d", option, ended)
			}
		})
	}
}
