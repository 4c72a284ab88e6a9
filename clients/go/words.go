package ordago

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	ordagov1 "github.com/ordago/ordago/clients/go/ordago/v1"
)

// reasonGiven returns the sentence of a server, or words for a missing one.
func reasonGiven(sentence string) string {
	return cmp.Or(sentence, "no reason was given")
}

// faultName returns the name of a fault, or its number if only a newer server knows it.
func faultName(fault ordagov1.Fault) string {
	return cmp.Or(ordagov1.Fault_name[int32(fault)], fmt.Sprint("fault ", int32(fault)))
}

// statusName returns the name of a status in gRPC, such as PERMISSION_DENIED.
func statusName(status codes.Code) string {
	return code.Code(status).String()
}

// ended returns the sentence for a session that a status ended.
func ended(status codes.Code, sentence string) string {
	return fmt.Sprintf("ended the session (%s): %s", statusName(status), reasonGiven(sentence))
}

// reason returns the reason of a loss; it is never empty.
func (l Loss) reason() string {
	if l.Sentence == "" && l.Status == codes.OK {
		return "the stream ended"
	}
	return cmp.Or(l.Sentence, statusName(l.Status))
}

// begins returns the sentence for a match that begins, or goes on.
func begins(start *ordagov1.MatchStart, verb string) string {
	return fmt.Sprintf("match %s of %s %s, seat %d", start.GetMatchId(), start.GetGame(), verb, start.GetSeat())
}

// ends returns the sentence for the end of a match, as one seat sees it.
func ends(start *ordagov1.MatchStart, end *ordagov1.MatchEnd) string {
	result, reason := "void", ": "+reasonGiven(end.GetSentence())
	if end.GetOutcome() != nil {
		result, reason = "placing unknown", ""
	}
	if placing, isPlaced := placingOf(start, end); isPlaced {
		result = fmt.Sprint("placing ", placing)
	}
	for _, forfeit := range end.GetForfeits() {
		result += fmt.Sprintf(", seat %d forfeited (%s)", forfeit.GetSeat(), faultName(forfeit.GetFault()))
	}
	return fmt.Sprintf("match %s ended: %s%s", start.GetMatchId(), result, reason)
}

// placingOf returns the placing of a seat, and whether it has one.
func placingOf(start *ordagov1.MatchStart, end *ordagov1.MatchEnd) (uint32, bool) {
	placings := end.GetOutcome().GetPlacings()
	if int(start.GetSeat()) >= len(placings) {
		return 0, false
	}
	return placings[start.GetSeat()], true
}

// forfeit is a forfeit in the log.
type forfeit struct {
	Seat  uint32 `json:"seat"`
	Fault string `json:"fault"`
}

// endFields returns the fields of the log for the end of a match.
func endFields(start *ordagov1.MatchStart, end *ordagov1.MatchEnd) []any {
	var fields []any
	if placing, isPlaced := placingOf(start, end); isPlaced {
		fields = append(fields, "placing", placing)
	} else if end.GetOutcome() == nil {
		fields = append(fields, "void", end.GetSentence())
	}
	var forfeits []forfeit
	for _, one := range end.GetForfeits() {
		forfeits = append(forfeits, forfeit{one.GetSeat(), faultName(one.GetFault())})
	}
	if forfeits != nil {
		fields = append(fields, "forfeits", forfeits)
	}
	return fields
}

// cost returns the time charged for an answer, the time not charged, and the time left.
func cost(accepted *ordagov1.Accepted) string {
	words := fmt.Sprintf("charged %d ms", accepted.GetChargedMs())
	if lag := accepted.GetLagMs(); lag > 0 {
		words += fmt.Sprintf(", travelled for %d ms", lag)
	}
	if lost := accepted.GetLostMs(); lost > 0 {
		words += fmt.Sprintf(", the server lost %d ms", lost)
	}
	return fmt.Sprintf("%s, %d ms left in the bank", words, accepted.GetBankMs())
}

// defaultTaken returns the reason for which the default answer was taken, and the faults that are left.
func defaultTaken(accepted *ordagov1.Accepted) string {
	words := fmt.Sprintf("%s (%s)", reasonGiven(accepted.GetSentence()), faultName(accepted.GetFault()))
	if left := accepted.GetFaultsLeft(); left > 0 {
		words += fmt.Sprintf("; %d more and the match is forfeited", left)
	}
	return words
}

// eventCount counts the matches of an event that have begun, corrected by each notice of the server.
type eventCount struct {
	begun, planned uint32
}

func (e *eventCount) learn(notice *ordagov1.EventNotice) {
	e.begun, e.planned = notice.GetMatchesBegun(), notice.GetMatchesPlanned()
}

// next counts a match that begins, and returns its place in the plan, which is 0 matches long if there is none.
func (e *eventCount) next() (number, planned uint32) {
	e.begun++
	return e.begun, e.planned
}

// visible returns a text with its control characters escaped, so that a terminal only shows it.
func visible(text string) string {
	var shown strings.Builder
	for rest := text; rest != ""; {
		sign, size := utf8.DecodeRuneInString(rest)
		switch {
		case sign == utf8.RuneError && size == 1:
			fmt.Fprintf(&shown, `\x%02x`, rest[0])
		case strconv.IsPrint(sign):
			shown.WriteRune(sign)
		default:
			escaped := strconv.QuoteRune(sign)
			shown.WriteString(escaped[1 : len(escaped)-1])
		}
		rest = rest[size:]
	}
	return shown.String()
}

// quoted returns a text between quotes, for a sentence.
func quoted(text string) string {
	return "'" + visible(text) + "'"
}

// oneLine returns a message without the secrets of the session.
func oneLine(message proto.Message) string {
	switch message := message.(type) {
	case *ordagov1.ServerMessage:
		if message.GetWelcome() != nil {
			return "welcome"
		}
	case *ordagov1.BotMessage:
		if message.GetHello() != nil {
			return "hello"
		}
	}
	return prototext.MarshalOptions{}.Format(message)
}
