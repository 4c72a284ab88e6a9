package ordago_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
}

func newStage(t *testing.T, played transcript) *stage {
	stage := &stage{bot: played.Bot}
	nonce, err := hex.DecodeString(played.Player.Nonce)
	if err != nil {
		t.Fatal(err)
	}
	stage.player = ordago.NewPlayer(stage.begin, ordago.PlayerOptions{
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
	s.tell("begin", match.GetMatchHandle())
	bot := actor{s, match}
	if s.bot == "insisting" {
		return insisting{bot}, nil
	}
	return bot, nil
}

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
	case "retiring":
		a.match.Retire()
	}
	return leastOf(decision.GetActions()[0]), nil
}

func (a actor) Forfeited(notice *ordago.Forfeited) { a.tell("forfeited", notice.GetMatchHandle()) }

func (a actor) Ended(end *ordago.MatchEnd) { a.tell("ended", end.GetMatchHandle()) }

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
}

func (s *stage) lose(t *testing.T, step step) {
	var status codes.Code
	if err := json.Unmarshal([]byte(`"`+step.Status+`"`), &status); err != nil {
		t.Fatal(err)
	}
	retryAfter := milliseconds(step.RetryAfterMs)
	next := s.player.Lost(ordago.Loss{Status: status, Sentence: step.Sentence, RetryAfter: retryAfter, At: s.now})
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
