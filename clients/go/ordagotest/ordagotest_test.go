package ordagotest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	ordago "github.com/ordago/ordago/clients/go"
	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
	"github.com/ordago/ordago/clients/go/ordagotest"
)

const vectors = "../../vectors/"

// bot is a bot of two functions.
type bot struct {
	choose  func(ctx context.Context, decision *ordago.Decision) (*ordago.Answer, error)
	refused *ordago.Answer
}

func (b bot) Choose(ctx context.Context, decision *ordago.Decision) (*ordago.Answer, error) {
	return b.choose(ctx, decision)
}

func (b bot) Refused(context.Context, *ordago.Decision, *ordago.Refused) (*ordago.Answer, error) {
	return b.refused, nil
}

func factory(choose func(ctx context.Context, decision *ordago.Decision) (*ordago.Answer, error)) ordago.Factory {
	return func(*ordago.Match) (ordago.Bot, error) {
		return bot{choose, ordago.Take(&ordago.LegalAction{Id: 9})}, nil
	}
}

func random(_ context.Context, decision *ordago.Decision) (*ordago.Answer, error) {
	actions := decision.GetActions()
	return ordago.Complete(actions[decision.Random.IntN(len(actions))], decision.Random), nil
}

func load(t *testing.T, path string) []ordagotest.Decision {
	t.Helper()
	decisions, err := ordagotest.LoadDecisions(path)
	if err != nil || len(decisions) == 0 {
		t.Fatalf("%d decisions, %v", len(decisions), err)
	}
	return decisions
}

func TestTheFileHasADecisionOfEachGameWithALegalAnswer(t *testing.T) {
	games := map[string]bool{}
	for _, decision := range load(t, vectors+"decisions.jsonl") {
		games[decision.Start.GetGame()] = true
		if err := ordagotest.CheckLegal(decision.Decision, decision.Answer); err != nil {
			t.Errorf("the answer of %s: %v", decision.Start.GetGame(), err)
		}
		asked, err := ordagotest.Ask(t.Context(), factory(random), decision)
		if err != nil || ordagotest.CheckLegal(decision.Decision, asked) != nil {
			t.Errorf("the random bot answers %v, %v", asked, err)
		}
		if again, _ := ordagotest.Ask(t.Context(), factory(random), decision); !proto.Equal(asked, again) {
			t.Errorf("it answers %v, then %v", asked, again)
		}
	}
	if len(games) != 5 {
		t.Errorf("there are %v", games)
	}
}

func TestAnswersAreJudgedAsTheRefereeDoes(t *testing.T) {
	text, err := os.ReadFile(vectors + "legality.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Bytes   []byte
		Answers []struct {
			Answer json.RawMessage
			Bytes  []byte
			Legal  bool
		}
	}
	if err := json.Unmarshal(text, &cases); err != nil || len(cases) == 0 {
		t.Fatal(len(cases), err)
	}
	for _, one := range cases {
		var decision ordagov1.Decision
		if err := proto.Unmarshal(one.Bytes, &decision); err != nil {
			t.Fatal(err)
		}
		for _, given := range one.Answers {
			var answer ordago.Answer
			if err := proto.Unmarshal(given.Bytes, &answer); err != nil {
				t.Fatal(err)
			}
			before := proto.CloneOf(&answer)
			if err := ordagotest.CheckLegal(&decision, &answer); (err == nil) != given.Legal {
				t.Errorf("%s is judged by %v; it is legal: %v", given.Answer, err, given.Legal)
			}
			if !proto.Equal(before, &answer) {
				t.Errorf("%s was changed", given.Answer)
			}
		}
	}
}

func TestABotIsAskedAgainAfterARefusal(t *testing.T) {
	refused := load(t, vectors+"decisions.jsonl")[0]
	refused.Refused = &ordago.Refused{MatchHandle: 1, Number: refused.Decision.GetNumber(), TimeLeftMs: 5}
	answer, err := ordagotest.Ask(t.Context(), factory(random), refused)
	if err != nil || answer.GetLegalAction() != 9 {
		t.Errorf("it answers %v, %v", answer, err)
	}
	refused.Refused.Number++
	if _, err := ordagotest.Ask(t.Context(), factory(random), refused); err == nil {
		t.Error("it answers the refusal of another decision")
	}
}

func TestAskTellsOfAFailureAndOfTheTime(t *testing.T) {
	asked := load(t, vectors+"decisions.jsonl")[0]
	fails := factory(func(ctx context.Context, _ *ordago.Decision) (*ordago.Answer, error) {
		end, _ := ctx.Deadline()
		return nil, fmt.Errorf("%v left", time.Until(end).Round(time.Second))
	})
	_, err := ordagotest.Ask(t.Context(), fails, asked)
	left := time.Duration(asked.Decision.GetClock().GetDecisionMs()) * time.Millisecond
	if !errors.As(err, new(*ordago.BotError)) || !strings.HasSuffix(err.Error(), fmt.Sprint(left, " left")) {
		t.Errorf("it fails by %v", err)
	}
}

func TestWhatABotLoggedIsReadAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "decisions.jsonl")
	decisions, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	given := load(t, vectors+"decisions.jsonl")[3]
	thinks := factory(func(_ context.Context, decision *ordago.Decision) (*ordago.Answer, error) {
		if decision.GetNumber() == given.Decision.GetNumber() {
			return given.Answer, nil
		}
		return nil, errors.New("no idea <&>")
	})
	second := proto.CloneOf(given.Decision)
	second.Number++
	refusal := &ordago.Refused{MatchHandle: 1, Number: given.Decision.GetNumber(), TimeLeftMs: 5}
	ticks := time.Unix(0, 0)
	player := ordago.NewPlayer(thinks, ordago.PlayerOptions{
		Decisions: decisions, OnError: ordago.DefaultOnError, Now: func() time.Time {
			ticks = ticks.Add(7 * time.Millisecond)
			return ticks
		},
	})
	for _, message := range []*ordagov1.ServerMessage{
		{Body: &ordagov1.ServerMessage_MatchStart{MatchStart: given.Start}},
		{Body: &ordagov1.ServerMessage_Decision{Decision: given.Decision}},
		{Body: &ordagov1.ServerMessage_Refused{Refused: refusal}},
		{Body: &ordagov1.ServerMessage_Decision{Decision: second}},
	} {
		_, err := player.Receive(t.Context(), &ordagov1.PlayResponse{Messages: []*ordagov1.ServerMessage{message}}, ticks)
		if err != nil {
			t.Fatal(err)
		}
	}
	lines := load(t, path)
	if len(lines) != 3 {
		t.Fatalf("%d lines", len(lines))
	}
	first, again, last := lines[0], lines[1], lines[2]
	if !proto.Equal(first.Start, given.Start) || !proto.Equal(first.Decision, given.Decision) ||
		!proto.Equal(first.Answer, given.Answer) || first.Refused != nil || first.Error != "" ||
		first.Thought != 7*time.Millisecond {
		t.Errorf("the first line is %+v", first)
	}
	if !proto.Equal(again.Refused, refusal) || again.Answer.GetLegalAction() != 9 {
		t.Errorf("the second line is %+v", again)
	}
	if last.Error != "no idea <&>" || !proto.Equal(last.Answer, second.GetDefaultAnswer()) {
		t.Errorf("the last line is %+v", last)
	}
}

func TestAFileThatIsNoneIsToldWithItsLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "decisions.jsonl")
	for text, words := range map[string]string{
		"{}": "line 1 is no decision: start", "no\n": "line 1", `{"start": {}, "decision": {}}` + "\n[]": "line 2",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ordagotest.LoadDecisions(path); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s is refused by %v", text, err)
		}
	}
	if _, err := ordagotest.LoadDecisions("none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("refused by %v", err)
	}
}

// program writes a script in place of ordago.
func program(t *testing.T, script string) {
	path := filepath.Join(t.TempDir(), "ordago")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ORDAGO_PROGRAM", path)
}

func TestMatchesArePlayedByTheProgramThatIsNamed(t *testing.T) {
	program(t, `echo "{\"game\": \"$*\"}"; echo '{"number": 2, "seats": [{"bot": 1, "strikes": {"follow_suit": 3}}]}'`)
	played, err := ordagotest.Play(t.Context(), "mus", []string{"cmd:a b", "house:random"}, 2, "--seed", "2a")
	if err != nil || len(played) != 2 || played[1].Number != 2 || played[1].Seats[0].Strikes["follow_suit"] != 3 {
		t.Fatalf("played %+v, %v", played, err)
	}
	if line := "play mus --matches 2 --json --bot cmd:a b --bot house:random --seed 2a"; played[0].Game != line {
		t.Errorf("it is called with %s", played[0].Game)
	}
}

func TestAProgramThatFailsOrIsMissingIsTold(t *testing.T) {
	for script, words := range map[string]string{"echo no bots >&2; exit 2": "exit status 2: no bots", "echo hello": "no match"} {
		program(t, script)
		if _, err := ordagotest.Play(t.Context(), "mus", nil, 1); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("it fails by %v", err)
		}
	}
	t.Setenv("ORDAGO_PROGRAM", "/none")
	if _, err := ordagotest.Play(t.Context(), "mus", nil, 1); err == nil || !strings.Contains(err.Error(), "ORDAGO_PROGRAM") {
		t.Errorf("it fails by %v", err)
	}
}

func TestHouseBotsPlay(t *testing.T) {
	program, err := exec.LookPath("../../../.venv/bin/ordago")
	if err != nil {
		program, err = exec.LookPath("ordago")
	}
	if err != nil {
		t.Skip("ordago is not installed")
	}
	t.Setenv("ORDAGO_PROGRAM", program)
	bots := []string{"house:default", "house:random", "house:random"}
	results, err := ordagotest.Play(t.Context(), "mittlere", bots, 3, "--option", "deals=3", "--seed", "2a")
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range results {
		for _, seat := range result.Seats {
			t.Logf("match %d: %s has %d points", result.Number, seat.Name, seat.Score)
		}
	}
	if last := results[len(results)-1]; len(results) != 3 || last.Number != 3 || last.Game != "mittlere" ||
		len(last.Seats) != 3 || last.MatchID == "" {
		t.Errorf("played %+v", results)
	}
}
