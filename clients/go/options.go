package ordago

import (
	"cmp"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	defaultAddress = "127.0.0.1:7447"
	// longestToken is more bytes than gRPC sends along with a call.
	longestToken = 8192
)

// eventName is what an event is called. gRPC would refuse to send much of what is no name, again and again.
var eventName = regexp.MustCompile("^[a-z0-9][a-z0-9-]{0,63}$")

// option is one that a variable stands in for.
type option struct {
	name, variable, usage string
}

var options = []option{
	{"address", "ORDAGO_ADDRESS", "`HOST:PORT` of the server, or unix:PATH; default: " + defaultAddress},
	{"token-file", "ORDAGO_TOKEN_FILE", "the `file` that holds the token to come in with, which is read once"},
	{"token", "ORDAGO_TOKEN", "the `token` itself, which other programs can see here"},
	{"event", "ORDAGO_EVENT", "the `event` to come in for; default: what the server plays at all times, or its only one"},
	{"nonce", "ORDAGO_NONCE", "16 to 64 bytes in `hexadecimal` that are mixed into the deals; default: by chance"},
	{"tls-ca", "ORDAGO_TLS_CA", "PEM `file`: whose word for the server is taken; default: of whom everybody knows"},
	{"tls-cert", "ORDAGO_TLS_CERT", "PEM `file`: the certificate of the bot, where the server asks for one"},
	{"tls-key", "ORDAGO_TLS_KEY", "PEM `file`: the private key for --tls-cert"},
	{"receipts", "ORDAGO_RECEIPTS", "append what the server says of its event to a `file`, to hold it to that later"},
}

// texts are what was said, by options: those that are not there were not given, nor their variables.
type texts map[string]string

// settings are what a bot is started with.
type settings struct {
	server  Server
	player  PlayerOptions
	verbose bool
}

// readSettings reads the command line and the environment. What they do not say is as it is in usual.
func readSettings(
	flags *flag.FlagSet, arguments []string, variable func(string) string, usual PlayerOptions,
) (settings, error) {
	read, given := settings{player: usual}, texts{}
	given.add(flags)
	read.add(flags)
	if err := flags.Parse(arguments); err != nil {
		return read, fmt.Errorf("%w; --help tells all options", err)
	}
	if flags.NArg() > 0 {
		return read, fmt.Errorf("there is no use for %q", flags.Arg(0))
	}
	if err := read.agree(usual.Games); err != nil {
		return read, err
	}
	given.fillIn(variable)
	return read, read.take(given)
}

// add lets a command line say what variables stand in for.
func (t texts) add(flags *flag.FlagSet) {
	for _, option := range options {
		flags.Func(option.name, option.usage+"; variable: $"+option.variable, func(text string) error {
			t[option.name] = text
			return nil
		})
	}
	flags.BoolFunc("tls", "connect over TLS; each of the files for it asks for it, too; variable: $ORDAGO_TLS",
		func(text string) error {
			wanted, err := strconv.ParseBool(text)
			if t["tls"] = ""; wanted {
				t["tls"] = text
			}
			return err
		})
}

// fillIn takes from the environment what the command line does not say. An empty variable says nothing.
func (t texts) fillIn(variable func(string) string) {
	_, hasToken := t["token"]
	_, hasFile := t["token-file"]
	for _, option := range append([]option{{name: "tls", variable: "ORDAGO_TLS"}}, options...) {
		_, given := t[option.name]
		given = given || strings.HasPrefix(option.name, "token") && (hasToken || hasFile)
		if text := variable(option.variable); text != "" && !given {
			t[option.name] = text
		}
	}
}

