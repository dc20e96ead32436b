package node

import "time"

// Shorter troubles are not reported, since a busy host delays emulated nodes. A node that is not
// ready yet has longer, as its cluster is given up once it reports a failure.
const troubleLasts, failureLasts = time.Minute, 5 * time.Minute

// Distinguishes lasting troubles from passing ones.
type lasting struct {
	now   func() time.Time
	least time.Duration
	name  string
	since time.Time
}

// Returns the description of a trouble that has lasted; empty for others.
func (l *lasting) words(name, words string) string {
	if name != l.name {
		l.name, l.since = name, l.now()
	}
	if name == "" || l.now().Sub(l.since) < l.least {
		return ""
	}
	return words
}
