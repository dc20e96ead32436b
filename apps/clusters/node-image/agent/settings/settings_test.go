package settings

import (
	"strings"
	"testing"
)

const userData = `#cloud-config
write_files:
  - path: /etc/cumulet/node.env
    permissions: '0600'
    content: |
      CUMULET_CLUSTERS_URL=http://169.254.169.254:8080/container-infra
      CUMULET_CLUSTER_ID=c1
      CUMULET_NODE_ID=n1
      CUMULET_NODE_NAME=one-master-0
      CUMULET_NODE_ROLE=master
      CUMULET_NODE_TOKEN=secret_-1
      CUMULET_API_URL=https://10.0.0.5:6443
      CUMULET_API_PUBLIC_ADDRESS=172.24.4.9
      CUMULET_CA_CERT=LS0t
`

func TestReadsTheFileOfACloudConfig(t *testing.T) {
	got, err := Parse(userData)
	want := Settings{
		ClustersURL: "http://169.254.169.254:8080/container-infra", ClusterID: "c1", NodeID: "n1",
		NodeName: "one-master-0", Role: Master, Token: "secret_-1", APIURL: "https://10.0.0.5:6443",
		APIPublicAddress: "172.24.4.9",
	}
	if err != nil || got != want {
		t.Fatalf("got %+v, %v", got, err)
	}
	if got.APIHost() != "10.0.0.5" {
		t.Errorf("the API's host is %q", got.APIHost())
	}
}

func TestNamesWhatIsMissing(t *testing.T) {
	_, err := Parse(strings.Replace(userData, "CUMULET_NODE_TOKEN", "OTHER", 1))
	if err == nil || !strings.Contains(err.Error(), "CUMULET_NODE_TOKEN") {
		t.Errorf("said %v", err)
	}
}

func TestRefusesARoleThatThereIsNot(t *testing.T) {
	if _, err := Parse(strings.Replace(userData, "=master", "=boss", 1)); err == nil {
		t.Error("said nothing")
	}
}

func TestReadsTheKeysOfThoseWhoMayLogIn(t *testing.T) {
	text := "#cloud-config\nssh_authorized_keys:\n  - \"ssh-ed25519 A a\"\n  - \"ssh-rsa B \\\"b\\\"\"\nwrite_files:\n  - \"no key\"\n"
	if got, want := parseKeys(text), "ssh-ed25519 A a\nssh-rsa B \"b\"\n"; got != want {
		t.Errorf("got %q", got)
	}
	for _, none := range []string{userData, "ssh_authorized_keys:\n", "ssh_authorized_keys:\n  - \"a\\nb\"\n"} {
		if got := parseKeys(none); got != "" {
			t.Errorf("got %q of %q", got, none)
		}
	}
}
