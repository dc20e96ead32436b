package node

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"agent/addons"
	"agent/clusters"
)

const (
	addonsFolder    = shareFolder + "/addons"
	addonsNamespace = "kube-system"
	// The resolvers of system pods, besides the cluster's own names.
	resolvers = "/run/systemd/resolve/resolv.conf"
)

// The manifests of a cluster: the network, and its add-ons.
func (a *Agent) manifests() []string {
	names := []string{"network"}
	if a.document.Addons.CoreDNS {
		names = append(names, "coredns")
	}
	if a.document.Addons.MetricsServer {
		names = append(names, "metrics-server")
	}
	return names
}

func (a *Agent) applyAddons(ctx context.Context) error {
	manifests, err := addons.Load(addonsFolder, a.manifests(), a.values())
	if err != nil {
		return err
	}
	return a.until(ctx, clusters.PhaseAddons, "Applies the add-ons.", controllers, func() error {
		for _, manifest := range manifests {
			if err := a.admin.Apply(ctx, manifest); err != nil {
				return err
			}
		}
		return nil
	})
}

func (a *Agent) values() map[string]string {
	values := map[string]string{
		"DNS_IP":  a.document.Cluster.DNSIP,
		"DOMAIN":  a.document.Cluster.Domain,
		"FORWARD": forward(),
	}
	for name, version := range a.versions {
		values["VERSION_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_"))] = version
	}
	return values
}

// CoreDNS does not start with a forwarder without upstreams.
func forward() string {
	text, err := os.ReadFile(resolvers)
	if err != nil || !regexp.MustCompile(`(?m)^nameserver `).Match(text) {
		return "# The network names no resolver."
	}
	return "forward . /etc/resolv.conf"
}

// Deployments of add-ons, by the service's names of the add-ons.
func (a *Agent) deployments() map[string]string {
	all := map[string]string{}
	if a.document.Addons.CoreDNS {
		all["coredns"] = "coredns"
	}
	if a.document.Addons.MetricsServer {
		all["metrics_server"] = "metrics-server"
	}
	return all
}

// The state of the add-ons, as a master reports it.
func (a *Agent) addonHealth(ctx context.Context) map[string]clusters.AddonHealth {
	health := map[string]clusters.AddonHealth{}
	for addon, name := range a.deployments() {
		health[addon] = healthOf(a.admin.Available(ctx, addonsNamespace, name))
	}
	if a.document.Addons.NetworkPolicy {
		health["network_policy"] = clusters.AddonHealth{Message: "This image has nothing that enforces network policies."}
	}
	if a.document.HasCloudProvider() {
		health["cloud_provider"] = healthOf(a.cloudProvider(ctx))
	}
	return health
}

// The cloud's controllers work once they have initialised this node.
func (a *Agent) cloudProvider(ctx context.Context) error {
	node, err := a.kubelet.Node(ctx, a.settings.NodeName)
	if err != nil || !node.Uninitialized {
		return err
	}
	if _, words := a.failing(ctx, []string{cloudUnit}, 1); words != "" {
		return fmt.Errorf("the node is not initialised: %s", words)
	}
	return errors.New("the node is not initialised yet")
}

func healthOf(err error) clusters.AddonHealth {
	if err != nil {
		return clusters.AddonHealth{Message: cut(err.Error())}
	}
	return clusters.AddonHealth{Ready: true}
}
