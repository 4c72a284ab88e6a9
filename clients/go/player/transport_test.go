package player

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

func TestItIsWorthComingBackToAServerThatWantsIt(t *testing.T) {
	refused := func(code codes.Code) error { return status.Error(code, "a reason") }
	cases := []struct {
		name    string
		end     ending
		session bool
		want    bool
	}{
		{"an orderly end", ending{err: io.EOF}, false, true},
		{"not there", ending{err: refused(codes.Unavailable)}, false, true},
		{"taken over", ending{alive: true, err: refused(codes.Aborted)}, true, false},
		{"a session that is unknown", ending{err: refused(codes.Unauthenticated)}, true, true},
		{"a session that is not allowed", ending{err: refused(codes.PermissionDenied)}, true, true},
		{"a token that is not valid", ending{err: refused(codes.Unauthenticated)}, false, false},
		{"shown the door", ending{alive: true, err: refused(codes.PermissionDenied)}, true, false},
		{"full", ending{err: refused(codes.ResourceExhausted), retryAfter: time.Second}, false, true},
		{"too much", ending{err: refused(codes.ResourceExhausted)}, false, false},
		{"not a status", ending{err: errors.New("broken")}, false, true},
	}
	for _, test := range cases {
		player := newPlayer()
		if test.session {
			receive(player, resumed(player))
		}
		if got := player.worthComingBack(test.end); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

func TestTheTimeToComeBackStandsBesideTheStatus(t *testing.T) {
	for text, want := range map[string]time.Duration{"1500": 1500 * time.Millisecond, "soon": 0, "-1": 0} {
		if got := retryAfter(metadata.Pairs("retry-after-ms", text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if got := retryAfter(nil); got != 0 {
		t.Errorf("nothing: %v", got)
	}
}

func TestPatienceWithAServerThatDoesNotAnswerEndsAndTheReasonIsTold(t *testing.T) {
	player := newPlayer()
	player.patience = 0
	err := player.Play(t.Context(), Server{Address: "127.0.0.1:1", Credentials: insecure.NewCredentials()}, nil)
	if err == nil {
		t.Fatal("no error")
	}
	for _, words := range []string{"no server answers at 127.0.0.1:1", "connection refused"} {
		if !strings.Contains(err.Error(), words) {
			t.Errorf("%q is not in: %v", words, err)
		}
	}
}

func TestWhoIsToldToRetireWhereNobodyAnswersLeaves(t *testing.T) {
	retire := make(chan struct{})
	close(retire)
	nobody := Server{Address: "127.0.0.1:1", Credentials: insecure.NewCredentials()}
	if err := newPlayer().Play(t.Context(), nobody, retire); !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
}
