package kube

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// Node is the part of a node's object that is used here.
type Node struct {
	HasPodRange bool
	Ready       bool
	// Why it is not ready.
	Message string
	// The cloud's controllers have not initialised it.
	Uninitialized bool
}

const uninitialized = "node.cloudprovider.kubernetes.io/uninitialized"

// Node returns ErrNotFound until the kubelet has created it.
func (c *Client) Node(ctx context.Context, name string) (Node, error) {
	var object struct {
		Spec struct {
			PodCIDR string `json:"podCIDR"`
			Taints  []struct {
				Key string `json:"key"`
			} `json:"taints"`
		} `json:"spec"`
		Status struct {
			Conditions []struct {
				Type    string `json:"type"`
				Status  string `json:"status"`
				Message string `json:"message"`
			} `json:"conditions"`
		} `json:"status"`
	}
	if err := c.get(ctx, "/api/v1/nodes/"+name, &object); err != nil {
		return Node{}, err
	}
	node := Node{HasPodRange: object.Spec.PodCIDR != ""}
	for _, condition := range object.Status.Conditions {
		if condition.Type == "Ready" {
			node.Ready, node.Message = condition.Status == "True", condition.Message
		}
	}
	for _, taint := range object.Spec.Taints {
		node.Uninitialized = node.Uninitialized || taint.Key == uninitialized
	}
	return node, nil
}

// LabelNode adds labels to a node.
func (c *Client) LabelNode(ctx context.Context, name string, labels map[string]string) error {
	body, err := json.Marshal(map[string]any{"metadata": map[string]any{"labels": labels}})
	if err != nil {
		return err
	}
	return c.do(ctx, http.MethodPatch, "/api/v1/nodes/"+name, "application/merge-patch+json", body, nil)
}

// Available returns nil if a deployment has all its replicas, and otherwise what is missing.
func (c *Client) Available(ctx context.Context, namespace, name string) error {
	var object struct {
		Spec struct {
			Replicas int `json:"replicas"`
		} `json:"spec"`
		Status struct {
			AvailableReplicas int `json:"availableReplicas"`
		} `json:"status"`
	}
	path := fmt.Sprintf("/apis/apps/v1/namespaces/%s/deployments/%s", namespace, name)
	if err := c.get(ctx, path, &object); err != nil {
		return err
	}
	if object.Status.AvailableReplicas < object.Spec.Replicas {
		return fmt.Errorf("%d of %d pods are available", object.Status.AvailableReplicas, object.Spec.Replicas)
	}
	return nil
}
