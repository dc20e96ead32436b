// Package kube is a small client of a cluster's API.
package kube

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
	"strings"
	"time"
)

// ErrNotFound means that the object does not exist.
var ErrNotFound = errors.New("not found")

// Client is one identity at one address of the API.
type Client struct {
	url  string
	http *http.Client
}

// NewClient reads an identity's certificate (`kubelet`, `admin`) in a folder of certificates.
func NewClient(url, pki, identity string) (*Client, error) {
	authority, err := os.ReadFile(filepath.Join(pki, "ca.crt"))
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	own, err := tls.LoadX509KeyPair(filepath.Join(pki, identity+".crt"), filepath.Join(pki, identity+".key"))
	if err != nil {
		return nil, err
	}
	settings := &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{own}}
	transport := &http.Transport{TLSClientConfig: settings, IdleConnTimeout: time.Minute}
	return &Client{url, &http.Client{Transport: transport, Timeout: 30 * time.Second}}, nil
}

// IsReady returns nil if the API is ready, and otherwise the failed checks or the connection error.
func (c *Client) IsReady(ctx context.Context) error {
	return c.do(ctx, http.MethodGet, "/readyz", "", nil, nil)
}

func (c *Client) get(ctx context.Context, path string, answer any) error {
	return c.do(ctx, http.MethodGet, path, "", nil, answer)
}

func (c *Client) do(ctx context.Context, method, path, contentType string, body []byte, answer any) error {
	request, err := http.NewRequestWithContext(ctx, method, c.url+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, 4<<20))
	if err != nil {
		return err
	}
	switch {
	case response.StatusCode == http.StatusNotFound:
		return ErrNotFound
	case response.StatusCode >= http.StatusBadRequest:
		return failure(response.StatusCode, text)
	case answer == nil:
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
	if missing := failedChecks(text); missing != "" {
		return fmt.Errorf("the API answers with status %d, as these fail: %s", status, missing)
	}
	return fmt.Errorf("the API answers with status %d", status)
}

// The names of failed checks in /readyz: a line each, `[-]etcd failed: reason withheld`.
func failedChecks(text []byte) string {
	var names []string
	for _, line := range strings.Split(string(text), "\n") {
		if check, failed := strings.CutPrefix(line, "[-]"); failed {
			name, _, _ := strings.Cut(check, " ")
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
