/** What a node is to Kubernetes. */
export type NodeRole = 'master' | 'worker';
