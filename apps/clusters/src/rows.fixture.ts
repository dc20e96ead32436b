/** Complete and deterministic rows for unit tests. */
import type { Cluster } from './clusters/cluster.entity.js';
import type { NodeGroup } from './node-groups/node-group.resource.js';
import type { Node } from './nodes/node.entity.js';
import { cloudConfig } from './languages/cloud-config.js';

const BORN = new Date('2026-01-02T03:04:05Z');

/** @param number distinguishes its ID, name and age */
export function aNode(number: number, values: object = {}): Node {
  const node: Omit<Node, 'id' | 'clusterId' | 'nodeGroupId'> = {
    name: `web-node-${number}`,
    role: 'worker',
    fate: 'wanted',
    flavorId: 'm1.small',
    imageRef: 'image-1',
    availabilityZone: null,
    userData: cloudConfig({ publicKeys: [], files: [], commands: [] }),
    tokenExpiresAt: BORN,
    usedBy: null,
    serverId: null,
    address: null,
    publicAddress: null,
    status: 'READY',
    phase: 'ready',
    message: null,
    version: null,
    pkiGeneration: null,
    hasEtcd: false,
    isFounder: false,
    isDrained: null,
    drainUntil: null,
    addons: {},
    heardAt: BORN,
    lostSince: null,
    createdAt: new Date(BORN.getTime() + number * 1_000),
  };
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  return Object.assign({ id, clusterId: 'cluster', nodeGroupId: 'workers' }, node, values) as Node;
}

export function aMaster(number: number, values: object = {}): Node {
  const name = `web-master-${number}`;
  return aNode(number, { name, role: 'master', nodeGroupId: 'masters', hasEtcd: true, ...values });
}

export function aGroup(values: object = {}): NodeGroup {
  return {
    id: 'workers',
    name: 'default-worker',
    role: 'worker',
    isDefault: true,
    isLeaving: false,
    nodeCount: 1,
    minNodeCount: 0,
    maxNodeCount: null,
    flavorId: 'm1.small',
    imageId: 'node-1.35',
    imageRef: 'image-1',
    version: 'v1.35.4',
    labels: {},
    ...values,
  } as NodeGroup;
}

export function masters(values: object = {}): NodeGroup {
  return aGroup({ id: 'masters', name: 'default-master', role: 'master', ...values });
}

export function aCluster(values: object = {}): Cluster {
  return {
    id: '11111111-1111-4111-8111-111111111111',
    name: 'web',
    publicKey: null,
    labels: {},
    floatingIpEnabled: true,
    masterLbEnabled: true,
    blueprint: {
      externalNetworkId: 'public-id',
      networkId: null,
      subnetId: null,
      dnsNameservers: ['192.0.2.53'],
      proxy: { http: null, https: null, no: null },
      insecureRegistries: [],
      apiPort: 6_443,
    },
    ...values,
  } as unknown as Cluster;
}
