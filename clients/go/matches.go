package ordago

import (
	"cmp"
	"fmt"
	"log/slog"
	"time"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// begin begins a match, or continues it after a resume. It returns the call that makes its bot, if there is none yet.
func (p *Player) begin(start *ordagov1.MatchStart) *call {
	known := p.seats[start.GetMatchHandle()]
	fields := []any{"match", start.GetMatchId(), "game", start.GetGame(), "seat", start.GetSeat()}
	if known != nil && known.carriesOn(start) {
		p.log(slog.LevelInfo, "match_goes_on", begins(start, "goes on"), fields...)
		return nil
	}
	if known == nil {
		p.begun++
	} else {
		known.drop()
	}
	sentence := begins(start, "begins")
	if number, planned := p.event.next(); planned > 0 {
		sentence += fmt.Sprintf(", match %d of %d", number, planned)
		fields = append(fields, "number", number, "planned", planned)
	}
	p.log(slog.LevelInfo, "match_begins", sentence, fields...)
	p.receipts.begin(start)
	seat := newSeat(&Match{start, p.retiring, p.options.Logger})
	p.seats[start.GetMatchHandle()] = seat
	return seat.make(p.factory)
}

func (p *Player) decide(decision *ordagov1.Decision, arrived time.Time) (*reply, *call) {
	seat := p.seats[decision.GetMatchHandle()]
	if seat == nil {
		p.log(slog.LevelWarn, note, fmt.Sprintf("%s, decision %d: it is not answered", seat.name(), decision.GetNumber()))
		return nil, nil
	}
	return seat.decide(decision, arrived)
}

func (p *Player) refused(refused *ordagov1.Refused, arrived time.Time) *call {
	seat := p.seats[refused.GetMatchHandle()]
	cause := cmp.Or(refused.GetRule(), refused.GetField(), faultName(refused.GetFault()))
	p.tally.count(func(summary *Summary) { summary.Refused[cause]++ })
	// A faulty bot may have every answer of a match refused: its author has to see it, but once for each cause.
	if seat == nil || seat.isFirstRefusal(cause) {
		sentence := fmt.Sprintf("%s, decision %d: refused: %s (%s)", seat.name(), refused.GetNumber(),
			reasonGiven(refused.GetSentence()), cause)
		p.log(slog.LevelWarn, "refused", sentence,
			seat.fields("decision", refused.GetNumber(), "cause", cause, "sentence", refused.GetSentence())...)
	}
	if seat == nil {
		return nil
	}
	return seat.decideAgain(refused, arrived)
}

func (p *Player) accepted(accepted *ordagov1.Accepted) {
	seat := p.seats[accepted.GetMatchHandle()]
	if seat == nil || !seat.close(accepted.GetNumber()) {
		return
	}
	where := fmt.Sprintf("%s, decision %d: ", seat.name(), accepted.GetNumber())
	if p.isVerbose() {
		p.log(slog.LevelDebug, note, where+cost(accepted))
	}
	if accepted.GetFault() == ordagov1.Fault_FAULT_UNSPECIFIED {
		return
	}
	fault := faultName(accepted.GetFault())
	p.tally.count(func(summary *Summary) { summary.DefaultAnswers[fault]++ })
	p.log(slog.LevelWarn, "default_taken", where+"the default answer was taken: "+defaultTaken(accepted),
		seat.fields("decision", accepted.GetNumber(), "fault", fault, "faults_left", accepted.GetFaultsLeft(),
			"sentence", accepted.GetSentence())...)
}

func (p *Player) forfeited(notice *ordagov1.Forfeited) *call {
	seat := p.seats[notice.GetMatchHandle()]
	fault := faultName(notice.GetFault())
	p.log(slog.LevelWarn, "forfeited",
		fmt.Sprintf("%s is forfeited: %s (%s)", seat.name(), reasonGiven(notice.GetSentence()), fault),
		seat.fields("fault", fault, "sentence", notice.GetSentence())...)
	if seat == nil {
		return nil
	}
	p.tally.count(func(summary *Summary) { summary.Forfeited++ })
	return seat.forfeited(notice)
}

func (p *Player) end(end *ordagov1.MatchEnd) *call {
	seat := p.seats[end.GetMatchHandle()]
	if seat == nil {
		return nil
	}
	delete(p.seats, end.GetMatchHandle())
	seat.drop()
	p.receipts.end(seat.match.MatchStart, end)
	p.tally.ended(seat.match.MatchStart, end)
	p.log(slog.LevelInfo, "match_ended", ends(seat.match.MatchStart, end), seat.fields(endFields(seat.match.MatchStart, end)...)...)
	return seat.ended(end)
}

// failed counts a failure of a bot, and logs it, or returns it if the session ends by it.
func (p *Player) failed(call *call) error {
	p.tally.count(func(summary *Summary) { summary.Failures++ })
	if p.options.OnError == StopOnError {
		return call.failure
	}
	what := "the bot failed"
	switch {
	case call.decision != nil:
		what = "the bot failed, and the default answer is taken"
	case call.seat.bot == nil:
		what = "the bot failed at its start, and default answers are taken"
	}
	p.log(slog.LevelError, failed, call.failure.sentence(what), call.failure.fields(!call.seat.hasFailed)...)
	call.seat.hasFailed = true
	return nil
}