// add lets a command line say what no variable stands in for: what Hello says, and how much is told.
func (s *settings) add(flags *flag.FlagSet) {
	s.player.Games = nil
	flags.Func("name", "how the bot is called where its token does not say it; default: "+s.player.Name,
		func(name string) error {
			s.player.Name = cmp.Or(name, s.player.Name)
			return nil
		})
	flags.Func("game", "a `game` to play; may be repeated; default: all that it can play", func(game string) error {
		s.player.Games = append(s.player.Games, game)
		return nil
	})
	addCount(flags, &s.player.MaxMatches, "matches", "how `many` matches to play at once; 0: no limit")
	addCount(flags, &s.player.MaxOpenDecisions, "decisions", "how `many` decisions to take at once; 0: no limit")
	addCount(flags, &s.player.MatchesInAll, "matches-in-all", "after how `many` matches to take no more, and end when "+
		"all are over; 0: never")
	for _, name := range []string{"v", "verbose"} {
		flags.BoolVar(&s.verbose, name, false, "show every message that comes and goes")
	}
}

func addCount(flags *flag.FlagSet, count *uint32, name, usage string) {
	flags.Func(name, usage, func(text string) error {
		number, err := strconv.ParseUint(text, 10, 32)
		*count = uint32(number)
		if err != nil {
			return fmt.Errorf("it is no whole number from 0 to %d", ^uint32(0))
		}
		return nil
	})
}

// agree sees to it that a bot is not asked to play what it cannot.
func (s *settings) agree(known []string) error {
	for _, game := range s.player.Games {
		if len(known) > 0 && !slices.Contains(known, game) {
			return fmt.Errorf("--game: this bot does not play %q, but %s", game, strings.Join(known, ", "))
		}
	}
	if len(s.player.Games) == 0 {
		s.player.Games = known
	}
	return nil
}

// take takes over what was given. Receipts come last: their file is made only where all the rest is good.
func (s *settings) take(given texts) (err error) {
	s.server = Server{Address: cmp.Or(given["address"], defaultAddress), Event: given["event"]}
	if !isAddress(s.server.Address) {
		return fmt.Errorf("--address: %q is neither HOST:PORT nor unix:PATH", s.server.Address)
	}
	if s.server.Event != "" && !eventName.MatchString(s.server.Event) {
		return fmt.Errorf("--event: %q is no event: its name has small letters, digits and hyphens", s.server.Event)
	}
	if s.player.Nonce, err = hex.DecodeString(given["nonce"]); err != nil {
		return fmt.Errorf("--nonce: %q is not hexadecimal", given["nonce"])
	}
	if s.server.Token, err = given.tokenToSend(); err != nil {
		return err
	}
	if s.server.TLS, err = given.tlsConfig(); err != nil {
		return err
	}
	if path := given["receipts"]; path != "" {
		if s.player.Receipts, err = ReceiptsFile(path); err != nil {
			return fmt.Errorf("--receipts: %w", cannot("write to", err))
		}
	}
	return nil
}

// isAddress says whether an address is complete: where the port is missing gRPC would take that of the web.
func isAddress(address string) bool {
	if path, isSocket := strings.CutPrefix(address, "unix:"); isSocket {
		return path != ""
	}
	_, port, err := net.SplitHostPort(address)
	return err == nil && port != ""
}

// tokenToSend returns a token that can be sent. The complaint does not show one that cannot.
func (t texts) tokenToSend() (string, error) {
	token := t["token"]
	if path, named := t["token-file"]; named {
		var err error
		if token, err = tokenIn(path); err != nil {
			return "", fmt.Errorf("--token-file: %w", err)
		}
	}
	if strings.ContainsFunc(token, func(character rune) bool { return character < ' ' || character > '~' }) {
		return "", errors.New("the token holds a character that no token has; was something else copied along with it?")
	}
	return token, nil
}

func tokenIn(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", cannot("read", err)
	}
	defer file.Close()
	contents, err := io.ReadAll(io.LimitReader(file, longestToken))
	if err != nil {
		return "", cannot("read", err)
	}
	token := strings.TrimSpace(string(contents))
	if token == "" {
		return "", fmt.Errorf("%s holds no token; that of a runner can be read only once", path)
	}
	return token, nil
}
