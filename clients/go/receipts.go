package ordago

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"os"
	"slices"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// receipt is a statement of a server about its event, kept as evidence. docs/proof.md describes its contents.
type receipt map[string]any

// mostReceiptBytes is more than the longest receipt has, which names all entrants of an event.
const mostReceiptBytes = 1 << 20

// openReceipts opens or creates a file of receipts.
func openReceipts(path string) (*os.File, error) {
	// Only a regular file can be spoilt; opening tells what is wrong with any other.
	if about, err := os.Stat(path); err == nil && about.Mode().IsRegular() && about.Size() > 0 {
		if err := checkReceipts(path); err != nil {
			return nil, err
		}
	}
	return appendTo(path)
}

// checkReceipts returns an error if a file does not begin with a receipt.
func checkReceipts(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	line, _ := bufio.NewReader(io.LimitReader(file, mostReceiptBytes)).ReadBytes('\n')
	var first struct {
		Kind string `json:"kind"`
	}
	err = json.Unmarshal(line, &first)
	if err != nil || !slices.Contains([]string{"event", "match_start", "match_end"}, first.Kind) {
		return errors.New("it is there and holds no receipts")
	}
	return nil
}

// receipts writes the receipts of a session, over all its connections.
type receipts struct {
	output io.Writer
	event  receipt
	logger *slog.Logger
}

// lineOf returns a line of JSON.
func lineOf(value any) []byte {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // All values here are strings, numbers, lists, maps, and JSON.
	return line.Bytes()
}

// describe keeps the server's description of its event, before the server knows the bot's nonce. There may be no event.
func (r *receipts) describe(described *ordagov1.DescribeEventResponse, nonce []byte) {
	r.event = receipt{}
	if described.GetEvent() == "" {
		return
	}
	r.event = receipt{"event": described.GetEvent(), "commitment": hex.EncodeToString(described.GetCommitment())}
	r.keepWith(receipt{
		"kind":            "event",
		"secret_digest":   hex.EncodeToString(described.GetSecretDigest()),
		"settings_digest": hex.EncodeToString(described.GetSettingsDigest()),
		"entrants":        append([]string{}, described.GetEntrants()...),
		"beacon":          beaconOf(described.GetBeacon()),
		"nonce":           hex.EncodeToString(nonce),
	})
}

func beaconOf(beacon *ordagov1.Beacon) any {
	if beacon == nil {
		return nil
	}
	value := hex.EncodeToString(beacon.GetValue())
	return receipt{"source": beacon.GetSource(), "round": beacon.GetRound(), "value": value}
}

// begin keeps the state of the ledger when a match begins, if it belongs to an event.
func (r *receipts) begin(start *ordagov1.MatchStart) {
	if r.output == nil || start.GetLedgerLength() == 0 {
		return
	}
	match := NewMatch(start)
	r.keepWith(receipt{
		"kind": "match_start", "match_id": start.GetMatchId(), "name": match.player(start.GetSeat()).GetName(),
		"length": start.GetLedgerLength(), "head": hex.EncodeToString(start.GetLedgerHead()),
	})
}

// end keeps the state of the ledger when such a match ends. The digest of a void match is empty.
func (r *receipts) end(start *ordagov1.MatchStart, end *ordagov1.MatchEnd) {
	if r.output == nil || end.GetLedgerLength() == 0 {
		return
	}
	r.keepWith(receipt{
		"kind": "match_end", "match_id": start.GetMatchId(), "record_digest": hex.EncodeToString(end.GetRecordDigest()),
		"length": end.GetLedgerLength(), "head": hex.EncodeToString(end.GetLedgerHead()),
	})
}

// keepWith keeps a receipt, completed by the name and the commitment of the event.
func (r *receipts) keepWith(kept receipt) {
	maps.Copy(kept, r.event)
	if _, err := r.output.Write(lineOf(kept)); err != nil {
		r.logger.Error("a receipt could not be written: " + err.Error())
	}
}
