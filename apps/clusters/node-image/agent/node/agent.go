package node

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"agent/clusters"
	"agent/files"
	"agent/kube"
	"agent/settings"
	"agent/units"
)

// Agent is the program's state.
type Agent struct {
	settings settings.Settings
	client   clusters.Client
	reporter *Reporter
	versions map[string]string

	document *clusters.Document
	address  string
	// Clients of the API: as this node's kubelet, and as an administrator on masters.
	kubelet, admin *kube.Client
}

// Run brings the node up and watches it until the context ends.
func Run(ctx context.Context) error {
	versions, err := versions()
	if err != nil {
		return err
	}
	settings, err := settings.Load(ctx, Say)
	if err != nil {
		return err
	}
	client := clusters.Client{URL: settings.ClustersURL, NodeID: settings.NodeID, Token: settings.Token}
	agent := &Agent{settings: settings, client: client, versions: versions, reporter: newReporter(client, Say)}
	go agent.reporter.Run(ctx)
	agent.tell(clusters.PhaseBoot, clusters.InProgress,
		fmt.Sprintf("This is %s %s with Kubernetes %s.", settings.Role, settings.NodeName, agent.version()))
	if err := setName(settings.NodeName); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{agent.learn, agent.start, agent.watch} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func setName(name string) error {
	if err := os.WriteFile("/etc/hostname", []byte(name+"\n"), 0o644); err != nil {
		return err
	}
	return syscall.Sethostname([]byte(name))
}

func (a *Agent) version() string { return "v" + a.versions["kubernetes"] }

func (a *Agent) tell(phase clusters.Phase, status clusters.Status, message string) {
	a.report(clusters.Report{Phase: phase, Status: status, Message: message})
}

func (a *Agent) report(report clusters.Report) {
	report.Version = a.version()
	if a.document != nil {
		report.Generation = a.document.Generation
	}
	a.reporter.Set(report)
}

// Secrets that must not leave the node in log lines.
func (a *Agent) secrets() []string {
	all := []string{a.settings.Token}
	if a.document != nil && a.document.Cloud != nil {
		all = append(all, a.document.Cloud.Password)
	}
	return all
}

// The inputs of the node's files.
func (a *Agent) node() files.Node {
	members, joins := etcdStart(a.settings.NodeName, a.address)
	return files.Node{
		Settings: a.settings, Document: a.document, Address: a.address, EtcdInitialCluster: members, EtcdJoins: joins,
	}
}

func (a *Agent) writeFiles() error { return files.Write("/", files.Render(a.node())) }

// Repeats an attempt until it succeeds, and reports what it waits for. A unit that does not stay up
// is the likely reason, so its last output is reported.
func (a *Agent) until(
	ctx context.Context, phase clusters.Phase, waitsFor string, watched []string, attempt func() error,
) error {
	const often = 3
	a.tell(phase, clusters.InProgress, waitsFor)
	failures := &lasting{now: time.Now, least: failureLasts}
	said := false
	for tries := 1; ; tries++ {
		err := attempt()
		if err == nil {
			return nil
		}
		if errors.Is(err, clusters.ErrRefused) {
			a.tell(phase, clusters.Failed, err.Error())
		} else if tries%5 == 0 {
			unit, words := a.failing(ctx, watched, often)
			if lasts := failures.words(unit, words); lasts != "" {
				a.tell(phase, clusters.Failed, lasts)
			} else if words != "" {
				a.tell(phase, clusters.InProgress, waitsFor+" Until now: "+words)
			} else if said || tries%30 == 0 {
				a.tell(phase, clusters.InProgress, waitsFor+" Until now: "+err.Error())
			}
			said = words != ""
		}
		if err := pause(ctx, pauseAfter(err)); err != nil {
			return err
		}
	}
}

func pauseAfter(err error) time.Duration {
	const usual, whereRefused = time.Second, 5 * time.Minute
	var notYet *clusters.NotYetError
	switch {
	case errors.As(err, &notYet):
		return notYet.After
	case errors.Is(err, clusters.ErrRefused):
		return whereRefused
	}
	return usual
}

func pause(ctx context.Context, duration time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(duration):
		return nil
	}
}

// The first unit that failed or was restarted at least so often, and a description; empty if there
// is none.
func (a *Agent) failing(ctx context.Context, watched []string, restarts int) (unit, words string) {
	if len(watched) == 0 {
		return "", ""
	}
	states, err := units.Show(ctx, watched...)
	if err != nil {
		return "", ""
	}
	for i, state := range states {
		if state.Active == "failed" || (state.Active != "active" && state.Restarts >= restarts) {
			return watched[i], a.wordsOf(ctx, watched[i])
		}
	}
	return "", ""
}

func (a *Agent) wordsOf(ctx context.Context, unit string) string {
	said := units.Journal(ctx, unit, a.secrets())
	if said == "" {
		return unit + " keeps failing, and says nothing."
	}
	return unit + " keeps failing: " + said
}
