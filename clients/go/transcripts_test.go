package ordago_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	ordago "github.com/ordago/ordago/clients/go"
	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// transcript has the messages of a client in one case: clients/transcripts.
type transcript struct {
	Player struct {
		Name             string   `json:"name"`
		Version          string   `json:"version"`
		Games            []string `json:"games"`
		Nonce            string   `json:"nonce"`
		MaxMatches       uint32   `json:"max_matches"`
		MaxOpenDecisions uint32   `json:"max_open_decisions"`
		MatchesInAll     uint32   `json:"matches_in_all"`
		OnError          string   `json:"on_error"`
	} `json:"player"`
	Bot   string `json:"bot"`
	Steps []step `json:"steps"`
}

type step struct {
	Do           string      `json:"do"`
	AtMs         int         `json:"at_ms"`
	ThinksMs     int         `json:"thinks_ms"`
	Frame        *frameBytes `json:"frame"`
	Sends        *frameBytes `json:"sends"`
	Told         *[]string   `json:"told"`
	Status       string      `json:"status"`
	Sentence     string      `json:"sentence"`
	RetryAfterMs int         `json:"retry_after_ms"`
	Then         *then       `json:"then"`
	Log          []logLine   `json:"log"`
}

// logLine is a line that a step logs.
type logLine struct {
	Level   string          `json:"level"`
	Event   string          `json:"event"`
	Message string          `json:"message"`
	Fields  json.RawMessage `json:"fields"`
}

type then struct {
	PauseMs *int `json:"pause_ms"`
	Over    *int `json:"over"`
}

type frameBytes struct {
	Bytes []byte `json:"bytes"`
}

// in returns the message that they are, an empty one if there are none.
func (b *frameBytes) in(t *testing.T, message proto.Message) {
	if b == nil {
		return
	}
	if err := proto.Unmarshal(b.Bytes, message); err != nil {
		t.Fatal(err)
	}
}

// stage plays a transcript.
type stage struct {
	player *ordago.Player
	bot    string
	now    time.Time
	thinks time.Duration
	told   []string
	log    bytes.Buffer
}

func newStage(t *testing.T, played transcript) *stage {
	stage := &stage{bot: played.Bot}
	nonce, err := hex.DecodeString(played.Player.Nonce)
	if err != nil {
		t.Fatal(err)
	}
	onError := map[string]ordago.OnError{"": ordago.StopOnError, "default": ordago.DefaultOnError}[played.Player.OnError]
	stage.player = ordago.NewPlayer(stage.begin, ordago.PlayerOptions{
		OnError:          onError,
		Logger:           ordago.NewJSONLog(&stage.log),
		Name:             played.Player.Name,
		Version:          played.Player.Version,
		Games:            played.Player.Games,
		Nonce:            nonce,
		MaxMatches:       played.Player.MaxMatches,
		MaxOpenDecisions: played.Player.MaxOpenDecisions,
		MatchesInAll:     played.Player.MatchesInAll,
		Now:              func() time.Time { return stage.now },
	})
	return stage
}

func (s *stage) begin(match *ordago.Match) (ordago.Bot, error) {
	if s.bot == "failing-at-start" {
		panic(errItFails)
	}
	s.tell("begin", match.GetMatchHandle())
	bot := actor{s, match}
	if s.bot == "insisting" {
		return insisting{bot}, nil
	}
	return bot, nil
}

var errItFails = errors.New("it fails")

func (s *stage) tell(what string, numbers ...uint32) {
	for _, number := range numbers {
		what += fmt.Sprint(" ", number)
	}
	s.told = append(s.told, what)
}

// actor is a bot that answers as a transcript says.
type actor struct {
	*stage
	match *ordago.Match
}

func (a actor) Choose(_ context.Context, decision *ordago.Decision) (*ordago.Answer, error) {
	a.tell("choose", decision.GetMatchHandle(), decision.GetNumber())
	a.now = a.now.Add(a.thinks)
	switch a.bot {
	case "default":
		return decision.GetDefaultAnswer(), nil
	case "failing":
		return nil, errItFails
	case "empty":
		return &ordago.Answer{}, nil
	case "retiring":
		a.match.Retire()
	}
	return leastOf(decision.GetActions()[0]), nil
}

func (a actor) Forfeited(notice *ordago.Forfeited) { a.tell("forfeited", notice.GetMatchHandle()) }

func (a actor) Ended(end *ordago.MatchEnd) {
	a.tell("ended", end.GetMatchHandle())
	if a.bot == "failing" {
		panic(errItFails)
	}
}

// insisting is one that answers refusals, too.
type insisting struct {
	actor
}

func (i insisting) Refused(
	_ context.Context, decision *ordago.Decision, refusal *ordago.Refused,
) (*ordago.Answer, error) {
	i.tell("refused", refusal.GetMatchHandle(), refusal.GetNumber())
	return leastOf(decision.GetActions()[len(decision.GetActions())-1]), nil
}

