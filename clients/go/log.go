package ordago

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"
)

const (
	// linesAhead is the number of lines that may wait to be written. A burst of --verbose has some thousand.
	linesAhead = 4096
	// longestFlush is how long a process that ends waits for its last lines to be written.
	longestFlush = time.Second
	timeFormat   = "2006-01-02T15:04:05.000Z"
)

// lossyWriter writes to an output that may be closed, full, or a pipe that nobody reads. Its caller never waits and never
// fails: what cannot be written is lost.
type lossyWriter struct {
	lines   chan []byte
	flushed chan struct{}
}

func newLossyWriter(output io.Writer) *lossyWriter {
	writer := &lossyWriter{make(chan []byte, linesAhead), make(chan struct{})}
	go func() {
		for line := range writer.lines {
			if line == nil {
				writer.flushed <- struct{}{}
				continue
			}
			_, _ = output.Write(line)
		}
	}()
	return writer
}

func (w *lossyWriter) Write(line []byte) (int, error) {
	select {
	case w.lines <- slices.Clone(line):
	default:
	}
	return len(line), nil
}

// flush waits until all is written, but not for long.
func (w *lossyWriter) flush() {
	timer := time.NewTimer(longestFlush)
	defer timer.Stop()
	select {
	case w.lines <- nil:
	case <-timer.C:
		return
	}
	select {
	case <-w.flushed:
	case <-timer.C:
	}
}

// lineHandler is a [slog.Handler] that writes a line for each record: the time in UTC, the level, the message, and the
// attributes, if any.
type lineHandler struct {
	level  slog.Level
	output io.Writer
	// attributes writes the attributes of a record into the buffer. Both are shared by the handlers made of this one.
	attributes slog.Handler
	buffer     *bytes.Buffer
	lock       *sync.Mutex
}

func newLineHandler(output io.Writer, level slog.Level) lineHandler {
	buffer := new(bytes.Buffer)
	attributes := slog.NewTextHandler(buffer, &slog.HandlerOptions{
		ReplaceAttr: func(groups []string, attribute slog.Attr) slog.Attr {
			builtIn := []string{slog.TimeKey, slog.LevelKey, slog.MessageKey}
			if len(groups) == 0 && slices.Contains(builtIn, attribute.Key) {
				return slog.Attr{}
			}
			return attribute
		},
	})
	return lineHandler{level, output, attributes, buffer, new(sync.Mutex)}
}

// Enabled reports whether a level is written.
func (h lineHandler) Enabled(_ context.Context, level slog.Level) bool { return level >= h.level }

// Handle writes a record.
func (h lineHandler) Handle(ctx context.Context, record slog.Record) error {
	h.lock.Lock()
	defer h.lock.Unlock()
	h.buffer.Reset()
	if err := h.attributes.Handle(ctx, record); err != nil {
		return err
	}
	line := record.Time.UTC().Format(timeFormat) + " " + levelName(record.Level) + " " + visible(record.Message)
	if attributes := bytes.TrimSpace(h.buffer.Bytes()); len(attributes) > 0 {
		line += " " + string(attributes)
	}
	_, err := io.WriteString(h.output, line+"\n")
	return err
}

// WithAttrs returns a handler that adds attributes.
func (h lineHandler) WithAttrs(attributes []slog.Attr) slog.Handler {
	h.attributes = h.attributes.WithAttrs(attributes)
	return h
}

// WithGroup returns a handler that puts later attributes into a group.
func (h lineHandler) WithGroup(name string) slog.Handler {
	h.attributes = h.attributes.WithGroup(name)
	return h
}

func levelName(level slog.Level) string {
	if level == slog.LevelWarn {
		return "WARNING"
	}
	return level.String()
}
