package node

import (
	"context"
	"errors"
	"net"
	"time"
)

// Waits until the node has an address from which it reaches the API, on the cluster's network.
// Sends nothing to find out.
func ownAddress(ctx context.Context, apiHost string) (string, error) {
	for {
		if address, err := addressTowards(apiHost); err == nil {
			return address, nil
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(500 * time.Millisecond):
		}
	}
}

func addressTowards(host string) (string, error) {
	connection, err := net.Dial("udp4", net.JoinHostPort(host, "6443"))
	if err != nil {
		return "", err
	}
	defer connection.Close()
	local := connection.LocalAddr().(*net.UDPAddr).IP
	if local.IsLoopback() || local.IsLinkLocalUnicast() {
		return "", errors.New("no address yet")
	}
	return local.String(), nil
}
