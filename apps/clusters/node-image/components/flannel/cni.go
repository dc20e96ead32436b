package main

import (
	"encoding/json"
	"os"
	"path/filepath"
)

type object = map[string]any

// The addresses that are in use are forgotten with /run at a boot, as are the pods that had them.
const addressesInUse = "/run/cni/addresses"

// Says to the container runtime how a pod is connected: a pair of devices and an address of the node's range.
func writeCNI(path string, podRange string, mtu int) error {
	text, err := json.MarshalIndent(object{
		"cniVersion": "1.0.0",
		"name":       "cumulet",
		"plugins": []object{
			{
				"type": "ptp", "mtu": mtu, "ipMasq": false,
				"ipam": object{
					"type":    "host-local",
					"dataDir": addressesInUse,
					"ranges":  [][]object{{{"subnet": podRange}}},
					"routes":  []object{{"dst": "0.0.0.0/0"}},
				},
			},
			{"type": "portmap", "capabilities": object{"portMappings": true}},
		},
	}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	// The runtime watches the folder, and must not see half of a file.
	if err := os.WriteFile(path+".new", append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
