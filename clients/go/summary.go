package ordago

import (
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// Summary counts what happened to a bot in a session, over all its connections.
type Summary struct {
	// Matches is the number of matches that ended, Void that of void ones among them.
	Matches, Void int
	// Placings has the number of matches by placing, from 1.
	Placings map[uint32]int
	// Slowest is the first answer with the longest thinking time; nil if nothing was asked.
	Slowest *Slowest
	// Refused and DefaultAnswers have the numbers of refused answers, and of default answers taken for a fault, by cause.
	Refused, DefaultAnswers map[string]int
	// Forfeited is the number of matches that the bot forfeited, Failures that of its failures.
	Forfeited, Failures int
}

// Slowest is an answer and its thinking time.
type Slowest struct {
	Milliseconds uint32
	MatchID      string
	Decision     uint32
}

// IsClean reports whether nothing went wrong: no refusal, no default answer for a fault, no forfeit, no failure.
func (s Summary) IsClean() bool {
	return len(s.Refused)+len(s.DefaultAnswers)+s.Forfeited+s.Failures == 0
}

// String returns the sentence of the log.
func (s Summary) String() string {
	results := append(byKey(s.Placings, "placing %v: %d"), fmt.Sprint("void: ", s.Void))
	parts := []string{plural(s.Matches, "match", "matches") + ": " + strings.Join(results, ", ")}
	if slowest := s.Slowest; slowest != nil {
		parts = append(parts, fmt.Sprintf("slowest decision: %d ms (match %s, decision %d)",
			slowest.Milliseconds, slowest.MatchID, slowest.Decision))
	}
	parts = append(parts, byCause("refused", s.Refused)...)
	parts = append(parts, byCause("default answers", s.DefaultAnswers)...)
	for _, count := range []struct {
		name   string
		number int
	}{{"forfeited", s.Forfeited}, {"failures", s.Failures}} {
		if count.number > 0 {
			parts = append(parts, fmt.Sprint(count.name, ": ", count.number))
		}
	}
	return strings.Join(parts, "; ")
}

// fields returns the fields of the log.
func (s Summary) fields() []any {
	fields := []any{"matches", s.Matches, "placings", s.Placings, "void", s.Void}
	if slowest := s.Slowest; slowest != nil {
		fields = append(fields, "slowest_ms", slowest.Milliseconds, "slowest_match", slowest.MatchID,
			"slowest_decision", slowest.Decision)
	}
	return append(fields, "refused", s.Refused, "default_answers", s.DefaultAnswers, "forfeited", s.Forfeited,
		"failures", s.Failures)
}

func plural(number int, one, many string) string {
	if number == 1 {
		return "1 " + one
	}
	return fmt.Sprint(number, " ", many)
}

// byCause returns a part of the sentence, none for no causes.
func byCause(name string, causes map[string]int) []string {
	total := 0
	for _, number := range causes {
		total += number
	}
	if total == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s: %d (%s)", name, total, strings.Join(byKey(causes, "%v %d"), ", "))}
}

// byKey returns a text for each entry, in the order of the keys.
func byKey[Key string | uint32](counts map[Key]int, format string) []string {
	var texts []string
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		texts = append(texts, fmt.Sprintf(format, key, counts[key]))
	}
	return texts
}

// tally counts for a summary. It may be read while the bot thinks, perhaps for ever.
type tally struct {
	lock    sync.Mutex
	summary Summary
}

func newTally() *tally {
	return &tally{summary: Summary{
		Placings: map[uint32]int{}, Refused: map[string]int{}, DefaultAnswers: map[string]int{},
	}}
}

// count changes the counts.
func (t *tally) count(change func(summary *Summary)) {
	t.lock.Lock()
	defer t.lock.Unlock()
	change(&t.summary)
}

// read returns a copy.
func (t *tally) read() Summary {
	t.lock.Lock()
	defer t.lock.Unlock()
	read := t.summary
	read.Placings, read.Refused = maps.Clone(read.Placings), maps.Clone(read.Refused)
	read.DefaultAnswers = maps.Clone(read.DefaultAnswers)
	return read
}

// answered counts an answer that is sent.
func (t *tally) answered(choice *ordagov1.Choice, match *Match) {
	t.count(func(summary *Summary) {
		if summary.Slowest == nil || choice.GetThoughtMs() > summary.Slowest.Milliseconds {
			summary.Slowest = &Slowest{choice.GetThoughtMs(), match.GetMatchId(), choice.GetNumber()}
		}
	})
}

// ended counts a match that ended.
func (t *tally) ended(start *ordagov1.MatchStart, end *ordagov1.MatchEnd) {
	t.count(func(summary *Summary) {
		summary.Matches++
		if placing, isPlaced := placingOf(start, end); isPlaced {
			summary.Placings[placing]++
		} else if end.GetOutcome() == nil {
			summary.Void++
		}
	})
}

// logSummary logs the summary, if a match has ended.
func (p *Player) logSummary() {
	if summary := p.Summary(); summary.Matches > 0 {
		p.log(slog.LevelInfo, "summary", summary.String(), summary.fields()...)
	}
}
