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
	read := mustBeTold(t, variables, "--address", "[::1]:1", "--event=monday")
	if server := read.server; server.Address != "[::1]:1" || server.Event != "monday" {
		t.Errorf("it plays at %+v", server)
	}
	read = mustBeTold(t, variables)
	if server := read.server; server.Address != "unix:/a" || server.Event != "friday" || server.TLS == nil {
		t.Errorf("it plays at %+v", server)
	}
}

func TestAMistakeIsToldInASentence(t *testing.T) {
	folder := t.TempDir()
	for sentence, arguments := range map[string][]string{
		`--address: 'localhost' is not HOST:PORT, [IPv6]:PORT or unix:PATH: it has no port`: {"--address", "localhost"},
		`--address: 'a\n:1' is not`:                                      {"--address", "a\n:1"},
		`--address: '' is not`:                                           {"--address="},
		`--event: 'Friday!' is not the name of an event`:                 {"--event", "Friday!"},
		`--nonce: 'xyz' is not 16 to 64 bytes in hexadecimal`:            {"--nonce", "xyz"},
		`--nonce: 'abcd' is not 16 to 64 bytes`:                          {"--nonce", "abcd"},
		`--nonce: '` + strings.Repeat("ab", 65) + `' is not 16 to 64`:    {"--nonce", strings.Repeat("ab", 65)},
		`--matches: '4294967296' is not a number from 0 to 4294967295`:   {"--matches", "4294967296"},
		`--decisions: '-1' is not a number`:                              {"--decisions", "-1"},
		`--matches-in-all: '+1' is not a number`:                         {"--matches-in-all=+1"},
		`--matches: its value is missing`:                                {"--matches"},
		`--game: this bot does not play 'mittlere'; it plays mus, taihe`: {"--game", "mittlere"},
		`--name: '\xff' is not in UTF-8`:                                 {"--name", "\xff"},
		`--verbose: it takes no value`:                                   {"--verbose=no"},
		`'mus' is left over`:                                             {"--game", "mus", "mus"},
		`'-' is left over`:                                               {"-"},
		`--adress: there is no such option`:                              {"--adress", "here:1"},
		`--addr: there is no such option`:                                {"--addr=here:1"},
		`--v: there is no such option`:                                   {"--v"},
		`-address: there is no such option`:                              {"-address", "here:1"},
		`-x: there is no such option`:                                    {"-x"},
		`--receipts: cannot write to ` + folder + `: is a directory`:     {"--receipts", folder},
		`--log-decisions: cannot write to ` + folder + `: is a`:          {"--log-decisions", folder},
		`--on-error: 'ignore' is neither stop nor default`:               {"--on-error", "ignore"},
		`--on-error: '' is neither stop nor default`:                     {"--on-error="},
		`--strict: it takes no value`:                                    {"--strict=1"},
		`--token-file: ` + folder + ` cannot be used: is a directory`:    {"--token-file", folder},
		`--token-file: none cannot be used: no such file or directory`:   {"--token-file", "none"},
		`--token-file: /dev/null cannot be used: it has no token`:        {"--token-file", "/dev/null"},
		`--token-file: /dev/zero cannot be used: it is in UTF-16`:        {"--token-file", "/dev/zero"},
		`--token: the token holds a character that no token has`:         {"--token", "secret\n"},
	} {
		if _, err := told(nil, arguments...); err == nil || !strings.HasPrefix(err.Error(), sentence) {
			t.Errorf("%q is answered by %v", arguments, err)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("a token is shown: %v", err)
		}
	}
}

