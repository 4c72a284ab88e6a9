package player

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"strconv"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

const (
	firstPause   = 250 * time.Millisecond
	longestPause = 8 * time.Second
	// usualPatience is how long a broken connection is tried to be taken up again.
	usualPatience = 30 * time.Second
	// parting is how long a Goodbye may take to get through.
	parting = time.Second
	// framesAhead is how many frames may have come while the bot thinks about one before them.
	framesAhead = 1024
	// retryAfterKey is where a server says, beside a status, when to come back.
	retryAfterKey = "retry-after-ms"
)

// Server is where to play.
type Server struct {
	// Address is HOST:PORT, or unix:PATH.
	Address string
	// Token is what the bot comes in with; empty where none is asked for.
	Token string
	// Credentials say how the connection is kept safe.
	Credentials credentials.TransportCredentials
}

// orders are how a player is told to end.
type orders struct {
	// retire is closed when it is to take no more seats.
	retire <-chan struct{}
	// leave makes it leave at once.
	leave func()
}

// ending is how a connection ended.
type ending struct {
	// alive says whether anything came over it.
	alive bool
	// err is io.EOF for an orderly end.
	err error
	// retryAfter is how long the server wants to be left alone, 0 if it does not say.
	retryAfter time.Duration
}

// Play plays until the server says goodbye. A connection that breaks is taken up again: for as long as patience lasts,
// or the session can be resumed, since a server that is started anew may carry on its matches. When retire is closed the
// player takes no more seats, and leaves only where it is not connected. When the context is done it leaves, and the error
// is that of the context; any other error says that coming back is of no use.
func (p *Player) Play(ctx context.Context, server Server, retire <-chan struct{}) error {
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	told := orders{retire, leave}
	pause, lastAlive := firstPause, time.Now()
	for ctx.Err() == nil {
		end := p.playStream(ctx, server, told)
		comesBack := p.worthComingBack(end) // Or the session is over by that, and no other is needed.
		if p.farewell != nil {
			return nil
		}
		if ctx.Err() != nil {
			break
		}
		if !comesBack {
			return fmt.Errorf("the server at %s ended the session: %w", server.Address, end.err)
		}
		if end.alive || end.retryAfter > 0 {
			pause, lastAlive = firstPause, time.Now()
		}
		if time.Since(lastAlive) > max(p.patience, p.resumeWindow) {
			return fmt.Errorf("no server answers at %s: %w", server.Address, end.err)
		}
		wait := cmp.Or(end.retryAfter, pause)
		slog.Info("the connection broke", "error", end.err, "pause", wait)
		p.wait(ctx, wait, told)
		if end.retryAfter == 0 {
			pause = min(2*pause, longestPause)
		}
	}
	return ctx.Err()
}

// playStream plays over one connection, and says how it ended.
func (p *Player) playStream(ctx context.Context, server Server, told orders) ending {
	channel, err := grpc.NewClient(server.Address, dialOptions(server)...)
	if err != nil {
		return ending{err: err}
	}
	defer channel.Close()
	// Not the caller's context: when that is done there is still a Goodbye to say.
	streamContext, cancel := context.WithCancel(authorized(context.WithoutCancel(ctx), server.Token))
	defer cancel()
	stream, err := ordagov1.NewBotServiceClient(channel).Play(streamContext)
	if err != nil {
		return ending{err: err}
	}
	// What goes wrong in sending shows in receiving, with its reason.
	_ = stream.Send(p.Greet())
	arrivals, alive, retire := received(stream), false, p.unlessRetiring(told.retire)
	for {
		select {
		case came := <-arrivals:
			if came.err != nil {
				return ending{alive, came.err, cmp.Or(p.retryAfter, retryAfter(stream.Trailer()))}
			}
			alive = true
			if reply := p.Receive(came.response, came.at); reply != nil {
				_ = stream.Send(reply)
			}
		case <-retire:
			retire = nil
			if !alive {
				told.leave()
				continue
			}
			_ = stream.Send(p.Retire())
			slog.Info("told to stop: running matches are played to their end; once more to leave at once")
		case <-ctx.Done():
			time.AfterFunc(parting, cancel)
			if alive {
				_ = stream.Send(p.Leave("the bot was told to stop"))
			}
			_ = stream.CloseSend()
			return ending{alive: alive, err: drained(arrivals)}
		}
	}
}

// arrival is a frame and when it came, or how the stream ended.
type arrival struct {
	response *ordagov1.PlayResponse
	at       time.Time
	err      error
}

// received hands over what comes on a stream, its end last. It notes when each frame comes, even while the bot thinks
// about one before it.
func received(stream ordagov1.BotService_PlayClient) <-chan arrival {
	arrivals := make(chan arrival, framesAhead)
	go func() {
		for {
			response, err := stream.Recv()
			arrivals <- arrival{response, time.Now(), err}
			if err != nil {
				return
			}
		}
	}()
	return arrivals
}

func drained(arrivals <-chan arrival) error {
	for {
		if came := <-arrivals; came.err != nil {
			return came.err
		}
	}
}

func dialOptions(server Server) []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithTransportCredentials(server.Credentials),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 25 * time.Second, Timeout: 10 * time.Second}),
		// A frame of the server may hold any number of decisions.
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32)),
	}
}

func authorized(ctx context.Context, token string) context.Context {
	if token == "" {
		return ctx
	}
	return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
}

// worthComingBack judges how a stream ended. Without a Goodbye an orderly end, too, is a broken connection.
func (p *Player) worthComingBack(end ending) bool {
	if errors.Is(end.err, io.EOF) {
		return true
	}
	switch status.Code(end.err) {
	case codes.Unavailable, codes.Unknown, codes.Internal:
		return true
	case codes.Unauthenticated, codes.PermissionDenied:
		// Perhaps the session cannot be resumed any more; then a new one may begin.
		return !end.alive && p.LoseSession(status.Convert(end.err).Message())
	default:
		// A server that is full says when to come back.
		return end.retryAfter > 0
	}
}

func retryAfter(trailer metadata.MD) time.Duration {
	for _, text := range trailer.Get(retryAfterKey) {
		if milliseconds, err := strconv.ParseUint(text, 10, 32); err == nil {
			return time.Duration(milliseconds) * time.Millisecond
		}
	}
	return 0
}

// wait waits before the next attempt to connect, unless the player is told to end.
func (p *Player) wait(ctx context.Context, pause time.Duration, told orders) {
	select {
	case <-time.After(pause):
	case <-ctx.Done():
	case <-p.unlessRetiring(told.retire):
		told.leave()
	}
}

// unlessRetiring returns what tells the player to retire, or nothing if that was heard: on a new connection it says so by
// itself.
func (p *Player) unlessRetiring(retire <-chan struct{}) <-chan struct{} {
	if p.retiring {
		return nil
	}
	return retire
}
