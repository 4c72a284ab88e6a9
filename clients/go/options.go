package ordago

import (
	"cmp"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const defaultAddress = "127.0.0.1:7447"

// eventName is the form of an event's name. gRPC would refuse to send most of anything else, again and again.
var eventName = regexp.MustCompile("^[a-z0-9][a-z0-9-]{0,63}$")

// option is an option that a variable can stand in for.
type option struct {
	name, variable, usage string
}

var options = []option{
	{"address", "ORDAGO_ADDRESS", "`HOST:PORT` of the server, or unix:PATH; default: " + defaultAddress},
	{"token-file", "ORDAGO_TOKEN_FILE", "`file` that holds the bot's token; read once"},
	{"token", "ORDAGO_TOKEN", "the `token` itself; other programs can see it here"},
	{"event", "ORDAGO_EVENT", "`event` to enter; default: the server's ladder, or its only event"},
	{"nonce", "ORDAGO_NONCE", "16 to 64 bytes in `hexadecimal`, mixed into the deals; default: random"},
	{"tls-ca", "ORDAGO_TLS_CA", "PEM `file` of the authorities to trust; default: the usual ones"},
	{"tls-cert", "ORDAGO_TLS_CERT", "PEM `file` of the bot's own certificate, if the server asks for one"},
	{"tls-key", "ORDAGO_TLS_KEY", "PEM `file` of its private key"},
	{"on-error", "ORDAGO_ON_ERROR", "when the bot fails, `stop` the process, or take the default answer: stop or default"},
	{"log-decisions", "ORDAGO_LOG_DECISIONS", "append each decision and its answer to this `file`, which shows the cards"},
	{"receipts", "ORDAGO_RECEIPTS", "append receipts of what the server says about its event to this `file`"},
}

// text is the value of an option, and the option or the variable that it comes from.
type text struct {
	value, source string
}

// texts are the values by option, only of those that are given, or whose variables are.
type texts map[string]text

// settings are the command line and the environment of a bot, read.
type settings struct {
	server  Server
	player  PlayerOptions
	verbose bool
	// output is standard error.
	output io.Writer
	// strict is true if a session in which something went wrong ends with 1.
	strict bool
	// jsonLog is true if the log is one of JSON.
	jsonLog bool
}

// readSettings reads the command line and the environment; usual has the defaults.
func readSettings(
	flags *flag.FlagSet, arguments []string, variable func(string) string, usual PlayerOptions,
) (settings, error) {
	read, given := settings{player: usual}, texts{}
	given.add(flags)
	read.add(flags)
	if err := parse(flags, arguments); err != nil {
		return read, err
	}
	if err := read.agree(usual.Games); err != nil {
		return read, err
	}
	given.fillIn(variable)
	if format := variable("ORDAGO_LOG"); format != "" && format != "text" && format != "json" {
		return read, fmt.Errorf("ORDAGO_LOG: %s is neither text nor json", quoted(format))
	}
	read.jsonLog = variable("ORDAGO_LOG") == "json"
	return read, read.take(given)
}

// add adds the options that variables can stand in for.
func (t texts) add(flags *flag.FlagSet) {
	for _, option := range options {
		flags.Func(option.name, option.usage+" [$"+option.variable+"]", func(value string) error {
			t[option.name] = text{value, "--" + option.name}
			return nil
		})
	}
	addSwitch(flags, "tls", "connect over TLS [$ORDAGO_TLS]", func() error {
		t["tls"] = text{"1", "--tls"}
		return nil
	})
}

// fillIn takes from the environment the values that the command line does not give. An empty variable counts as unset.
func (t texts) fillIn(variable func(string) string) {
	_, hasToken := t["token"]
	_, hasFile := t["token-file"]
	for _, option := range append([]option{{name: "tls", variable: "ORDAGO_TLS"}}, options...) {
		_, given := t[option.name]
		given = given || strings.HasPrefix(option.name, "token") && (hasToken || hasFile)
		if value := variable(option.variable); value != "" && !given {
			t[option.name] = text{value, option.variable}
		}
	}
}

// add adds the options without a variable: the contents of Hello, and the log.
func (s *settings) add(flags *flag.FlagSet) {
	s.player.Games = nil
	flags.Func("name", "`name` of the bot, unless its token has one; default: "+s.player.Name, func(name string) error {
		s.player.Name = cmp.Or(name, s.player.Name)
		return checkEncoding(name)
	})
	flags.Func("game", "`game` to play; repeatable; default: all that it can play", func(game string) error {
		s.player.Games = append(s.player.Games, game)
		return checkEncoding(game)
	})
	addCount(flags, &s.player.MaxMatches, "matches", "`matches` to play at once; 0: no limit")
	addCount(flags, &s.player.MatchesInAll, "matches-in-all", "`matches` after which to take no more; 0: never")
	addCount(flags, &s.player.MaxOpenDecisions, "decisions", "`decisions` to take at once; 0: no limit")
	addSwitch(flags, "verbose", "show every message", func() error {
		s.verbose = true
		return nil
	})
	addSwitch(flags, "strict", "for tests: end with 1 if an answer was refused, was replaced, or the bot failed", func() error {
		s.strict = true
		return nil
	})
	addSwitch(flags, "version", "print the versions of the bot and of its SDK", func() error { return errVersion })
	addSwitch(flags, "help", "print this help", func() error { return flag.ErrHelp })
}

func addCount(flags *flag.FlagSet, count *uint32, name, usage string) {
	flags.Func(name, usage, func(text string) error {
		number, err := strconv.ParseUint(text, 10, 32)
		*count = uint32(number)
		if err != nil {
			return fmt.Errorf("%s is not a number from 0 to %d", quoted(text), ^uint32(0))
		}
		return nil
	})
}

// checkEncoding refuses names that no message can carry.
func checkEncoding(name string) error {
	if !utf8.ValidString(name) {
		return fmt.Errorf("%s is not in UTF-8", quoted(name))
	}
	return nil
}

// parseSwitch parses a variable such as ORDAGO_TLS. The error is the reason of clients/vectors.
func parseSwitch(text string) (bool, error) {
	if text != "" && text != "0" && text != "1" {
		return false, errors.New("it is neither 1 nor 0")
	}
	return text == "1", nil
}

// agree checks that the bot plays the games that it is asked to; by default it plays all of its own.
func (s *settings) agree(known []string) error {
	for _, game := range s.player.Games {
		if len(known) > 0 && !slices.Contains(known, game) {
			return fmt.Errorf("--game: this bot does not play %s; it plays %s", quoted(game), strings.Join(known, ", "))
		}
	}
	if len(s.player.Games) == 0 {
		s.player.Games = known
	}
	return nil
}

// take takes over the values given. Files to write come last: they are made only if all the rest is good.
func (s *settings) take(given texts) error {
	for _, reading := range []struct {
		name string
		read func(value string) error
	}{
		{"address", s.readAddress}, {"event", s.readEvent}, {"nonce", s.readNonce}, {"token", s.readToken},
		{"token-file", s.readTokenFile}, {"on-error", s.readOnError},
	} {
		if given, isGiven := given[reading.name]; isGiven {
			if err := reading.read(given.value); err != nil {
				return fmt.Errorf("%s: %w", given.source, err)
			}
		}
	}
	s.server.Address = cmp.Or(s.server.Address, defaultAddress)
	var err error
	if s.server.TLS, err = given.tlsConfig(); err != nil {
		return err
	}
	return s.openFiles(given)
}

func (s *settings) readAddress(value string) error {
	s.server.Address = value
	if _, err := parseAddress(value); err != nil {
		return wrongAddress(value, err)
	}
	return nil
}

func (s *settings) readEvent(value string) error {
	s.server.Event = value
	if value != "" && !eventName.MatchString(value) {
		return fmt.Errorf("%s is not the name of an event: they have small letters, digits and hyphens", quoted(value))
	}
	return nil
}

func (s *settings) readNonce(value string) (err error) {
	s.player.Nonce, err = hex.DecodeString(value)
	if err != nil || len(s.player.Nonce) < nonceBytes || len(s.player.Nonce) > mostNonceBytes {
		return fmt.Errorf("%s is not %d to %d bytes in hexadecimal", quoted(value), nonceBytes, mostNonceBytes)
	}
	return nil
}

// readToken takes over a token that can be sent. The error does not show one that cannot.
func (s *settings) readToken(value string) error {
	s.server.Token = value
	if !isSendable(value) {
		return errors.New("the token holds a character that no token has; was something else copied along with it?")
	}
	return nil
}

func (s *settings) readTokenFile(value string) (err error) {
	s.server.Token, err = tokenIn(value)
	return err
}

func (s *settings) readOnError(value string) error {
	switch value {
	case "stop":
		s.player.OnError = StopOnError
	case "default":
		s.player.OnError = DefaultOnError
	default:
		return fmt.Errorf("%s is neither stop nor default", quoted(value))
	}
	return nil
}

// openFiles opens the files that the bot writes.
func (s *settings) openFiles(given texts) error {
	for _, file := range []struct {
		name   string
		output *io.Writer
		open   func(path string) (*os.File, error)
	}{{"receipts", &s.player.Receipts, openReceipts}, {"log-decisions", &s.player.Decisions, appendTo}} {
		given, isGiven := given[file.name]
		if !isGiven {
			continue
		}
		opened, err := file.open(given.value)
		if err != nil {
			return fmt.Errorf("%s: cannot write to %s: %w", given.source, given.value, reasonOf(err))
		}
		*file.output = opened
	}
	return nil
}

// appendTo opens or creates a file. What a single call writes is appended whole, so that lines of several processes never
// mix.
func appendTo(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
}
