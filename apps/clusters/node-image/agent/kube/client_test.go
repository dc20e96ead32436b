package kube

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

func answering(t *testing.T, answers map[string]string) (*Client, *[]string) {
	t.Helper()
	seen := &[]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*seen = append(*seen, r.Method+" "+r.URL.Path+" "+string(body))
		answer, found := answers[r.URL.Path]
		if !found {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = w.Write([]byte(answer))
	}))
	t.Cleanup(server.Close)
	return &Client{server.URL, server.Client()}, seen
}

func TestReadsWhatANodeLacks(t *testing.T) {
	client, _ := answering(t, map[string]string{"/api/v1/nodes/a": `{
		"spec": {"podCIDR": "10.100.0.0/24", "taints": [{"key": "node.cloudprovider.kubernetes.io/uninitialized"}]},
		"status": {"conditions": [{"type": "Ready", "status": "False", "message": "no network"}]}}`})
	got, err := client.Node(context.Background(), "a")
	if want := (Node{HasPodRange: true, Message: "no network", Uninitialized: true}); err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := client.Node(context.Background(), "b"); !errors.Is(err, ErrNotFound) {
		t.Errorf("said %v", err)
	}
}

func TestCountsTheReplicasOfADeployment(t *testing.T) {
	client, _ := answering(t, map[string]string{"/apis/apps/v1/namespaces/s/deployments/d": `{
		"spec": {"replicas": 2}, "status": {"availableReplicas": 1}}`})
	err := client.Available(context.Background(), "s", "d")
	if err == nil || err.Error() != "1 of 2 pods are available" {
		t.Errorf("said %v", err)
	}
}

func TestLabelsANode(t *testing.T) {
	client, seen := answering(t, map[string]string{"/api/v1/nodes/a": `{}`})
	if err := client.LabelNode(context.Background(), "a", map[string]string{"k": "v"}); err != nil {
		t.Fatal(err)
	}
	if want := `PATCH /api/v1/nodes/a {"metadata":{"labels":{"k":"v"}}}`; (*seen)[0] != want {
		t.Errorf("sent %s", (*seen)[0])
	}
}

func TestAppliesAManifestWhereItsObjectIs(t *testing.T) {
	paths := map[string]string{
		`{"apiVersion":"v1","kind":"Service","metadata":{"name":"a","namespace":"s"}}`: "/api/v1/namespaces/s/services/a",
		`{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"system:b"}}`: "/apis/" +
			"rbac.authorization.k8s.io/v1/clusterroles/system:b",
	}
	for manifest, path := range paths {
		client, seen := answering(t, map[string]string{path: `{}`})
		if err := client.Apply(context.Background(), []byte(manifest)); err != nil {
			t.Fatal(err)
		}
		if want := "PATCH " + path + " " + manifest; (*seen)[0] != want {
			t.Errorf("sent %s", (*seen)[0])
		}
	}
}

func TestNamesTheKindThatItCannotApply(t *testing.T) {
	client, _ := answering(t, nil)
	err := client.Apply(context.Background(), []byte(`{"kind":"Gateway","metadata":{"name":"a"}}`))
	if err == nil || err.Error() != `no resource is known of the kind "Gateway"` {
		t.Errorf("said %v", err)
	}
}

func TestSaysWhichChecksOfTheAPIFail(t *testing.T) {
	const text = "[+]ping ok\n[-]etcd failed: reason withheld\n[-]poststarthook/rbac/bootstrap-roles failed: x\nreadyz check failed"
	got := failure(500, []byte(text)).Error()
	if want := "the API answers with status 500, as these fail: etcd, poststarthook/rbac/bootstrap-roles"; got != want {
		t.Errorf("said %q", got)
	}
}
