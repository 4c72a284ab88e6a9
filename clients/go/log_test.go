package ordago

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// logged lets a player take messages, and returns the lines of its log without their times.
func logged(t *testing.T, level slog.Level, act func(player *Player)) string {
	t.Helper()
	var output bytes.Buffer
	player := NewPlayer(func(*Match) (Bot, error) { return byDefault{}, nil }, PlayerOptions{
		Logger: slog.New(newLineHandler(&output, level, false)),
	})
	player.Connect()
	act(player)
	stamp := regexp.MustCompile(`(?m)^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z `)
	if lines := strings.Count(output.String(), "\n"); len(stamp.FindAllString(output.String(), -1)) != lines {
		t.Errorf("not every line begins with the time: %s", &output)
	}
	return stamp.ReplaceAllString(output.String(), "")
}

type byDefault struct{}

func (byDefault) Choose(_ context.Context, decision *Decision) (*Answer, error) {
	return decision.GetDefaultAnswer(), nil
}

func take(player *Player, messages ...*ordagov1.ServerMessage) {
	_, _ = player.Receive(context.Background(), &ordagov1.PlayResponse{Messages: messages}, time.Now())
}

func welcome(welcome *ordagov1.Welcome) *ordagov1.ServerMessage {
	return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Welcome{Welcome: welcome}}
}

func matchStart(handle uint32) *ordagov1.ServerMessage {
	start := &ordagov1.MatchStart{MatchHandle: handle, MatchId: "m1", Game: "mus", Seat: 1}
	return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_MatchStart{MatchStart: start}}
}

func refused(rule string) *ordagov1.ServerMessage {
	refused := &ordagov1.Refused{MatchHandle: 1, Number: 3, Rule: rule, Fault: ordagov1.Fault_FAULT_ILLEGAL}
	return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Refused{Refused: refused}}
}

func accepted(number, faultsLeft uint32) *ordagov1.ServerMessage {
	accepted := &ordagov1.Accepted{MatchHandle: 1, Number: number, Fault: ordagov1.Fault_FAULT_TOO_LATE,
		FaultsLeft: faultsLeft, Sentence: "too late", ChargedMs: 12, LagMs: 3, BankMs: 56}
	return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Accepted{Accepted: accepted}}
}

func forfeited(handle uint32) *ordagov1.ServerMessage {
	notice := &ordagov1.Forfeited{MatchHandle: handle, Fault: 250, Sentence: "too often"}
	return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Forfeited{Forfeited: notice}}
}

func matchEnd(end *ordagov1.MatchEnd) *ordagov1.ServerMessage {
	end.MatchHandle = 1
	return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_MatchEnd{MatchEnd: end}}
}

func draining(sentence string) *ordagov1.ServerMessage {
	draining := &ordagov1.Draining{Sentence: sentence}
	return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Draining{Draining: draining}}
}

func goodbye(goodbye *ordagov1.Goodbye) *ordagov1.ServerMessage {
	return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Goodbye{Goodbye: goodbye}}
}

