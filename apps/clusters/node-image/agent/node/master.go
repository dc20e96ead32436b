package node

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"agent/clusters"
	"agent/etcd"
	"agent/units"
)

func (a *Agent) startMaster(ctx context.Context) error {
	if err := a.startEtcd(ctx); err != nil {
		return err
	}
	const words = "Waits for its API."
	err := a.until(ctx, clusters.PhaseAPI, words, []string{"etcd", "kube-apiserver"}, func() error {
		return a.admin.IsReady(ctx)
	})
	if err != nil {
		return err
	}
	starting := append([]string{}, controllers...)
	if a.document.HasCloudProvider() {
		starting = append(starting, cloudUnit)
	}
	return units.Start(ctx, starting...)
}

// systemd starts the API server as soon as etcd has started.
func (a *Agent) startEtcd(ctx context.Context) error {
	if !exists(etcdData) && !exists(etcdFile) {
		if err := a.enterEtcd(ctx); err != nil {
			return err
		}
	}
	if err := a.writeFiles(); err != nil {
		return err
	}
	if err := units.Start(ctx, "etcd", "kube-apiserver"); err != nil {
		return err
	}
	return a.until(ctx, clusters.PhaseEtcd, "Waits for its etcd.", []string{"etcd"}, func() error {
		return a.vote(ctx)
	})
}

// Determines the members with which this master's etcd starts, and stores them.
func (a *Agent) enterEtcd(ctx context.Context) error {
	if a.document.Etcd == nil {
		return errors.New("the clusters service says nothing of etcd to this master")
	}
	if a.document.Etcd.Founder {
		return keep(etcdFile, "new "+a.settings.NodeName+"="+etcd.PeerURL(a.address))
	}
	return a.until(ctx, clusters.PhaseEtcd, "Joins the cluster's etcd.", nil, func() error {
		return a.eachMember(func(client etcd.Client) error {
			members, err := etcd.Join(ctx, client, a.settings.NodeName, a.address)
			if err != nil {
				return err
			}
			return keep(etcdFile, "existing "+members)
		})
	})
}

// Returns what enterEtcd stored; etcd ignores it once it has data.
func etcdStart(name, address string) (members string, joins bool) {
	text, err := os.ReadFile(etcdFile)
	if err != nil {
		return name + "=" + etcd.PeerURL(address), false
	}
	state, members, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	return members, state == "existing"
}

// Returns nil if this master's member has a vote; otherwise another master's member promotes it.
func (a *Agent) vote(ctx context.Context) error {
	local, err := etcd.NewClient(etcd.Local, pkiFolder)
	if err != nil {
		return err
	}
	voting, err := local.IsVoting(ctx)
	if err != nil || voting {
		return err
	}
	err = a.eachMember(func(client etcd.Client) error { return etcd.PromoteSelf(ctx, client, a.address) })
	if err != nil {
		return err
	}
	return errors.New("its member of etcd has no vote yet")
}

// Tries the other masters' members in turn until one succeeds.
func (a *Agent) eachMember(ask func(etcd.Client) error) error {
	var failures []error
	for _, member := range a.document.Etcd.Members {
		client, err := etcd.NewClient(fmt.Sprintf("https://%s:2379", member.IP), pkiFolder)
		if err == nil {
			err = ask(client)
		}
		if err == nil {
			return nil
		}
		failures = append(failures, fmt.Errorf("%s: %w", member.Name, err))
	}
	if len(failures) == 0 {
		return errors.New("no other member of etcd is known")
	}
	return errors.Join(failures...)
}
