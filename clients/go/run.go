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
	"syscall"
	"time"
)

// longestLeave is how long a bot may take to leave that was told to: it may be thinking.
const longestLeave = 3 * time.Second

const exitCodes = `
Told to stop, by Ctrl-C or SIGTERM, a bot takes no more seats, plays its running matches to their end, and then ends.
Told once more it leaves at once, as it does while it is not connected, or where it was launched ($ORDAGO_LAUNCHED).

exit codes: 0 the server said goodbye; 1 the bot failed; 2 the command line is wrong; 3 the server cannot be reached, or
ended the session otherwise; 130 stopped by the user.
`

// Run is the whole main program of a bot: it plays until the session ends, and then ends the process. The command line
// and the environment say where and how; a bot that has options of its own adds them with [flag] before.
//
// The name is how the bot is called where neither its token nor the command line says it. Games are those that it plays;
// none: all that the server offers.
func Run(factory Factory, name, version string, games ...string) {
	flags := flag.CommandLine
	flags.Init(flags.Name(), flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	usual := PlayerOptions{Name: name, Version: version, Games: games}
	read, err := readSettings(flags, os.Args[1:], os.Getenv, usual)
	switch {
	case errors.Is(err, flag.ErrHelp):
		help(flags)
		os.Exit(ExitOK)
	case err != nil:
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(ExitUsage)
	}
	logTo(os.Stderr, read.verbose)
	os.Exit(guarded(func() int { return play(NewPlayer(factory, read.player), read.server) }))
}

func help(flags *flag.FlagSet) {
	flags.SetOutput(os.Stdout)
	fmt.Printf("Usage: %s [options]\n\nPlays at an Ordago server.\n\n", flags.Name())
	flags.PrintDefaults()
	fmt.Print(exitCodes)
}

func logTo(output io.Writer, verbose bool) {
	level := slog.LevelInfo
	if verbose {
		level = slog.LevelDebug
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(output, &slog.HandlerOptions{Level: level})))
}

// guarded returns the exit code of a program, also where it panics: Go would take the one for wrong command lines.
func guarded(program func() int) (code int) {
	defer func() {
		if reason := recover(); reason != nil {
			fmt.Fprintf(os.Stderr, "panic: %v\n\n%s", reason, debug.Stack())
			code = ExitFailed
		}
	}()
	return program()
}

// play plays until the session ends, and returns the exit code.
func play(player *Player, server Server) int {
	launched := os.Getenv("ORDAGO_LAUNCHED") != ""
	if launched {
		go endWithStandardInput()
	}
	ctx, retire := toldToStop(launched)
	farewell, err := server.Play(ctx, player, retire)
	switch {
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	case err != nil:
		slog.Error(err.Error())
		return ExitSessionEnded
	}
	slog.Info("the server said goodbye", "sentence", farewell)
	return ExitOK
}

// toldToStop returns what the first signal tells, to retire, and what the second does, to leave at once. A bot that was
// launched leaves by the first. If it then takes too long to leave, the process is ended.
func toldToStop(launched bool) (context.Context, <-chan struct{}) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	ctx, leave := context.WithCancel(context.Background())
	retire := make(chan struct{})
	go func() {
		<-signals
		if !launched {
			close(retire)
			<-signals
		}
		leave()
		time.Sleep(longestLeave)
		os.Exit(ExitInterrupted)
	}()
	return ctx, retire
}

// endWithStandardInput ends the process when the one that started it ends, however that happens.
func endWithStandardInput() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(ExitSessionEnded)
}
