package files

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"

	"agent/settings"
)

type object = map[string]any

// The components read YAML, of which JSON is a subset.
func asFile(path string, mode os.FileMode, value any) File {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		panic(err) // Only of values that are written here.
	}
	return File{path, mode, string(text) + "\n"}
}

func kubeletConfig(node Node) File {
	config := object{
		"apiVersion":               "kubelet.config.k8s.io/v1beta1",
		"kind":                     "KubeletConfiguration",
		"cgroupDriver":             "systemd",
		"containerRuntimeEndpoint": "unix:///run/containerd/containerd.sock",
		"clusterDomain":            node.Document.Cluster.Domain,
		"clusterDNS":               []string{node.Document.Cluster.DNSIP},
		// The upstream resolvers, not systemd-resolved's own address, which means nothing in a pod.
		"resolvConf":        "/run/systemd/resolve/resolv.conf",
		"tlsCertFile":       pki + "/kubelet-server.crt",
		"tlsPrivateKeyFile": pki + "/kubelet-server.key",
		"authentication": object{
			"anonymous": object{"enabled": false},
			"webhook":   object{"enabled": true},
			"x509":      object{"clientCAFile": pki + "/ca.crt"},
		},
		"authorization": object{"mode": "Webhook"},
		"failSwapOn":    false,
		// Emulated nodes start containers slowly.
		"runtimeRequestTimeout": "10m",
	}
	if taints := taintsOf(node); len(taints) > 0 {
		config["registerWithTaints"] = taints
	}
	return asFile(kubernetes+"/kubelet.yaml", public, config)
}

const controlPlane = "node-role.kubernetes.io/control-plane"

func taintsOf(node Node) []object {
	var taints []object
	if node.Settings.IsMaster() {
		taints = append(taints, object{"key": controlPlane, "effect": "NoSchedule"})
	}
	for _, text := range node.Document.Node.Taints {
		pair, effect, _ := strings.Cut(text, ":")
		key, value, _ := strings.Cut(pair, "=")
		taints = append(taints, object{"key": key, "value": value, "effect": effect})
	}
	return taints
}

// Labels returns the labels that the node's kubelet sets, and those that only an administrator may
// set (Kubernetes, "NodeRestriction").
func Labels(node Node) (own, restricted map[string]string) {
	own, restricted = map[string]string{}, map[string]string{}
	for key, value := range node.Document.Node.Labels {
		if isRestricted(key) {
			restricted[key] = value
		} else {
			own[key] = value
		}
	}
	if node.Settings.Role == settings.Master {
		restricted[controlPlane] = ""
	}
	return own, restricted
}

func isRestricted(key string) bool {
	domain, _, found := strings.Cut(key, "/")
	if !found || strings.HasSuffix(domain, "kubelet.kubernetes.io") || strings.HasSuffix(domain, "node.kubernetes.io") {
		return false
	}
	for _, reserved := range []string{"kubernetes.io", "k8s.io"} {
		if domain == reserved || strings.HasSuffix(domain, "."+reserved) {
			return true
		}
	}
	return false
}

func labelsArgument(labels map[string]string) string {
	var pairs []string
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		pairs = append(pairs, key+"="+labels[key])
	}
	return strings.Join(pairs, ",")
}

func kubeProxyConfig(node Node) File {
	return asFile(kubernetes+"/kube-proxy.yaml", public, object{
		"apiVersion":         "kubeproxy.config.k8s.io/v1alpha1",
		"kind":               "KubeProxyConfiguration",
		"mode":               "nftables",
		"clusterCIDR":        node.Document.Cluster.PodCIDR,
		"hostnameOverride":   node.Settings.NodeName,
		"clientConnection":   object{"kubeconfig": kubernetes + "/kube-proxy.kubeconfig"},
		"metricsBindAddress": "127.0.0.1:10249",
	})
}

func flannelConfig(node Node) File {
	return asFile(kubernetes+"/flannel.json", public, object{
		"Network":        node.Document.Cluster.PodCIDR,
		"EnableNFTables": true,
		"Backend":        object{"Type": "host-gw"},
	})
}
