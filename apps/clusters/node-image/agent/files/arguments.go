package files

import (
	"net/netip"
	"strconv"
)

// The arguments of the units by name. Values have no spaces, at which systemd splits them.
func unitArguments(node Node) map[string][]string {
	all := map[string][]string{
		"kubelet":    kubelet(node),
		"kube-proxy": {"--config=" + kubernetes + "/kube-proxy.yaml"},
		"flanneld": {
			"--kubeconfig=" + kubernetes + "/kube-proxy.kubeconfig",
			"--net-conf=" + kubernetes + "/flannel.json",
			"--address=" + node.Address,
			"--cni-conf=/etc/cni/net.d/10-cumulet.conflist",
		},
	}
	if !node.Settings.IsMaster() {
		return all
	}
	all["etcd"] = etcd(node)
	all["kube-apiserver"] = apiserver(node)
	all["kube-controller-manager"] = controllerManager(node)
	all["kube-scheduler"] = append(leaderElection(), []string{
		"--kubeconfig=" + kubernetes + "/scheduler.kubeconfig",
		"--authentication-kubeconfig=" + kubernetes + "/scheduler.kubeconfig",
		"--authorization-kubeconfig=" + kubernetes + "/scheduler.kubeconfig",
		"--bind-address=127.0.0.1",
		"--profiling=false",
	}...)
	if node.Document.HasCloudProvider() {
		all["openstack-cloud-controller-manager"] = cloudControllerManager(node)
	}
	return all
}

func kubelet(node Node) []string {
	own, _ := Labels(node)
	arguments := []string{
		"--config=" + kubernetes + "/kubelet.yaml",
		"--kubeconfig=" + kubernetes + "/kubelet.kubeconfig",
		"--hostname-override=" + node.Settings.NodeName,
		"--node-ip=" + node.Address,
	}
	if len(own) > 0 {
		arguments = append(arguments, "--node-labels="+labelsArgument(own))
	}
	// Workers, too: the masters' controllers give each node its server's data, and delete the node
	// with it.
	if node.Document.Addons.CloudProvider {
		arguments = append(arguments, "--cloud-provider=external")
	}
	return arguments
}

func etcd(node Node) []string {
	state := "new"
	if node.EtcdJoins {
		state = "existing"
	}
	peer, client := "https://"+node.Address+":2380", "https://"+node.Address+":2379"
	return []string{
		"--name=" + node.Settings.NodeName,
		"--data-dir=/var/lib/etcd",
		"--listen-client-urls=https://127.0.0.1:2379," + client,
		"--advertise-client-urls=" + client,
		"--listen-peer-urls=" + peer,
		"--initial-advertise-peer-urls=" + peer,
		"--initial-cluster=" + node.EtcdInitialCluster,
		"--initial-cluster-state=" + state,
		"--initial-cluster-token=" + node.Document.Cluster.ID,
		"--listen-metrics-urls=http://127.0.0.1:2381",
		"--client-cert-auth=true",
		"--trusted-ca-file=" + pki + "/etcd-ca.crt",
		"--cert-file=" + pki + "/etcd-server.crt",
		"--key-file=" + pki + "/etcd-server.key",
		// For its JSON gateway, which is a client of the server itself.
		"--client-cert-file=" + pki + "/etcd-client.crt",
		"--client-key-file=" + pki + "/etcd-client.key",
		"--peer-client-cert-auth=true",
		"--peer-trusted-ca-file=" + pki + "/etcd-ca.crt",
		"--peer-cert-file=" + pki + "/etcd-peer.crt",
		"--peer-key-file=" + pki + "/etcd-peer.key",
		"--quota-backend-bytes=2147483648",
		// Emulated processors are slow, and must not lose the leader because of it.
		"--heartbeat-interval=500",
		"--election-timeout=5000",
		"--log-level=warn",
	}
}

