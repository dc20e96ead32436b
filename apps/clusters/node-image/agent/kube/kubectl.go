package kube

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
)

const adminKubeconfig = "/etc/kubernetes/admin.kubeconfig"

// Apply makes true what manifests say, whoever else has changed it.
func Apply(ctx context.Context, manifests string) error {
	return kubectl(ctx, manifests, "apply", "--server-side", "--force-conflicts", "--field-manager=cumulet-node",
		"--validate=false", "--filename=-")
}

// RestartDeployments has pods started anew which read the cluster's CA only at their start.
func RestartDeployments(ctx context.Context, namespace string) error {
	return kubectl(ctx, "", "rollout", "restart", "deployment", "--namespace="+namespace)
}

func kubectl(ctx context.Context, input string, arguments ...string) error {
	command := exec.CommandContext(ctx, "kubectl", append([]string{"--kubeconfig=" + adminKubeconfig}, arguments...)...)
	command.Stdin = strings.NewReader(input)
	var errors bytes.Buffer
	command.Stderr = &errors
	if err := command.Run(); err != nil {
		return fmt.Errorf("kubectl %s: %w: %s", arguments[0], err, strings.TrimSpace(errors.String()))
	}
	return nil
}
