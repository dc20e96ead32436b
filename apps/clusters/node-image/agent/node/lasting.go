package node

import "time"

// A busy host lets an emulated node wait: what is wrong for less than this is told to nobody. A node that is
// still to be made ready has longer, as its cluster is given up once it says that it fails.
const troubleLasts, failureLasts = time.Minute, 5 * time.Minute

// Lasting tells a trouble that lasts from one that passes.
type lasting struct {
	now   func() time.Time
	least time.Duration
	name  string
	since time.Time
}

// Words returns those of a trouble that has lasted, by its name, and nothing of another one.
func (l *lasting) words(name, words string) string {
	if name != l.name {
		l.name, l.since = name, l.now()
	}
	if name == "" || l.now().Sub(l.since) < l.least {
		return ""
	}
	return words
}
