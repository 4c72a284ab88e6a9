package ordago_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	ordago "github.com/ordago/ordago/clients/go"
	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// longest is the time limit of what should happen at once.
const longest = 10 * time.Second

type stream = grpc.BidiStreamingServer[ordagov1.PlayRequest, ordagov1.PlayResponse]

// scripted is a server that plays a scene for each connection.
type scripted struct {
	ordagov1.UnimplementedBotServiceServer
	ordagov1.UnimplementedGameServiceServer
	scene func(stream stream) error
	event *ordagov1.DescribeEventResponse
}

func (s *scripted) Play(stream stream) error { return s.scene(stream) }

func (s *scripted) DescribeEvent(
	context.Context, *ordagov1.DescribeEventRequest,
) (*ordagov1.DescribeEventResponse, error) {
	if s.event == nil {
		return nil, status.Error(codes.Unimplemented, "unknown")
	}
	return s.event, nil
}

// serve serves until the test is over.
func serve(t *testing.T, scripted *scripted) ordago.Server {
	t.Helper()
	return ordago.Server{Address: serveBy(t, grpc.NewServer(), scripted)}
}

// serveBy serves at any port, and returns the address.
func serveBy(t *testing.T, server *grpc.Server, scripted *scripted) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serveAt(t, listener, server, scripted)
	return listener.Addr().String()
}

func serveAt(t *testing.T, listener net.Listener, server *grpc.Server, scripted *scripted) {
	ordagov1.RegisterBotServiceServer(server, scripted)
	ordagov1.RegisterGameServiceServer(server, scripted)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
}

// welcomed hears a Hello and answers it.
func welcomed(stream stream, bodies ...any) {
	_, _ = stream.Recv()
	_ = stream.Send(frameOf(append([]any{&ordagov1.Welcome{SessionId: "s"}}, bodies...)...))
}

func TestAServerThatSaysGoodbyeAndStaysIsLeft(t *testing.T) {
	server := serve(t, &scripted{scene: func(stream stream) error {
		welcomed(stream, &ordagov1.Goodbye{Sentence: "that was all"})
		<-stream.Context().Done()
		return nil
	}})
	within(t, func(ctx context.Context) {
		if farewell, err := server.Play(ctx, playerOf(anyNumber), nil); farewell != "that was all" || err != nil {
			t.Errorf("ended with %q, %v", farewell, err)
		}
	})
}

func TestWhoComesInSaysByWhichTokenAndForWhichEvent(t *testing.T) {
	came := make(chan metadata.MD, 1)
	server := serve(t, &scripted{scene: func(stream stream) error {
		told, _ := metadata.FromIncomingContext(stream.Context())
		came <- told
		welcomed(stream, &ordagov1.Goodbye{})
		return nil
	}})
	server.Token, server.Event = "let-me-in", "friday"
	within(t, func(ctx context.Context) { _, _ = server.Play(ctx, playerOf(anyNumber), nil) })
	told := <-came
	token, event := strings.Join(told.Get("authorization"), ","), strings.Join(told.Get("ordago-event"), ",")
	if token != "Bearer let-me-in" || event != "friday" {
		t.Errorf("it came with %v", told)
	}
}

func TestWhoThinksHasTheTimeOfFramesThatCameMeanwhile(t *testing.T) {
	sent, thoughts := make(chan struct{}), make(chan uint32, 2)
	server := serve(t, &scripted{scene: func(stream stream) error {
		welcomed(stream, start(1, "a"), start(2, "b"), decision(1, 1))
		_ = stream.Send(frameOf(decision(2, 1)))
		close(sent)
		for range 2 {
			request, err := stream.Recv()
			if err != nil {
				return err
			}
			thoughts <- request.GetMessages()[0].GetChoice().GetThoughtMs()
		}
		return stream.Send(frameOf(&ordagov1.Goodbye{}))
	}})
	thinks := choosing(func(decision *ordago.Decision) *ordago.Answer {
		if decision.GetMatchHandle() == 1 {
			<-sent
			time.Sleep(200 * time.Millisecond)
		}
		return decision.GetDefaultAnswer()
	})
	within(t, func(ctx context.Context) { _, _ = server.Play(ctx, playerOf(thinks), nil) })
	if first, second := <-thoughts, <-thoughts; first < 200 || second < 20 {
		t.Errorf("it thought for %d and %d ms", first, second)
	}
}

