package player

import (
	"testing"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

func isRetirement(messages []*ordagov1.BotMessage) bool {
	return len(messages) == 1 && messages[0].GetRetire() != nil
}

func TestWhoRetiresSaysSoOnEachConnectionAndPlaysOn(t *testing.T) {
	player := newPlayer()
	receive(player, resumed(player), start(1, "a"))
	if said := player.Retire().GetMessages(); !isRetirement(said) {
		t.Errorf("said %v", said)
	}
	if replies := receive(player, start(2, "crossed"), decision(1, 1), decision(2, 1)); len(replies) != 2 {
		t.Errorf("replied %v", replies)
	}
	if replies := receive(player, resumed(player)); !isRetirement(replies) {
		t.Errorf("replied %v to Welcome", replies)
	}
	if replies := receive(player, start(1, "a")); replies != nil {
		t.Errorf("replied %v", replies)
	}
}

func TestWhoRetiresBeginsNoNewSession(t *testing.T) {
	player := newPlayer()
	receive(player, resumed(player))
	player.Retire()
	if !player.LoseSession("no such session") || player.Farewell().GetSentence() != "no such session" {
		t.Errorf("farewell %v", player.Farewell())
	}
	player = newPlayer()
	receive(player, resumed(player))
	player.Retire()
	receive(player, goodbye(ordagov1.Fault_FAULT_UNSPECIFIED))
	if player.Farewell() == nil {
		t.Error("it comes back later")
	}
}

func TestTheNumberOfMatchesInAllHoldsOverSessions(t *testing.T) {
	player := New(anyNumber, &ordagov1.Hello{MatchesInAll: 3})
	inAll := func() uint32 { return player.Greet().GetMessages()[0].GetHello().GetMatchesInAll() }
	receive(player, resumed(player), start(1, "a"), start(2, "b"))
	receive(player, resumed(player), start(1, "a"))
	if number := inAll(); number != 3 {
		t.Errorf("%d in all at the resume", number)
	}
	player.LoseSession("no such session")
	if number := inAll(); number != 1 {
		t.Errorf("%d are left", number)
	}
	receive(player, newSession(), start(1, "c"))
	if player.LoseSession("no such session"); player.Farewell() == nil {
		t.Error("it goes on")
	}
}

func newSession() *ordagov1.ServerMessage {
	welcome := &ordagov1.Welcome{SessionId: "t"}
	return &ordagov1.ServerMessage{Body: &ordagov1.ServerMessage_Welcome{Welcome: welcome}}
}
