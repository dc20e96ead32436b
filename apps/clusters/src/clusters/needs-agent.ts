/** Operations that need the platform's agent on nodes. Pure. */
import { bootstrapOf } from '../cluster-templates/template-rules.js';
import type { Cluster } from './cluster.entity.js';
import { MovingMasterError, NoAgentError } from './cluster.errors.js';

/**
 * Nodes with k3s or kubeadm get no instructions after their first boot, such as to leave etcd or to
 * fetch certificates.
 * @param doing completes "… is not supported"
 * @throws NoAgentError
 */
export function needsAgent({ id, labels }: Pick<Cluster, 'id' | 'labels'>, doing: string): void {
  const bootstrap = bootstrapOf(labels);
  if (bootstrap !== 'cumulet') throw new NoAgentError(id, bootstrap, doing);
}

/**
 * Without a load balancer a new master has a new address, which all nodes would have to learn.
 * @throws MovingMasterError, NoAgentError
 */
export function mayReplaceMasters(
  cluster: Pick<Cluster, 'id' | 'labels' | 'masterLbEnabled'>,
): void {
  needsAgent(cluster, 'Replacing masters');
  if (!cluster.masterLbEnabled) throw new MovingMasterError(cluster.id);
}
