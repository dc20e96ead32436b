package node

import (
	"context"
	"errors"

	"agent/clusters"
	"agent/files"
	"agent/units"
)

// Units of every node and of masters, in start-up order.
var (
	nodeUnits    = []string{"containerd", "kubelet", "kube-proxy", "flanneld"}
	masterUnits  = []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"}
	cloudUnit    = "openstack-cloud-controller-manager"
	imagesUnit   = "cumulet-images"
	controllers  = masterUnits[2:]
	ofContainers = []string{"kubelet", "kube-proxy"}
)

// The units of this node.
func (a *Agent) units() []string {
	all := append([]string{}, nodeUnits...)
	if a.settings.IsMaster() {
		all = append(all, masterUnits...)
		if a.document.HasCloudProvider() {
			all = append(all, cloudUnit)
		}
	}
	return all
}

// Starts the components of the role, and returns when the node is ready.
func (a *Agent) start(ctx context.Context) error {
	if len(a.document.Registries.Insecure) > 0 || a.document.Proxy != (clusters.Proxy{}) {
		if err := units.Restart(ctx, "containerd"); err != nil {
			return err
		}
	}
	if a.settings.IsMaster() {
		if err := a.startMaster(ctx); err != nil {
			return err
		}
	}
	if err := a.startContainers(ctx); err != nil {
		return err
	}
	if a.settings.IsMaster() {
		if err := a.applyAddons(ctx); err != nil {
			return err
		}
	}
	return a.joinNetwork(ctx)
}

func (a *Agent) startContainers(ctx context.Context) error {
	if !exists(imagesFile) {
		if err := a.importImages(ctx); err != nil {
			return err
		}
	}
	return units.Start(ctx, ofContainers...)
}

// Container images that could not be imported at build time are imported at the first boot.
func (a *Agent) importImages(ctx context.Context) error {
	if err := units.Start(ctx, imagesUnit); err != nil {
		return err
	}
	const words = "Unpacks the images of containers."
	return a.until(ctx, clusters.PhaseImages, words, []string{imagesUnit, "containerd"}, func() error {
		if exists(imagesFile) {
			return nil
		}
		return errors.New("they are not all unpacked")
	})
}

// Connects the pod network, after which the kubelet reports the node as ready.
func (a *Agent) joinNetwork(ctx context.Context) error {
	name := a.settings.NodeName
	err := a.until(ctx, clusters.PhaseKubelet, "Waits for its kubelet to join the cluster.", ofContainers, func() error {
		node, err := a.kubelet.Node(ctx, name)
		if err == nil && !node.HasPodRange {
			return errors.New("the node has no range of addresses for its pods")
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := a.label(ctx); err != nil {
		return err
	}
	if err := units.Start(ctx, "flanneld"); err != nil {
		return err
	}
	return a.until(ctx, clusters.PhaseKubelet, "Waits for its node to be ready.", a.units(), func() error {
		node, err := a.kubelet.Node(ctx, name)
		if err == nil && !node.Ready {
			return errors.New(node.Message)
		}
		return err
	})
}

// A master sets the labels that its kubelet may not set.
func (a *Agent) label(ctx context.Context) error {
	_, restricted := files.Labels(a.node())
	if a.admin == nil {
		for key := range restricted {
			Say("the label " + key + " is left out: a kubelet may not set it")
		}
		return nil
	}
	return a.until(ctx, clusters.PhaseKubelet, "Labels its node.", nil, func() error {
		return a.admin.LabelNode(ctx, a.settings.NodeName, restricted)
	})
}
