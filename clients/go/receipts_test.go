package ordago

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

func TestReceiptsSayWhatTheServerSaid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "receipts")
	file, err := appendTo(path)
	if err != nil {
		t.Fatal(err)
	}
	receipts := receipts{output: file}
	receipts.describe(&ordagov1.DescribeEventResponse{
		Event: "cup & co", Commitment: []byte{1}, SecretDigest: []byte{2}, SettingsDigest: []byte{3},
		Entrants: []string{"ana"}, Beacon: &ordagov1.Beacon{Source: "drand", Round: 7},
	}, []byte{0xab})
	begun := &ordagov1.MatchStart{MatchId: "m", Players: []*ordagov1.Player{{Name: "ana"}}, Seat: 0}
	receipts.begin(begun) // Without a ledger there is nothing to be held to.
	begun.LedgerLength, begun.LedgerHead = 3, []byte{4}
	receipts.begin(begun)
	receipts.end(begun, &ordagov1.MatchEnd{LedgerLength: 4, LedgerHead: []byte{5}})
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	expected := `{"beacon":{"round":7,"source":"drand","value":""},"commitment":"01","entrants":["ana"],` +
		`"event":"cup & co","kind":"event","nonce":"ab","secret_digest":"02","settings_digest":"03"}
{"commitment":"01","event":"cup & co","head":"04","kind":"match_start","length":3,"match_id":"m","name":"ana"}
{"commitment":"01","event":"cup & co","head":"05","kind":"match_end","length":4,"match_id":"m","record_digest":""}
`
	if string(kept) != expected {
		t.Errorf("kept %s", kept)
	}
	if about, _ := os.Stat(path); about.Mode().Perm() != 0o600 {
		t.Errorf("others may read it: %v", about.Mode())
	}
}

func TestAServerThatPlaysNoEventLeavesNothing(t *testing.T) {
	var kept bytes.Buffer
	receipts := receipts{output: &kept}
	receipts.describe(nil, nil)
	if kept.Len() > 0 {
		t.Errorf("kept %s", &kept)
	}
	// Lists are lists where nobody is in them.
	receipts.describe(&ordagov1.DescribeEventResponse{Event: "cup"}, nil)
	if text := kept.String(); !strings.Contains(text, `"beacon":null`) || !strings.Contains(text, `"entrants":[]`) {
		t.Errorf("kept %s", text)
	}
}

func TestAMatchNamesItsOwnSeatOnlyIfThereIsOne(t *testing.T) {
	var kept bytes.Buffer
	receipts := receipts{output: &kept}
	receipts.begin(&ordagov1.MatchStart{Seat: 9, LedgerLength: 1})
	if !strings.Contains(kept.String(), `"name":""`) {
		t.Errorf("kept %s", &kept)
	}
}

func TestAFileOfSomethingElseIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "other")
	given := map[string]bool{
		"root:x:0:0\n": false, "[]\n": false, "null": false, `{"kind": 1}`: false, `{"start": {}}`: false,
		"": true, "{\"kind\": \"match_end\"}\n{": true, `{"kind": "event"}`: true,
	}
	for contents, isTaken := range given {
		if err := os.WriteFile(file, []byte(contents), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := told(nil, "--receipts", file)
		if isTaken != (err == nil) {
			t.Errorf("%q is answered by %v", contents, err)
		}
		if want := "--receipts: cannot write to " + file + ": it is there and holds no receipts"; err != nil && err.Error() != want {
			t.Errorf("%q is answered by %v", contents, err)
		}
	}
	mustBeTold(t, nil, "--receipts", "/dev/null")
}
