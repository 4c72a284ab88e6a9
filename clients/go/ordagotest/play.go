package ordagotest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// Result is a match that [Play] played.
type Result struct {
	MatchID string `json:"match_id"`
	// Number is that of the match, from 1.
	Number int    `json:"number"`
	Game   string `json:"game"`
	Seats  []Seat `json:"seats"`
	// Faults is the number of decisions for which the default answer was taken.
	Faults   int       `json:"faults"`
	Forfeits []Forfeit `json:"forfeits"`
}

// Seat is a seat of a match.
type Seat struct {
	// Bot is the number of its bot among those given to [Play], from 0.
	Bot     int    `json:"bot"`
	Name    string `json:"name"`
	Score   int    `json:"score"`
	Placing int    `json:"placing"`
	// Strikes are the numbers of refused answers by rule.
	Strikes map[string]int `json:"strikes"`
}

// Forfeit is the forfeit of a seat.
type Forfeit struct {
	Seat  int    `json:"seat"`
	Fault string `json:"fault"`
}

// Play plays matches of a game between bots, such as "cmd:./bot" and "house:random", with `ordago play`. The program is the
// one that $ORDAGO_PROGRAM names, else ordago of the path. The arguments are further ones for it, such as "--seed", "2a".
func Play(ctx context.Context, game string, bots []string, matches int, arguments ...string) ([]Result, error) {
	program, err := exec.LookPath(cmp.Or(os.Getenv("ORDAGO_PROGRAM"), "ordago"))
	if err != nil {
		return nil, fmt.Errorf("ordago is needed to play: install it, or name it by ORDAGO_PROGRAM: %w", err)
	}
	line := []string{"play", game, "--matches", strconv.Itoa(matches), "--json"}
	for _, bot := range bots {
		line = append(line, "--bot", bot)
	}
	played, err := exec.CommandContext(ctx, program, append(line, arguments...)...).Output()
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) {
		return nil, fmt.Errorf("ordago play: %w: %s", err, strings.TrimSpace(string(ended.Stderr)))
	}
	if err != nil {
		return nil, err
	}
	return results(played)
}

func results(lines []byte) ([]Result, error) {
	var results []Result
	for decoder := json.NewDecoder(bytes.NewReader(lines)); ; {
		var result Result
		if err := decoder.Decode(&result); errors.Is(err, io.EOF) {
			return results, nil
		} else if err != nil {
			return nil, fmt.Errorf("ordago play printed no match: %w", err)
		}
		results = append(results, result)
	}
}
