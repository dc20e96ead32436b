package clusters

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// A busy service takes a while to issue a master's certificates.
	bootstrapTimeout = 60 * time.Second
	reportTimeout    = 10 * time.Second
	answerLimit      = 4 << 20
)

// ErrRefused is a final answer: the token is unknown, expired or another node's.
var ErrRefused = errors.New("the clusters service refuses this node")

// NotYetError asks to retry after a while.
type NotYetError struct {
	After  time.Duration
	Reason string
}

func (e *NotYetError) Error() string { return e.Reason }

// Client sends the requests of one node.
type Client struct {
	URL    string
	NodeID string
	Token  string
}

// Bootstrap requests certificates and settings. It returns an error that wraps ErrRefused, a
// NotYetError, or a connection error.
func (c Client) Bootstrap(ctx context.Context, nonce string, addresses []string) (*Document, error) {
	ctx, cancel := context.WithTimeout(ctx, bootstrapTimeout)
	defer cancel()
	var document Document
	body := map[string]any{"nonce": nonce, "addresses": addresses}
	if err := c.post(ctx, "bootstrap", body, &document); err != nil {
		return nil, err
	}
	return &document, nil
}

func (c Client) Report(ctx context.Context, report Report) (Orders, error) {
	ctx, cancel := context.WithTimeout(ctx, reportTimeout)
	defer cancel()
	var orders Orders
	err := c.post(ctx, "report", report, &orders)
	return orders, err
}

func (c Client) post(ctx context.Context, action string, body, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	url := fmt.Sprintf("%s/v1/nodes/%s/%s", c.URL, c.NodeID, action)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+c.Token)
	request.Header.Set("Content-Type", "application/json")
	// The next request is far off, and devices between may silently drop an idle connection.
	request.Close = true
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err = io.ReadAll(io.LimitReader(response.Body, answerLimit))
	if err != nil {
		return err
	}
	if response.StatusCode == http.StatusOK {
		return json.Unmarshal(text, answer)
	}
	return failure(response, text)
}

func failure(response *http.Response, text []byte) error {
	reason := reasonOf(response.StatusCode, text)
	switch response.StatusCode {
	case http.StatusForbidden, http.StatusUnauthorized:
		return fmt.Errorf("%w: %s", ErrRefused, reason)
	case http.StatusConflict, http.StatusServiceUnavailable:
		seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
		if err != nil || seconds < 1 {
			seconds = 5
		}
		return &NotYetError{After: time.Duration(seconds) * time.Second, Reason: reason}
	default:
		return errors.New(reason)
	}
}

// The message of an error envelope, or else the status.
func reasonOf(status int, text []byte) string {
	var envelope struct {
		Errors []struct {
			Title  string `json:"title"`
			Detail string `json:"detail"`
		} `json:"errors"`
	}
	said := fmt.Sprintf("status %d", status)
	if json.Unmarshal(text, &envelope) == nil && len(envelope.Errors) > 0 {
		first := envelope.Errors[0]
		said += ", " + strings.TrimSpace(first.Title+" "+first.Detail)
	}
	return said
}
