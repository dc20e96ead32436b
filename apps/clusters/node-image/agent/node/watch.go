package node

import (
	"context"
	"fmt"
	"slices"
	"time"

	"agent/clusters"
	"agent/etcd"
	"agent/units"
)

// Interval between checks of a draining node.
const drainInterval = 2 * time.Second

// Monitors the node, reports its status, and follows orders.
func (a *Agent) watch(ctx context.Context) error {
	a.login(ctx)
	troubles := &lasting{now: time.Now, least: troubleLasts}
	leaving := &drainer{client: a.kubelet, node: a.settings.NodeName, say: Say}
	for {
		report := a.look(ctx, troubles)
		orders := a.reporter.Orders()
		if len(orders.EtcdRemove) > 0 && a.settings.IsMaster() {
			report.EtcdRemoved = a.removeMembers(ctx, orders.EtcdRemove)
		}
		interval := a.reporter.Interval()
		if !a.settings.IsMaster() {
			// As the kubelet, whose rights are limited to its own pods.
			leaving.client = a.kubelet
			drained := orders.Drain && leaving.look(ctx)
			report.Drained = &drained
			if orders.Drain && !drained {
				interval = drainInterval
			}
		}
		a.report(report)
		if orders.Generation > a.document.Generation {
			if err := a.renew(ctx); err != nil {
				Say("the certificates could not be renewed: " + err.Error())
			}
		}
		if err := a.reporter.Wait(ctx, interval); err != nil {
			return err
		}
	}
}

// Returns the current status.
func (a *Agent) look(ctx context.Context, troubles *lasting) clusters.Report {
	report := clusters.Report{Phase: clusters.PhaseReady, Status: clusters.Ready, Message: "The node is ready."}
	if words := troubles.words(a.trouble(ctx)); words != "" {
		report.Status, report.Message = clusters.Failed, words
	}
	if a.settings.IsMaster() {
		voting := a.vote(ctx) == nil
		report.Etcd = &voting
		report.Addons = a.addonHealth(ctx)
	}
	return report
}

// The first problem: a stable name, and a description.
func (a *Agent) trouble(ctx context.Context) (name, words string) {
	all := a.units()
	states, err := units.Show(ctx, all...)
	if err != nil {
		return "systemctl", err.Error()
	}
	for i, state := range states {
		if state.Active != "active" {
			return all[i], a.wordsOf(ctx, all[i])
		}
	}
	if a.settings.IsMaster() {
		if err := a.admin.IsReady(ctx); err != nil {
			return "api", "Its API is not ready: " + err.Error()
		}
	}
	node, err := a.kubelet.Node(ctx, a.settings.NodeName)
	switch {
	case err != nil:
		return "node", fmt.Sprintf("Its node cannot be read: %v", err)
	case !node.Ready:
		return "node", "Its node is not ready: " + node.Message
	}
	return "", ""
}

func (a *Agent) removeMembers(ctx context.Context, names []string) []string {
	client, err := etcd.NewClient(etcd.Local, pkiFolder)
	if err != nil {
		return nil
	}
	gone, err := etcd.RemoveNamed(ctx, client, names, a.settings.NodeName)
	if err != nil {
		Say("members of etcd could not be removed: " + err.Error())
	}
	return gone
}

// Installs certificates of the cluster's new CA, and restarts everything that reads them at its
// start.
func (a *Agent) renew(ctx context.Context) error {
	Say(fmt.Sprintf("the certificates are of generation %d, and are renewed", a.document.Generation))
	nonce, err := nonce()
	if err != nil {
		return err
	}
	document, err := a.client.Bootstrap(ctx, nonce, a.addresses())
	if err != nil {
		return err
	}
	a.document = document
	if err := keepDocument(document); err != nil {
		return err
	}
	if err := a.connect(); err != nil {
		return err
	}
	// Containers keep running.
	rest := slices.DeleteFunc(a.units(), func(unit string) bool { return unit == "containerd" })
	if err := units.Restart(ctx, rest...); err != nil {
		return err
	}
	if !a.settings.IsMaster() {
		return nil
	}
	err = a.until(ctx, clusters.PhaseAPI, "Waits for its API with renewed certificates.", masterUnits, func() error {
		return a.admin.IsReady(ctx)
	})
	if err != nil {
		return err
	}
	// Their pods read the cluster's CA only at their start.
	for _, name := range a.deployments() {
		if err := a.admin.RestartDeployment(ctx, addonsNamespace, name); err != nil {
			return err
		}
	}
	return nil
}
