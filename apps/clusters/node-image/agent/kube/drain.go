package kube

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// Pod is what is looked at of a pod that is to move to another node.
type Pod struct {
	Namespace string
	Name      string
	// It has been asked to end, and has not yet.
	Ending bool
}

const (
	// What the kubelet runs by itself, of which the API has but an image ("mirror pod").
	mirror = "kubernetes.io/config.mirror"
	// Nobody can count more on one node: kubelets take 110 pods unless they are told otherwise.
	podLimit = "500"
)

// Cordon keeps further pods away from a node, as `kubectl cordon` does.
func (c *Client) Cordon(ctx context.Context, node string) error {
	body := []byte(`{"spec":{"unschedulable":true}}`)
	return c.do(ctx, http.MethodPatch, "/api/v1/nodes/"+node, "application/merge-patch+json", body, nil)
}

// Movable returns the pods of a node that would run elsewhere, as `kubectl drain --ignore-daemonsets` chooses
// them: neither those of daemon sets, which every node has, nor those that have ended.
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

// Evict asks a pod to end, unless that would leave fewer of its kind than its disruption budget wants
// (Kubernetes, "API-initiated Eviction"), which the error then says.
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
