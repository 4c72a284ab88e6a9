package ordago

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

// longestLeave is the time that a bot gets to leave at once: it may be thinking.
const longestLeave = 3 * time.Second

const epilogue = `
Options beat their variables, and a token file beats $ORDAGO_TOKEN. Each of the files for TLS turns TLS on.

Told to stop, by Ctrl-C, SIGTERM or the end of its terminal, a bot takes no more seats, plays its running matches to
their end, and exits. Told again it leaves at once, as it does while it is not connected, or if it was launched
($ORDAGO_LAUNCHED).

exit codes: 0 the server said goodbye; 1 the bot failed; 2 the command line or the environment is wrong; 3 the server
cannot be reached, or ended the session otherwise; 130 stopped by the user.
`

// Run is the whole main program of a bot: it plays until the session ends, and then ends the process. The command line
// and the environment say where and how. A bot with options of its own adds them with [flag] before.
//
// The name is that of the bot, unless its token or the command line has one. Games are those that it plays; none: all
// that the server offers.
func Run(factory Factory, name, version string, games ...string) {
	// The process would end by the signal when nobody reads its output any more. Children do not inherit this.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	output := newLossyWriter(os.Stderr)
	exit := func(code int) {
		output.flush()
		os.Exit(code)
	}
	flags := flag.CommandLine
	flags.Init(flags.Name(), flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	usual := PlayerOptions{Name: name, Version: version, Games: games}
	read, err := readSettings(flags, os.Args[1:], os.Getenv, usual)
	if err != nil {
		exit(answer(err, flags, usual, output))
	}
	slog.SetDefault(slog.New(newLineHandler(output, levelOf(read.verbose))))
	exit(guarded(output, func() int { return play(NewPlayer(factory, read.player), read.server, exit) }))
}

// answer prints the help or the version that is asked for, or a mistake, and returns the exit code.
func answer(asked error, flags *flag.FlagSet, usual PlayerOptions, output io.Writer) int {
	switch {
	case errors.Is(asked, flag.ErrHelp):
		fmt.Printf("usage: %s [options]\n\nPlays at an Ordago server.\n\n", flags.Name())
		printOptions(os.Stdout, flags)
		fmt.Print(epilogue)
		return ExitOK
	case errors.Is(asked, errVersion):
		fmt.Printf("%s, %s %s\n", strings.TrimSpace(usual.Name+" "+usual.Version), sdkName, Version)
		return ExitOK
	case !errors.As(asked, new(unusable)):
		fmt.Fprintf(output, "usage: %s [options]; --help lists them\n", flags.Name())
	}
	fmt.Fprintf(output, "error: %s\n", visible(asked.Error()))
	return ExitUsage
}

func levelOf(verbose bool) slog.Level {
	if verbose {
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// guarded returns the exit code of a program, also if it panics: Go would take the one for wrong command lines.
func guarded(output io.Writer, program func() int) (code int) {
	defer func() {
		if reason := recover(); reason != nil {
			fmt.Fprintf(output, "panic: %v\n\n%s", reason, debug.Stack())
			code = ExitFailed
		}
	}()
	return program()
}

// play plays until the session ends, and returns the exit code.
func play(player *Player, server Server, exit func(code int)) int {
	launched := os.Getenv("ORDAGO_LAUNCHED") != ""
	if launched {
		go endWithStandardInput(exit)
	}
	ctx, retire := ordersToStop(launched, exit)
	farewell, err := server.Play(ctx, player, retire)
	switch {
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	case err != nil:
		slog.Error(err.Error())
		return ExitSessionEnded
	}
	slog.Info("the server said goodbye: " + reasonGiven(farewell))
	return ExitOK
}

// ordersToStop returns a channel that the first signal closes, to retire, and a context that the second ends, to leave at
// once. A bot that was launched leaves at the first. If it then takes too long, the process is ended.
func ordersToStop(launched bool, exit func(code int)) (context.Context, <-chan struct{}) {
	signals := make(chan os.Signal, 8)
	// Before Notify, which ends what nohup began.
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	ctx, leave := context.WithCancel(context.Background())
	retire := make(chan struct{})
	go func() {
		<-signals
		if !launched {
			close(retire)
			// The shell and the kernel both send SIGHUP when a terminal closes, so it is never the second order.
			for <-signals == syscall.SIGHUP {
			}
		}
		leave()
		time.Sleep(longestLeave)
		exit(ExitInterrupted)
	}()
	return ctx, retire
}

// endWithStandardInput ends the process when the one that started it ends, however that happens.
func endWithStandardInput(exit func(code int)) {
	_, _ = io.Copy(io.Discard, os.Stdin)
	exit(ExitSessionEnded)
}