func TestAServerThatNeverAnswersIsLeftAtOnce(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // Nobody ever accepts, or speaks.
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for name, told := range map[string]func(leave func(), retire func()){
		"leave": func(leave, _ func()) { leave() }, "retire": func(_, retire func()) { retire() },
	} {
		within(t, func(ctx context.Context) {
			ctx, leave := context.WithCancel(ctx)
			retire := make(chan struct{})
			time.AfterFunc(50*time.Millisecond, func() { told(leave, func() { close(retire) }) })
			server := ordago.Server{Address: listener.Addr().String()}
			if _, err := server.Play(ctx, playerOf(anyNumber), retire); !errors.Is(err, context.Canceled) {
				t.Errorf("told to %s it ended with %v", name, err)
			}
		})
	}
}

func TestAnAddressThatIsNoneEndsTheBotWithASentence(t *testing.T) {
	within(t, func(ctx context.Context) {
		_, err := ordago.Server{Address: "%zz:7447"}.Play(ctx, playerOf(anyNumber), nil)
		if err == nil || !strings.Contains(err.Error(), "'%zz:7447' is not HOST:PORT") {
			t.Errorf("it ended with %v", err)
		}
	})
}

func TestAPathIsTakenAsItIs(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, path := range []string{"a%20b?c#d é", " ", "./@bot", "[::1]:7447", "a:1"} {
		listener, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		serveAt(t, listener, grpc.NewServer(), goodbyeAtOnce())
		within(t, func(ctx context.Context) {
			server := ordago.Server{Address: "unix:" + path}
			if farewell, err := server.Play(ctx, playerOf(anyNumber), nil); farewell != "that was all" || err != nil {
				t.Errorf("at %q it ended with %q, %v", path, farewell, err)
			}
		})
	}
}

func TestNoProxyIsUsed(t *testing.T) {
	for _, name := range []string{"http_proxy", "https_proxy", "all_proxy", "grpc_proxy"} {
		t.Setenv(name, "http://127.0.0.1:9") // Nobody listens there.
		t.Setenv(strings.ToUpper(name), "http://127.0.0.1:9")
	}
	_, port, _ := net.SplitHostPort(serve(t, goodbyeAtOnce()).Address)
	within(t, func(ctx context.Context) {
		// Libraries that use proxies often except 127.0.0.1.
		server := ordago.Server{Address: "localhost:" + port}
		if _, err := server.Play(ctx, playerOf(anyNumber), nil); err != nil {
			t.Error(err)
		}
	})
}

// goodbyeAtOnce is a server that sends a bot away at once.
func goodbyeAtOnce() *scripted {
	return &scripted{scene: func(stream stream) error {
		welcomed(stream, &ordagov1.Goodbye{Sentence: "that was all"})
		return nil
	}}
}

func TestAServerThatKnowsNoEventsIsPlayedAtWithReceipts(t *testing.T) {
	kept := keptAt(t, nil)
	if kept != "" {
		t.Errorf("kept %v", kept)
	}
}

func TestTheEventIsAskedForBeforeTheNonceIsTold(t *testing.T) {
	kept := keptAt(t, &ordagov1.DescribeEventResponse{Event: "cup"})
	if strings.Count(kept, "\n") != 1 || !strings.Contains(kept, `"event":"cup"`) || !strings.Contains(kept, `"nonce":"ab"`) {
		t.Errorf("kept %v", kept)
	}
}

// keptAt returns the receipts of a bot that a server sends away at once.
func keptAt(t *testing.T, event *ordagov1.DescribeEventResponse) string {
	var kept bytes.Buffer
	atHello := -1
	server := serve(t, &scripted{event: event, scene: func(stream stream) error {
		atHello = kept.Len()
		welcomed(stream, &ordagov1.Goodbye{})
		return nil
	}})
	options := ordago.PlayerOptions{Nonce: []byte{0xab}, Receipts: &kept}
	player := ordago.NewPlayer(always(anyNumber), options)
	within(t, func(ctx context.Context) {
		if _, err := server.Play(ctx, player, nil); err != nil {
			t.Error(err)
		}
	})
	if atHello != kept.Len() {
		t.Errorf("%d bytes were kept before Hello", atHello)
	}
	return kept.String()
}

// within sees to it that something does not take long.
func within(t *testing.T, do func(ctx context.Context)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), longest)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do(ctx)
	}()
	select {
	case <-done:
	case <-time.After(longest):
		t.Fatal("it takes too long")
	}
	if ctx.Err() != nil {
		t.Error("it ended when its time was over")
	}
}