func TestAMistakeInTheEnvironmentNamesTheVariable(t *testing.T) {
	for variable, sentence := range map[string]string{
		"ORDAGO_ADDRESS":    `ORDAGO_ADDRESS: 'yes' is not HOST:PORT`,
		"ORDAGO_TLS":        `ORDAGO_TLS: 'yes' is neither 1 nor 0`,
		"ORDAGO_TOKEN_FILE": `ORDAGO_TOKEN_FILE: yes cannot be used: no such file`,
		"ORDAGO_TLS_CA":     `ORDAGO_TLS_CA: cannot read yes: no such file`,
		"ORDAGO_NONCE":      `ORDAGO_NONCE: 'yes' is not 16 to 64 bytes in hexadecimal`,
		"ORDAGO_ON_ERROR":   `ORDAGO_ON_ERROR: 'yes' is neither stop nor default`,
		"ORDAGO_LOG":        `ORDAGO_LOG: 'yes' is neither text nor json`,
	} {
		if _, err := told(map[string]string{variable: "yes"}); err == nil || !strings.HasPrefix(err.Error(), sentence) {
			t.Errorf("%s is answered by %v", variable, err)
		}
	}
}

func TestFailuresStopABotUnlessItIsToldOtherwise(t *testing.T) {
	for _, given := range []struct {
		variable string
		option   []string
		onError  OnError
	}{
		{"", nil, StopOnError}, {"default", nil, DefaultOnError}, {"stop", nil, StopOnError},
		{"default", []string{"--on-error", "stop"}, StopOnError}, {"", []string{"--on-error=default"}, DefaultOnError},
	} {
		read := mustBeTold(t, map[string]string{"ORDAGO_ON_ERROR": given.variable}, given.option...)
		if read.player.OnError != given.onError {
			t.Errorf("%+v: it is %v", given, read.player.OnError)
		}
	}
}

func TestTheFormOfTheLogIsThatOfTheVariable(t *testing.T) {
	for variable, asJSON := range map[string]bool{"": false, "text": false, "json": true} {
		if read := mustBeTold(t, map[string]string{"ORDAGO_LOG": variable}); read.jsonLog != asJSON {
			t.Errorf("%q: JSON is %v", variable, read.jsonLog)
		}
	}
}

func TestDecisionsAreKeptInAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "decisions")
	for _, read := range []settings{
		mustBeTold(t, nil, "--log-decisions", file), mustBeTold(t, map[string]string{"ORDAGO_LOG_DECISIONS": file}),
	} {
		if read.player.Decisions == nil {
			t.Error("they are not")
		}
	}
}

func TestTheLastOfAnOptionCounts(t *testing.T) {
	read := mustBeTold(t, nil, "--name", "ana", "--matches=4", "--game", "mus", "--name=ben", "--matches", "5", "--game=taihe", "-v")
	if player := read.player; player.Name != "ben" || player.MaxMatches != 5 || len(player.Games) != 2 || !read.verbose {
		t.Errorf("read %+v", read)
	}
}

func TestTLSIsOnByAVariableOrAnOption(t *testing.T) {
	for _, given := range []struct {
		variable string
		option   []string
		isOn     bool
	}{{"", nil, false}, {"0", nil, false}, {"1", nil, true}, {"0", []string{"--tls"}, true}} {
		read := mustBeTold(t, map[string]string{"ORDAGO_TLS": given.variable}, given.option...)
		if isOn := read.server.TLS != nil; isOn != given.isOn {
			t.Errorf("%+v: TLS is on: %v", given, isOn)
		}
	}
}

func TestHelpAndVersionAreHeardBeforeLaterMistakes(t *testing.T) {
	for word, answer := range map[string]error{"-h": flag.ErrHelp, "--help": flag.ErrHelp, "--version": errVersion} {
		if _, err := told(nil, "--name", "ana", word, "--bogus"); !errors.Is(err, answer) {
			t.Errorf("%s is answered by %v", word, err)
		}
	}
}

func TestFilesAreMadeForTheirOwnerAloneAndOnlyIfAllElseIsRight(t *testing.T) {
	folder := t.TempDir()
	for _, option := range []string{"--receipts", "--log-decisions"} {
		path := filepath.Join(folder, option)
		_, err := told(nil, option, path, "--address", "nowhere")
		if _, absent := os.Stat(path); err == nil || !errors.Is(absent, os.ErrNotExist) {
			t.Errorf("%s made a file, and the mistake is %v", option, err)
		}
		mustBeTold(t, nil, option, path)
		if about, err := os.Stat(path); err != nil || about.Mode().Perm() != 0o600 {
			t.Errorf("%s made %v: %v", option, about, err)
		}
	}
}
