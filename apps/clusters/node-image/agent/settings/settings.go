// Package settings reads a node's settings from its user data.
package settings

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// Settings are the contents of /etc/cumulet/node.env, the only file in the node's user data.
type Settings struct {
	ClustersURL string
	ClusterID   string
	NodeID      string
	NodeName    string
	Role        string
	Token       string
	// The URL of the API for nodes.
	APIURL string
	// The API's public address; may be empty.
	APIPublicAddress string
}

const (
	Master = "master"
	Worker = "worker"
)

var line = regexp.MustCompile(`^\s*(CUMULET_[A-Z_]+)=(\S*)\s*$`)

// Parse reads the settings from a cloud-config, or from a file with only them.
func Parse(text string) (Settings, error) {
	found := map[string]string{}
	for one := range strings.Lines(text) {
		if match := line.FindStringSubmatch(strings.TrimRight(one, "\r\n")); match != nil {
			found[match[1]] = match[2]
		}
	}
	settings := Settings{
		ClustersURL:      strings.TrimRight(found["CUMULET_CLUSTERS_URL"], "/"),
		ClusterID:        found["CUMULET_CLUSTER_ID"],
		NodeID:           found["CUMULET_NODE_ID"],
		NodeName:         found["CUMULET_NODE_NAME"],
		Role:             found["CUMULET_NODE_ROLE"],
		Token:            found["CUMULET_NODE_TOKEN"],
		APIURL:           found["CUMULET_API_URL"],
		APIPublicAddress: found["CUMULET_API_PUBLIC_ADDRESS"],
	}
	return settings, settings.check()
}

func (s Settings) check() error {
	for name, value := range map[string]string{
		"CUMULET_CLUSTERS_URL": s.ClustersURL,
		"CUMULET_NODE_ID":      s.NodeID,
		"CUMULET_NODE_NAME":    s.NodeName,
		"CUMULET_NODE_TOKEN":   s.Token,
		"CUMULET_API_URL":      s.APIURL,
	} {
		if value == "" {
			return fmt.Errorf("the user data has no %s", name)
		}
	}
	if s.Role != Master && s.Role != Worker {
		return fmt.Errorf("CUMULET_NODE_ROLE is %q, and not master or worker", s.Role)
	}
	if api, err := url.Parse(s.APIURL); err != nil || api.Hostname() == "" {
		return fmt.Errorf("CUMULET_API_URL is no address: %q", s.APIURL)
	}
	return nil
}

func (s Settings) IsMaster() bool { return s.Role == Master }

// APIHost is the address of the API without its port.
func (s Settings) APIHost() string {
	api, _ := url.Parse(s.APIURL)
	return api.Hostname()
}
