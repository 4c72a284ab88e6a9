// Package ordagotest helps to test bots: it asks them decisions from a file, judges their answers, and plays matches.
//
//	func TestItsAnswersAreLegal(t *testing.T) {
//		decisions, err := ordagotest.LoadDecisions("decisions.jsonl")
//		if err != nil {
//			t.Fatal(err)
//		}
//		for _, decision := range decisions {
//			answer, err := ordagotest.Ask(t.Context(), newBot, decision)
//			if err == nil {
//				err = ordagotest.CheckLegal(decision.Decision, answer)
//			}
//			if err != nil {
//				t.Errorf("%s, decision %d: %v", decision.Start.GetGame(), decision.Decision.GetNumber(), err)
//			}
//		}
//	}
package ordagotest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	ordago "github.com/ordago/ordago/clients/go"
	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// Decision is a line of a file that a bot wrote with --log-decisions, or `ordago record` with --decisions.
type Decision struct {
	// Start is the beginning of the match.
	Start *ordagov1.MatchStart
	// Decision is what the bot was asked.
	Decision *ordagov1.Decision
	// Refused is the refusal for which it was asked again; nil at the first time.
	Refused *ordago.Refused
	// Answer is what was sent; nil if nothing was.
	Answer *ordago.Answer
	// Thought is how long the bot thought.
	Thought time.Duration
	// Error says how the bot failed; empty if it did not.
	Error string
}

// UnmarshalJSON reads a line.
func (d *Decision) UnmarshalJSON(text []byte) error {
	var line struct {
		Start, Decision, Refused, Answer json.RawMessage
		Milliseconds                     int64
		Error                            string
	}
	if err := json.Unmarshal(text, &line); err != nil {
		return err
	}
	*d = Decision{
		Start: &ordagov1.MatchStart{}, Decision: &ordagov1.Decision{},
		Thought: time.Duration(line.Milliseconds) * time.Millisecond, Error: line.Error,
	}
	if line.Refused != nil {
		d.Refused = &ordago.Refused{}
	}
	if line.Answer != nil {
		d.Answer = &ordago.Answer{}
	}
	return errors.Join(
		read("start", line.Start, d.Start), read("decision", line.Decision, d.Decision),
		read("refused", line.Refused, d.Refused), read("answer", line.Answer, d.Answer),
	)
}

// read reads a message, if it has to be there or is.
func read(key string, text json.RawMessage, message proto.Message) error {
	if !message.ProtoReflect().IsValid() {
		return nil
	}
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(text, message); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return nil
}

// LoadDecisions returns the decisions in a file.
func LoadDecisions(path string) ([]Decision, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var decisions []Decision
	reader := bufio.NewReader(file)
	for number := 1; ; number++ {
		line, err := reader.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return decisions, nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		var decision Decision
		if err := json.Unmarshal(line, &decision); err != nil {
			return nil, fmt.Errorf("%s, line %d is no decision: %w", path, number, err)
		}
		decisions = append(decisions, decision)
	}
}

var errNotAsked = errors.New("a bot would not be asked this: the messages are of different matches or decisions")

// Ask makes a bot and asks it as in a match: with the random numbers of the decision, and its time from now on. A bot that
// was refused is asked first and refused then. The error is an [ordago.BotError].
func Ask(ctx context.Context, factory ordago.Factory, asked Decision) (*ordago.Answer, error) {
	player := ordago.NewPlayer(factory, ordago.PlayerOptions{Logger: slog.New(slog.DiscardHandler)})
	messages := []*ordagov1.ServerMessage{
		{Body: &ordagov1.ServerMessage_MatchStart{MatchStart: asked.Start}},
		{Body: &ordagov1.ServerMessage_Decision{Decision: asked.Decision}},
	}
	if asked.Refused != nil {
		messages = append(messages, &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Refused{Refused: asked.Refused}})
	}
	answer, err := (*ordago.Answer)(nil), ctx.Err()
	for _, message := range messages {
		frame := &ordagov1.PlayResponse{Messages: []*ordagov1.ServerMessage{message}}
		reply, failure := player.Receive(ctx, frame, time.Now())
		if failure != nil {
			return nil, failure
		}
		answer, err = nil, errors.Join(ctx.Err(), errNotAsked)
		for _, sent := range reply.GetMessages() {
			if sent.GetChoice() != nil {
				answer, err = sent.GetChoice().GetAnswer(), nil
			}
		}
	}
	return answer, err
}
