package kube

import (
	"context"
	"reflect"
	"testing"
)

func TestCordonsANode(t *testing.T) {
	client, seen := answering(t, map[string]string{"/api/v1/nodes/a": `{}`})
	if err := client.Cordon(context.Background(), "a"); err != nil {
		t.Fatal(err)
	}
	if want := `PATCH /api/v1/nodes/a {"spec":{"unschedulable":true}}`; (*seen)[0] != want {
		t.Errorf("sent %s", (*seen)[0])
	}
}

func TestMovesWhatWouldRunElsewhere(t *testing.T) {
	client, _ := answering(t, map[string]string{"/api/v1/pods": `{"items": [
		{"metadata": {"namespace": "s", "name": "web",
			"ownerReferences": [{"kind": "ReplicaSet", "controller": true}]}, "status": {"phase": "Running"}},
		{"metadata": {"namespace": "s", "name": "bare", "deletionTimestamp": "2026-01-02T03:04:05Z"}},
		{"metadata": {"namespace": "s", "name": "on-each",
			"ownerReferences": [{"kind": "DaemonSet", "controller": true}]}, "status": {"phase": "Running"}},
		{"metadata": {"namespace": "s", "name": "of-kubelet",
			"annotations": {"kubernetes.io/config.mirror": "x"}}, "status": {"phase": "Running"}},
		{"metadata": {"namespace": "s", "name": "job"}, "status": {"phase": "Succeeded"}},
		{"metadata": {"namespace": "s", "name": "broken"}, "status": {"phase": "Failed"}}]}`})
	got, err := client.Movable(context.Background(), "a")
	if want := []Pod{{"s", "web", false}, {"s", "bare", true}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestEvictsAPod(t *testing.T) {
	client, seen := answering(t, map[string]string{"/api/v1/namespaces/s/pods/web/eviction": `{}`})
	if err := client.Evict(context.Background(), Pod{Namespace: "s", Name: "web"}); err != nil {
		t.Fatal(err)
	}
	want := `POST /api/v1/namespaces/s/pods/web/eviction ` +
		`{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"web","namespace":"s"}}`
	if (*seen)[0] != want {
		t.Errorf("sent %s", (*seen)[0])
	}
	if err := client.Evict(context.Background(), Pod{Namespace: "s", Name: "gone"}); err != nil {
		t.Errorf("of a pod that is gone it said %v", err)
	}
}
