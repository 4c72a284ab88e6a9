package ordago

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"time"
)

const (
	// longestLook is the time for all connections of a diagnosis.
	longestLook = 2 * time.Second
	// preface begins HTTP/2: the magic words, and a frame of settings without any.
	preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\x00\x00\x00\x04\x00\x00\x00\x00\x00"
	// frameHeader is the length of that of HTTP/2, with the kind of the frame at kindPlace.
	frameHeader, kindPlace, settingsKind = 9, 3, 4
)

// diagnose looks at what listens at a server that cannot be played at, without token or certificate, and returns why TLS
// cannot work there; an empty sentence if it found no reason.
func (s Server) diagnose(ctx context.Context, endpoint endpoint) string {
	ctx, cancel := context.WithTimeout(ctx, longestLook)
	defer cancel()
	if s.TLS == nil {
		if speaksTLS(endpoint.handshake(ctx, &tls.Config{InsecureSkipVerify: true})) {
			return "speaks TLS: connect with --tls, or with --tls-ca FILE if it has an authority of its own"
		}
		return ""
	}
	config := s.TLS.Clone()
	config.Certificates, config.GetClientCertificate = nil, nil
	config.ServerName = cmp.Or(config.ServerName, endpoint.name())
	err := endpoint.handshake(ctx, config)
	// Nothing is sent in the clear to a server that speaks TLS.
	if !speaksTLS(err) && endpoint.speaksInTheClear(ctx) {
		return "does not speak TLS: connect without --tls"
	}
	return certificateFault(err, config.ServerName)
}

// handshake begins TLS and returns how that failed.
func (e endpoint) handshake(ctx context.Context, config *tls.Config) error {
	connection, err := e.dial(ctx)
	if err != nil {
		return err
	}
	defer connection.Close()
	config.NextProtos = []string{"h2"}
	return tls.Client(connection, config).HandshakeContext(ctx)
}

// speaksTLS reports whether a server took part in a handshake that ended so: it completed it, showed a certificate, or
// sent an alert, whose type crypto/tls keeps to itself.
func speaksTLS(err error) bool {
	var failed *net.OpError
	isAlert := errors.As(err, &failed) && failed.Op == "remote error"
	return err == nil || isAlert || errors.As(err, new(*tls.CertificateVerificationError))
}

// speaksInTheClear reports whether a server answers the preface of HTTP/2 with its settings.
func (e endpoint) speaksInTheClear(ctx context.Context) bool {
	connection, err := e.dial(ctx)
	if err != nil {
		return false
	}
	defer connection.Close()
	defer context.AfterFunc(ctx, func() { _ = connection.Close() })()
	header := make([]byte, frameHeader)
	if _, err := io.WriteString(connection, preface); err != nil {
		return false
	}
	_, err = io.ReadFull(connection, header)
	return err == nil && header[kindPlace] == settingsKind
}

// certificateFault returns the fault of a certificate for which a handshake failed, if that was the reason.
func certificateFault(err error, name string) string {
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		if time.Now().Before(invalid.Cert.NotBefore) {
			return "has a certificate that is not valid yet"
		}
		return "has a certificate that has expired"
	case errors.As(err, new(x509.HostnameError)):
		return "has a certificate for other names than " + name
	case errors.As(err, new(x509.UnknownAuthorityError)):
		return "has a certificate of an authority that is not trusted here: name its file with --tls-ca"
	}
	return ""
}
