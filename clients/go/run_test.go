package ordago_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	ordago "github.com/ordago/ordago/clients/go"
)

// bots are those that this program plays with, in place of its tests, where the environment names one.
var bots = map[string]choosing{
	"panicking": func(*ordago.Decision) *ordago.Answer { panic("no idea") },
	"hanging":   func(*ordago.Decision) *ordago.Answer { select {} },
}

const botVariable = "BOT_OF_THE_TESTS"

// runBot runs the bot that the environment names, if it names one. It has an option of its own.
func runBot() {
	bot, named := bots[os.Getenv(botVariable)]
	if !named {
		return
	}
	flag.CommandLine = flag.NewFlagSet("bot", flag.ExitOnError)
	flag.Int("depth", 1, "how far it looks")
	ordago.Run(func(*ordago.Match) ordago.Bot { return bot }, "bot", "1", "mittlere")
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

// asking asks whoever comes a question.
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

func TestABotThatPanicsEndsWithItsStackTraceAndExitCodeOne(t *testing.T) {
	server, _ := asking(t)
	within(t, func(ctx context.Context) {
		bot, said := process(ctx, "panicking", "--address", server.Address)
		if code := exitCode(bot.Run()); code != ordago.ExitFailed {
			t.Errorf("it ended with %d", code)
		}
		for _, words := range []string{"panic: no idea", "run_test.go"} {
			if !strings.Contains(said.String(), words) {
				t.Errorf("%q is not in %s", words, said)
			}
		}
	})
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
	within(t, func(ctx context.Context) {
		bot, said := process(ctx, "hanging", "--adress", "here:1")
		if code := exitCode(bot.Run()); code != ordago.ExitUsage {
			t.Errorf("it ended with %d", code)
		}
		if said.String() != "usage: bot [options]; --help lists them\nerror: --adress: there is no such option\n" {
			t.Errorf("it said %s", said)
		}
	})
}

func TestABotMayHaveOptionsOfItsOwn(t *testing.T) {
	within(t, func(ctx context.Context) {
		bot, said := process(ctx, "hanging", "--depth", "3", "--help")
		if code := exitCode(bot.Run()); code != ordago.ExitOK {
			t.Errorf("it ended with %d", code)
		}
		for _, words := range []string{"-depth", "$ORDAGO_TOKEN_FILE", "exit codes"} {
			if !strings.Contains(said.String(), words) {
				t.Errorf("%q is not in %s", words, said)
			}
		}
	})
}
