package ordago

import (
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// told returns what a bot is started with that plays two games.
func told(variables map[string]string, arguments ...string) (settings, error) {
	flags := flag.NewFlagSet("bot", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	usual := PlayerOptions{Name: "usual", Version: "1", Games: []string{"mus", "taihe"}}
	return readSettings(flags, arguments, func(name string) string { return variables[name] }, usual)
}

func mustBeTold(t *testing.T, variables map[string]string, arguments ...string) settings {
	t.Helper()
	read, err := told(variables, arguments...)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

func TestWithoutAWordABotPlaysAllItsGamesHere(t *testing.T) {
	read := mustBeTold(t, nil)
	if read.server.Address != "127.0.0.1:7447" || read.server.TLS != nil || read.server.Token != "" {
		t.Errorf("it plays at %+v", read.server)
	}
	if player := read.player; player.Name != "usual" || !slices.Equal(player.Games, []string{"mus", "taihe"}) {
		t.Errorf("it plays as %+v", player)
	}
}

func TestAnOptionCountsForMoreThanItsVariable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("in-a-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	variables := map[string]string{"ORDAGO_TOKEN": "variable", "ORDAGO_TOKEN_FILE": file, "ORDAGO_EVENT": "friday",
		"ORDAGO_ADDRESS": "unix:/a", "ORDAGO_TLS": "1"}
	for token, arguments := range map[string][]string{
		"in-a-file": nil, "option": {"--token", "option"}, "": {"--token="},
	} {
		if read := mustBeTold(t, variables, arguments...); read.server.Token != token {
			t.Errorf("the token %q comes of %v", read.server.Token, arguments)
		}
	}
	read := mustBeTold(t, variables, "--address", "[::1]:1", "--event", "monday", "--tls=false")
	if server := read.server; server.Address != "[::1]:1" || server.Event != "monday" || server.TLS != nil {
		t.Errorf("it plays at %+v", server)
	}
	read = mustBeTold(t, variables)
	if server := read.server; server.Address != "unix:/a" || server.Event != "friday" || server.TLS == nil {
		t.Errorf("it plays at %+v", server)
	}
}

func TestWhatCannotBeIsToldInASentence(t *testing.T) {
	folder := t.TempDir()
	for sentence, arguments := range map[string][]string{
		`--address: "localhost" is neither HOST:PORT nor unix:PATH`:     {"--address", "localhost"},
		`--address: "unix:" is neither`:                                 {"--address", "unix:"},
		`--event: "Friday!" is no event`:                                {"--event", "Friday!"},
		`--nonce: "xyz" is not hexadecimal`:                             {"--nonce", "xyz"},
		`it is no whole number from 0 to 4294967295`:                    {"--matches", "4294967296"},
		`value "-1" for flag -decisions`:                                {"--decisions", "-1"},
		`--game: this bot does not play "mittlere", but mus, taihe`:     {"--game", "mittlere"},
		`there is no use for "mus"`:                                     {"--game", "mus", "mus"},
		`flag provided but not defined: -adress`:                        {"--adress", "here:1"},
		`--receipts: cannot write to ` + folder + `: is a directory`:    {"--receipts", folder},
		`--token-file: cannot read ` + folder + `: is a directory`:      {"--token-file", folder},
		`the token holds a character that no token has`:                 {"--token", "secret\n"},
		`--token-file: /dev/null holds no token; that of a runner can `: {"--token-file", "/dev/null"},
	} {
		if _, err := told(nil, arguments...); err == nil || !strings.Contains(err.Error(), sentence) {
			t.Errorf("%v is answered by %v", arguments, err)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("a token is shown: %v", err)
		}
	}
}

func TestATokenThatNeverEndsIsNotReadToItsEnd(t *testing.T) {
	if _, err := told(nil, "--token-file", "/dev/zero"); err == nil {
		t.Error("zeros are taken for a token")
	}
}

func TestEachCallForHelpIsHeard(t *testing.T) {
	for _, word := range []string{"-h", "--help"} {
		if _, err := told(nil, word); !errors.Is(err, flag.ErrHelp) {
			t.Errorf("%s is answered by %v", word, err)
		}
	}
}
