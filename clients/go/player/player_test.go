package player

import (
	"bytes"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// anyNumber stands for a bot: it shows by its answers what chance it was given.
func anyNumber(_ *ordagov1.Decision, chance *rand.Rand) *ordagov1.Answer {
	return &ordagov1.Answer{ActionChoice: &ordagov1.Answer_LegalAction{LegalAction: chance.Uint32()}}
}

// begun is when the tests begin; the clock of a player stands still until it is moved.
var begun = time.Unix(0, 0)

func newPlayer() *Player {
	player := New(anyNumber, &ordagov1.Hello{})
	player.now = func() time.Time { return begun }
	return player
}

func start(handle uint32, seed string) *ordagov1.ServerMessage {
	return goesOn(handle, seed, 0)
}

func goesOn(handle uint32, seed string, lastDecision uint32) *ordagov1.ServerMessage {
	body := &ordagov1.MatchStart{MatchHandle: handle, Seed: []byte(seed), LastDecision: lastDecision}
	return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_MatchStart{MatchStart: body}}
}

func decision(handle, number uint32) *ordagov1.ServerMessage {
	body := &ordagov1.Decision{MatchHandle: handle, Number: number, DefaultAnswer: fromTheFuture()}
	return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Decision{Decision: body}}
}

func refusal(number, timeLeftMs uint32) *ordagov1.ServerMessage {
	body := &ordagov1.Refused{MatchHandle: 1, Number: number, TimeLeftMs: timeLeftMs}
	return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Refused{Refused: body}}
}

func accepted(number uint32) *ordagov1.ServerMessage {
	body := &ordagov1.Accepted{MatchHandle: 1, Number: number, Fault: 250}
	return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Accepted{Accepted: body}}
}

// fromTheFuture returns an answer with a field that this client does not know.
func fromTheFuture() *ordagov1.Answer {
	var answer ordagov1.Answer
	unknown := protowire.AppendTag(nil, 99, protowire.VarintType)
	if err := proto.Unmarshal(protowire.AppendVarint(unknown, 5), &answer); err != nil {
		panic(err)
	}
	return &answer
}

func receive(player *Player, messages ...*ordagov1.ServerMessage) []*ordagov1.BotMessage {
	return player.Receive(&ordagov1.PlayResponse{Messages: messages}, begun).GetMessages()
}

func resumed(player *Player) *ordagov1.ServerMessage {
	player.Greet()
	welcome := &ordagov1.Welcome{SessionId: "s", Resumed: true}
	return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Welcome{Welcome: welcome}}
}

func goodbye(fault ordagov1.Fault) *ordagov1.ServerMessage {
	body := &ordagov1.Goodbye{Fault: fault, RetryAfterMs: 1500}
	return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Goodbye{Goodbye: body}}
}

func TestTheSameMatchIsPlayedTheSame(t *testing.T) {
	played := receive(newPlayer(), start(1, "seed"), decision(1, 1), decision(1, 2))
	again := receive(newPlayer(), start(1, "seed"), decision(1, 1), decision(1, 2))
	other := receive(newPlayer(), start(1, "other"), decision(1, 1))
	for place := range played {
		if !proto.Equal(played[place], again[place]) {
			t.Errorf("decision %d was answered otherwise", place+1)
		}
	}
	if played[0].GetChoice().GetAnswer().GetLegalAction() == played[1].GetChoice().GetAnswer().GetLegalAction() {
		t.Error("two decisions had the same chance")
	}
	if proto.Equal(played[0], other[0]) {
		t.Error("two seeds gave the same chance")
	}
}

func TestAProcessThatCarriesOnInTheMiddleHasTheSameChance(t *testing.T) {
	whole := receive(newPlayer(), start(1, "seed"), decision(1, 1), decision(1, 2), decision(1, 3))
	later := receive(newPlayer(), goesOn(1, "seed", 2), decision(1, 3))
	if !proto.Equal(whole[2], later[0]) {
		t.Error("the answer changed")
	}
}

func TestADecisionThatComesAgainGetsTheSameAnswerAndTheBotIsAskedOnce(t *testing.T) {
	asked := 0
	player := New(func(_ *ordagov1.Decision, _ *rand.Rand) *ordagov1.Answer {
		asked++
		return &ordagov1.Answer{ActionChoice: &ordagov1.Answer_LegalAction{LegalAction: uint32(asked)}}
	}, &ordagov1.Hello{})
	player.now = func() time.Time { return begun }
	first := receive(player, start(1, "seed"), decision(1, 1), decision(1, 1))
	again := receive(player, resumed(player), start(1, "seed"), decision(1, 1))
	if asked != 1 || !proto.Equal(first[0], first[1]) || !proto.Equal(first[0], again[0]) {
		t.Errorf("asked %d times, answered %v, then %v", asked, first, again)
	}
}

func TestTheAnswerToARefusalIsTheOneThatIsRepeated(t *testing.T) {
	player := newPlayer()
	receive(player, start(1, "seed"), decision(1, 3), refusal(3, 1000))
	again := receive(player, resumed(player), goesOn(1, "seed", 2), decision(1, 3))
	if !proto.Equal(again[0].GetChoice().GetAnswer(), fromTheFuture()) {
		t.Errorf("replied %v", again)
	}
}

