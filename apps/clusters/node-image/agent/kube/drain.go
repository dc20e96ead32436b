package kube

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// Pod is a pod that has to move.
type Pod struct {
	Namespace string
	Name      string
	// It is being deleted.
	Ending bool
}

const (
	// Static pods, of which the API has only a copy ("mirror pod").
	mirror = "kubernetes.io/config.mirror"
	// More than any node has: kubelets accept 110 pods by default.
	podLimit = "500"
)

// Cordon makes a node unschedulable, as `kubectl cordon` does.
func (c *Client) Cordon(ctx context.Context, node string) error {
	body := []byte(`{"spec":{"unschedulable":true}}`)
	return c.do(ctx, http.MethodPatch, "/api/v1/nodes/"+node, "application/merge-patch+json", body, nil)
}

// Movable returns the pods of a node to evict, as `kubectl drain --ignore-daemonsets` does: neither
// those of daemon sets nor those that have ended.
func (c *Client) Movable(ctx context.Context, node string) ([]Pod, error) {
	var list struct {
		Items []struct {
			Metadata struct {
				Namespace         string            `json:"namespace"`
				Name              string            `json:"name"`
				Annotations       map[string]string `json:"annotations"`
				DeletionTimestamp *string           `json:"deletionTimestamp"`
				OwnerReferences   []struct {
					Kind       string `json:"kind"`
					Controller bool   `json:"controller"`
				} `json:"ownerReferences"`
			} `json:"metadata"`
			Status struct {
				Phase string `json:"phase"`
			} `json:"status"`
		} `json:"items"`
	}
	query := url.Values{"fieldSelector": {"spec.nodeName=" + node}, "limit": {podLimit}}
	if err := c.get(ctx, "/api/v1/pods?"+query.Encode(), &list); err != nil {
		return nil, err
	}
	var pods []Pod
	for _, item := range list.Items {
		stays := item.Status.Phase == "Succeeded" || item.Status.Phase == "Failed"
		for _, owner := range item.Metadata.OwnerReferences {
			stays = stays || owner.Controller && owner.Kind == "DaemonSet"
		}
		if _, isMirror := item.Metadata.Annotations[mirror]; stays || isMirror {
			continue
		}
		pods = append(pods, Pod{item.Metadata.Namespace, item.Metadata.Name, item.Metadata.DeletionTimestamp != nil})
	}
	return pods, nil
}

// Evict evicts a pod. The error says if its disruption budget forbids that for now (Kubernetes,
// "API-initiated Eviction").
func (c *Client) Evict(ctx context.Context, pod Pod) error {
	metadata := map[string]string{"name": pod.Name, "namespace": pod.Namespace}
	body, err := json.Marshal(map[string]any{"apiVersion": "policy/v1", "kind": "Eviction", "metadata": metadata})
	if err != nil {
		return err
	}
	path := fmt.Sprintf("/api/v1/namespaces/%s/pods/%s/eviction", pod.Namespace, pod.Name)
	err = c.do(ctx, http.MethodPost, path, "application/json", body, nil)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}