func TestEachMessageHasItsLine(t *testing.T) {
	games := []*ordagov1.OfferedGame{{Game: "mittlere"}, {Game: "mus"}}
	forfeits := []*ordagov1.Forfeit{{Seat: 2, Fault: ordagov1.Fault_FAULT_CRASHED}}
	placed := &ordagov1.MatchEnd{Outcome: &ordagov1.Outcome{Placings: []uint32{2, 1}}, Forfeits: forfeits}
	notice := &ordagov1.EventNotice{Sentence: "it begins", MatchesBegun: 2, MatchesPlanned: 9}
	event := &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_EventNotice{EventNotice: notice}}
	for _, test := range []struct {
		lines    string
		messages []*ordagov1.ServerMessage
	}{
		{"INFO connected; games: mittlere, mus\n",
			[]*ordagov1.ServerMessage{welcome(&ordagov1.Welcome{Games: games})}},
		{"INFO session resumed; games: mittlere, mus\n",
			[]*ordagov1.ServerMessage{welcome(&ordagov1.Welcome{Games: games, Resumed: true})}},
		{"INFO the server is going down: soon\n", []*ordagov1.ServerMessage{draining("soon")}},
		{"INFO the server is going down: no reason was given\n", []*ordagov1.ServerMessage{draining("")}},
		{"INFO event: it begins\nINFO match m1 of mus begins, seat 1, match 3 of 9\n",
			[]*ordagov1.ServerMessage{event, matchStart(1)}},
		{"INFO match m1 of mus begins, seat 1\nINFO match m1 of mus goes on, seat 1\n",
			[]*ordagov1.ServerMessage{matchStart(1), matchStart(1)}},
		{"INFO match m1 of mus begins, seat 1\n" +
			"WARNING match m1, decision 3: refused: no reason was given (follow_suit)\n" +
			"WARNING match m1, decision 3: refused: no reason was given (FAULT_ILLEGAL)\n",
			[]*ordagov1.ServerMessage{matchStart(1), refused("follow_suit"), refused("follow_suit"), refused("")}},
		{"WARNING a match that is over, decision 3: refused: no reason was given (answer)\n",
			[]*ordagov1.ServerMessage{refused("answer")}},
		{"INFO match m1 of mus begins, seat 1\n" +
			"WARNING match m1, decision 1: the default answer was taken: too late (FAULT_TOO_LATE); 2 more and the match " +
			"is forfeited\nWARNING match m1, decision 2: the default answer was taken: too late (FAULT_TOO_LATE)\n",
			[]*ordagov1.ServerMessage{matchStart(1), accepted(1, 2), accepted(2, 0)}},
		{"INFO match m1 of mus begins, seat 1\nWARNING match m1 is forfeited: too often (fault 250)\n" +
			"WARNING a match that is over is forfeited: too often (fault 250)\n",
			[]*ordagov1.ServerMessage{matchStart(1), forfeited(1), forfeited(2)}},
		{"INFO match m1 of mus begins, seat 1\nINFO match m1 ended: placing 1, seat 2 forfeited (FAULT_CRASHED)\n",
			[]*ordagov1.ServerMessage{matchStart(1), matchEnd(placed)}},
		{"INFO match m1 of mus begins, seat 1\nINFO match m1 ended: void, seat 2 forfeited (FAULT_CRASHED): a storm\n",
			[]*ordagov1.ServerMessage{matchStart(1), matchEnd(&ordagov1.MatchEnd{Sentence: "a storm", Forfeits: forfeits})}},
	} {
		lines := logged(t, slog.LevelInfo, func(player *Player) { take(player, test.messages...) })
		if lines != test.lines {
			t.Errorf("logged\n%s, not\n%s", lines, test.lines)
		}
	}
}

func TestTheSameCauseIsToldAgainInAnotherMatch(t *testing.T) {
	lines := logged(t, slog.LevelWarn, func(player *Player) {
		again := refused("follow_suit")
		again.GetRefused().MatchHandle = 2
		take(player, matchStart(1), matchStart(2), refused("follow_suit"), again)
	})
	if strings.Count(lines, "refused") != 2 {
		t.Errorf("logged %s", lines)
	}
}

func TestTheEndOfAConnectionHasItsReason(t *testing.T) {
	forNow := &ordagov1.Goodbye{Sentence: "come back", RetryAfterMs: 5000}
	unavailable := Loss{Status: codes.Unavailable, Sentence: "gone"}
	for sentence, test := range map[string]struct {
		messages []*ordagov1.ServerMessage
		loss     Loss
	}{
		"the connection broke (gone)":                      {nil, unavailable},
		"the connection broke (UNAVAILABLE)":               {nil, Loss{Status: codes.Unavailable}},
		"the connection broke (the stream ended)":          {nil, Loss{}},
		"the server has gone down":                         {[]*ordagov1.ServerMessage{draining("soon")}, unavailable},
		"the server said goodbye for now: come back":       {[]*ordagov1.ServerMessage{draining(""), goodbye(forNow)}, Loss{}},
		"ended the session (RESOURCE_EXHAUSTED): too many": {nil, Loss{Status: codes.ResourceExhausted, Sentence: "too many"}},
		"ended the session (ABORTED): banned": {[]*ordagov1.ServerMessage{goodbye(&ordagov1.Goodbye{Sentence: "banned"})},
			Loss{Status: codes.Aborted, Sentence: "no"}},
		"ended the session (UNAUTHENTICATED): no reason was given": {nil, Loss{Status: codes.Unauthenticated}},
	} {
		logged(t, slog.LevelError, func(player *Player) {
			take(player, test.messages...)
			if next := player.Lost(test.loss); next.Sentence != sentence {
				t.Errorf("%q, not %q", next.Sentence, sentence)
			}
		})
	}
}

