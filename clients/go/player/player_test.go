package player

import (
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	ordagov1 "ordago/client/ordago/v1"
)

// anyNumber stands for a bot: it shows by its answers what chance it was given.
func anyNumber(_ *ordagov1.Decision, chance *rand.Rand) *ordagov1.Answer {
	return &ordagov1.Answer{ActionChoice: &ordagov1.Answer_LegalAction{LegalAction: chance.Uint32()}}
}

func newPlayer() *Player {
	return New(anyNumber, &ordagov1.Hello{})
}

func start(handle uint32, seed string) *ordagov1.ServerMessage {
	body := &ordagov1.MatchStart{MatchHandle: handle, Seed: []byte(seed)}
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
	return player.Receive(&ordagov1.PlayResponse{Messages: messages}).GetMessages()
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

func TestADecisionThatIsAskedAgainGetsTheSameAnswer(t *testing.T) {
	player := newPlayer()
	first := receive(player, start(1, "seed"), decision(1, 1), decision(1, 2))
	player.Greet()
	welcome := &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Welcome{}}
	again := receive(player, welcome, start(1, "seed"), decision(1, 2))
	if !proto.Equal(first[1], again[0]) {
		t.Error("the answer changed")
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

func TestARefusalOfAClosedDecisionIsLeftAlone(t *testing.T) {
	player := newPlayer()
	receive(player, start(1, "seed"), decision(1, 3))
	if replies := receive(player, refusal(2, 1000), refusal(3, 0), accepted(3), refusal(3, 1000)); replies != nil {
		t.Errorf("replied %v", replies)
	}
}
