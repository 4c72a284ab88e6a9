// The random bot: it plays every game that a server offers, without knowing any, by chance.
package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"flag"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
	"github.com/ordago/ordago/clients/go/player"
)

const (
	defaultAddress = "127.0.0.1:7447"
	version        = "0.1.0"
	nonceBytes     = 16
)

const (
	exitUsage        = 2
	exitSessionEnded = 3
	exitInterrupted  = 130
)

func main() {
	address := flag.String("address", "", "`HOST:PORT` of the server, or unix:PATH; default: $ORDAGO_ADDRESS, or "+
		defaultAddress)
	var token tokenOption
	token.add(flag.CommandLine)
	nonce := flag.String("nonce", "", "16 to 64 bytes in `hexadecimal` that are mixed into the deals; "+
		"default: $ORDAGO_NONCE, or chance")
	security := addTLSOptions(flag.CommandLine)
	name := flag.String("name", "random-go", "how the bot is called where its token does not say it")
	hello := &ordagov1.Hello{}
	addWishes(hello)
	var verbose bool
	for _, option := range []string{"v", "verbose"} {
		flag.BoolVar(&verbose, option, false, "show every message that comes and goes")
	}
	flag.Parse()

	logTo(os.Stderr, verbose)
	hello.Bot = &ordagov1.Software{Name: *name, Version: version}
	hello.Nonce = nonceOf(cmp.Or(*nonce, os.Getenv("ORDAGO_NONCE")))
	credentials, err := security.credentials()
	if err != nil {
		complain(err.Error())
	}
	server := player.Server{
		Address:     cmp.Or(*address, os.Getenv("ORDAGO_ADDRESS"), defaultAddress),
		Token:       token.read(),
		Credentials: credentials,
	}
	os.Exit(play(player.New(random, hello), server))
}

// addWishes lets the command line say what the bot plays, and how much of it.
func addWishes(hello *ordagov1.Hello) {
	flag.Func("game", "a `game` to play; may be repeated; default: all", func(game string) error {
		hello.Games = append(hello.Games, game)
		return nil
	})
	addCount(&hello.MaxMatches, "matches", "how `many` matches to play at once; 0: no limit")
	addCount(&hello.MatchesInAll, "matches-in-all", "after how `many` matches to take no more, and end when all are "+
		"over; 0: never")
	addCount(&hello.MaxOpenDecisions, "decisions", "how `many` decisions to take at once; 0: no limit")
}

// addCount lets the command line set a number of Hello.
func addCount(count *uint32, name, usage string) {
	flag.Func(name, usage, func(text string) error {
		number, err := strconv.ParseUint(text, 10, 32)
		*count = uint32(number)
		return err
	})
}

func logTo(output io.Writer, verbose bool) {
	level := slog.LevelInfo
	if verbose {
		level = slog.LevelDebug
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(output, &slog.HandlerOptions{Level: level})))
}

// play plays until the session ends, and returns the exit code.
func play(bot *player.Player, server player.Server) int {
	launched := os.Getenv("ORDAGO_LAUNCHED") != ""
	if launched {
		go endWithStandardInput()
	}
	ctx, retire := toldToStop(launched)
	err := bot.Play(ctx, server, retire)
	if errors.Is(err, context.Canceled) {
		return exitInterrupted
	}
	if err != nil {
		slog.Error(err.Error())
		return exitSessionEnded
	}
	slog.Info("the server said goodbye", "sentence", bot.Farewell().GetSentence())
	return 0
}

// toldToStop returns what the first signal tells, to retire, and what the second does, to leave at once. A bot that was
// launched leaves by the first.
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
	}()
	return ctx, retire
}

// endWithStandardInput ends the process when the one that started it ends, however that happens.
func endWithStandardInput() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(exitSessionEnded)
}

// nonceOf returns the bytes of a nonce in hexadecimal, or random ones if none is given.
func nonceOf(text string) []byte {
	if text == "" {
		nonce := make([]byte, nonceBytes)
		_, _ = rand.Read(nonce) // It never fails.
		return nonce
	}
	nonce, err := hex.DecodeString(text)
	if err != nil {
		complain("a nonce is written in hexadecimal, not: " + text)
	}
	return nonce
}

// complain ends the process, since what it was told is wrong.
func complain(sentence string) {
	slog.Error(sentence)
	os.Exit(exitUsage)
}
