package files

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agent/clusters"
	"agent/settings"
)

var update = flag.Bool("update", false, "write what is rendered now into testdata")

func master() Node {
	return Node{
		Settings: settings.Settings{
			NodeName: "one-master-0", Role: settings.Master, APIURL: "https://10.0.0.5:6443",
		},
		Document: &clusters.Document{
			Cluster: clusters.Cluster{
				ID: "5f0c", Domain: "cluster.local", PodCIDR: "10.100.0.0/16", ServiceCIDR: "10.254.0.0/16",
				DNSIP: "10.254.0.10", KubernetesIP: "10.254.0.1",
			},
			Node: clusters.Node{Labels: map[string]string{"magnum.openstack.org/role": "master"}},
			PKI:  map[string]string{"ca.crt": "a certificate\n", "ca.key": "a key\n", "../escape": "nothing\n"},
			Etcd: &clusters.Etcd{Founder: true},
			Cloud: &clusters.Cloud{
				AuthURL: "http://10.9.9.9:8080/identity/v3", Region: "RegionOne", TrustID: "t", UserID: "u",
				Password: `say "\ #;`, SubnetID: "s", NetworkID: "n", FloatingNetworkID: "f", ClusterName: "5f0c",
			},
			Addons: clusters.Addons{CoreDNS: true, MetricsServer: true, CloudProvider: true},
		},
		Address:            "10.0.0.5",
		EtcdInitialCluster: "one-master-0=https://10.0.0.5:2380",
	}
}

func worker() Node {
	node := master()
	node.Settings.Role, node.Settings.NodeName, node.Address = settings.Worker, "one-worker-0", "10.0.0.7"
	document := *node.Document
	document.PKI = map[string]string{"ca.crt": "a certificate\n", "kubelet.key": "a key\n"}
	document.Etcd, document.Cloud = nil, nil
	document.Node.Labels = map[string]string{
		"magnum.openstack.org/role": "worker", "node-role.kubernetes.io/worker": "", "plain": "yes",
	}
	document.Node.Taints = []string{"dedicated=gpu:NoSchedule"}
	document.Proxy = clusters.Proxy{HTTP: "http://proxy:3128", HTTPS: "http://proxy:3128", No: "example.org"}
	document.Registries.Insecure = []string{"10.0.0.2:5000"}
	node.Document = &document
	return node
}

func TestTheFilesOfANodeAreThoseOfTestdata(t *testing.T) {
	for name, node := range map[string]Node{"master": master(), "worker": worker()} {
		var got strings.Builder
		for _, file := range Render(node) {
			fmt.Fprintf(&got, "=== %s %o\n%s", file.Path, file.Mode, file.Content)
		}
		path := filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got.String() != string(want) {
			t.Errorf("%s differs from %s; after a look, go test ./files -update:\n%s", name, path, got.String())
		}
	}
}

func TestKeysAndPasswordsAreForRootAlone(t *testing.T) {
	for _, file := range Render(master()) {
		holds := strings.Contains(file.Content, "a key") || strings.Contains(file.Content, "password")
		if holds && file.Mode != 0o600 {
			t.Errorf("%s has mode %o", file.Path, file.Mode)
		}
	}
}

func TestANodeSaysOfItselfWhatItMay(t *testing.T) {
	own, restricted := Labels(worker())
	if len(own) != 2 || len(restricted) != 1 {
		t.Errorf("own %v, restricted %v", own, restricted)
	}
	if _, of := Labels(master()); of[controlPlane] != "" || len(of) != 1 {
		t.Errorf("restricted of a master: %v", of)
	}
}

func TestAClusterOfFewAddressesHasSmallerRangesOfPods(t *testing.T) {
	for cidr, want := range map[string]int{"10.100.0.0/16": 24, "10.100.0.0/22": 26, "10.100.0.0/26": 28} {
		if got := nodeMask(cidr); got != want {
			t.Errorf("%s: %d", cidr, got)
		}
	}
}

func TestWritesOverWhatIsThere(t *testing.T) {
	root := t.TempDir()
	for _, content := range []string{"one", "two"} {
		if err := Write(root, []File{{"/etc/x/y", secret, content}}); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(root, "etc/x/y")
	got, err := os.ReadFile(path)
	if err != nil || string(got) != "two" {
		t.Fatalf("got %s, %v", got, err)
	}
	if about, err := os.Stat(path); err != nil || about.Mode() != 0o600 {
		t.Errorf("mode %v, %v", about.Mode(), err)
	}
}
