package ordago

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// decisionLog writes each decision that a bot was asked for, as a line of JSON. docs/bot-process.md describes the lines.
type decisionLog struct {
	output io.Writer
	// hasFailed is true if a line could not be written.
	hasFailed bool
}

// decisionLine is a line of the file.
type decisionLine struct {
	Start        json.RawMessage `json:"start"`
	Decision     json.RawMessage `json:"decision"`
	Refused      json.RawMessage `json:"refused,omitempty"`
	Answer       json.RawMessage `json:"answer,omitempty"`
	Milliseconds int64           `json:"milliseconds"`
	Error        string          `json:"error,omitempty"`
}

// keep writes the line of a call, if the bot was asked. An answer that was not sent is left out.
func (l *decisionLog) keep(call *call, isDropped bool, logger *slog.Logger) {
	if l.output == nil || !call.wasAsked {
		return
	}
	line := decisionLine{
		Start: jsonOf(call.seat.match.MatchStart), Decision: jsonOf(call.decision.Decision),
		Milliseconds: call.thought.Milliseconds(),
	}
	if call.refused != nil {
		line.Refused = jsonOf(call.refused)
	}
	if !isDropped && call.answer != nil {
		line.Answer = jsonOf(call.answer)
	}
	if call.failure != nil {
		line.Error = call.failure.Err.Error()
	}
	if _, err := l.output.Write(lineOf(line)); err != nil && !l.hasFailed {
		l.hasFailed = true
		logger.Warn("a decision could not be written: " + err.Error())
	}
}

// jsonOf returns a message in protobuf's JSON form; a message with text that is not UTF-8, which has none, as null.
func jsonOf(message proto.Message) json.RawMessage {
	text, err := protojson.Marshal(message)
	if err != nil {
		return json.RawMessage("null")
	}
	var compact bytes.Buffer
	_ = json.Compact(&compact, text) // protojson puts in spaces by chance.
	return compact.Bytes()
}
