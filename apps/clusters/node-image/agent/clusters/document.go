// Package clusters is a client of the clusters service, which gives a node its certificates and
// settings, and receives its reports.
package clusters

// Document is the answer to a bootstrap request.
type Document struct {
	Cluster    Cluster           `json:"cluster"`
	Node       Node              `json:"node"`
	Generation int               `json:"generation"`
	PKI        map[string]string `json:"pki"`
	Etcd       *Etcd             `json:"etcd"`
	Cloud      *Cloud            `json:"cloud"`
	Proxy      Proxy             `json:"proxy"`
	Registries Registries        `json:"registries"`
	Addons     Addons            `json:"addons"`
}

type Cluster struct {
	ID           string `json:"id"`
	Name         string `json:"name"`
	Domain       string `json:"domain"`
	PodCIDR      string `json:"pod_cidr"`
	ServiceCIDR  string `json:"service_cidr"`
	DNSIP        string `json:"dns_ip"`
	KubernetesIP string `json:"kubernetes_ip"`
}

type Node struct {
	ID     string            `json:"id"`
	Name   string            `json:"name"`
	Role   string            `json:"role"`
	IP     string            `json:"ip"`
	Labels map[string]string `json:"labels"`
	Taints []string          `json:"taints"`
}

// Etcd says whether a master founds etcd, or which members it joins.
type Etcd struct {
	Founder bool     `json:"founder"`
	Members []Member `json:"members"`
}

type Member struct {
	Name string `json:"name"`
	IP   string `json:"ip"`
}

// Cloud is the access of the cluster's controllers to the cloud: as a trustee of the cluster's
// owner.
type Cloud struct {
	AuthURL           string `json:"auth_url"`
	Region            string `json:"region"`
	TrustID           string `json:"trust_id"`
	UserID            string `json:"user_id"`
	Password          string `json:"password"`
	SubnetID          string `json:"subnet_id"`
	NetworkID         string `json:"network_id"`
	FloatingNetworkID string `json:"floating_network_id"`
	ClusterName       string `json:"cluster_name"`
	LBProvider        string `json:"lb_provider"`
	// The CA of the cloud's APIs in PEM, unless the system trusts it.
	CACert string `json:"ca_cert"`
}

type Proxy struct {
	HTTP  string `json:"http"`
	HTTPS string `json:"https"`
	No    string `json:"no"`
}

type Registries struct {
	Insecure []string `json:"insecure"`
}

type Addons struct {
	CoreDNS       bool `json:"coredns"`
	MetricsServer bool `json:"metrics_server"`
	CloudProvider bool `json:"cloud_provider"`
	NetworkPolicy bool `json:"network_policy"`
}

// HasCloudProvider says whether this node, a master, runs the cloud's own controllers.
func (d *Document) HasCloudProvider() bool { return d.Cloud != nil && d.Addons.CloudProvider }
