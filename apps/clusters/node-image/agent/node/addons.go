package node

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"agent/clusters"
	"agent/kube"
)

const (
	addonsFolder = shareFolder + "/addons"
	// What pods of the system are resolved by, besides the cluster's own names.
	resolvers = "/run/systemd/resolve/resolv.conf"
)

// The manifests of a cluster: of the network always, and of the add-ons that it wants.
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
	return a.until(ctx, clusters.PhaseAddons, "Applies the add-ons.", controllers, func() error {
		var all []string
		for _, name := range a.manifests() {
			text, err := os.ReadFile(filepath.Join(addonsFolder, name+".yaml"))
			if err != nil {
				return err
			}
			manifest, err := fill(string(text), a.values())
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			all = append(all, manifest)
		}
		return kube.Apply(ctx, strings.Join(all, "\n---\n"))
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

// CoreDNS does not start with a forwarder that has nowhere to forward to.
func forward() string {
	text, err := os.ReadFile(resolvers)
	if err != nil || !regexp.MustCompile(`(?m)^nameserver `).Match(text) {
		return "# The network names no resolver."
	}
	return "forward . /etc/resolv.conf"
}

var placeholder = regexp.MustCompile(`\$\{([A-Z_]+)\}`)

// Fill puts values for the placeholders of a manifest, all of which have one.
func fill(text string, values map[string]string) (string, error) {
	var missing []string
	filled := placeholder.ReplaceAllStringFunc(text, func(found string) string {
		name := placeholder.FindStringSubmatch(found)[1]
		value, known := values[name]
		if !known {
			missing = append(missing, name)
		}
		return value
	})
	if len(missing) > 0 {
		return "", fmt.Errorf("there is no value for %s", strings.Join(missing, ", "))
	}
	return filled, nil
}

// AddonHealth is what a master says of the add-ons.
func (a *Agent) addonHealth(ctx context.Context) map[string]clusters.AddonHealth {
	health := map[string]clusters.AddonHealth{}
	deployment := func(addon, name string) {
		health[addon] = healthOf(a.admin.Available(ctx, "kube-system", name))
	}
	if a.document.Addons.CoreDNS {
		deployment("coredns", "coredns")
	}
	if a.document.Addons.MetricsServer {
		deployment("metrics_server", "metrics-server")
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
	if words := a.failing(ctx, []string{cloudUnit}, 1); words != "" {
		return fmt.Errorf("the node is not initialised: %s", words)
	}
	return fmt.Errorf("the node is not initialised yet")
}

func healthOf(err error) clusters.AddonHealth {
	if err != nil {
		return clusters.AddonHealth{Message: cut(err.Error())}
	}
	return clusters.AddonHealth{Ready: true}
}
