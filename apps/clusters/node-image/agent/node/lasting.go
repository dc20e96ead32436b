package node

import "time"

// A busy host lets an emulated node wait: what is wrong for less than this is told to nobody.
const troubleLasts = time.Minute

// Lasting tells a trouble that lasts from one that passes.
type lasting struct {
	now   func() time.Time
	name  string
	since time.Time
}

// Words returns those of a trouble that has lasted, by its name, and nothing of another one.
func (l *lasting) words(name, words string) string {
	if name != l.name {
		l.name, l.since = name, l.now()
	}
	if name == "" || l.now().Sub(l.since) < troubleLasts {
		return ""
	}
	return words
}
