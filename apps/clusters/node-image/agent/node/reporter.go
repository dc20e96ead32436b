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

// Reporter reports the node's status: immediately on changes, and at the interval of the service.
// The node never waits for it.
type Reporter struct {
	client interface {
		Report(context.Context, clusters.Report) (clusters.Orders, error)
	}
	say     func(string)
	changed chan struct{}
	// Signals changed orders.
	ordered chan struct{}

	mutex   sync.Mutex
	current clusters.Report
	orders  clusters.Orders
}

func newReporter(client clusters.Client, say func(string)) *Reporter {
	return &Reporter{client: client, say: say, changed: make(chan struct{}, 1), ordered: make(chan struct{}, 1)}
}

// Set changes the status to report.
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

// Never blocks: a single wake-up covers all changes.
func wake(sleeper chan<- struct{}) {
	select {
	case sleeper <- struct{}{}:
	default:
	}
}

// Wait returns after the duration, or at once on new orders.
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

// Orders returns the last orders of the service.
func (r *Reporter) Orders() clusters.Orders {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.orders
}

// Interval is the service's interval of reports.
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

// Before its bootstrap a node may have no address, which is no failure.
func (r *Reporter) isUp() bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.current.Phase != clusters.PhaseBoot
}

// Cuts a message to the service's limit, between characters.
func cut(message string) string {
	if utf8.RuneCountInString(message) <= messageLimit {
		return message
	}
	return string([]rune(message)[:messageLimit-1]) + "…"
}
