package files

import (
	"fmt"
	"strings"

	"agent/clusters"
)

const (
	cloudConf = kubernetes + "/cloud.conf"
	cloudCA   = kubernetes + "/pki/cloud-ca.crt"
)

// The settings of the cloud's controllers (cloud-provider-openstack, "Using OpenStack Cloud Controller
// Manager with trusts").
func cloudConfig(cloud clusters.Cloud) []File {
	var text strings.Builder
	section := func(name string, pairs ...[2]string) {
		fmt.Fprintf(&text, "[%s]\n", name)
		for _, pair := range pairs {
			if pair[1] != "" {
				fmt.Fprintf(&text, "%s=%s\n", pair[0], quoted(pair[1]))
			}
		}
	}
	var all []File
	ca := ""
	if cloud.CACert != "" {
		ca = cloudCA
		all = append(all, File{ca, public, cloud.CACert})
	}
	section("Global",
		[2]string{"auth-url", cloud.AuthURL},
		[2]string{"region", cloud.Region},
		[2]string{"trust-id", cloud.TrustID},
		[2]string{"user-id", cloud.UserID},
		[2]string{"password", cloud.Password},
		[2]string{"ca-file", ca},
	)
	section("LoadBalancer",
		[2]string{"subnet-id", cloud.SubnetID},
		[2]string{"network-id", cloud.NetworkID},
		[2]string{"floating-network-id", cloud.FloatingNetworkID},
		[2]string{"lb-provider", cloud.LBProvider},
	)
	return append(all, File{cloudConf, secret, text.String()})
}

// Quoted for the file's format (gcfg).
func quoted(value string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(value) + `"`
}
