package ordago

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// thinker is a bot that thinks for a second, or as long as the number of its match in seconds.
type thinker struct {
	stage *thinkers
	match *Match
}

func (b thinker) Choose(ctx context.Context, decision *Decision) (*Answer, error) {
	return b.think(ctx, fmt.Sprint("choose ", decision.GetNumber()), decision)
}

func (b thinker) Refused(ctx context.Context, decision *Decision, _ *Refused) (*Answer, error) {
	return b.think(ctx, fmt.Sprint("refused ", decision.GetNumber()), decision)
}

func (b thinker) Forfeited(*Forfeited) { b.stage.note("forfeited") }
func (b thinker) Ended(*MatchEnd)      { b.stage.note("ended") }

func (b thinker) think(ctx context.Context, what string, decision *Decision) (*Answer, error) {
	b.stage.note(what)
	if end, isTimed := ctx.Deadline(); isTimed {
		b.stage.note("left " + time.Until(end).String())
	}
	select {
	case <-time.After(time.Duration(decision.GetMatchHandle()) * time.Second):
		b.stage.note(what + " done")
		return Take(&LegalAction{Id: decision.GetNumber()}), nil
	case <-ctx.Done():
		b.stage.note(what + " given up: " + context.Cause(ctx).Error())
		return nil, ctx.Err()
	}
}

// thinkers is a player whose bots think. The clock is that of synctest.
type thinkers struct {
	*testing.T
	player *Player
	began  time.Time
	noted  chan string
}

// on runs a test of bots that think, with a number of threads.
func on(t *testing.T, threads int, onError OnError, test func(stage *thinkers)) {
	synctest.Test(t, func(t *testing.T) {
		stage := &thinkers{T: t, began: time.Now(), noted: make(chan string, 100)}
		stage.player = NewPlayer(func(match *Match) (Bot, error) { return thinker{stage, match}, nil }, PlayerOptions{
			Threads: threads, OnError: onError, Logger: slog.New(slog.DiscardHandler),
		})
		stage.player.Connect()
		test(stage)
	})
}

// note notes what a bot does, and after how much time.
func (s *thinkers) note(what string) { s.noted <- fmt.Sprintf("%v %s", time.Since(s.began), what) }

// notes returns what the bots did since the last time.
func (s *thinkers) notes() []string {
	synctest.Wait()
	var notes []string
	for len(s.noted) > 0 {
		notes = append(notes, <-s.noted)
	}
	return notes
}

func (s *thinkers) mustNote(notes ...string) {
	s.Helper()
	if noted := s.notes(); !slices.Equal(noted, notes) {
		s.Errorf("noted %q, not %q", noted, notes)
	}
}

// receive lets messages arrive, and returns the answers.
func (s *thinkers) receive(messages ...*ordagov1.ServerMessage) []string {
	s.Helper()
	sent, err := s.player.Receive(s.Context(), &ordagov1.PlayResponse{Messages: messages}, time.Now())
	return s.answers(sent, err)
}

// collect takes over the calls that are over by now, and returns the answers.
func (s *thinkers) collect() []string {
	s.Helper()
	synctest.Wait()
	var answers []string
	for len(s.player.finished) > 0 {
		sent, err := s.player.collect(<-s.player.finished)
		answers = append(answers, s.answers(sent, err)...)
		synctest.Wait()
	}
	return answers
}

func (s *thinkers) answers(sent *ordagov1.PlayRequest, err error) []string {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
	var answers []string
	for _, message := range sent.GetMessages() {
		choice := message.GetChoice()
		answers = append(answers, fmt.Sprintf("%d/%d after %d ms", choice.GetMatchHandle(), choice.GetNumber(),
			choice.GetThoughtMs()))
	}
	return answers
}

func (s *thinkers) mustAnswer(answers []string, expected ...string) {
	s.Helper()
	if !slices.Equal(answers, expected) {
		s.Errorf("answered %q, not %q", answers, expected)
	}
}

func asked(handle, number uint32, clock *ordagov1.ClockState) *ordagov1.ServerMessage {
	decision := &ordagov1.Decision{MatchHandle: handle, Number: number, Clock: clock}
	return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Decision{Decision: decision}}
}

