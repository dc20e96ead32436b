package node

import (
	"context"
	"fmt"
	"strings"

	"agent/kube"
)

// Moves the pods of a node to others, step by step; the node will go in any case.
type drainer struct {
	client interface {
		Cordon(ctx context.Context, node string) error
		Movable(ctx context.Context, node string) ([]kube.Pod, error)
		Evict(ctx context.Context, pod kube.Pod) error
	}
	node string
	say  func(string)

	cordoned bool
	// The last message about an obstacle.
	said string
}

// Evicts remaining pods, and returns whether none is left.
func (d *drainer) look(ctx context.Context) bool {
	drained, words := d.step(ctx)
	if words != d.said {
		d.said = words
		d.say(words)
	}
	return drained
}

func (d *drainer) step(ctx context.Context) (drained bool, words string) {
	if !d.cordoned {
		if err := d.client.Cordon(ctx, d.node); err != nil {
			return false, "the node cannot be kept from further pods: " + err.Error()
		}
		d.cordoned = true
	}
	pods, err := d.client.Movable(ctx, d.node)
	if err != nil {
		return false, "the node's pods cannot be read: " + err.Error()
	}
	if len(pods) == 0 {
		return true, "no pods are left that would run elsewhere"
	}
	held := []string{}
	for _, pod := range pods {
		if pod.Ending {
			continue
		}
		if err := d.client.Evict(ctx, pod); err != nil {
			held = append(held, fmt.Sprintf("%s/%s: %v", pod.Namespace, pod.Name, err))
		}
	}
	if len(held) > 0 {
		return false, "pods stay: " + strings.Join(held, "; ")
	}
	return false, "waits for its pods to end"
}