func TestADrainIsForgottenWithItsConnection(t *testing.T) {
	logged(t, slog.LevelError, func(player *Player) {
		take(player, draining("soon"))
		player.Lost(Loss{Status: codes.Unavailable})
		player.Connect()
		if next := player.Lost(Loss{Status: codes.Unavailable}); next.Sentence != "the connection broke (UNAVAILABLE)" {
			t.Errorf("it ended by %q", next.Sentence)
		}
	})
}

func TestAServerThatDoesNotAnswerIsToldWithTheReason(t *testing.T) {
	for _, name := range []string{"http", "https", "all", "grpc"} {
		t.Setenv(name+"_proxy", "")
		t.Setenv(strings.ToUpper(name+"_proxy"), "")
	}
	player := NewPlayer(nil, PlayerOptions{})
	player.Connect()
	player.Lost(Loss{Status: codes.Unavailable, At: time.Unix(0, 0).Add(time.Second)})
	next := player.Lost(Loss{Status: codes.Unavailable, At: time.Unix(40, 0), Sentence: "refused"})
	if next.Sentence != "does not answer (refused)" || next.ExitCode != ExitSessionEnded {
		t.Errorf("next is %+v", next)
	}
	if note := proxyNote(next); note != "" {
		t.Errorf("a proxy is named: %s", note)
	}
	t.Setenv("HTTPS_PROXY", "http://proxy:3128")
	if note := proxyNote(next); note != "; the proxy in HTTPS_PROXY is not used" {
		t.Errorf("%q is noted", note)
	}
	if note := proxyNote(Next{Over: true}); note != "" {
		t.Errorf("%q is noted though the server was reached", note)
	}
}

func TestWhatAServerSaysIsOneLineAndControlsNoTerminal(t *testing.T) {
	lines := logged(t, slog.LevelDebug, func(player *Player) {
		take(player, welcome(&ordagov1.Welcome{SessionId: "s", ResumeToken: "secret"}), draining("a\nb \x1b[2J\u202e é"))
		player.Lost(Loss{Status: codes.Unavailable})
		player.Connect()
	})
	if !strings.Contains(lines, `INFO the server is going down: a\nb \x1b[2J\u202e é`+"\n") {
		t.Errorf("logged %q", lines)
	}
	for _, unwanted := range []string{"secret", "\x1b"} {
		if strings.Contains(lines, unwanted) {
			t.Errorf("%q is in %q", unwanted, lines)
		}
	}
	for _, wanted := range []string{"DEBUG came: welcome\n", "DEBUG went: hello\n"} {
		if !strings.Contains(lines, wanted) {
			t.Errorf("%q is not in %q", wanted, lines)
		}
	}
}

func TestWithAllMessagesTheCostOfEachAnswerIsLogged(t *testing.T) {
	lines := logged(t, slog.LevelDebug, func(player *Player) { take(player, matchStart(1), accepted(1, 0)) })
	if !strings.Contains(lines, "DEBUG match m1, decision 1: charged 12 ms, travelled for 3 ms, 56 ms left in the bank\n") {
		t.Errorf("logged %s", lines)
	}
}

func TestABotMayLogAttributes(t *testing.T) {
	lines := logged(t, slog.LevelInfo, func(player *Player) {
		logger := player.options.Logger
		logger.With("depth", 3).WithGroup("search").Info("found", "card", "ten of hearts", "time", 7)
		logger.Info("done")
	})
	if lines != "INFO found depth=3 search.card=\"ten of hearts\" search.time=7\nINFO done\n" {
		t.Errorf("logged %q", lines)
	}
}

func TestALineOfJSONHasTheAttributesOfABotBehindItsOwn(t *testing.T) {
	var output bytes.Buffer
	logger := slog.New(newLineHandler(&output, slog.LevelInfo, true))
	logger.With("depth", 3).WithGroup("search").Warn("a\n<b>", "msg", "ten", "level", 7, "time", "x")
	line := regexp.MustCompile(`"time":"[0-9T:.-]+Z",`).ReplaceAllString(output.String(), "")
	expected := `{"level":"WARNING","event":"note","message":"a\n<b>","depth":3,"search":{"msg":"ten","level":7,"time":"x"}}`
	if line != expected+"\n" {
		t.Errorf("logged %s", line)
	}
	output.Reset()
	logger.Info("", "level", 7, "msg", "ten")
	if !strings.Contains(output.String(), `"message":"","level":7,"msg":"ten"}`) {
		t.Errorf("logged %s", &output)
	}
}

