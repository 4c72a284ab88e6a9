package ordago

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

const (
	// onItsWay is how many bytes may come before the last ones were read.
	onItsWay = 1 << 16
	// parting is how long a connection may last on which one side has said goodbye.
	parting = time.Second
	// framesAhead is how many frames may have come while the bot thinks about one before them.
	framesAhead = 1024
	// largestFrame is far more bytes than a server lets pile up for a bot.
	largestFrame = 64 << 20
	// retryAfterKey is where a server says, beside a status, when to come back.
	retryAfterKey = "retry-after-ms"
)

// Server is where to play.
type Server struct {
	// Address is HOST:PORT, or unix:PATH.
	Address string
	// Token is what the bot comes in with; empty where none is asked for.
	Token string
	// Event is the event that it comes in for; empty: what the server plays at all times, or the one event that it plays.
	Event string
	// TLS says how the connection is kept safe; nil: it is in the open.
	TLS *tls.Config
}

// Play plays until the session is over, and returns the sentence by which the server ended it. A connection that breaks is
// taken up again, as [Player.Lost] says.
//
// When retire is closed the player takes no more seats, and leaves only where it is not connected. When the context is
// done it leaves, and the error is that of the context; any other error says that coming back is of no use.
func (s Server) Play(ctx context.Context, player *Player, retire <-chan struct{}) (string, error) {
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	playing := &playing{s, player, retire, leave}
	for ctx.Err() == nil {
		loss := playing.overConnection(ctx)
		next := player.Lost(loss)
		switch {
		case next.Over && next.ExitCode == ExitOK:
			return next.Sentence, nil
		case ctx.Err() != nil:
			return "", ctx.Err()
		case next.Over:
			return "", fmt.Errorf("the server at %s %s", s.Address, next.Sentence)
		}
		slog.Info("the connection broke", "reason", loss.Sentence, "pause", next.Pause.Round(time.Millisecond))
		playing.wait(ctx, next.Pause)
	}
	return "", ctx.Err()
}

// playing is a player at a server, over one connection after the other.
type playing struct {
	server Server
	player *Player
	// retire is closed when the player is to take no more seats; nil once that was heard.
	retire <-chan struct{}
	// leave makes it leave at once.
	leave context.CancelFunc
}

// wait waits before the next connection, unless the player is told to end.
func (p *playing) wait(ctx context.Context, pause time.Duration) {
	select {
	case <-time.After(pause):
	case <-ctx.Done():
	case <-p.retire:
		p.leave()
	}
}

// overConnection plays over one connection, and says how it ended.
func (p *playing) overConnection(ctx context.Context) Loss {
	channel, err := grpc.NewClient(p.server.Address, p.server.dialOptions()...)
	if err != nil {
		return lossOf(status.Error(codes.InvalidArgument, err.Error()), nil)
	}
	defer channel.Close()
	// Not the caller's context: when that is done there is still a Goodbye to say.
	streamContext, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	line := &line{arrivals: make(chan arrival, framesAhead), cancel: cancel}
	go line.read(streamContext, channel, p.player, p.player.Connect(), p.server)
	for alive := false; ; {
		select {
		case came := <-line.arrivals:
			if came.err != nil {
				return lossOf(came.err, line.stream)
			}
			alive = true
			line.send(p.player.Receive(came.response, came.at))
			if p.player.isDismissed() {
				return line.part(parting)
			}
		case <-p.retire:
			p.retire = nil
			if !alive {
				p.leave()
				continue
			}
			line.send(p.player.Retire())
			slog.Info("told to stop: running matches are played to their end; once more to leave at once")
		case <-ctx.Done():
			if !alive {
				return line.part(0)
			}
			line.send(p.player.Leave())
			return line.part(parting)
		}
	}
}

// line is one connection. Its stream is there when the first frame has come.
type line struct {
	stream   ordagov1.BotService_PlayClient
	arrivals chan arrival
	cancel   context.CancelFunc
}

// arrival is a frame and when it came, or how the stream ended.
type arrival struct {
	response *ordagov1.PlayResponse
	at       time.Time
	err      error
}

// read opens the stream and hands over what comes on it, its end last. It notes when each frame comes, even while the bot
// thinks about one before it.
func (l *line) read(
	ctx context.Context, channel *grpc.ClientConn, player *Player, hello *ordagov1.PlayRequest, server Server,
) {
	err := player.ask(ctx, ordagov1.NewGameServiceClient(channel), server.Event)
	if err == nil {
		l.stream, err = ordagov1.NewBotServiceClient(channel).Play(server.named(ctx))
	}
	if err != nil {
		l.arrivals <- arrival{err: err}
		return
	}
	l.send(hello)
	for {
		response, err := l.stream.Recv()
		l.arrivals <- arrival{response, time.Now(), err}
		if err != nil {
			return
		}
	}
}

// send sends a frame, if there is one. What goes wrong in sending shows in receiving, with its reason.
func (l *line) send(request *ordagov1.PlayRequest) {
	if request != nil {
		_ = l.stream.Send(request)
	}
}

// part ends a connection on which nothing is to be said any more, and says how it ended.
func (l *line) part(patience time.Duration) Loss {
	timer := time.AfterFunc(patience, l.cancel)
	defer timer.Stop()
	if patience > 0 {
		_ = l.stream.CloseSend()
	}
	for {
		if came := <-l.arrivals; came.err != nil {
			return lossOf(came.err, l.stream)
		}
	}
}

// ask asks for the event of the server, before it is told the nonce, if anybody wants receipts. A server that does not
// know the question plays none.
func (p *Player) ask(ctx context.Context, games ordagov1.GameServiceClient, event string) error {
	if p.receipts == nil {
		return nil
	}
	described, err := games.DescribeEvent(ctx, &ordagov1.DescribeEventRequest{Event: event})
	if err != nil && status.Code(err) != codes.Unimplemented {
		return err
	}
	p.receipts.describe(described, p.hello.GetNonce())
	return nil
}

func (s Server) dialOptions() []grpc.DialOption {
	secured := insecure.NewCredentials()
	if s.TLS != nil {
		secured = credentials.NewTLS(s.TLS)
	}
	return []grpc.DialOption{
		grpc.WithTransportCredentials(secured),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 25 * time.Second, Timeout: 10 * time.Second}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(largestFrame)),
		// Else it pings for whatever comes, to find out how much may be on its way at once: far less always is.
		grpc.WithInitialWindowSize(onItsWay), grpc.WithInitialConnWindowSize(onItsWay),
	}
}

// named returns the context of a call that says who comes in, and for which event.
func (s Server) named(ctx context.Context) context.Context {
	if s.Token != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+s.Token)
	}
	if s.Event != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "ordago-event", s.Event)
	}
	return ctx
}

// lossOf tells how a connection ended whose stream, if there was one, ended so.
func lossOf(err error, stream ordagov1.BotService_PlayClient) Loss {
	loss := Loss{At: time.Now(), Jitter: rand.Float64(), Sentence: "the stream ended without a goodbye"}
	if !errors.Is(err, io.EOF) {
		told := status.Convert(err)
		loss.Status, loss.Sentence = told.Code(), fmt.Sprintf("%s (%s)", told.Message(), told.Code())
	}
	if stream != nil {
		loss.RetryAfter = retryAfter(stream.Trailer())
	}
	return loss
}

func retryAfter(trailer metadata.MD) time.Duration {
	for _, text := range trailer.Get(retryAfterKey) {
		if number, err := strconv.ParseUint(text, 10, 32); err == nil {
			return milliseconds(uint32(number))
		}
	}
	return 0
}
