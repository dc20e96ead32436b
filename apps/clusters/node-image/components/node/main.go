// All that a node runs of Kubernetes, with etcd and the cloud's controllers, in one program: it acts as the
// component that its name (argv[0]) says. The components share most of their code, so that one file of them
// is a fifth of the size of many, and its pages are read from the disk once.
//
// Only one component's command is made in a process: some of them register the same feature gates.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	kubectl "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"

	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"

	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

var commands = map[string]func() *cobra.Command{
	"kube-apiserver":                     apiserver.NewAPIServerCommand,
	"kube-controller-manager":            controllermanager.NewControllerManagerCommand,
	"kube-scheduler":                     func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	"kube-proxy":                         proxy.NewProxyCommand,
	"kubelet":                            func() *cobra.Command { return kubelet.NewKubeletCommand(context.Background()) },
	"openstack-cloud-controller-manager": newCloudControllerManagerCommand,
}

func main() {
	switch name := filepath.Base(os.Args[0]); name {
	case "etcd":
		etcdmain.Main(os.Args)
	case "kubectl":
		if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
			kubectlutil.CheckErr(err)
		}
	default:
		newCommand, known := commands[name]
		if !known {
			fmt.Fprintf(os.Stderr, "%s is no component: call this program as one of etcd, kubectl, %s\n", name, componentNames())
			os.Exit(2)
		}
		os.Exit(cli.Run(newCommand()))
	}
}

func componentNames() string {
	var all []string
	for name := range commands {
		all = append(all, name)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}
