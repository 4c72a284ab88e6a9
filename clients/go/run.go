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
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
)

const epilogue = `
Options beat their variables, and a token file beats $ORDAGO_TOKEN. Each of the files for TLS turns TLS on.

Told to stop, by Ctrl-C, SIGTERM or the end of its terminal, a bot takes no more seats, plays its running matches to
their end, and exits. Told again it leaves at once, as it does while it is not connected, or if it was launched
($ORDAGO_LAUNCHED).

exit codes: 0 the server said goodbye; 1 the bot failed; 2 the command line or the environment is wrong; 3 the server
cannot be reached, or ended the session otherwise; 130 stopped by the user.
`

// Options are what the author of a bot says about it.
type Options struct {
	// Name is that of the bot, unless its token or the command line has one.
	Name string
	// Version is the version of the bot.
	Version string
	// Games are the names of the games that it plays; none: all that the server offers.
	Games []string
	// Threads is the number of matches that think at once. 0: decisions are answered one after the other.
	Threads int
	// Logger gets the events of the log, too, with their fields as attributes; nil: none.
	Logger *slog.Logger
	// Flags has options of the bot's own, which take two hyphens like the others; nil: none.
	Flags *flag.FlagSet
}

// Main is the whole main program of a bot: it plays as the command line and the environment say until the session ends,
// and then ends the process.
func Main(factory Factory, options Options) {
	os.Exit(Run(context.Background(), os.Args[1:], factory, options))
}

// Run plays as a command line and the environment say until the session ends, and returns the exit code. When the context
// is done, the bot leaves at once. Meanwhile the signals that tell a bot to stop are its own.
func Run(ctx context.Context, arguments []string, factory Factory, options Options) int {
	output := standardError()
	// The process would end by the signal when nobody reads its output any more. Children do not inherit this.
	brokenPipes := make(chan os.Signal, 1)
	signal.Notify(brokenPipes, syscall.SIGPIPE)
	defer signal.Stop(brokenPipes)
	defer output.flush()
	flags := flag.NewFlagSet(filepath.Base(os.Args[0]), flag.ContinueOnError)
	if own := options.Flags; own != nil {
		flags = flag.NewFlagSet(own.Name(), flag.ContinueOnError)
		own.VisitAll(func(option *flag.Flag) { flags.Var(option.Value, option.Name, option.Usage) })
	}
	usual := PlayerOptions{Name: options.Name, Version: options.Version, Games: options.Games, Threads: options.Threads}
	read, err := readSettings(flags, arguments, os.Getenv, usual)
	if err != nil {
		return answer(err, flags, usual, output)
	}
	read.output, read.player.Logger = output, read.logger(output, options.Logger)
	return read.play(ctx, NewPlayer(factory, read.player))
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
		fmt.Printf("%s (%s %s)\n", strings.TrimSpace(usual.Name+" "+usual.Version), sdkName, Version)
		return ExitOK
	}
	fmt.Fprintf(output, "usage: %s [options]; --help lists them\nerror: %s\n", flags.Name(), visible(asked.Error()))
	return ExitUsage
}

// logger returns the logger of the process, which hands records to that of the author, too, if there is one.
func (s settings) logger(output io.Writer, own *slog.Logger) *slog.Logger {
	level := slog.LevelInfo
	if s.verbose {
		level = slog.LevelDebug
	}
	lines := newLineHandler(output, level, s.jsonLog)
	if own == nil {
		return slog.New(lines)
	}
	return slog.New(bothHandlers{lines, own.Handler()})
}

// play plays until the session ends, logs the summary, and returns the exit code.
func (s settings) play(ctx context.Context, player *Player) int {
	orders := listen(ctx)
	defer orders.stop()
	ended := make(chan int, 1)
	go func() { ended <- s.session(orders, player) }()
	var code int
	select {
	case code = <-ended:
	case <-orders.late: // The bot thinks, and does not heed its context.
		code = ExitInterrupted
	case <-orders.orphaned:
		code = ExitSessionEnded
	}
	player.logSummary()
	if code == ExitOK && s.strict && !player.Summary().IsClean() {
		return ExitFailed
	}
	return code
}

// session plays until the session ends, and returns the exit code. Go would end a process that panics with the one for
// wrong command lines.
func (s settings) session(orders *orders, player *Player) (code int) {
	defer func() {
		if reason := recover(); reason != nil {
			code = s.fail(string(debug.Stack()), fmt.Sprint("panic: ", reason))
		}
	}()
	_, err := s.server.Play(orders.ctx, player, orders.retire)
	var failure *BotError
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &failure):
		return s.fail(failure.Trace, failure.Error())
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return ExitInterrupted
	}
	return ExitSessionEnded
}

// fail writes a stack trace, as text under any $ORDAGO_LOG, with a last line that says all, since a runner shows only that
// one. It returns the exit code.
func (s settings) fail(trace, sentence string) int {
	fmt.Fprintf(s.output, "%s%s\n", traceLines(trace), visible(sentence))
	return ExitFailed
}
