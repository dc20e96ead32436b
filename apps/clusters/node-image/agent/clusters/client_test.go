package clusters

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func answering(t *testing.T, status int, headers map[string]string, body string) (Client, *http.Request, *string) {
	t.Helper()
	seen, sent := &http.Request{}, new(string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*seen = *r
		var value any
		_ = json.NewDecoder(r.Body).Decode(&value)
		text, _ := json.Marshal(value)
		*sent = string(text)
		for name, value := range headers {
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return Client{URL: server.URL, NodeID: "n1", Token: "t1"}, seen, sent
}

func TestAsksWithTheTokenAndTheNonce(t *testing.T) {
	client, seen, sent := answering(t, 200, nil, `{"generation": 3, "pki": {"ca.crt": "PEM"}}`)
	document, err := client.Bootstrap(context.Background(), "0a", []string{"10.0.0.7"})
	if err != nil || document.Generation != 3 || document.PKI["ca.crt"] != "PEM" {
		t.Fatalf("got %+v, %v", document, err)
	}
	if seen.URL.Path != "/v1/nodes/n1/bootstrap" || seen.Header.Get("Authorization") != "Bearer t1" {
		t.Errorf("asked %s as %s", seen.URL.Path, seen.Header.Get("Authorization"))
	}
	if *sent != `{"addresses":["10.0.0.7"],"nonce":"0a"}` {
		t.Errorf("sent %s", *sent)
	}
}

func TestARefusalIsFinalAndSaysWhy(t *testing.T) {
	client, _, _ := answering(t, 403, nil, `{"errors": [{"title": "Forbidden", "detail": "The token was used."}]}`)
	_, err := client.Bootstrap(context.Background(), "0a", nil)
	if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "The token was used.") {
		t.Errorf("said %v", err)
	}
}

func TestComesAgainWhenAsked(t *testing.T) {
	client, _, _ := answering(t, 409, map[string]string{"Retry-After": "7"}, `{}`)
	_, err := client.Bootstrap(context.Background(), "0a", nil)
	var notYet *NotYetError
	if !errors.As(err, &notYet) || notYet.After != 7*time.Second {
		t.Errorf("said %v", err)
	}
}

func TestReportsAndHearsOrders(t *testing.T) {
	client, seen, sent := answering(t, 200, nil, `{"generation": 2, "interval": 20, "etcd_remove": ["old"]}`)
	orders, err := client.Report(context.Background(), Report{Phase: PhaseReady, Status: Ready, Message: "Ready."})
	if err != nil || orders.Interval != 20 || orders.EtcdRemove[0] != "old" || orders.Generation != 2 {
		t.Fatalf("got %+v, %v", orders, err)
	}
	if seen.URL.Path != "/v1/nodes/n1/report" || *sent != `{"message":"Ready.","phase":"ready","status":"READY"}` {
		t.Errorf("sent %s to %s", *sent, seen.URL.Path)
	}
}
