package ordago_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	ordago "github.com/ordago/ordago/clients/go"
	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// bots are those that this program plays with, in place of its tests, where the environment names one.
var bots = map[string]choosing{
	"panicking": func(*ordago.Decision) *ordago.Answer { panic("no idea") },
	"hanging":   func(*ordago.Decision) *ordago.Answer { select {} },
	"default":   func(decision *ordago.Decision) *ordago.Answer { return decision.GetDefaultAnswer() },
}

const botVariable = "BOT_OF_THE_TESTS"

// runBot runs the bot that the environment names, if it names one. It has an option of its own.
func runBot() {
	bot, named := bots[os.Getenv(botVariable)]
	if !named {
		return
	}
	flags := flag.NewFlagSet("bot", flag.ContinueOnError)
	flags.Int("depth", 1, "how far it looks")
	ordago.Main(always(bot), ordago.Options{Name: "bot", Version: "1", Games: []string{"mittlere"}, Flags: flags})
}

// process starts this program as a bot.
func process(ctx context.Context, name string, arguments ...string) (*exec.Cmd, *strings.Builder) {
	bot := exec.CommandContext(ctx, os.Args[0], arguments...)
	bot.Env = append(os.Environ(), botVariable+"="+name)
	var said strings.Builder
	bot.Stdout, bot.Stderr = &said, &said
	return bot, &said
}

func exitCode(err error) int {
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		return ended.ExitCode()
	}
	return 0
}

// asking is a server that asks each bot a question.
func asking(t *testing.T) (ordago.Server, <-chan struct{}) {
	asked := make(chan struct{})
	server := serve(t, &scripted{scene: func(stream stream) error {
		welcomed(stream, start(1, "a"), decision(1, 1))
		close(asked)
		<-stream.Context().Done()
		return nil
	}})
	return server, asked
}

func TestABotThatPanicsEndsWithItsStackTraceAsTextAndExitCodeOne(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		server, _ := asking(t)
		within(t, func(ctx context.Context) {
			bot, said := process(ctx, "panicking", "--address", server.Address)
			bot.Env = append(bot.Environ(), "ORDAGO_LOG="+format)
			if code := exitCode(bot.Run()); code != ordago.ExitFailed {
				t.Errorf("it ended with %d", code)
			}
			if !strings.Contains(said.String(), "/run_test.go:") ||
				!strings.HasSuffix(said.String(), "\nmatch , decision 1: the bot failed: no idea\n") {
				t.Errorf("it said %s", said)
			}
		})
	}
}

func TestABotThatThinksForEverEndsWhenItIsToldToLeave(t *testing.T) {
	server, asked := asking(t)
	within(t, func(ctx context.Context) {
		bot, said := process(ctx, "hanging", "--address", server.Address)
		if err := bot.Start(); err != nil {
			t.Error(err)
			return
		}
		<-asked
		// Of two that are the same the system may make one.
		_ = errors.Join(bot.Process.Signal(syscall.SIGINT), bot.Process.Signal(syscall.SIGTERM))
		if code := exitCode(bot.Wait()); code != ordago.ExitInterrupted {
			t.Errorf("it ended with %d and said %s", code, said)
		}
	})
}

func TestAWrongCommandLineIsToldWithTheUsage(t *testing.T) {
	for sentence, arguments := range map[string][]string{
		"--adress: there is no such option":                            {"--adress", "here:1"},
		"--token-file: none cannot be used: no such file or directory": {"--token-file", "none"},
	} {
		within(t, func(ctx context.Context) {
			bot, said := process(ctx, "hanging", arguments...)
			if code := exitCode(bot.Run()); code != ordago.ExitUsage {
				t.Errorf("it ended with %d", code)
			}
			if said.String() != "usage: bot [options]; --help lists them\nerror: "+sentence+"\n" {
				t.Errorf("it said %s", said)
			}
		})
	}
}

func TestABotMayHaveOptionsOfItsOwn(t *testing.T) {
	within(t, func(ctx context.Context) {
		bot, said := process(ctx, "hanging", "--depth", "3", "--help")
		if code := exitCode(bot.Run()); code != ordago.ExitOK {
			t.Errorf("it ended with %d", code)
		}
		for _, words := range []string{"  --depth INT\n", "$ORDAGO_TOKEN_FILE", "  -v, --verbose\n", "exit codes"} {
			if !strings.Contains(said.String(), words) {
				t.Errorf("%q is not in %s", words, said)
			}
		}
	})
}