func TestAMatchThatGoesOnFromAnEarlierPointIsDecidedAnew(t *testing.T) {
	player := newPlayer()
	first := receive(player, start(1, "seed"), decision(1, 1), accepted(1), decision(1, 2))
	again := receive(player, resumed(player), start(1, "seed"), decision(1, 1))
	if !proto.Equal(first[0], again[0]) {
		t.Errorf("replied %v", again)
	}
}

func TestTheGreetingThatResumesSaysHowFarEachMatchHasCome(t *testing.T) {
	player := newPlayer()
	receive(player, resumed(player), start(1, "a"), start(2, "b"), decision(1, 1), decision(1, 2))
	for range 2 {
		known := map[uint32]uint32{}
		for _, match := range player.Greet().GetMessages()[0].GetHello().GetResume().GetMatches() {
			known[match.GetMatchHandle()] = match.GetLastDecision()
		}
		if len(known) != 2 || known[1] != 2 || known[2] != 0 {
			t.Errorf("said %v", known)
		}
	}
}

func TestAThoughtLastsFromTheArrivalOfTheFrameToTheLastAnswerToIt(t *testing.T) {
	now := begun
	player := New(func(_ *ordagov1.Decision, _ *rand.Rand) *ordagov1.Answer {
		now = now.Add(200 * time.Millisecond)
		return &ordagov1.Answer{}
	}, &ordagov1.Hello{})
	player.now = func() time.Time { return now }
	arrived := begun.Add(-500 * time.Millisecond)
	messages := []*ordagov1.ServerMessage{start(1, "a"), start(2, "b"), decision(1, 1), decision(2, 1)}
	replies := player.Receive(&ordagov1.PlayResponse{Messages: messages}, arrived).GetMessages()
	for _, reply := range replies {
		if thought := reply.GetChoice().ThoughtMs; thought == nil || *thought != 900 {
			t.Errorf("replied %v", reply)
		}
	}
	again := receive(player, refusal(1, 1000))[0].GetChoice()
	if again.GetThoughtMs() != 900 {
		t.Errorf("replied %v to a refusal", again)
	}
}

func TestAGoodbyeThatSaysWhenToComeBackIsNoFarewell(t *testing.T) {
	player := newPlayer()
	receive(player, resumed(player), goodbye(ordagov1.Fault_FAULT_UNSPECIFIED))
	if player.Farewell() != nil || player.retryAfter != 1500*time.Millisecond {
		t.Errorf("farewell %v, retry after %v", player.Farewell(), player.retryAfter)
	}
	if hello := player.Greet().GetMessages()[0].GetHello(); hello.GetResume() != nil {
		t.Error("a Goodbye ends the session, but it was resumed")
	}
	receive(player, goodbye(ordagov1.Fault_FAULT_FLOODING))
	if player.Farewell() == nil {
		t.Error("who has sent too much has to stay away")
	}
}

func TestRepliesToOneFrameAreOneFrame(t *testing.T) {
	unknown := &ordagov1.ServerMessage{}
	replies := receive(newPlayer(), start(1, "a"), unknown, start(2, "b"), decision(1, 1), unknown, decision(2, 1))
	if len(replies) != 2 || replies[1].GetChoice().GetMatchHandle() != 2 {
		t.Errorf("replied %v", replies)
	}
}

func TestARefusalIsAnsweredByTheDefaultAnswerAsItIs(t *testing.T) {
	player := newPlayer()
	receive(player, start(1, "seed"), decision(1, 3))
	replies := receive(player, refusal(3, 1000))
	if len(replies) != 1 || !proto.Equal(replies[0].GetChoice().GetAnswer(), fromTheFuture()) {
		t.Errorf("replied %v", replies)
	}
}

func TestTheLastStrikeIsLeftAlone(t *testing.T) {
	player := newPlayer()
	receive(player, start(1, "seed"), decision(1, 3))
	last := refusal(3, 1000)
	last.GetRefused().Rule = "follow_suit"
	if replies := receive(player, last); replies != nil {
		t.Errorf("replied %v", replies)
	}
}

func TestARefusalOfAClosedDecisionIsLeftAlone(t *testing.T) {
	player := newPlayer()
	receive(player, start(1, "seed"), decision(1, 3))
	if replies := receive(player, refusal(2, 1000), refusal(3, 0), accepted(3), refusal(3, 1000)); replies != nil {
		t.Errorf("replied %v", replies)
	}
}

func TestRefusalsAreToldOnceForEachMatchAndRule(t *testing.T) {
	var told bytes.Buffer
	usual := slog.Default()
	defer slog.SetDefault(usual)
	slog.SetDefault(slog.New(slog.NewTextHandler(&told, nil)))
	player := newPlayer()
	receive(player, start(1, "a"), start(2, "b"), decision(1, 1), decision(2, 1))
	for _, rule := range []string{"follow_suit", "follow_suit", "answer"} {
		receive(player, refused(1, rule))
	}
	receive(player, refused(2, "follow_suit"))
	if lines := strings.Count(told.String(), "msg=refused"); lines != 3 {
		t.Errorf("told %s", &told)
	}
}

func refused(handle uint32, rule string) *ordagov1.ServerMessage {
	body := &ordagov1.Refused{MatchHandle: handle, Number: 1, Rule: rule, StrikesLeft: 1, TimeLeftMs: 1000}
	return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Refused{Refused: body}}
}
