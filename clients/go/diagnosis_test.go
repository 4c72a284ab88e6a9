package ordago_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"

	ordago "github.com/ordago/ordago/clients/go"
)

const anyPort = "127.0.0.1:0"

// certified returns a certificate for a name that is its own authority, and is valid between two times from now.
func certified(t *testing.T, name string, from, until time.Duration) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(from), NotAfter: time.Now().Add(until),
		DNSNames: []string{name}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	trusted.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, trusted
}

// serveOver serves over TLS, at a name of this machine.
func serveOver(t *testing.T, config *tls.Config) string {
	t.Helper()
	address := serveBy(t, grpc.NewServer(grpc.Creds(credentials.NewTLS(config))), goodbyeAtOnce())
	_, port, _ := net.SplitHostPort(address)
	return "localhost:" + port
}

// endsWith checks how a bot ends at a server, and that it does so without trying again.
func endsWith(t *testing.T, server ordago.Server, sentence string) {
	t.Helper()
	within(t, func(ctx context.Context) {
		_, err := server.Play(ctx, playerOf(anyNumber), nil)
		if expected := "the server at " + server.Address + " " + sentence; err == nil || err.Error() != expected {
			t.Errorf("it ended with %v, not %s", err, expected)
		}
	})
}

func TestACertificateThatCannotWorkEndsTheBot(t *testing.T) {
	for sentence, test := range map[string]struct {
		name        string
		from, until time.Duration
		trusts      bool
	}{
		"has a certificate that has expired":               {"localhost", -2 * time.Hour, -time.Hour, true},
		"has a certificate that is not valid yet":          {"localhost", time.Hour, 2 * time.Hour, true},
		"has a certificate for other names than localhost": {"play.example.org", -time.Hour, time.Hour, true},
		"has a certificate of an authority that is not trusted " + "here: name its file with --tls-ca": {
			"localhost", -time.Hour, time.Hour, false},
	} {
		certificate, trusted := certified(t, test.name, test.from, test.until)
		if !test.trusts {
			trusted = x509.NewCertPool()
		}
		address := serveOver(t, &tls.Config{Certificates: []tls.Certificate{certificate}})
		endsWith(t, ordago.Server{Address: address, TLS: &tls.Config{RootCAs: trusted}}, sentence)
	}
}

func TestAServerThatSpeaksTLSIsTold(t *testing.T) {
	certificate, _ := certified(t, "localhost", -time.Hour, time.Hour)
	sentence := "speaks TLS: connect with --tls, or with --tls-ca FILE if it has an authority of its own"
	for name, config := range map[string]*tls.Config{
		"plain":  {},
		"mutual": {ClientAuth: tls.RequireAnyClientCert},
		// Until TLS 1.2 a server refuses a missing certificate in the handshake, by an alert.
		"mutual, old": {ClientAuth: tls.RequireAnyClientCert, MaxVersion: tls.VersionTLS12},
	} {
		t.Run(name, func(t *testing.T) {
			config.Certificates = []tls.Certificate{certificate}
			endsWith(t, ordago.Server{Address: serveOver(t, config)}, sentence)
		})
	}
}

func TestAServerInTheClearIsTold(t *testing.T) {
	server := serve(t, goodbyeAtOnce())
	server.TLS = &tls.Config{}
	endsWith(t, server, "does not speak TLS: connect without --tls")
}

// connections accepts connections and hands them over, one after the other, until the test is over.
func connections(t *testing.T, address string, accept func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			accept(connection)
			_ = connection.Close()
		}
	}()
	return listener.Addr().String()
}

func TestABotGoesOnTryingWhereALookFindsNothing(t *testing.T) {
	tries := make(chan struct{}, 100)
	address := connections(t, anyPort, func(net.Conn) { tries <- struct{}{} })
	for name, config := range map[string]*tls.Config{"in the clear": nil, "over TLS": {}} {
		within(t, func(ctx context.Context) {
			ctx, leave := context.WithCancel(ctx)
			go func() {
				for range 5 { // More than one attempt and a look make.
					<-tries
				}
				leave()
			}()
			server := ordago.Server{Address: address, TLS: config}
			if _, err := server.Play(ctx, playerOf(anyNumber), nil); err != context.Canceled {
				t.Errorf("%s it ended with %v", name, err)
			}
		})
	}
}

func TestALookShowsNoCertificate(t *testing.T) {
	certificate, trusted := certified(t, "localhost", -time.Hour, time.Hour)
	shown := make(chan int)
	config := &tls.Config{
		Certificates: []tls.Certificate{certificate}, ClientAuth: tls.RequestClientCert, NextProtos: []string{"h2"},
	}
	address := connections(t, anyPort, func(connection net.Conn) {
		secured := tls.Server(connection, config)
		if err := secured.Handshake(); err != nil {
			t.Error(err)
		}
		shown <- len(secured.ConnectionState().PeerCertificates)
	})
	own := &tls.Config{RootCAs: trusted, Certificates: []tls.Certificate{certificate}, ServerName: "localhost"}
	within(t, func(ctx context.Context) {
		ctx, leave := context.WithCancel(ctx)
		go func() { _, _ = ordago.Server{Address: address, TLS: own}.Play(ctx, playerOf(anyNumber), nil) }()
		if first, look, second := <-shown, <-shown, <-shown; first != 1 || look != 0 || second != 1 {
			t.Errorf("it showed %d, then %d, then %d certificates", first, look, second)
		}
		leave()
	})
}

func TestABotThatWasConnectedGoesOnTrying(t *testing.T) {
	address, tries := "", make(chan struct{})
	isAway := &scripted{}
	server := grpc.NewServer()
	isAway.scene = func(stream stream) error {
		welcomed(stream, start(1, "a"), decision(1, 1))
		_, _ = stream.Recv() // Its answer: it was connected.
		go func() {
			server.Stop()
			// It comes back with TLS, to which the bot without it cannot connect.
			certificate, _ := certified(t, "localhost", -time.Hour, time.Hour)
			connections(t, address, func(connection net.Conn) {
				_ = tls.Server(connection, &tls.Config{Certificates: []tls.Certificate{certificate}}).Handshake()
				tries <- struct{}{}
			})
		}()
		return status.Error(codes.Unavailable, "away")
	}
	address = serveBy(t, server, isAway)
	within(t, func(ctx context.Context) {
		ctx, leave := context.WithCancel(ctx)
		go func() {
			<-tries
			<-tries
			leave()
		}()
		if _, err := (ordago.Server{Address: address}).Play(ctx, playerOf(anyNumber), nil); err != context.Canceled {
			t.Errorf("it ended with %v", err)
		}
	})
}