func refusedWith(handle, number, leftMs uint32) *ordagov1.ServerMessage {
	refused := &ordagov1.Refused{MatchHandle: handle, Number: number, TimeLeftMs: leftMs}
	return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Refused{Refused: refused}}
}

var clock = &ordagov1.ClockState{DecisionMs: 1500, BankMs: 2000}

func TestTheDeadlineIsTheEndOfTheTimeWithWhatADecisionWaited(t *testing.T) {
	on(t, 0, StopOnError, func(stage *thinkers) {
		stage.receive(matchStart(1), matchStart(2), asked(2, 1, clock), asked(1, 1, clock))
		stage.mustNote("0s choose 1", "0s left 3.5s", "2s choose 1 done",
			"2s choose 1", "2s left 1.5s", "3s choose 1 done")
	})
}

func TestAfterARefusalTheTimeIsThatOfTheRefusal(t *testing.T) {
	on(t, 0, StopOnError, func(stage *thinkers) {
		stage.receive(matchStart(1), asked(1, 1, clock))
		stage.mustAnswer(stage.receive(refusedWith(1, 1, 1200)), "1/1 after 2000 ms")
		stage.mustNote("0s choose 1", "0s left 3.5s", "1s choose 1 done",
			"1s refused 1", "1s left 1.2s", "2s refused 1 done")
	})
}

func TestWithoutAClockThereIsNoDeadline(t *testing.T) {
	on(t, 0, StopOnError, func(stage *thinkers) {
		stage.receive(matchStart(1), asked(1, 1, nil), refusedWith(1, 1, 100))
		stage.mustNote("0s choose 1", "1s choose 1 done", "1s refused 1", "2s refused 1 done")
	})
}

func TestABotWhoseTimeIsOverIsToldSo(t *testing.T) {
	on(t, 0, DefaultOnError, func(stage *thinkers) {
		stage.receive(matchStart(9), asked(9, 1, clock))
		stage.mustNote("0s choose 1", "0s left 3.5s", "3.5s choose 1 given up: context deadline exceeded")
		if failures := stage.player.Summary().Failures; failures != 1 {
			t.Errorf("%d failures", failures)
		}
	})
}

func TestMatchesThinkSideBySideInThreads(t *testing.T) {
	on(t, 2, StopOnError, func(stage *thinkers) {
		stage.mustAnswer(stage.receive(matchStart(1), matchStart(2), matchStart(3)))
		stage.collect()
		stage.mustAnswer(stage.receive(asked(1, 1, nil), asked(2, 1, nil)))
		time.Sleep(time.Second)
		stage.mustAnswer(stage.collect(), "1/1 after 1000 ms")
		stage.receive(asked(3, 1, clock))
		synctest.Wait()
		stage.receive(asked(1, 2, clock))
		time.Sleep(4 * time.Second)
		// Match 1 waited for a second until match 2 was through, and its answer is fetched later still.
		stage.mustAnswer(stage.collect(), "2/1 after 5000 ms", "1/2 after 4000 ms", "3/1 after 4000 ms")
	})
}

func TestNoMoreMatchesThinkThanThereAreThreads(t *testing.T) {
	on(t, 1, StopOnError, func(stage *thinkers) {
		stage.receive(matchStart(1), matchStart(2))
		stage.collect()
		stage.receive(asked(1, 1, clock))
		synctest.Wait()
		stage.receive(asked(2, 1, clock))
		time.Sleep(3 * time.Second)
		stage.mustNote("0s choose 1", "0s left 3.5s", "1s choose 1 done", "1s choose 1", "1s left 2.5s", "3s choose 1 done")
	})
}

func TestTheCallsOfABotComeOneAfterTheOtherInThreads(t *testing.T) {
	on(t, 4, StopOnError, func(stage *thinkers) {
		stage.receive(matchStart(1), asked(1, 1, nil))
		stage.collect()
		stage.receive(forfeited(1), matchEnd(&ordagov1.MatchEnd{}))
		stage.mustAnswer(stage.collect())
		stage.mustNote("0s choose 1", "0s choose 1 given up: context canceled", "0s forfeited", "0s ended")
	})
}

