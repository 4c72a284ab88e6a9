package ordago

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
)

const (
	// longestPath is the most bytes that a Unix socket has room for, but for the zero at the end.
	longestPath = 107
	// longestName is the limit of DNS, as is that of 63 bytes for a label below.
	longestName = 253
	label       = "[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
)

var (
	decimalPort = regexp.MustCompile("^[1-9][0-9]{0,4}$")
	hostName    = regexp.MustCompile("^" + label + `(?:\.` + label + ")*$")
	lastNumber  = regexp.MustCompile(`(?:^|\.)[0-9]+$`)
)

// endpoint is a parsed address: a host and a port, or the path of a Unix socket.
type endpoint struct {
	host string
	port uint16
	path string
}

// parseAddress parses HOST:PORT, [IPv6]:PORT or unix:PATH. Nothing is trimmed, decoded or guessed. The errors are the
// reasons of clients/vectors.
func parseAddress(text string) (endpoint, error) {
	path, isSocket := strings.CutPrefix(text, "unix:")
	switch {
	case text == "":
		return endpoint{}, errors.New("it is empty")
	case isSocket:
		return endpoint{path: path}, checkPath(path)
	case strings.Contains(text, "://"):
		return endpoint{}, errors.New("it is a URL")
	}
	host, port, err := splitAddress(text)
	if err != nil {
		return endpoint{}, err
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil || !decimalPort.MatchString(port) {
		return endpoint{}, errors.New("the port is not a number from 1 to 65535")
	}
	if !isHost(host) {
		return endpoint{}, errors.New("the host is neither a name nor an IPv4 address")
	}
	return endpoint{host: host, port: uint16(number)}, nil
}

func checkPath(path string) error {
	switch {
	case path == "":
		return errors.New("the path is empty")
	case strings.HasPrefix(path, "//"), strings.HasPrefix(path, "@"):
		return errors.New("the path begins with // or @")
	case strings.ContainsAny(path, "\x00\n\r"):
		return errors.New("the path has a NUL or a line end")
	case len(path) > longestPath:
		return fmt.Errorf("the path is longer than %d bytes", longestPath)
	}
	return nil
}

// splitAddress returns the host, without its brackets, and the port, which is not empty.
func splitAddress(text string) (host, port string, err error) {
	if inner, isBracketed := strings.CutPrefix(text, "["); isBracketed {
		return splitBracketed(inner)
	}
	host, port, _ = strings.Cut(text, ":")
	switch {
	case strings.Contains(port, ":"):
		return "", "", errors.New("only an IPv6 address has more than one colon, in brackets")
	case port == "":
		return "", "", errors.New("it has no port")
	}
	return host, port, nil
}

func splitBracketed(inner string) (host, port string, err error) {
	host, port, isClosed := strings.Cut(inner, "]")
	address, err := netip.ParseAddr(host)
	switch {
	case !isClosed || err != nil || !address.Is6() || address.Zone() != "":
		return "", "", errors.New("the brackets do not hold an IPv6 address")
	case len(port) < 2 || port[0] != ':':
		return "", "", errors.New("it has no port")
	}
	return host, port[1:], nil
}

// isHost reports whether a host is an IP address or a name. An IPv6 address had brackets, or would have been split.
func isHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return len(host) <= longestName && hostName.MatchString(host) && !lastNumber.MatchString(host)
}

// wrongAddress is the error for an address that cannot be parsed.
func wrongAddress(text string, because error) error {
	return fmt.Errorf("%s is not HOST:PORT, [IPv6]:PORT or unix:PATH: %w", quoted(text), because)
}

// dial connects directly. It reads no variable for proxies, and resolves names as the system does.
func (e endpoint) dial(ctx context.Context) (net.Conn, error) {
	var dialer net.Dialer
	if e.path != "" {
		return dialer.DialContext(ctx, "unix", e.path)
	}
	return dialer.DialContext(ctx, "tcp", e.authority())
}

// authority returns what a request calls the server. A Unix socket has no name; gRPC calls it localhost.
func (e endpoint) authority() string {
	if e.path != "" {
		return "localhost"
	}
	return net.JoinHostPort(e.host, strconv.Itoa(int(e.port)))
}

// name returns the name that the server's certificate has to have.
func (e endpoint) name() string {
	if e.path != "" {
		return "localhost"
	}
	return e.host
}