// leastOf names a legal action, with the least of its open parts.
func leastOf(action *ordago.LegalAction) *ordago.Answer {
	answer := ordago.Take(action)
	if amounts := action.GetAmount(); amounts != nil {
		answer.Amount = &amounts.Min
	}
	for _, pick := range action.GetPicks() {
		answer.Cards = append(answer.Cards, pick.GetCards()[:pick.GetMin()]...)
	}
	return answer
}

func (s *stage) play(t *testing.T, step step) {
	s.now, s.thinks, s.told = at(step.AtMs), milliseconds(step.ThinksMs), nil
	s.log.Reset()
	switch step.Do {
	case "connect":
		compare(t, s.player.Connect(), step.Sends)
	case "receive":
		var response ordagov1.PlayResponse
		step.Frame.in(t, &response)
		sent, err := s.player.Receive(t.Context(), &response, s.now)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, sent, step.Sends)
	case "retire":
		compare(t, s.player.Retire(), step.Sends)
	case "leave":
		compare(t, s.player.Leave(), step.Sends)
	case "lost":
		s.lose(t, step)
	default:
		t.Fatalf("there is no such step: %q", step.Do)
	}
	if step.Told != nil && !slices.Equal(s.told, *step.Told) {
		t.Errorf("the bots were told %q, not %q", s.told, *step.Told)
	}
	s.compareLog(t, step.Log)
}

// compareLog compares what was logged with what should have been, and the order of its fields.
func (s *stage) compareLog(t *testing.T, expected []logLine) {
	lines := slices.Collect(strings.Lines(s.log.String()))
	if len(lines) != len(expected) {
		t.Fatalf("logged %s, not %d lines", &s.log, len(expected))
	}
	for place, line := range expected {
		logged, wanted := fields(t, []byte(lines[place])), fields(t, line.Fields)
		wanted = slices.Concat([]field{{"level", line.Level}, {"event", line.Event}, {"message", line.Message}}, wanted)
		if _, err := time.Parse(time.RFC3339Nano, fmt.Sprint(logged[0].value)); logged[0].name != "time" || err != nil {
			t.Errorf("it was logged at %v", logged[0])
		}
		words := line.Message[strings.LastIndex(line.Message, ": ")+2:]
		for place, one := range logged {
			if one.name == "trace" && strings.Contains(fmt.Sprint(one.value), words) {
				logged[place].value = "…"
			}
		}
		if !reflect.DeepEqual(logged[1:], wanted) {
			t.Errorf("logged %v, not %v", logged[1:], wanted)
		}
	}
}

type field struct {
	name  string
	value any
}

// fields returns the fields of an object in their order.
func fields(t *testing.T, object []byte) (fields []field) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	_, err := decoder.Token()
	for err == nil && decoder.More() {
		var one field
		var name json.Token
		name, err = decoder.Token()
		one.name = fmt.Sprint(name)
		err = errors.Join(err, decoder.Decode(&one.value))
		fields = append(fields, one)
	}
	if err != nil {
		t.Fatal(err)
	}
	return fields
}

func (s *stage) lose(t *testing.T, step step) {
	var status codes.Code
	if err := json.Unmarshal([]byte(`"`+step.Status+`"`), &status); err != nil {
		t.Fatal(err)
	}
	retryAfter := milliseconds(step.RetryAfterMs)
	next := s.player.Lost(ordago.Loss{Status: status, Sentence: step.Sentence, RetryAfter: retryAfter, At: s.now})
	s.player.Announce(next, "127.0.0.1:7447")
	switch {
	case step.Then.Over != nil:
		if !next.Over || next.ExitCode != *step.Then.Over {
			t.Errorf("%+v comes next; it should be over with %d", next, *step.Then.Over)
		}
	case next.Over || next.Pause != milliseconds(*step.Then.PauseMs):
		t.Errorf("%+v comes next; it should be a pause of %d ms", next, *step.Then.PauseMs)
	}
}

func at(ms int) time.Time {
	return time.Unix(0, 0).Add(milliseconds(ms))
}

func milliseconds(number int) time.Duration {
	return time.Duration(number) * time.Millisecond
}

// compare compares what was sent with what should have been, but for the name of the library.
func compare(t *testing.T, sent *ordagov1.PlayRequest, sends *frameBytes) {
	t.Helper()
	var expected ordagov1.PlayRequest
	sends.in(t, &expected)
	if sent == nil {
		sent = &ordagov1.PlayRequest{}
	}
	sent = proto.CloneOf(sent)
	for _, message := range append(sent.GetMessages(), expected.GetMessages()...) {
		if hello := message.GetHello(); hello != nil {
			hello.Sdk = nil
		}
	}
	if !proto.Equal(sent, &expected) {
		t.Errorf("sent %s\nnot %s", prototext.Format(sent), prototext.Format(&expected))
	}
}

func TestItSaysWhatTheTranscriptsSay(t *testing.T) {
	paths, _ := filepath.Glob("../transcripts/*.json")
	if len(paths) == 0 {
		t.Fatal("there are no transcripts")
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var played transcript
			if err := json.Unmarshal(text, &played); err != nil {
				t.Fatal(err)
			}
			stage := newStage(t, played)
			for number, step := range played.Steps {
				t.Logf("step %d: %s", number+1, step.Do)
				stage.play(t, step)
			}
		})
	}
}
