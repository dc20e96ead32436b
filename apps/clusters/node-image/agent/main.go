// cumulet-node makes a server into a node of a Kubernetes cluster: it asks the cloud what it shall be, starts
// what that needs, and tells how it is.
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
