import { randomBytes, randomUUID } from 'node:crypto';
import { asId } from '@cumulet/common/context/ids';
import type { Cluster } from '../clusters/cluster.entity.js';
import type { NodeGroup } from '../node-groups/node-group.resource.js';
import type { Node, NodeId } from '../nodes/node.entity.js';
import { renderUserData } from '../user-data/render-user-data.js';

export interface NewNodeOptions {
  /** The certificate of the cluster's authority. */
  readonly caPem: string;
  /** The service's URL for nodes. */
  readonly guestUrl: string;
  readonly tokenMinutes: number;
}

export function newNode(
  cluster: Cluster,
  group: NodeGroup,
  { caPem, guestUrl, tokenMinutes }: NewNodeOptions,
): Partial<Node> {
  const id = asId<NodeId>(randomUUID());
  const role = group.role === 'master' ? 'master' : 'worker';
  const name = nodeName(cluster, group);
  return {
    id,
    clusterId: cluster.id,
    nodeGroupId: group.id,
    name,
    role,
    flavorId: group.flavorId,
    imageRef: group.imageRef,
    availabilityZone: group.labels['availability_zone'] ?? null,
    userData: renderUserData({
      cluster,
      group,
      id,
      name,
      role,
      caPem,
      guestUrl,
    }),
    tokenExpiresAt: new Date(Date.now() + tokenMinutes * 60_000),
  };
}

const MAX_LABEL = 63;
const SUFFIX_BYTES = 3;

/** A unique DNS label from the names of cluster and group. */
function nodeName({ name: cluster }: Cluster, { name: group, role }: NodeGroup): string {
  const suffix = randomBytes(SUFFIX_BYTES).toString('hex');
  const part = group.startsWith('default-') ? (role === 'master' ? 'master' : 'node') : group;
  const stem = `${cluster}-${part}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LABEL - suffix.length - 1)
    .replaceAll(/^-+|-+$/g, '');
  return `${stem}-${suffix}`;
}
