package node

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"strings"
)

// Lets programs on the node reach service addresses: kube-proxy replaces the address before
// sending, but only after the kernel has found a route, which a network without a gateway does not
// have.
func routeServices(ctx context.Context, services, address string) error {
	card, err := cardOf(address)
	if err != nil {
		return err
	}
	said, err := exec.CommandContext(ctx, "ip", "route", "replace", services, "dev", card, "src", address).CombinedOutput()
	if err != nil {
		return fmt.Errorf("ip route replace %s: %w: %s", services, err, strings.TrimSpace(string(said)))
	}
	return nil
}

func cardOf(address string) (string, error) {
	cards, err := net.Interfaces()
	if err != nil {
		return "", err
	}
	for _, card := range cards {
		addresses, err := card.Addrs()
		if err != nil {
			return "", err
		}
		for _, one := range addresses {
			if prefix, ok := one.(*net.IPNet); ok && prefix.IP.String() == address {
				return card.Name, nil
			}
		}
	}
	return "", fmt.Errorf("no network card has the address %s", address)
}
