package ordago

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
	"strings"
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
	// initialWindow is the number of bytes that may arrive before the last ones are read.
	initialWindow = 1 << 16
	// longestGoodbye is the time that a connection may last on which one side has said goodbye.
	longestGoodbye = time.Second
	// framesAhead is the number of frames that may arrive while the bot thinks about an earlier one.
	framesAhead = 1024
	// largestFrame is far more bytes than a server buffers for a bot.
	largestFrame = 64 << 20
	// retryAfterKey is the metadata by which a server says, beside a status, when to come back.
	retryAfterKey = "retry-after-ms"
)

// Server is a server to play at.
type Server struct {
	// Address is HOST:PORT, [IPv6]:PORT or unix:PATH.
	Address string
	// Token is the token of the bot; empty to send none.
	Token string
	// Event is the event to enter; empty: the server's ladder, or its only event.
	Event string
	// TLS has the settings of TLS; nil: the connection is not encrypted.
	TLS *tls.Config
}

// Play plays until the session is over, and returns the sentence by which the server ended it. A broken connection is
// opened again, as [Player.Lost] says. It is a direct one, through no proxy.
//
// When retire is closed the player takes no more seats, and leaves only if it is not connected. When the context is done
// it leaves, and the error is that of the context. Any other is a [SessionError], or the [BotError] of a bot that failed.
func (s Server) Play(ctx context.Context, player *Player, retire <-chan struct{}) (string, error) {
	endpoint, err := parseAddress(s.Address)
	if err != nil {
		return "", wrongAddress(s.Address, err)
	}
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	playing := &playing{s, endpoint, player, retire, leave}
	for isFirst := true; ctx.Err() == nil; isFirst = false {
		loss, err := playing.overConnection(ctx)
		if err != nil {
			return "", err
		}
		next := player.Lost(loss)
		if next.Over || ctx.Err() != nil {
			return s.outcome(ctx, player, next)
		}
		if isFirst && loss.Status == codes.Unavailable && !player.backOff.alive {
			if fault := s.diagnose(ctx, endpoint); fault != "" {
				err := &SessionError{s.Address, fault}
				player.log(slog.LevelError, note, err.Error())
				return "", err
			}
		}
		player.announce(next, s.Address)
		if err := playing.wait(ctx, next.Pause); err != nil {
			return "", err
		}
	}
	return "", ctx.Err()
}

// outcome returns the sentence by which the server ended the session, or the error by which it ended otherwise.
func (s Server) outcome(ctx context.Context, player *Player, last Next) (string, error) {
	if ctx.Err() != nil && !(last.Over && last.ExitCode == ExitOK) {
		return "", ctx.Err()
	}
	player.announce(last, s.Address)
	if last.ExitCode == ExitOK {
		return last.Sentence, nil
	}
	return "", last.failure(s.Address)
}

// announce logs what comes after a connection.
func (p *Player) announce(next Next, address string) {
	switch {
	case !next.Over:
		p.log(slog.LevelInfo, next.event, fmt.Sprintf("%s; trying again in %.2f s", next.Sentence, next.Pause.Seconds()),
			next.fields...)
	case next.ExitCode == ExitOK:
		p.log(slog.LevelInfo, next.event, "the server said goodbye: "+reasonGiven(next.Sentence), next.fields...)
	default:
		p.log(slog.LevelError, next.event, next.failure(address).Error(),
			append([]any{"address", address}, next.fields...)...)
	}
}

// failure returns the error for a session that ended without a goodbye.
func (n Next) failure(address string) *SessionError {
	return &SessionError{address, n.Sentence + proxyNote(n)}
}

// SessionError says that a session ended without a goodbye, and that connecting again is of no use.
type SessionError struct {
	// Address is that of the server.
	Address string
	// Reason continues "the server at ADDRESS".
	Reason string
}

// Error returns the whole sentence.
func (e *SessionError) Error() string {
	return "the server at " + e.Address + " " + e.Reason
}

// proxyNote returns a note for a server that cannot be reached, if the environment names a proxy that should reach it.
func proxyNote(next Next) string {
	for _, name := range []string{"http_proxy", "https_proxy", "all_proxy", "grpc_proxy"} {
		for _, variable := range []string{name, strings.ToUpper(name)} {
			if next.event == unreachable && os.Getenv(variable) != "" {
				return "; the proxy in " + variable + " is not used"
			}
		}
	}
	return ""
}

// playing is a player at a server, over all its connections.
type playing struct {
	server   Server
	endpoint endpoint
	player   *Player
	// retire is closed when the player is to take no more seats; nil once it was noticed.
	retire <-chan struct{}
	// leave makes the player leave at once.
	leave context.CancelFunc
}

// wait waits before the next connection, unless the player is told to end. Bots may still be thinking.
func (p *playing) wait(ctx context.Context, pause time.Duration) error {
	over := time.After(pause)
	for {
		select {
		case call := <-p.player.finished:
			if _, err := p.player.collect(call); err != nil {
				return err
			}
		case <-over:
			return nil
		case <-ctx.Done():
			return nil
		case <-p.retire:
			p.leave()
		}
	}
}

