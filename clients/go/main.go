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
	"strings"
	"syscall"

	ordagov1 "ordago/client/ordago/v1"
	"ordago/client/player"
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
	address := flag.String("address", "", "`HOST:PORT` of the server; default: $ORDAGO_ADDRESS, or "+defaultAddress)
	token := flag.String("token", "", "the `token` to come in with; default: $ORDAGO_TOKEN")
	nonce := flag.String("nonce", "", "16 to 64 bytes in `hexadecimal` that are mixed into the deals; "+
		"default: $ORDAGO_NONCE, or chance")
	security := addTLSOptions(flag.CommandLine)
	name := flag.String("name", "random-go", "how the bot is called where its token does not say it")
	matches := flag.Uint("matches", 0, "how many matches to play at once; 0: no limit")
	decisions := flag.Uint("decisions", 0, "how many decisions to take at once; 0: no limit")
	verbose := flag.Bool("v", false, "show every message that comes and goes")
	flag.Parse()

	logTo(os.Stderr, *verbose)
	hello := &ordagov1.Hello{
		Bot:              &ordagov1.Software{Name: *name, Version: version},
		Nonce:            nonceOf(cmp.Or(*nonce, os.Getenv("ORDAGO_NONCE"))),
		MaxMatches:       uint32(*matches),
		MaxOpenDecisions: uint32(*decisions),
	}
	credentials, err := security.credentials()
	if err != nil {
		complain(err.Error())
	}
	server := player.Server{
		Address:     cmp.Or(*address, os.Getenv("ORDAGO_ADDRESS"), defaultAddress),
		Token:       tokenOf(cmp.Or(*token, os.Getenv("ORDAGO_TOKEN"))),
		Credentials: credentials,
	}
	os.Exit(play(player.New(random, hello), server))
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
	if os.Getenv("ORDAGO_LAUNCHED") != "" {
		go endWithStandardInput()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := bot.Play(ctx, server)
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

// tokenOf returns a token that can be sent. The complaint does not show one that cannot.
func tokenOf(text string) string {
	if strings.ContainsFunc(text, func(character rune) bool { return character < ' ' || character > '~' }) {
		complain("the token holds a character that no token has; was something else copied along with it?")
	}
	return text
}

// complain ends the process, since what it was told is wrong.
func complain(sentence string) {
	slog.Error(sentence)
	os.Exit(exitUsage)
}