func TestAnAnswerToADecisionThatWasClosedMeanwhileIsDropped(t *testing.T) {
	on(t, 4, StopOnError, func(stage *thinkers) {
		stage.receive(matchStart(1))
		stage.collect()
		stage.receive(asked(1, 1, nil))
		synctest.Wait()
		stage.receive(accepted(1, 0), asked(1, 2, nil))
		stage.collect()
		time.Sleep(time.Second)
		stage.mustAnswer(stage.collect(), "1/2 after 1000 ms")
		stage.mustNote("0s choose 1", "0s choose 1 given up: context canceled", "0s choose 2", "1s choose 2 done")
	})
}

func TestAnAnswerIsSentWhenItsDecisionComesAgain(t *testing.T) {
	on(t, 4, StopOnError, func(stage *thinkers) {
		stage.receive(matchStart(1))
		stage.collect()
		stage.receive(asked(1, 1, nil))
		stage.player.Lost(Loss{})
		time.Sleep(time.Second)
		stage.mustAnswer(stage.collect())
		stage.player.Connect()
		stage.mustAnswer(stage.receive(asked(1, 1, nil)), "1/1 after 0 ms")
		stage.mustNote("0s choose 1", "1s choose 1 done")
	})
}

func TestADecisionThatComesAgainIsAskedOnce(t *testing.T) {
	on(t, 4, StopOnError, func(stage *thinkers) {
		stage.receive(matchStart(1))
		stage.collect()
		stage.receive(asked(1, 1, nil))
		stage.player.Lost(Loss{})
		stage.player.Connect()
		stage.mustAnswer(stage.receive(asked(1, 1, nil)))
		time.Sleep(time.Second)
		stage.mustAnswer(stage.collect(), "1/1 after 1000 ms")
		stage.mustNote("0s choose 1", "1s choose 1 done")
	})
}

func TestASessionThatIsLostEndsTheThoughtsOfItsMatches(t *testing.T) {
	on(t, 4, StopOnError, func(stage *thinkers) {
		stage.receive(matchStart(1))
		stage.collect()
		stage.receive(asked(1, 1, nil))
		synctest.Wait()
		stage.receive(welcome(&ordagov1.Welcome{}))
		stage.mustAnswer(stage.collect())
		stage.mustNote("0s choose 1", "0s choose 1 given up: context canceled")
	})
}

func TestABotThatFailsInAThreadEndsTheSession(t *testing.T) {
	on(t, 4, StopOnError, func(stage *thinkers) {
		stage.receive(matchStart(9), asked(9, 1, clock))
		stage.collect()
		time.Sleep(4 * time.Second)
		_, err := stage.player.collect(<-stage.player.finished)
		if !errors.As(err, new(*BotError)) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("it ended with %v", err)
		}
	})
}

func TestAnAnswerThatWasNotSentIsNotKept(t *testing.T) {
	var kept bytes.Buffer
	on(t, 4, StopOnError, func(stage *thinkers) {
		stage.player.decisions.output = &kept
		stage.receive(matchStart(1))
		stage.collect()
		stage.receive(asked(1, 1, nil))
		synctest.Wait()
		stage.receive(accepted(1, 0), asked(1, 2, nil))
		stage.collect()
		time.Sleep(time.Second)
		stage.collect()
	})
	start := `{"start":{"matchHandle":1,"matchId":"m1","game":"mus","seat":1},"decision":{"matchHandle":1,"number":`
	expected := start + `1},"milliseconds":0}` + "\n" + start + `2},"answer":{"legalAction":2},"milliseconds":1000}` + "\n"
	if kept.String() != expected {
		t.Errorf("kept %s", &kept)
	}
}

func TestTheSummaryHasTheFirstSlowestDecision(t *testing.T) {
	on(t, 0, StopOnError, func(stage *thinkers) {
		stage.receive(matchStart(1), asked(1, 1, nil))
		stage.receive(asked(1, 2, nil))
		if slowest := stage.player.Summary().Slowest; *slowest != (Slowest{1000, "m1", 1}) {
			t.Errorf("the slowest is %+v", slowest)
		}
	})
}
