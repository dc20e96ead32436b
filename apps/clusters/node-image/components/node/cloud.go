package main

import (
	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/wait"
	cloudprovider "k8s.io/cloud-provider"
	"k8s.io/cloud-provider-openstack/pkg/openstack"
	"k8s.io/cloud-provider/app"
	"k8s.io/cloud-provider/app/config"
	"k8s.io/cloud-provider/names"
	"k8s.io/cloud-provider/options"
	cliflag "k8s.io/component-base/cli/flag"
	"k8s.io/klog/v2"
)

// The stock controllers of the OpenStack cloud: addresses and zones of nodes, load balancers of services.
func newCloudControllerManagerCommand() *cobra.Command {
	settings, err := options.NewCloudControllerManagerOptions()
	if err != nil {
		klog.Fatalf("The options of the cloud's controllers: %v", err)
	}
	flags := cliflag.NamedFlagSets{}
	openstack.AddExtraFlags(flags.FlagSet("OpenStack Client"))
	return app.NewCloudControllerManagerCommand(
		settings, connectCloud, app.DefaultInitFuncConstructors, names.CCMControllerAliases(), flags, wait.NeverStop)
}

func connectCloud(completed *config.CompletedConfig) cloudprovider.Interface {
	wanted := completed.ComponentConfig.KubeCloudShared.CloudProvider
	cloud, err := cloudprovider.InitCloudProvider(wanted.Name, wanted.CloudConfigFile)
	if err != nil {
		klog.Fatalf("The cloud cannot be used: %v", err)
	}
	if cloud == nil {
		klog.Fatalf("There is no cloud provider of the name %q", wanted.Name)
	}
	return cloud
}
