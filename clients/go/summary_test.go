package ordago

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

func TestTheSummaryIsASentenceWithItsCausesInOrder(t *testing.T) {
	whole := Summary{
		Matches: 13, Placings: map[uint32]int{2: 7, 1: 5}, Void: 1, Slowest: &Slowest{34, "m", 9},
		Refused: map[string]int{"follow_suit": 2, "answer": 1}, DefaultAnswers: map[string]int{"FAULT_TOO_LATE": 1},
		Forfeited: 1, Failures: 1,
	}
	for sentence, summary := range map[string]Summary{
		"13 matches: placing 1: 5, placing 2: 7, void: 1; slowest decision: 34 ms (match m, decision 9); " +
			"refused: 3 (answer 1, follow_suit 2); default answers: 1 (FAULT_TOO_LATE 1); forfeited: 1; failures: 1": whole,
		"1 match: placing 3: 1, void: 0": {Matches: 1, Placings: map[uint32]int{3: 1}},
	} {
		if summary.String() != sentence {
			t.Errorf("it says %s", summary)
		}
	}
}

func TestTheSummaryOfASession(t *testing.T) {
	var output bytes.Buffer
	player := NewPlayer(func(*Match) (Bot, error) { return failing{}, nil }, PlayerOptions{
		OnError: DefaultOnError, Logger: slog.New(newLineHandler(&output, slog.LevelInfo, true)),
		Now: func() time.Time { return time.Time{} },
	})
	placed := &ordagov1.MatchEnd{Outcome: &ordagov1.Outcome{Placings: []uint32{2, 1}}}
	take(player, matchStart(1), asked(1, 3, nil), refused("follow_suit"), accepted(3, 1), forfeited(1), matchEnd(placed))
	take(player, matchStart(1), matchEnd(&ordagov1.MatchEnd{}))
	output.Reset()
	player.logSummary()
	expected := `"matches":2,"placings":{"1":1},"void":1,"slowest_ms":0,"slowest_match":"m1","slowest_decision":3,` +
		`"refused":{"follow_suit":1},"default_answers":{"FAULT_TOO_LATE":1},"forfeited":1,"failures":1}`
	if !strings.HasSuffix(output.String(), expected+"\n") {
		t.Errorf("logged %s", &output)
	}
}

func TestWithoutAMatchThereIsNoSummary(t *testing.T) {
	lines := logged(t, slog.LevelInfo, func(player *Player) { player.logSummary() })
	if lines != "" {
		t.Errorf("logged %s", lines)
	}
}
