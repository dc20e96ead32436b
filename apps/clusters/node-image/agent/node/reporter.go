package node

import (
	"context"
	"reflect"
	"sync"
	"time"
	"unicode/utf8"

	"agent/clusters"
)

const (
	messageLimit    = 1000
	defaultInterval = 20 * time.Second
)

// Reporter tells the service how the node is: at once where this changes, and at the interval that the service
// asks for. The node never waits for it.
type Reporter struct {
	client interface {
		Report(context.Context, clusters.Report) (clusters.Orders, error)
	}
	say     func(string)
	changed chan struct{}
	// Somebody may wait for other orders than before.
	ordered chan struct{}

	mutex   sync.Mutex
	current clusters.Report
	orders  clusters.Orders
}

func newReporter(client clusters.Client, say func(string)) *Reporter {
	return &Reporter{client: client, say: say, changed: make(chan struct{}, 1), ordered: make(chan struct{}, 1)}
}

// Set says how the node is from now on.
func (r *Reporter) Set(report clusters.Report) {
	report.Message = cut(report.Message)
	r.mutex.Lock()
	before := r.current
	r.current = report
	r.mutex.Unlock()
	if reflect.DeepEqual(before, report) {
		return
	}
	if before.Phase != report.Phase || before.Status != report.Status || before.Message != report.Message {
		r.say(string(report.Phase) + ": " + string(report.Status) + ": " + report.Message)
	}
	wake(r.changed)
}

// Wake never waits: one who has been woken looks at all there is.
func wake(sleeper chan<- struct{}) {
	select {
	case sleeper <- struct{}{}:
	default:
	}
}

// Wait ends after so long, and at once where the service orders something else.
func (r *Reporter) Wait(ctx context.Context, duration time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-r.ordered:
		return nil
	case <-time.After(duration):
		return nil
	}
}

// Orders returns what the service answered last.
func (r *Reporter) Orders() clusters.Orders {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.orders
}

// Interval is how often the service wants to hear.
func (r *Reporter) Interval() time.Duration {
	if seconds := r.Orders().Interval; seconds > 0 {
		return time.Duration(seconds) * time.Second
	}
	return defaultInterval
}

// Run reports until the context ends.
func (r *Reporter) Run(ctx context.Context) {
	trouble := ""
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.changed:
		case <-time.After(r.Interval()):
		}
		r.mutex.Lock()
		report := r.current
		r.mutex.Unlock()
		if report.Phase == "" {
			continue
		}
		orders, err := r.client.Report(ctx, report)
		if err == nil {
			r.obey(orders)
			trouble = ""
		} else if trouble == "" && r.isUp() && ctx.Err() == nil {
			trouble = err.Error()
			r.say("a report did not arrive: " + trouble)
		}
	}
}

func (r *Reporter) obey(orders clusters.Orders) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if reflect.DeepEqual(r.orders, orders) {
		return
	}
	r.orders = orders
	wake(r.ordered)
}

// Before the node has asked for certificates, it may have no address yet, and nothing is amiss.
func (r *Reporter) isUp() bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.current.Phase != clusters.PhaseBoot
}

// A message as long as the service takes, without half of a character.
func cut(message string) string {
	if utf8.RuneCountInString(message) <= messageLimit {
		return message
	}
	return string([]rune(message)[:messageLimit-1]) + "…"
}
