package ordago

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// longestToken is more bytes than gRPC sends along with a call.
const longestToken = 8192

// tokenIn returns the token in a file.
func tokenIn(path string) (string, error) {
	contents, err := beginningOf(path)
	if err != nil {
		return "", fmt.Errorf("%s cannot be used: %w", path, reasonOf(err))
	}
	token, err := parseToken(contents)
	if err != nil {
		return "", fmt.Errorf("%s cannot be used: %w", path, err)
	}
	return token, nil
}

// beginningOf returns what is in a file, but of a longer one only so much that it shows.
func beginningOf(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, longestToken+1))
}

// parseToken returns the token that the bytes of a file hold, without the white space around it. The errors
// are the reasons of clients/vectors.
func parseToken(contents []byte) (string, error) {
	token := string(bytes.Trim(contents, " \t\r\n"))
	switch {
	case bytes.HasPrefix(contents, []byte("\xff\xfe")), bytes.HasPrefix(contents, []byte("\xfe\xff")),
		bytes.IndexByte(contents, 0) >= 0:
		return "", errors.New("it is in UTF-16")
	case bytes.HasPrefix(contents, []byte("\xef\xbb\xbf")):
		return "", errors.New("it begins with a byte-order mark")
	case token == "":
		return "", errors.New("it has no token")
	case len(contents) > longestToken:
		return "", fmt.Errorf("it is longer than %d bytes", longestToken)
	case strings.ContainsAny(token, "\r\n"):
		return "", errors.New("it has more than one line")
	case !isSendable(token):
		return "", errors.New("it has a character that no token has")
	}
	return token, nil
}

// isSendable reports whether a token has printable ASCII characters only, and no spaces.
func isSendable(token string) bool {
	return !strings.ContainsFunc(token, func(character rune) bool { return character <= ' ' || character > '~' })
}