func apiserver(node Node) []string {
	cluster := node.Document.Cluster
	return []string{
		"--advertise-address=" + node.Address,
		"--secure-port=6443",
		"--service-cluster-ip-range=" + cluster.ServiceCIDR,
		"--etcd-servers=https://127.0.0.1:2379",
		"--etcd-cafile=" + pki + "/etcd-ca.crt",
		"--etcd-certfile=" + pki + "/etcd-client.crt",
		"--etcd-keyfile=" + pki + "/etcd-client.key",
		// The default of two seconds is too short for an emulated etcd.
		"--etcd-healthcheck-timeout=10s",
		"--etcd-readycheck-timeout=10s",
		"--client-ca-file=" + pki + "/ca.crt",
		"--tls-cert-file=" + pki + "/apiserver.crt",
		"--tls-private-key-file=" + pki + "/apiserver.key",
		"--authorization-mode=Node,RBAC",
		"--enable-admission-plugins=NodeRestriction",
		"--allow-privileged=true",
		"--service-account-issuer=https://kubernetes.default.svc." + cluster.Domain,
		"--service-account-key-file=" + pki + "/service-account.pub",
		"--service-account-signing-key-file=" + pki + "/service-account.key",
		"--kubelet-certificate-authority=" + pki + "/ca.crt",
		"--kubelet-client-certificate=" + pki + "/apiserver-kubelet-client.crt",
		"--kubelet-client-key=" + pki + "/apiserver-kubelet-client.key",
		"--kubelet-preferred-address-types=InternalIP,Hostname",
		"--requestheader-client-ca-file=" + pki + "/front-proxy-ca.crt",
		"--requestheader-allowed-names=front-proxy-client",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--requestheader-group-headers=X-Remote-Group",
		"--requestheader-username-headers=X-Remote-User",
		"--proxy-client-cert-file=" + pki + "/front-proxy-client.crt",
		"--proxy-client-key-file=" + pki + "/front-proxy-client.key",
		"--profiling=false",
	}
}

func controllerManager(node Node) []string {
	config, cluster := kubernetes+"/controller-manager.kubeconfig", node.Document.Cluster
	return append(leaderElection(), []string{
		"--kubeconfig=" + config,
		"--authentication-kubeconfig=" + config,
		"--authorization-kubeconfig=" + config,
		"--bind-address=127.0.0.1",
		"--use-service-account-credentials=true",
		"--allocate-node-cidrs=true",
		"--cluster-cidr=" + cluster.PodCIDR,
		"--node-cidr-mask-size=" + strconv.Itoa(nodeMask(cluster.PodCIDR)),
		"--service-cluster-ip-range=" + cluster.ServiceCIDR,
		"--cluster-name=" + cluster.ID,
		"--root-ca-file=" + pki + "/ca.crt",
		"--client-ca-file=" + pki + "/ca.crt",
		"--requestheader-client-ca-file=" + pki + "/front-proxy-ca.crt",
		"--cluster-signing-cert-file=" + pki + "/ca.crt",
		"--cluster-signing-key-file=" + pki + "/ca.key",
		"--service-account-private-key-file=" + pki + "/service-account.key",
		// The silence of an emulated node under load.
		"--node-monitor-grace-period=90s",
		"--profiling=false",
	}...)
}

// Restarting a leader does not help if its API is slow, as an emulated one under load.
func leaderElection() []string {
	return []string{
		"--leader-elect-lease-duration=60s",
		"--leader-elect-renew-deadline=45s",
		"--leader-elect-retry-period=5s",
	}
}

// 256 pod addresses per node; fewer if the network holds less than sixteen such ranges.
func nodeMask(podCIDR string) int {
	const usual, smallest, sixteenNodes = 24, 28, 4
	prefix, err := netip.ParsePrefix(podCIDR)
	if err != nil {
		return usual
	}
	return min(max(usual, prefix.Bits()+sixteenNodes), smallest)
}

func cloudControllerManager(node Node) []string {
	config := kubernetes + "/cloud-controller-manager.kubeconfig"
	return append(leaderElection(), []string{
		"--kubeconfig=" + config,
		"--authentication-kubeconfig=" + config,
		"--authorization-kubeconfig=" + config,
		"--bind-address=127.0.0.1",
		"--cloud-provider=openstack",
		"--cloud-config=" + cloudConf,
		"--cluster-name=" + node.Document.Cloud.ClusterName,
		"--cluster-cidr=" + node.Document.Cluster.PodCIDR,
		// Nodes route pods themselves.
		"--controllers=cloud-node-controller,cloud-node-lifecycle-controller,service-lb-controller",
		"--configure-cloud-routes=false",
		"--allocate-node-cidrs=false",
	}...)
}
