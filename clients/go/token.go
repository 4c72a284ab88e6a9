package main

import (
	"cmp"
	"flag"
	"os"
	"strings"
)

// tokenOption says what the bot comes in with.
type tokenOption struct {
	token, file string
}

// add lets a command line name the token, or the file that it is in.
func (o *tokenOption) add(flags *flag.FlagSet) {
	flags.StringVar(&o.file, "token-file", "", "the `file` that holds the token to come in with; "+
		"default: $ORDAGO_TOKEN_FILE")
	flags.StringVar(&o.token, "token", "", "the `token` itself, which other programs can see here; default: $ORDAGO_TOKEN")
}

// read returns a token that can be sent. The complaint does not show one that cannot.
func (o *tokenOption) read() string {
	token := o.token
	if path := cmp.Or(o.file, os.Getenv("ORDAGO_TOKEN_FILE")); token == "" && path != "" {
		token = tokenIn(path)
	}
	token = cmp.Or(token, os.Getenv("ORDAGO_TOKEN"))
	if strings.ContainsFunc(token, func(character rune) bool { return character < ' ' || character > '~' }) {
		complain("the token holds a character that no token has; was something else copied along with it?")
	}
	return token
}

func tokenIn(path string) string {
	contents, err := os.ReadFile(path)
	if err != nil {
		complain("--token-file: " + cannotRead(err).Error())
	}
	token := strings.TrimSpace(string(contents))
	if token == "" {
		complain("--token-file: " + path + " holds no token; that of a runner can be read only once")
	}
	return token
}
