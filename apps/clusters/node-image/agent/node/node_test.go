package node

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"agent/clusters"
)

func TestTellsATroubleThatLasts(t *testing.T) {
	now := time.Unix(0, 0)
	troubles := &lasting{now: func() time.Time { return now }, least: troubleLasts}
	look := func(after time.Duration, name string, want string) {
		t.Helper()
		now = now.Add(after)
		if got := troubles.words(name, "words of "+name); got != want {
			t.Errorf("at %v: %q", now, got)
		}
	}
	look(0, "etcd", "")
	look(troubleLasts, "etcd", "words of etcd")
	look(time.Second, "", "")
	look(troubleLasts, "etcd", "")
	look(troubleLasts-1, "kubelet", "")
	look(troubleLasts-1, "kubelet", "")
	look(1, "kubelet", "words of kubelet")
}

func TestAMessageIsAsLongAsTheServiceTakes(t *testing.T) {
	if got := cut(strings.Repeat("é", 2000)); utf8.RuneCountInString(got) != messageLimit || !strings.HasSuffix(got, "é…") {
		t.Errorf("%d characters", utf8.RuneCountInString(got))
	}
	if got := cut("short"); got != "short" {
		t.Errorf("got %q", got)
	}
}

func TestTellsAChangeOnce(t *testing.T) {
	var said []string
	reporter := newReporter(clusters.Client{}, func(text string) { said = append(said, text) })
	report := clusters.Report{Phase: clusters.PhaseEtcd, Status: clusters.InProgress, Message: "Waits."}
	reporter.Set(report)
	reporter.Set(report)
	report.Status = clusters.Failed
	reporter.Set(report)
	if len(said) != 2 || said[1] != "etcd: FAILED: Waits." {
		t.Errorf("said %q", said)
	}
}
