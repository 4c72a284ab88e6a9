package ordago

import (
	"io"
	"log/slog"
)

// Announce logs what comes after a connection, as [Server.Play] does.
func (p *Player) Announce(next Next, address string) { p.announce(next, address) }

// NewJSONLog returns the log of a process, as JSON.
func NewJSONLog(output io.Writer) *slog.Logger {
	return slog.New(newLineHandler(output, slog.LevelInfo, true))
}
