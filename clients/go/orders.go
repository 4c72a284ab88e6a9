package ordago

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// longestLeave is the time that a bot gets to leave at once: it may be thinking.
const longestLeave = 3 * time.Second

// orders are those to stop, from the user or from the runner that launched the bot.
type orders struct {
	// retire is closed by the first signal.
	retire chan struct{}
	// ctx is done by the second, or by the first if the bot was launched: it leaves at once.
	ctx   context.Context
	leave context.CancelFunc
	// late is closed when it did not leave in time, orphaned when the runner has ended.
	late, orphaned chan struct{}
	signals        chan os.Signal
}

// listen begins to take orders.
func listen(ctx context.Context) *orders {
	launched := os.Getenv("ORDAGO_LAUNCHED") != ""
	taken := &orders{
		retire: make(chan struct{}), late: make(chan struct{}), orphaned: make(chan struct{}),
		signals: make(chan os.Signal, 8),
	}
	taken.ctx, taken.leave = context.WithCancel(ctx)
	context.AfterFunc(taken.ctx, func() { time.AfterFunc(longestLeave, func() { close(taken.late) }) })
	// Before Notify, which ends what nohup began.
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(taken.signals, syscall.SIGHUP)
	}
	signal.Notify(taken.signals, os.Interrupt, syscall.SIGTERM)
	go taken.take(launched)
	if launched {
		go taken.watchStandardInput()
	}
	return taken
}

// take takes the signals.
func (o *orders) take(launched bool) {
	if _, isOrder := <-o.signals; !isOrder {
		return
	}
	if !launched {
		close(o.retire)
		// The shell and the kernel both send SIGHUP when a terminal closes, so it is never the second order.
		for <-o.signals == syscall.SIGHUP {
		}
	}
	o.leave()
}

// watchStandardInput notes when the process that started this one ends, however that happens.
func (o *orders) watchStandardInput() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	close(o.orphaned)
}

// stop takes no more orders.
func (o *orders) stop() {
	signal.Stop(o.signals)
	close(o.signals)
	o.leave()
}
