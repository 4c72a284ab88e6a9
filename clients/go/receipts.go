package ordago

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"maps"
	"os"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// Receipt is a statement of a server about its event, kept as evidence. docs/proof.md describes its contents.
type Receipt map[string]any

// Receipts collects the receipts of a session, over all its connections.
type Receipts struct {
	keep   func(Receipt) error
	event  Receipt
	logger *slog.Logger
}

// NewReceipts returns a collection that hands each receipt to a function, and logs its errors.
func NewReceipts(keep func(Receipt) error) *Receipts {
	return &Receipts{keep: keep, logger: slog.Default()}
}

// ReceiptsFile opens or creates a file of receipts. Each is appended as a line of JSON by a single system call, so that
// lines of several processes never mix.
func ReceiptsFile(path string) (*Receipts, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	return NewReceipts(func(receipt Receipt) error {
		_, err := file.Write(lineOf(receipt))
		return err
	}), nil
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
func (r *Receipts) describe(described *ordagov1.DescribeEventResponse, nonce []byte) {
	r.event = Receipt{}
	if described.GetEvent() == "" {
		return
	}
	r.event = Receipt{"event": described.GetEvent(), "commitment": hex.EncodeToString(described.GetCommitment())}
	r.keepWith(Receipt{
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
	return Receipt{"source": beacon.GetSource(), "round": beacon.GetRound(), "value": value}
}

// begin keeps the state of the ledger when a match begins, if it belongs to an event.
func (r *Receipts) begin(start *ordagov1.MatchStart) {
	if r == nil || start.GetLedgerLength() == 0 {
		return
	}
	match := NewMatch(start)
	r.keepWith(Receipt{
		"kind": "match_start", "match_id": start.GetMatchId(), "name": match.player(start.GetSeat()).GetName(),
		"length": start.GetLedgerLength(), "head": hex.EncodeToString(start.GetLedgerHead()),
	})
}

// end keeps the state of the ledger when such a match ends. The digest of a void match is empty.
func (r *Receipts) end(start *ordagov1.MatchStart, end *ordagov1.MatchEnd) {
	if r == nil || end.GetLedgerLength() == 0 {
		return
	}
	r.keepWith(Receipt{
		"kind": "match_end", "match_id": start.GetMatchId(), "record_digest": hex.EncodeToString(end.GetRecordDigest()),
		"length": end.GetLedgerLength(), "head": hex.EncodeToString(end.GetLedgerHead()),
	})
}

// keepWith keeps a receipt, completed by the name and the commitment of the event.
func (r *Receipts) keepWith(receipt Receipt) {
	maps.Copy(receipt, r.event)
	if err := r.keep(receipt); err != nil {
		r.logger.Error("a receipt could not be written: " + err.Error())
	}
}
