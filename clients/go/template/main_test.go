package main

import (
	"testing"

	"github.com/ordago/ordago/clients/go/ordagotest"
)

// The file has a decision of each game. Add what went wrong in a match: --log-decisions writes such lines.
func TestItsAnswersAreLegal(t *testing.T) {
	decisions, err := ordagotest.LoadDecisions("decisions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, decision := range decisions {
		answer, err := ordagotest.Ask(t.Context(), newBot, decision)
		if err == nil {
			err = ordagotest.CheckLegal(decision.Decision, answer)
		}
		if err != nil {
			t.Errorf("%s, decision %d: %v", decision.Start.GetGame(), decision.Decision.GetNumber(), err)
		}
	}
}