func TestAFailureIsFollowedByItsTraceAndItsDecision(t *testing.T) {
	var output bytes.Buffer
	fails := func(*Match) (Bot, error) { return failing{}, nil }
	player := NewPlayer(fails, PlayerOptions{OnError: DefaultOnError, Logger: slog.New(newLineHandler(&output, slog.LevelError, false))})
	take(player, matchStart(1), asked(1, 1, nil), asked(1, 2, nil))
	lines := strings.Split(strings.TrimSpace(output.String()), "\n")
	if len(lines) != 6 || !strings.HasSuffix(lines[0], `decision 1: the bot failed, and the default answer is taken: no\nidea`) ||
		lines[1] != "no" || lines[2] != "idea" || lines[3] != "returned by ordago.failing.Choose" ||
		lines[4] != `the decision: {"matchHandle":1,"number":1}` || !strings.HasSuffix(lines[5], `decision 2: the bot failed, and the default answer is taken: no\nidea`) {
		t.Errorf("logged %s", &output)
	}
}

type failing struct{}

func (failing) Choose(context.Context, *Decision) (*Answer, error) {
	return nil, errors.New("no\nidea")
}

func TestEventsGoToTheLoggerOfTheAuthorToo(t *testing.T) {
	var lines, own bytes.Buffer
	authors := slog.New(slog.NewTextHandler(&own, &slog.HandlerOptions{Level: slog.LevelWarn}))
	logger := settings{}.logger(&lines, authors)
	logger.Info("one", "event", "connected")
	logger.With("a", 1).WithGroup("g").Warn("two", "b", 2)
	if !strings.Contains(lines.String(), "INFO one\n") || !strings.Contains(lines.String(), "WARNING two a=1 g.b=2\n") {
		t.Errorf("logged %s", &lines)
	}
	if strings.Contains(own.String(), "one") || !strings.Contains(own.String(), "msg=two a=1 g.b=2") {
		t.Errorf("the author got %s", &own)
	}
}

func TestABotLogsWithItsMatch(t *testing.T) {
	var match *Match
	lines := logged(t, slog.LevelInfo, func(player *Player) {
		player.factory = func(begun *Match) (Bot, error) {
			match = begun
			return byDefault{}, nil
		}
		take(player, matchStart(1))
		match.Logger().Info("I begin", "depth", 3)
	})
	if !strings.HasSuffix(lines, "INFO I begin match=m1 depth=3\n") {
		t.Errorf("logged %s", lines)
	}
	NewMatch(&ordagov1.MatchStart{}).Logger().Error("nowhere")
}

func TestADecisionThatCannotBeWrittenIsToldOnce(t *testing.T) {
	var output bytes.Buffer
	full, err := appendTo("/dev/full")
	if err != nil {
		t.Skip(err)
	}
	player := NewPlayer(func(*Match) (Bot, error) { return byDefault{}, nil }, PlayerOptions{
		Decisions: full, Logger: slog.New(newLineHandler(&output, slog.LevelWarn, false)),
	})
	withAnswer := asked(1, 1, nil)
	withAnswer.GetDecision().DefaultAnswer = Take(&LegalAction{Id: 1})
	again := asked(1, 2, nil)
	again.GetDecision().DefaultAnswer = Take(&LegalAction{Id: 1})
	take(player, matchStart(1), withAnswer, again)
	if strings.Count(output.String(), "WARNING a decision could not be written") != 1 || strings.Contains(output.String(), "ERROR") {
		t.Errorf("logged %s", &output)
	}
}

func TestOutputThatFailsOrBlocksLosesLinesAndNoTime(t *testing.T) {
	reader, writer := io.Pipe()
	defer reader.Close()
	blocked := newLossyWriter(writer)
	for range 2 * linesAhead {
		if _, err := io.WriteString(blocked, "line\n"); err != nil {
			t.Fatal(err)
		}
	}
	blocked.flush()
	failing := newLossyWriter(failingWriter{})
	if _, err := io.WriteString(failing, "line\n"); err != nil {
		t.Error(err)
	}
	failing.flush()
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestAllThatWasWrittenIsThereAfterAFlush(t *testing.T) {
	var output bytes.Buffer
	writer := newLossyWriter(&output)
	for range 100 {
		_, _ = io.WriteString(writer, "line\n")
	}
	writer.flush()
	if lines := strings.Count(output.String(), "line\n"); lines != 100 {
		t.Errorf("%d lines are there", lines)
	}
}