func TestTheVersionIsOneLine(t *testing.T) {
	within(t, func(ctx context.Context) {
		bot, said := process(ctx, "hanging", "--version")
		if code := exitCode(bot.Run()); code != ordago.ExitOK || said.String() != "bot 1 (ordago go "+ordago.Version+")\n" {
			t.Errorf("it ended with %d and said %s", code, said)
		}
	})
}

// oneDecision is a server that asks a bot a question, hears its answer, says something to it, and lets it go.
func oneDecision(t *testing.T, bodies ...any) ordago.Server {
	return serve(t, &scripted{scene: func(stream stream) error {
		welcomed(stream, start(1, "a"), decision(1, 1))
		if _, err := stream.Recv(); err != nil {
			return err
		}
		end := []any{&ordagov1.MatchEnd{MatchHandle: 1}, &ordagov1.Goodbye{Sentence: "that was all"}}
		return stream.Send(frameOf(slices.Concat(bodies, end)...))
	}})
}

func TestOutputThatGoesWrongDoesNotEndABot(t *testing.T) {
	for _, output := range []string{
		"2>/dev/full", "2>&-", "0<&- 1>&- 2>&-", "2>&1 | head -1 >/dev/null", "2>&1 | true",
	} {
		server := oneDecision(t)
		within(t, func(ctx context.Context) {
			script := `exec 9>&1; { "$0" --verbose --address "$1" 9>&-; echo $? >&9; } ` + output
			shell := exec.CommandContext(ctx, "sh", "-c", script, os.Args[0], server.Address)
			shell.Env = append(os.Environ(), botVariable+"=default")
			if code, err := shell.Output(); string(code) != "0\n" {
				t.Errorf("with %s it ended with %q, %v", output, code, err)
			}
		})
	}
}

// playing is a server that asks a bot a question, tells of its answer, and sends what it says when it goes on.
func playing(t *testing.T) (server ordago.Server, answered chan struct{}, goOn chan struct{}, said chan string) {
	answered, goOn, said = make(chan struct{}), make(chan struct{}), make(chan string, 1)
	server = serve(t, &scripted{scene: func(stream stream) error {
		welcomed(stream, start(1, "a"), decision(1, 1))
		_, _ = stream.Recv()
		close(answered)
		<-goOn
		_ = stream.Send(frameOf(decision(1, 2)))
		request, err := stream.Recv()
		if err != nil {
			return err
		}
		said <- fmt.Sprintf("%T", request.GetMessages()[0].GetBody())
		return stream.Send(frameOf(&ordagov1.Goodbye{}))
	}})
	return server, answered, goOn, said
}

func TestAHangupTellsABotToStopOnce(t *testing.T) {
	server, answered, goOn, said := playing(t)
	within(t, func(ctx context.Context) {
		bot, output := process(ctx, "default", "--address", server.Address)
		if err := bot.Start(); err != nil {
			t.Error(err)
			return
		}
		<-answered
		hangUp := func() { _ = bot.Process.Signal(syscall.SIGHUP) }
		hangUp()
		time.AfterFunc(100*time.Millisecond, hangUp) // Of two at once the system may make one.
		time.AfterFunc(200*time.Millisecond, func() { close(goOn) })
		if heard := <-said; heard != "*ordagov1.BotMessage_Retire" {
			t.Errorf("it said %s", heard)
		}
		if code := exitCode(bot.Wait()); code != ordago.ExitOK || strings.Count(output.String(), "told to stop") != 1 {
			t.Errorf("it ended with %d: %s", code, output)
		}
	})
}

func TestAHangupIsIgnoredUnderNohup(t *testing.T) {
	server, answered, goOn, said := playing(t)
	within(t, func(ctx context.Context) {
		bot, output := process(ctx, "default", "--address", server.Address)
		bot.Args = append([]string{"sh", "-c", `trap "" HUP; exec "$@"`, "sh"}, append([]string{os.Args[0]}, bot.Args[1:]...)...)
		bot.Path = "/bin/sh"
		if err := bot.Start(); err != nil {
			t.Error(err)
			return
		}
		<-answered
		_ = bot.Process.Signal(syscall.SIGHUP)
		close(goOn)
		if heard := <-said; heard != "*ordagov1.BotMessage_Choice" {
			t.Errorf("it said %s", heard)
		}
		if code := exitCode(bot.Wait()); code != ordago.ExitOK || strings.Contains(output.String(), "told to stop") {
			t.Errorf("it ended with %d: %s", code, output)
		}
	})
}
