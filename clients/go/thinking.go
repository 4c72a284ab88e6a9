package ordago

import (
	"context"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// callsAhead is the number of calls that may be over before the goroutine that plays takes notice. More of them wait.
const callsAhead = 1024

// start calls a bot, if there is a call: at once without threads, else when its earlier calls are over. It returns the
// reply if there is one already.
func (p *Player) start(ctx context.Context, call *call) (*reply, error) {
	if call == nil {
		return nil, nil
	}
	call.session = ctx
	call.ctx, call.drop = context.WithCancel(ctx)
	seat := call.seat
	seat.calls = append(seat.calls, call)
	switch {
	case len(seat.calls) > 1:
		return nil, nil
	case p.slots != nil:
		go p.think(call)
		return nil, nil
	}
	call.run(p.options.Now)
	return p.finish(call)
}

// think makes a call when there is room for it.
func (p *Player) think(call *call) {
	select {
	case p.slots <- struct{}{}:
		call.run(p.options.Now)
		<-p.slots
	case <-call.ctx.Done():
	}
	select {
	case p.finished <- call:
	case <-call.session.Done():
	}
}

// finish takes over what a call brought, starts the next one of its bot, and returns the reply. An answer that is not
// needed any more is dropped.
func (p *Player) finish(call *call) (*reply, error) {
	seat, isDropped := call.seat, call.isDropped()
	call.drop()
	seat.calls = seat.calls[1:]
	if len(seat.calls) > 0 {
		go p.think(seat.calls[0])
	}
	var answered *reply
	if call.decision != nil && !isDropped {
		seat.answer = call.answer
		answered = seat.reply()
	}
	p.decisions.keep(call, isDropped, p.options.Logger)
	if call.failure != nil {
		return answered, p.failed(call)
	}
	return answered, nil
}

// collect returns a frame with the answers of calls that are over: one, and those that are over by now, too.
func (p *Player) collect(call *call) (*ordagov1.PlayRequest, error) {
	var replies []*reply
	for {
		reply, err := p.finish(call)
		if err != nil {
			return nil, err
		}
		replies = append(replies, reply)
		select {
		case call = <-p.finished:
		default:
			return p.frame(append(p.sent(replies), p.retirement()...)...), nil
		}
	}
}
