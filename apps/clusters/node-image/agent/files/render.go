package files

import (
	"maps"
	"slices"
	"strings"

	"agent/clusters"
	"agent/settings"
)

// Node has all inputs of the files.
type Node struct {
	Settings settings.Settings
	Document *clusters.Document
	// The node's own on the cluster's network.
	Address string
	// The members of etcd with which this one starts: `a=https://10.0.0.5:2380`, joined by commas.
	EtcdInitialCluster string
	// Whether these members exist already.
	EtcdJoins bool
}

const (
	kubernetes = "/etc/kubernetes"
	pki        = kubernetes + "/pki"
)

// Render returns the files of a node.
func Render(node Node) []File {
	all := pkiFiles(node.Document.PKI)
	all = append(all, kubeconfigs(node)...)
	all = append(all, kubeletConfig(node), kubeProxyConfig(node), flannelConfig(node), proxyEnvironment(node), hosts(node))
	all = append(all, registries(node.Document.Registries)...)
	if node.Document.HasCloudProvider() && node.Settings.IsMaster() {
		all = append(all, cloudConfig(*node.Document.Cloud)...)
	}
	for unit, arguments := range unitArguments(node) {
		content := "ARGUMENTS=" + strings.Join(arguments, " ") + "\n"
		if unit == "flanneld" {
			content += "NODE_NAME=" + node.Settings.NodeName + "\n"
		}
		all = append(all, File{kubernetes + "/units/" + unit + ".env", public, content})
	}
	slices.SortFunc(all, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return all
}

func pkiFiles(texts map[string]string) []File {
	var all []File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		// Names must not be paths out of the folder.
		if strings.ContainsAny(name, "/\\") || strings.HasPrefix(name, ".") {
			continue
		}
		mode := public
		if strings.HasSuffix(name, ".key") {
			mode = secret
		}
		all = append(all, File{pki + "/" + name, mode, texts[name]})
	}
	return all
}

func hosts(node Node) File {
	return File{"/etc/hosts", public, "127.0.0.1 localhost\n" + node.Address + " " + node.Settings.NodeName + "\n"}
}
