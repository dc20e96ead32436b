// Package units starts and monitors the units of a node.
package units

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// State is the state of a systemd unit.
type State struct {
	Active string
	// The number of restarts since it was started.
	Restarts int
}

// Start starts units without waiting for them.
func Start(ctx context.Context, names ...string) error {
	return systemctl(ctx, append([]string{"start", "--no-block"}, suffixed(names)...)...)
}

// Restart restarts units without waiting for them.
func Restart(ctx context.Context, names ...string) error {
	return systemctl(ctx, append([]string{"restart", "--no-block"}, suffixed(names)...)...)
}

// Show returns the states of units, in the given order.
func Show(ctx context.Context, names ...string) ([]State, error) {
	arguments := append([]string{"show", "--property=ActiveState,NRestarts"}, suffixed(names)...)
	text, err := exec.CommandContext(ctx, "systemctl", arguments...).Output()
	if err != nil {
		return nil, describe("systemctl show", err)
	}
	states := parse(string(text))
	if len(states) != len(names) {
		return nil, fmt.Errorf("systemctl shows %d of %d units", len(states), len(names))
	}
	return states, nil
}

// Units are separated by empty lines.
func parse(text string) []State {
	var states []State
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		var state State
		for line := range strings.Lines(block) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			switch name {
			case "ActiveState":
				state.Active = value
			case "NRestarts":
				state.Restarts, _ = strconv.Atoi(value)
			}
		}
		states = append(states, state)
	}
	return states
}

func suffixed(names []string) []string {
	var all []string
	for _, name := range names {
		all = append(all, name+".service")
	}
	return all
}

func systemctl(ctx context.Context, arguments ...string) error {
	_, err := exec.CommandContext(ctx, "systemctl", arguments...).Output()
	return describe("systemctl "+arguments[0], err)
}

func describe(command string, err error) error {
	if err == nil {
		return nil
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return fmt.Errorf("%s: %s", command, strings.TrimSpace(string(exit.Stderr)))
	}
	return fmt.Errorf("%s: %w", command, err)
}
