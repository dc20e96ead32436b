package units

import (
	"slices"
	"strings"
	"testing"
)

func TestReadsTheStateOfEachUnit(t *testing.T) {
	got := parse("NRestarts=0\nActiveState=active\n\nNRestarts=4\nActiveState=activating\n")
	if !slices.Equal(got, []State{{"active", 0}, {"activating", 4}}) {
		t.Errorf("got %v", got)
	}
}

func TestTheJournalHasNoSecretsInIt(t *testing.T) {
	said := tidy("E1124 11:02:03.000000    1 server.go:12] bad password hunter2\n"+
		"token eyJhbGciOi.eyJpc3Mi.c2ln\n-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\n", []string{"hunter2", ""})
	if want := "bad password (secret) | token (token) | (PEM)"; said != want {
		t.Errorf("said %q", said)
	}
}

func TestALongLineIsCut(t *testing.T) {
	if said := tidy(strings.Repeat("é", 200), nil); len(said) > lineLimit+len("…") {
		t.Errorf("%d bytes", len(said))
	}
}
