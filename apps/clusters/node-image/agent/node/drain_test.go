package node

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"agent/kube"
)

// A cluster of one node, where an evicted pod ends one look later.
type pods struct {
	all      []kube.Pod
	held     map[string]bool
	cordoned int
}

func (p *pods) Cordon(context.Context, string) error { p.cordoned++; return nil }

func (p *pods) Movable(context.Context, string) ([]kube.Pod, error) {
	left := []kube.Pod{}
	for _, pod := range p.all {
		if !pod.Ending {
			left = append(left, pod)
		}
	}
	p.all = left
	return append([]kube.Pod{}, left...), nil
}

func (p *pods) Evict(_ context.Context, asked kube.Pod) error {
	if p.held[asked.Name] {
		return errors.New("Cannot evict pod as it would violate the pod's disruption budget.")
	}
	for i := range p.all {
		p.all[i].Ending = p.all[i].Ending || p.all[i] == asked
	}
	return nil
}

func TestDrainsANode(t *testing.T) {
	cluster := &pods{all: []kube.Pod{{Namespace: "s", Name: "a"}, {Namespace: "s", Name: "b"}}, held: map[string]bool{"b": true}}
	said := []string{}
	drainer := drainer{client: cluster, node: "n", say: func(words string) { said = append(said, words) }}
	if drainer.look(context.Background()) || drainer.look(context.Background()) {
		t.Error("it was done while a pod stayed")
	}
	cluster.held = nil
	if drainer.look(context.Background()) {
		t.Error("it was done while a pod was ending")
	}
	if !drainer.look(context.Background()) {
		t.Errorf("it was not done with %v", cluster.all)
	}
	want := []string{
		"pods stay: s/b: Cannot evict pod as it would violate the pod's disruption budget.",
		"waits for its pods to end",
		"no pods are left that would run elsewhere",
	}
	if cluster.cordoned != 1 || !reflect.DeepEqual(said, want) {
		t.Errorf("cordoned %d times, said %q", cluster.cordoned, said)
	}
}
