package files

import "fmt"

// LocalAPI is a master's own API, for its components: they stop with it, and another master's might
// have an incompatible version.
const LocalAPI = "https://127.0.0.1:6443"

const kubeconfigText = `apiVersion: v1
kind: Config
clusters:
  - name: cluster
    cluster:
      server: %s
      certificate-authority: %s/ca.crt
users:
  - name: %s
    user:
      client-certificate: %s/%s.crt
      client-key: %s/%s.key
contexts:
  - name: cluster
    context: {cluster: cluster, user: %s}
current-context: cluster
`

// Certificates are referred to by path, so renewing them does not change these files.
func kubeconfigs(node Node) []File {
	names, api := []string{"kubelet", "kube-proxy"}, node.Settings.APIURL
	if node.Settings.IsMaster() {
		names = append(names, "controller-manager", "scheduler", "admin", "cloud-controller-manager")
		api = LocalAPI
	}
	var all []File
	for _, name := range names {
		text := fmt.Sprintf(kubeconfigText, api, pki, name, pki, name, pki, name, name)
		all = append(all, File{kubernetes + "/" + name + ".kubeconfig", secret, text})
	}
	return all
}
