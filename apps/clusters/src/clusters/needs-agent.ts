/** What only nodes with the platform's own agent can do. Pure. */
import { bootstrapOf } from '../cluster-templates/template-rules.js';
import type { Cluster } from './cluster.entity.js';
import { MovingMasterError, NoAgentError } from './cluster.errors.js';

/**
 * Nodes of k3s and kubeadm are told nothing after their first boot: neither to leave etcd nor to fetch
 * other certificates.
 * @param doing completes "… is not supported"
 * @throws NoAgentError
 */
export function needsAgent({ id, labels }: Pick<Cluster, 'id' | 'labels'>, doing: string): void {
  const bootstrap = bootstrapOf(labels);
  if (bootstrap !== 'cumulet') throw new NoAgentError(id, bootstrap, doing);
}

/** Another master has another address, which all nodes would have to be told. @throws MovingMasterError, NoAgentError */
export function mayReplaceMasters(
  cluster: Pick<Cluster, 'id' | 'labels' | 'masterLbEnabled'>,
): void {
  needsAgent(cluster, 'Replacing masters');
  if (!cluster.masterLbEnabled) throw new MovingMasterError(cluster.id);
}
