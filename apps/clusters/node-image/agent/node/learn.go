package node

import (
	"context"
	"slices"

	"agent/clusters"
	"agent/files"
	"agent/kube"
)

// Gets the node's certificates and settings, from an earlier boot or from the service, and writes
// its files.
func (a *Agent) learn(ctx context.Context) error {
	address, err := ownAddress(ctx, a.settings.APIHost())
	if err != nil {
		return err
	}
	a.address = address
	a.document, err = keptDocument()
	if err != nil {
		return err
	}
	if a.document == nil {
		if err := a.bootstrap(ctx); err != nil {
			return err
		}
	}
	if err := routeServices(ctx, a.document.Cluster.ServiceCIDR, a.address); err != nil {
		return err
	}
	return a.connect()
}

func (a *Agent) bootstrap(ctx context.Context) error {
	nonce, err := nonce()
	if err != nil {
		return err
	}
	return a.until(ctx, clusters.PhaseCertificates, "Asks for certificates, from "+a.address+".", nil, func() error {
		document, err := a.client.Bootstrap(ctx, nonce, a.addresses())
		if err != nil {
			return err
		}
		a.document = document
		return keepDocument(document)
	})
}

// The node's own comes first; the others are addresses of a master's API.
func (a *Agent) addresses() []string {
	all := []string{a.address}
	if a.settings.IsMaster() {
		for _, other := range []string{a.settings.APIHost(), a.settings.APIPublicAddress} {
			if other != "" && !slices.Contains(all, other) {
				all = append(all, other)
			}
		}
	}
	return all
}

// Writes the certificates, and creates clients of the API.
func (a *Agent) connect() error {
	if err := a.writeFiles(); err != nil {
		return err
	}
	api := a.settings.APIURL
	if a.settings.IsMaster() {
		api = files.LocalAPI
	}
	var err error
	if a.kubelet, err = kube.NewClient(api, pkiFolder, "kubelet"); err != nil || !a.settings.IsMaster() {
		return err
	}
	a.admin, err = kube.NewClient(api, pkiFolder, "admin")
	return err
}
