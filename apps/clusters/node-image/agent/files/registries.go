package files

import (
	"fmt"
	"strings"

	"agent/clusters"
)

// The proxy of the container runtime, and its exceptions.
func proxyEnvironment(node Node) File {
	var text strings.Builder
	proxy, cluster := node.Document.Proxy, node.Document.Cluster
	if proxy.HTTP != "" || proxy.HTTPS != "" {
		direct := []string{
			"localhost", "127.0.0.1", "169.254.169.254", node.Address, node.Settings.APIHost(),
			cluster.PodCIDR, cluster.ServiceCIDR, ".svc", "." + cluster.Domain,
		}
		if proxy.No != "" {
			direct = append(direct, proxy.No)
		}
		fmt.Fprintf(&text, "HTTP_PROXY=%s\nHTTPS_PROXY=%s\nNO_PROXY=%s\n",
			proxy.HTTP, proxy.HTTPS, strings.Join(direct, ","))
	}
	// The proxy's address may contain a password.
	return File{"/etc/cumulet/proxy.env", secret, text.String()}
}

// An insecure registry may have no TLS, or an unknown certificate.
const insecureRegistry = `[host."https://%[1]s"]
  capabilities = ["pull", "resolve"]
  skip_verify = true

[host."http://%[1]s"]
  capabilities = ["pull", "resolve"]
`

func registries(wanted clusters.Registries) []File {
	var all []File
	for _, host := range wanted.Insecure {
		if strings.ContainsAny(host, "/\"\n ") {
			continue
		}
		path := "/etc/containerd/certs.d/" + host + "/hosts.toml"
		all = append(all, File{path, public, fmt.Sprintf(insecureRegistry, host)})
	}
	return all
}
