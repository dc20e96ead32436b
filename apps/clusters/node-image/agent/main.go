// cumulet-node turns a server into a node of a Kubernetes cluster: it asks the cloud for its
// settings, starts its components, and reports its status.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"agent/node"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := node.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
		node.Say(err.Error())
		os.Exit(1)
	}
}
