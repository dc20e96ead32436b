// Package etcd adds a master to the cluster's etcd, and removes former members. It uses etcd's API
// in JSON (etcd, "gRPC gateway"), which needs no library.
package etcd

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// Local is the member on this machine.
const Local = "https://127.0.0.1:2379"

// Member is a member of the cluster; its name is empty until it has started once.
type Member struct {
	ID        string   `json:"ID"`
	Name      string   `json:"name"`
	PeerURLs  []string `json:"peerURLs"`
	IsLearner bool     `json:"isLearner"`
}

// Client sends requests to one member.
type Client struct {
	URL  string
	HTTP *http.Client
}

// NewClient reads the client's certificate from a folder.
func NewClient(url, pki string) (Client, error) {
	authority, err := os.ReadFile(filepath.Join(pki, "etcd-ca.crt"))
	if err != nil {
		return Client{}, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	own, err := tls.LoadX509KeyPair(filepath.Join(pki, "etcd-client.crt"), filepath.Join(pki, "etcd-client.key"))
	if err != nil {
		return Client{}, err
	}
	transport := &http.Transport{
		TLSClientConfig:   &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{own}},
		DisableKeepAlives: true, // It is asked too seldom to be worth an open connection.
	}
	return Client{url, &http.Client{Transport: transport, Timeout: 30 * time.Second}}, nil
}

func (c Client) Members(ctx context.Context) ([]Member, error) {
	var answer struct {
		Members []Member `json:"members"`
	}
	// Linearizable, to see what another master has just removed.
	err := c.call(ctx, "cluster/member/list", map[string]any{"linearizable": true}, &answer)
	return answer.Members, err
}

// AddLearner adds a member without a vote, and returns all members with it.
func (c Client) AddLearner(ctx context.Context, peerURL string) ([]Member, error) {
	var answer struct {
		Members []Member `json:"members"`
	}
	err := c.call(ctx, "cluster/member/add", map[string]any{"peerURLs": []string{peerURL}, "isLearner": true}, &answer)
	return answer.Members, err
}

// Promote gives a learner a vote; it fails until the learner is up to date.
func (c Client) Promote(ctx context.Context, id string) error {
	return c.call(ctx, "cluster/member/promote", map[string]any{"ID": id}, nil)
}

func (c Client) Remove(ctx context.Context, id string) error {
	return c.call(ctx, "cluster/member/remove", map[string]any{"ID": id}, nil)
}

// IsVoting says whether this member has a vote and sees a leader.
func (c Client) IsVoting(ctx context.Context) (bool, error) {
	var answer struct {
		Leader    string `json:"leader"`
		IsLearner bool   `json:"isLearner"`
	}
	if err := c.call(ctx, "maintenance/status", map[string]any{}, &answer); err != nil {
		return false, err
	}
	return !answer.IsLearner && answer.Leader != "" && answer.Leader != "0", nil
}

func (c Client) call(ctx context.Context, action string, body, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL+"/v3/"+action, bytes.NewReader(text))
	if err != nil {
		return err
	}
	response, err := c.HTTP.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err = io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return failure(response.StatusCode, text)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(text, answer)
}

func failure(status int, text []byte) error {
	var said struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(text, &said) == nil && said.Message != "" {
		return errors.New(said.Message)
	}
	return fmt.Errorf("etcd answers with status %d", status)
}
