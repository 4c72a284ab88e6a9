package ordago

import (
	"io"
	"os"
	"slices"
	"sync"
	"time"
)

const (
	// linesAhead is the number of lines that may wait to be written. A burst of --verbose has some thousand.
	linesAhead = 4096
	// longestFlush is how long a process that ends waits for its last lines to be written.
	longestFlush = time.Second
)

// standardError is the writer of the process, made when it is needed.
var standardError = sync.OnceValue(func() *lossyWriter { return newLossyWriter(os.Stderr) })

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