// overConnection plays over one connection, and returns its end. The error is that of a bot.
func (p *playing) overConnection(ctx context.Context) (Loss, error) {
	channel, err := grpc.NewClient("passthrough:///server", p.server.dialOptions(p.endpoint)...)
	if err != nil {
		return lossOf(status.Error(codes.InvalidArgument, err.Error()), nil), nil
	}
	defer channel.Close()
	// Not the caller's context: when that is done there is still a Goodbye to send.
	streamContext, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	connection := &connection{arrivals: make(chan arrival, framesAhead), cancel: cancel}
	go connection.read(streamContext, channel, p.player, p.player.Connect(), p.server)
	for alive := false; ; {
		select {
		case came := <-connection.arrivals:
			if came.err != nil {
				return lossOf(came.err, connection.stream), nil
			}
			alive = true
			reply, err := p.player.Receive(ctx, came.response, came.at)
			if err != nil {
				return Loss{}, err
			}
			connection.send(reply)
			if p.player.isDismissed() {
				return connection.end(longestGoodbye), nil
			}
		case call := <-p.player.finished:
			reply, err := p.player.collect(call)
			if err != nil {
				return Loss{}, err
			}
			connection.send(reply)
		case <-p.retire:
			p.retire = nil
			if !alive {
				p.leave()
				continue
			}
			connection.send(p.player.Retire())
			p.player.log(slog.LevelInfo, "told_to_stop",
				"told to stop: running matches are played to their end; once more to leave at once")
		case <-ctx.Done():
			if !alive {
				return connection.end(0), nil
			}
			connection.send(p.player.Leave())
			return connection.end(longestGoodbye), nil
		}
	}
}

// connection is one connection. Its stream is set when the first frame arrives.
type connection struct {
	stream   ordagov1.BotService_PlayClient
	arrivals chan arrival
	cancel   context.CancelFunc
}

// arrival is a frame and its time of arrival, or the end of the stream.
type arrival struct {
	response *ordagov1.PlayResponse
	at       time.Time
	err      error
}

// read opens the stream and hands over its frames, and its end last. It notes the time of arrival of each frame, even
// while the bot thinks about an earlier one.
func (c *connection) read(
	ctx context.Context, channel *grpc.ClientConn, player *Player, hello *ordagov1.PlayRequest, server Server,
) {
	err := player.ask(ctx, ordagov1.NewGameServiceClient(channel), server.Event)
	if err == nil {
		c.stream, err = ordagov1.NewBotServiceClient(channel).Play(server.named(ctx))
	}
	if err != nil {
		c.arrivals <- arrival{err: err}
		return
	}
	c.send(hello)
	for {
		response, err := c.stream.Recv()
		c.arrivals <- arrival{response, time.Now(), err}
		if err != nil {
			return
		}
	}
}

// send sends a frame, if there is one. A failure shows in receiving, with its reason.
func (c *connection) send(request *ordagov1.PlayRequest) {
	if request != nil {
		_ = c.stream.Send(request)
	}
}

// end waits for the end of a connection on which nothing more is sent, and returns it.
func (c *connection) end(patience time.Duration) Loss {
	timer := time.AfterFunc(patience, c.cancel)
	defer timer.Stop()
	if patience > 0 {
		_ = c.stream.CloseSend()
	}
	for {
		if came := <-c.arrivals; came.err != nil {
			return lossOf(came.err, c.stream)
		}
	}
}

// ask asks for the description of the event, before the server knows the nonce, if receipts are wanted. A server without
// this method has no event.
func (p *Player) ask(ctx context.Context, games ordagov1.GameServiceClient, event string) error {
	if p.options.Receipts == nil {
		return nil
	}
	described, err := games.DescribeEvent(ctx, &ordagov1.DescribeEventRequest{Event: event})
	if err != nil && status.Code(err) != codes.Unimplemented {
		return err
	}
	p.receipts.describe(described, p.hello.GetNonce())
	return nil
}

func (s Server) dialOptions(endpoint endpoint) []grpc.DialOption {
	secured := insecure.NewCredentials()
	if s.TLS != nil {
		secured = credentials.NewTLS(s.TLS)
	}
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(secured),
		// Not by the address itself, which gRPC would take for a URL, and for which it would look for a proxy.
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return endpoint.dial(ctx) }),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 25 * time.Second, Timeout: 10 * time.Second}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(largestFrame)),
		// Otherwise gRPC pings for nearly each frame, to measure how many bytes may be under way. A bot needs far less.
		grpc.WithInitialWindowSize(initialWindow), grpc.WithInitialConnWindowSize(initialWindow),
	}
	if s.TLS != nil && s.TLS.ServerName != "" {
		return options // The authority is that name, and gRPC allows no other.
	}
	return append(options, grpc.WithAuthority(endpoint.authority()))
}

// named returns the context of a call, with the token and the event.
func (s Server) named(ctx context.Context) context.Context {
	if s.Token != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+s.Token)
	}
	if s.Event != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "ordago-event", s.Event)
	}
	return ctx
}

// lossOf returns the end of a connection, by that of its stream, if there was one.
func lossOf(err error, stream ordagov1.BotService_PlayClient) Loss {
	loss := Loss{At: time.Now(), Jitter: rand.Float64()}
	if !errors.Is(err, io.EOF) {
		ended := status.Convert(err)
		loss.Status, loss.Sentence = ended.Code(), plain(ended.Message())
	}
	if stream != nil {
		loss.RetryAfter = retryAfter(stream.Trailer())
	}
	return loss
}

// plain returns a message without the words that gRPC puts around the error of a connection.
func plain(message string) string {
	if description, isConnection := strings.CutPrefix(message, "connection error: desc = "); isConnection {
		if text, err := strconv.Unquote(description); err == nil {
			return strings.TrimPrefix(strings.TrimPrefix(text, "transport: "), "Error while dialing: ")
		}
	}
	return message
}

func retryAfter(trailer metadata.MD) time.Duration {
	for _, text := range trailer.Get(retryAfterKey) {
		if number, err := strconv.ParseUint(text, 10, 32); err == nil {
			return milliseconds(uint32(number))
		}
	}
	return 0
}
