package player

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	ordagov1 "ordago/client/ordago/v1"
)

const (
	firstPause   = 250 * time.Millisecond
	longestPause = 8 * time.Second
	// patience is how long a broken connection is tried to be taken up again.
	patience = 30 * time.Second
	// parting is how long a Goodbye may take to get through.
	parting = time.Second
)

// Server is where to play.
type Server struct {
	// Address is HOST:PORT.
	Address string
	// Token is what the bot comes in with; empty where none is asked for.
	Token string
}

// Play plays until the server says goodbye. A connection that breaks is taken up again. When the context is done the
// player leaves, and the error is that of the context; any other error says that coming back is of no use.
func (p *Player) Play(ctx context.Context, server Server) error {
	pause, lastAlive := firstPause, time.Now()
	for {
		alive, err := p.playStream(ctx, server)
		if p.farewell != nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !p.worthComingBack(err) {
			return fmt.Errorf("the server at %s ended the session: %w", server.Address, err)
		}
		if alive {
			pause, lastAlive = firstPause, time.Now()
		}
		if time.Since(lastAlive) > patience {
			return fmt.Errorf("no server answers at %s: %w", server.Address, err)
		}
		slog.Info("the connection broke", "error", err, "pause", pause)
		sleep(ctx, pause)
		pause = min(2*pause, longestPause)
	}
}

// playStream plays over one connection. It says whether anything came over it, and how it ended.
func (p *Player) playStream(ctx context.Context, server Server) (alive bool, err error) {
	channel, err := grpc.NewClient(server.Address, dialOptions()...)
	if err != nil {
		return false, err
	}
	defer channel.Close()
	// Not the caller's context: when that is done there is still a Goodbye to say.
	streamContext, cancel := context.WithCancel(authorized(context.WithoutCancel(ctx), server.Token))
	defer cancel()
	stream, err := ordagov1.NewBotServiceClient(channel).Play(streamContext)
	if err != nil {
		return false, err
	}
	// What goes wrong in sending shows in receiving, with its reason.
	_ = stream.Send(p.Greet())
	frames, failure := received(stream)
	for {
		select {
		case response := <-frames:
			alive = true
			if reply := p.Receive(response); reply != nil {
				_ = stream.Send(reply)
			}
		case err := <-failure:
			return alive, err
		case <-ctx.Done():
			time.AfterFunc(parting, cancel)
			_ = stream.Send(p.Leave("the bot was told to stop"))
			_ = stream.CloseSend()
			return alive, drained(frames, failure)
		}
	}
}

// received hands over the frames of a stream, and after the last one how the stream ended.
func received(stream ordagov1.BotService_PlayClient) (<-chan *ordagov1.PlayResponse, <-chan error) {
	frames, failure := make(chan *ordagov1.PlayResponse), make(chan error, 1)
	go func() {
		for {
			response, err := stream.Recv()
			if err != nil {
				failure <- err
				return
			}
			frames <- response
		}
	}()
	return frames, failure
}

func drained(frames <-chan *ordagov1.PlayResponse, failure <-chan error) error {
	for {
		select {
		case <-frames:
		case err := <-failure:
			return err
		}
	}
}

func dialOptions() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithTransportCredentials(insecure.NewCredentials()),
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
func (p *Player) worthComingBack(err error) bool {
	if errors.Is(err, io.EOF) {
		return true
	}
	switch status.Code(err) {
	case codes.Unavailable, codes.Unknown, codes.Internal:
		return true
	case codes.Unauthenticated:
		// Perhaps the session is too old to be resumed; then a new one may begin.
		return p.ForgetSession()
	default:
		return false
	}
}

func sleep(ctx context.Context, pause time.Duration) {
	select {
	case <-time.After(pause):
	case <-ctx.Done():
	}
}
