package ordago

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	timeFormat = "2006-01-02T15:04:05.000Z"
	// eventKey is the attribute that tells the events of the session from the lines of a bot.
	eventKey = "event"
	note     = "note"
	failed   = "failed"
)

// lineHandler is a [slog.Handler] that writes the log of docs/bot-process.md, as text or as JSON.
type lineHandler struct {
	output io.Writer
	level  slog.Level
	asJSON bool
	// with makes the attributes and groups of the logger, in order.
	with []func(slog.Handler) slog.Handler
	lock *sync.Mutex
}

func newLineHandler(output io.Writer, level slog.Level, asJSON bool) lineHandler {
	return lineHandler{output, level, asJSON, nil, new(sync.Mutex)}
}

// Enabled reports whether a level is written.
func (h lineHandler) Enabled(_ context.Context, level slog.Level) bool { return level >= h.level }

// Handle writes a record.
func (h lineHandler) Handle(ctx context.Context, record slog.Record) error {
	event, bare := note, slog.NewRecord(time.Time{}, record.Level, "", record.PC)
	record.Attrs(func(attribute slog.Attr) bool {
		if attribute.Key == eventKey {
			event = attribute.Value.String()
		} else {
			bare.AddAttrs(attribute)
		}
		return true
	})
	form := h.text
	if h.asJSON {
		form = h.json
	}
	lines, err := form(ctx, event, record, bare)
	if err != nil {
		return err
	}
	h.lock.Lock()
	defer h.lock.Unlock()
	_, err = h.output.Write(lines)
	return err
}

// text returns the line of a record; behind the sentence of a bot its attributes, behind that of a failure its lines.
func (h lineHandler) text(ctx context.Context, event string, record, bare slog.Record) ([]byte, error) {
	var more bytes.Buffer
	if event == note {
		handler := slog.Handler(slog.NewTextHandler(&more, withoutBuiltIns))
		if err := h.complete(handler).Handle(ctx, bare); err != nil {
			return nil, err
		}
	}
	line := record.Time.UTC().Format(timeFormat) + " " + levelName(record.Level) + " " + visible(record.Message)
	if attributes := bytes.TrimSpace(more.Bytes()); len(attributes) > 0 {
		line += " " + string(attributes)
	}
	line += "\n"
	if event == failed {
		line += failureLines(bare)
	}
	return []byte(line), nil
}

// failureLines returns the stack trace and the decision of a failure.
func failureLines(record slog.Record) string {
	var lines strings.Builder
	record.Attrs(func(attribute slog.Attr) bool {
		switch attribute.Key {
		case "trace":
			lines.WriteString(traceLines(attribute.Value.String()))
		case "asked":
			fmt.Fprintf(&lines, "the decision: %s\n", attribute.Value.Any())
		}
		return true
	})
	return lines.String()
}

// traceLines returns the lines of a stack trace, of which none controls a terminal.
func traceLines(trace string) string {
	var lines strings.Builder
	for line := range strings.Lines(trace) {
		lines.WriteString(visible(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "    ")) + "\n")
	}
	return lines.String()
}

func (h lineHandler) json(ctx context.Context, event string, record, bare slog.Record) ([]byte, error) {
	var line bytes.Buffer
	handler := slog.NewJSONHandler(&line, withoutBuiltIns).WithAttrs([]slog.Attr{
		slog.String(slog.TimeKey, record.Time.UTC().Format(timeFormat)), slog.String(slog.LevelKey, levelName(record.Level)),
		slog.String(eventKey, event), slog.String("message", record.Message),
	})
	err := h.complete(handler).Handle(ctx, bare)
	return line.Bytes(), err
}

// withoutBuiltIns leaves out what slog itself writes of a record without time and message. Attributes of the same names
// are texts, and stay.
var withoutBuiltIns = &slog.HandlerOptions{
	Level: slog.LevelDebug,
	ReplaceAttr: func(groups []string, attribute slog.Attr) slog.Attr {
		_, isLevel := attribute.Value.Any().(slog.Level)
		isMessage := attribute.Key == slog.MessageKey && attribute.Value.Kind() == slog.KindString && attribute.Value.String() == ""
		if len(groups) == 0 && (isLevel || isMessage) {
			return slog.Attr{}
		}
		return attribute
	},
}

// complete returns a handler with the attributes and groups of the logger.
func (h lineHandler) complete(handler slog.Handler) slog.Handler {
	for _, with := range h.with {
		handler = with(handler)
	}
	return handler
}

// WithAttrs returns a handler that adds attributes.
func (h lineHandler) WithAttrs(attributes []slog.Attr) slog.Handler {
	return h.and(func(handler slog.Handler) slog.Handler { return handler.WithAttrs(attributes) })
}

// WithGroup returns a handler that puts later attributes into a group.
func (h lineHandler) WithGroup(name string) slog.Handler {
	return h.and(func(handler slog.Handler) slog.Handler { return handler.WithGroup(name) })
}

func (h lineHandler) and(with func(slog.Handler) slog.Handler) slog.Handler {
	h.with = append(slices.Clip(h.with), with)
	return h
}

func levelName(level slog.Level) string {
	if level == slog.LevelWarn {
		return "WARNING"
	}
	return level.String()
}

// bothHandlers hands records to the log of the process and to the logger of the author.
type bothHandlers [2]slog.Handler

// Enabled reports whether one of them wants a level.
func (b bothHandlers) Enabled(ctx context.Context, level slog.Level) bool {
	return b[0].Enabled(ctx, level) || b[1].Enabled(ctx, level)
}

// Handle hands on a record.
func (b bothHandlers) Handle(ctx context.Context, record slog.Record) error {
	var errs [2]error
	for place, handler := range b {
		if handler.Enabled(ctx, record.Level) {
			errs[place] = handler.Handle(ctx, record.Clone())
		}
	}
	return errors.Join(errs[:]...)
}

// WithAttrs returns handlers that add attributes.
func (b bothHandlers) WithAttrs(attributes []slog.Attr) slog.Handler {
	return bothHandlers{b[0].WithAttrs(attributes), b[1].WithAttrs(attributes)}
}

// WithGroup returns handlers that put later attributes into a group.
func (b bothHandlers) WithGroup(name string) slog.Handler {
	return bothHandlers{b[0].WithGroup(name), b[1].WithGroup(name)}
}
