package kube

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// Object identifies the object of a manifest.
type Object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	} `json:"metadata"`
}

// The resource of each kind in the add-ons. Asking the API for them would take an emulated node
// longer than all the rest.
var resources = map[string]string{
	"APIService":         "apiservices",
	"ClusterRole":        "clusterroles",
	"ClusterRoleBinding": "clusterrolebindings",
	"ConfigMap":          "configmaps",
	"DaemonSet":          "daemonsets",
	"Deployment":         "deployments",
	"Namespace":          "namespaces",
	"RoleBinding":        "rolebindings",
	"Service":            "services",
	"ServiceAccount":     "serviceaccounts",
}

// Apply applies a manifest in JSON, overriding other changes (Kubernetes, "Server-Side Apply").
// Fields that are not in the manifest stay.
func (c *Client) Apply(ctx context.Context, manifest []byte) error {
	var object Object
	if err := json.Unmarshal(manifest, &object); err != nil {
		return err
	}
	path, err := object.path()
	if err != nil {
		return err
	}
	options := url.Values{"fieldManager": {"cumulet-node"}, "force": {"true"}}
	err = c.do(ctx, http.MethodPatch, path+"?"+options.Encode(), "application/apply-patch+yaml", manifest, nil)
	if err != nil {
		return fmt.Errorf("%s %s: %w", object.Kind, object.Metadata.Name, err)
	}
	return nil
}

func (o Object) path() (string, error) {
	resource, known := resources[o.Kind]
	if !known {
		return "", fmt.Errorf("no resource is known of the kind %q", o.Kind)
	}
	root := "/apis/" + o.APIVersion
	if o.APIVersion == "v1" {
		root = "/api/v1"
	}
	if o.Metadata.Namespace != "" {
		root += "/namespaces/" + o.Metadata.Namespace
	}
	return root + "/" + resource + "/" + o.Metadata.Name, nil
}

// RestartDeployment replaces a deployment's pods one after the other, as `kubectl rollout restart`
// does.
func (c *Client) RestartDeployment(ctx context.Context, namespace, name string) error {
	type object = map[string]any
	annotations := object{"kubectl.kubernetes.io/restartedAt": time.Now().UTC().Format(time.RFC3339)}
	template := object{"metadata": object{"annotations": annotations}}
	body, err := json.Marshal(object{"spec": object{"template": template}})
	if err != nil {
		return err
	}
	path := fmt.Sprintf("/apis/apps/v1/namespaces/%s/deployments/%s", namespace, name)
	return c.do(ctx, http.MethodPatch, path, "application/merge-patch+json", body, nil)
}
