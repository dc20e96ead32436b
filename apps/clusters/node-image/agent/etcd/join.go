package etcd

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Cluster is the part of the API that joining uses.
type Cluster interface {
	Members(ctx context.Context) ([]Member, error)
	AddLearner(ctx context.Context, peerURL string) ([]Member, error)
	Promote(ctx context.Context, id string) error
	Remove(ctx context.Context, id string) error
}

// PeerURL is the URL for other members.
func PeerURL(address string) string { return "https://" + address + ":2380" }

// Join adds this master, which has no data, and returns the members with which its etcd starts, as
// `a=https://10.0.0.5:2380`, joined by commas. A member of its name or address is left from its
// former self or from an interrupted attempt: it is removed first, since its data is lost.
func Join(ctx context.Context, cluster Cluster, name, address string) (string, error) {
	members, err := cluster.Members(ctx)
	if err != nil {
		return "", err
	}
	own := PeerURL(address)
	for _, member := range members {
		if member.Name == name || slices.Contains(member.PeerURLs, own) {
			if err := cluster.Remove(ctx, member.ID); err != nil {
				return "", fmt.Errorf("remove the former member %s: %w", name, err)
			}
		}
	}
	members, err = cluster.AddLearner(ctx, own)
	if err != nil {
		return "", err
	}
	return initialCluster(members, name, own), nil
}

func initialCluster(members []Member, name, own string) string {
	var pairs []string
	for _, member := range members {
		called := member.Name
		if slices.Contains(member.PeerURLs, own) {
			called = name
		}
		// A member that has not started yet has no name; any will do.
		if called == "" {
			called = "member-" + member.ID
		}
		for _, url := range member.PeerURLs {
			pairs = append(pairs, called+"="+url)
		}
	}
	return strings.Join(pairs, ",")
}

// PromoteSelf gives this master's member its vote, if it has none yet.
func PromoteSelf(ctx context.Context, cluster Cluster, address string) error {
	members, err := cluster.Members(ctx)
	if err != nil {
		return err
	}
	for _, member := range members {
		if member.IsLearner && slices.Contains(member.PeerURLs, PeerURL(address)) {
			return cluster.Promote(ctx, member.ID)
		}
	}
	return nil
}

// RemoveNamed removes the members of these names, and returns the names that have no member any
// longer.
func RemoveNamed(ctx context.Context, cluster Cluster, names []string, self string) ([]string, error) {
	members, err := cluster.Members(ctx)
	if err != nil {
		return nil, err
	}
	var gone []string
	for _, name := range names {
		if name == self {
			continue
		}
		at := slices.IndexFunc(members, func(member Member) bool { return member.Name == name })
		if at >= 0 {
			if err := cluster.Remove(ctx, members[at].ID); err != nil {
				return gone, fmt.Errorf("remove the member %s: %w", name, err)
			}
		}
		gone = append(gone, name)
	}
	return gone, nil
}
