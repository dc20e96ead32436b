import type { Cluster } from '../clusters/cluster.entity.js';
import type { NodeGroup } from '../node-groups/node-group.resource.js';
import type { NodeId } from '../nodes/node.entity.js';
import type { NodeRole } from '../clusters/cluster.resource.js';

export interface UserDataInput {
  readonly cluster: Pick<
    Cluster,
    'id' | 'labels' | 'publicKey' | 'floatingIpEnabled' | 'blueprint'
  >;
  readonly group: Pick<NodeGroup, 'labels' | 'version'>;
  readonly id: NodeId;
  readonly name: string;
  readonly role: NodeRole;
  readonly caPem: string;
  readonly guestUrl: string;
}
