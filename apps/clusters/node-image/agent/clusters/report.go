package clusters

type Phase string

const (
	PhaseBoot         Phase = "boot"
	PhaseCertificates Phase = "certificates"
	PhaseImages       Phase = "images"
	PhaseEtcd         Phase = "etcd"
	PhaseAPI          Phase = "api"
	PhaseAddons       Phase = "addons"
	PhaseKubelet      Phase = "kubelet"
	PhaseReady        Phase = "ready"
)

type Status string

const (
	InProgress Status = "IN_PROGRESS"
	Ready      Status = "READY"
	Failed     Status = "FAILED"
)

// Report is the status of a node, sent when it changes and at intervals.
type Report struct {
	Phase       Phase                  `json:"phase"`
	Status      Status                 `json:"status"`
	Message     string                 `json:"message"`
	Version     string                 `json:"version,omitempty"`
	Generation  int                    `json:"generation,omitempty"`
	Etcd        *bool                  `json:"etcd,omitempty"`
	EtcdRemoved []string               `json:"etcd_removed,omitempty"`
	Addons      map[string]AddonHealth `json:"addons,omitempty"`
	// Whether a worker's pods have moved to other nodes.
	Drained *bool `json:"drained,omitempty"`
}

type AddonHealth struct {
	Ready   bool   `json:"ready"`
	Message string `json:"message"`
}

// Orders are the answer to a report.
type Orders struct {
	Generation int      `json:"generation"`
	Interval   int      `json:"interval"`
	EtcdRemove []string `json:"etcd_remove"`
	// Whether the node is being removed and should drain.
	Drain bool `json:"drain"`
}
