import { describe, expect, it } from '@jest/globals';
import { expectGolden } from '../golden.fixture.js';
import type { Cluster } from '../clusters/cluster.entity.js';
import type { Node } from '../nodes/node.entity.js';
import { aCluster, aMaster, aNode } from '../rows.fixture.js';
import { stackSpecOf } from './stack-template.js';

const { blueprint } = aCluster();
const tokenOf = (id: string): string => `token-of-${id.slice(-2)}`;

const CASES: Readonly<Record<string, [Cluster, Node[]]>> = {
  'own-network-with-balancer': [
    aCluster({ blueprint: { ...blueprint, apiPort: 8_443 } }),
    [aMaster(1), aNode(2, { userData: 'CUMULET_NODE_TOKEN=$node_token\n' })],
  ],
  'given-network-without-balancer': [
    aCluster({
      masterLbEnabled: false,
      floatingIpEnabled: false,
      labels: { nodes_affinity_policy: 'anti-affinity' },
      blueprint: { ...blueprint, networkId: 'network-id', subnetId: 'subnet-id' },
    }),
    [aMaster(1), aNode(2, { availabilityZone: 'az1' })],
  ],
  'three-masters-and-two-groups': [
    aCluster({
      labels: {
        octavia_provider: 'ovn',
        octavia_lb_algorithm: 'SOURCE_IP',
        octavia_lb_healthcheck: 'false',
        master_lb_allowed_cidrs: '192.0.2.0/24, 198.51.100.0/24',
        master_lb_floating_ip_enabled: 'false',
        flannel_network_cidr: '10.42.0.0/16',
        fixed_subnet_cidr: '10.20.0.0/24',
      },
    }),
    [
      aMaster(1),
      aMaster(2),
      aMaster(3),
      aNode(4),
      aNode(5, { nodeGroupId: 'gpu', name: 'web-gpu-5', flavorId: 'g1.large' }),
    ],
  ],
};

it.each(Object.entries(CASES))(
  'the cluster "%s" renders as its golden file',
  async (name, [cluster, nodes]) => {
    const { template, parameters } = stackSpecOf(cluster, nodes, tokenOf);
    const text = `${JSON.stringify({ template, parameters }, null, 2)}\n`;
    await expectGolden(new URL(`./golden/${name}.hot`, import.meta.url), text);
  },
);

describe('the digest', () => {
  const of = (cluster: Cluster, nodes: Node[]): string =>
    stackSpecOf(cluster, nodes, tokenOf).digest;
  const plain = of(aCluster(), [aMaster(1), aNode(2)]);

  it('is unchanged by what does not affect the stack', () => {
    const nodes = [aMaster(1, { status: 'FAILED', address: '10.0.0.5' }), aNode(2)];
    expect(of(aCluster({ stateReason: 'x' }), nodes)).toBe(plain);
  });

  it.each<[string, Node[]]>([
    ['another node', [aMaster(1), aNode(3)]],
    ['no worker', [aMaster(1)]],
    ['other user data', [aMaster(1), aNode(2, { userData: 'x' })]],
  ])('is another with %s', (_, nodes) => {
    expect(of(aCluster(), nodes)).not.toBe(plain);
  });
});

it("a node's resources stay the same when others come and go", () => {
  const part = (nodes: Node[]): unknown[] =>
    Object.entries(stackSpecOf(aCluster(), nodes, tokenOf).template.resources).filter(([name]) =>
      name.startsWith('node_00000000000040008000000000000002'),
    );
  expect(part([aMaster(1), aNode(2)])).toEqual(part([aMaster(1), aMaster(3), aNode(2), aNode(4)]));
});
