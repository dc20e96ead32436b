// The pod network of a node, out of flannel's packages: one route for each other node's range of pods
// (host-gw, since the nodes share a network), and nftables rules that masquerade what leaves the cluster.
// flannel's own program also contains the backends of some clouds, whose libraries are many times its size.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/flannel-io/flannel/pkg/backend"
	_ "github.com/flannel-io/flannel/pkg/backend/hostgw"
	"github.com/flannel-io/flannel/pkg/ip"
	"github.com/flannel-io/flannel/pkg/ipmatch"
	"github.com/flannel-io/flannel/pkg/subnet"
	"github.com/flannel-io/flannel/pkg/subnet/kube"
	"github.com/flannel-io/flannel/pkg/trafficmngr/nftables"
)

var (
	kubeconfig = flag.String("kubeconfig", "", "file that says how to reach the cluster's API")
	netConf    = flag.String("net-conf", "", "file with flannel's settings of the network")
	address    = flag.String("address", "", "address by which the other nodes reach this one")
	cniConf    = flag.String("cni-conf", "", "file to write for the container runtime")
)

// The node's name is in NODE_NAME, where flannel looks for it.
func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "flanneld:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	leases, err := kube.NewSubnetManager(ctx, "", *kubeconfig, "flannel.alpha.coreos.com", *netConf, true)
	if err != nil {
		return err
	}
	config, err := leases.GetNetworkConfig(ctx)
	if err != nil {
		return err
	}
	var work sync.WaitGroup
	network, err := register(ctx, leases, config, &work)
	if err != nil {
		return err
	}
	if err := filter(ctx, config, network); err != nil {
		return err
	}
	if err := writeCNI(*cniConf, network.Lease().Subnet.String(), network.MTU()); err != nil {
		return err
	}
	work.Go(func() { network.Run(ctx) })
	if _, err := daemon.SdNotify(false, daemon.SdNotifyReady); err != nil {
		return err
	}
	// It says of the node's object that the network is there; the lease ends with that object.
	if err := leases.CompleteLease(ctx, network.Lease(), &work); err != nil {
		cancel()
		work.Wait()
		return err
	}
	work.Wait()
	return ctx.Err()
}

// Takes the node's range of pods, and says to the others by which address it is reached.
func register(
	ctx context.Context, leases subnet.Manager, config *subnet.Config, work *sync.WaitGroup,
) (backend.Network, error) {
	stack, err := ipmatch.GetIPFamily(config.EnableIPv4, config.EnableIPv6)
	if err != nil {
		return nil, err
	}
	card, err := ipmatch.LookupExtIface(*address, "", "", stack, ipmatch.PublicIPOpts{PublicIP: *address})
	if err != nil {
		return nil, err
	}
	kind, err := backend.NewManager(ctx, leases, card).GetBackend(config.BackendType)
	if err != nil {
		return nil, err
	}
	return kind.RegisterNetwork(ctx, work, config)
}

// What a former process of this node did is replaced, so nothing of it has to be known.
func filter(ctx context.Context, config *subnet.Config, network backend.Network) error {
	rules := &nftables.NFTablesManager{}
	if err := rules.Init(ctx); err != nil {
		return err
	}
	none, none6 := ip.IP4Net{}, ip.IP6Net{}
	err := rules.SetupAndEnsureMasqRules(
		ctx, config.Network, none, none, none6, none6, none6, network.Lease(), 0, false)
	if err != nil {
		return err
	}
	rules.SetupAndEnsureForwardRules(ctx, config.Network, none6, 0)
	return nil
}
