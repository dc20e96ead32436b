/** Groups of a cluster's nodes with the openstack client; the nodes are simulated. */
import { describe, expect, it } from '@jest/globals';
import { clusterBecomes, makeCluster } from '../support/cluster-cloud.js';
import { eventually } from '../support/eventually.js';
import type { OpenStackClient } from '../support/openstack-client.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, unknown>>;

let demo: OpenStackClient;

withProject(async (started) => {
  ({ demo } = started);
  await makeCluster(demo, 'one');
});

const shown = (name: string): Promise<Fields> =>
  demo.json<Fields>(...words`coe nodegroup show one ${name}`);

const names = async (...options: string[]): Promise<unknown[]> => {
  const rows = await demo.json<Fields[]>(...words`coe nodegroup list one`, ...options);
  return rows.map(({ name }) => name);
};

const updated = (nodes: number): Promise<Fields> =>
  clusterBecomes(demo, 'one', { status: 'UPDATE_COMPLETE', node_count: nodes });

describe('the openstack client and groups of nodes', () => {
  it(
    'shows those that a cluster begins with',
    async () => {
      expect(await names()).toEqual(['default-master', 'default-worker']);
      expect(await names(...words`--role master`)).toEqual(['default-master']);
      expect(await shown('default-worker')).toMatchObject({
        is_default: true,
        role: 'worker',
        node_count: 1,
        min_node_count: 0,
        max_node_count: null,
        status: 'CREATE_COMPLETE',
      });
    },
    3 * MINUTES,
  );

  it(
    'creates one',
    async () => {
      const said = await demo.text(
        ...words`coe nodegroup create one extra --node-count 2 --min-nodes 1 --max-nodes 3`,
        ...words`--flavor m1.nano --labels own=yes --merge-labels`,
        ...words`--node-labels tier=web --node-taints dedicated=web:NoSchedule`,
      );
      expect(said).toMatch(/Request to create nodegroup [0-9a-f-]{36} accepted/);
      await updated(3);
      const extra = await shown('extra');
      expect(extra).toMatchObject({
        status: 'CREATE_COMPLETE',
        is_default: false,
        flavor_id: 'm1.nano',
        node_count: 2,
        labels_added: { own: 'yes' },
        node_labels: { tier: 'web' },
        node_taints: [{ key: 'dedicated', value: 'web', effect: 'NoSchedule' }],
      });
      expect(extra['node_addresses']).toHaveLength(2);
    },
    5 * MINUTES,
  );

  it(
    'changes its limits, labels and taints',
    async () => {
      await demo.text(
        ...words`coe nodegroup update one extra --min-nodes 0 --max-nodes 4`,
        ...words`--node-labels tier=db --node-taints`,
        '',
      );
      await updated(3);
      expect(await shown('extra')).toMatchObject({
        min_node_count: 0,
        max_node_count: 4,
        node_labels: { tier: 'db' },
        node_taints: [],
      });
    },
    5 * MINUTES,
  );

  it(
    'resizes it, within its limits',
    async () => {
      await demo.text(...words`coe cluster resize one 4 --nodegroup extra`);
      await updated(5);
      const refused = await demo.refusal(...words`coe cluster resize one 5 --nodegroup extra`);
      expect(refused).toContain('HTTP 400');
      await demo.text(...words`coe cluster resize one 0 --nodegroup extra`);
      await updated(1);
    },
    5 * MINUTES,
  );

  it(
    'refuses what cannot be',
    async () => {
      const create = (...options: string[]): Promise<string> =>
        demo.refusal(...words`coe nodegroup create one`, ...options);
      expect(await create('extra')).toContain('HTTP 409');
      expect(await create(...words`other --role master`)).toContain('HTTP 400');
      expect(await create(...words`other --min-nodes 2 --max-nodes 1`)).toContain('HTTP 409');
      const labels = words`--node-labels node-role.kubernetes.io/master=yes`;
      expect(await create('other', ...labels)).toContain('HTTP 409');
      expect(await demo.refusal(...words`coe nodegroup delete one default-worker`)).toContain(
        'HTTP 400',
      );
    },
    3 * MINUTES,
  );

  it(
    'deletes it',
    async () => {
      await demo.text(...words`coe nodegroup delete one extra`);
      await eventually('no such group', 3 * MINUTES, async () =>
        (await names()).includes('extra') ? undefined : true,
      );
      await updated(1);
    },
    5 * MINUTES,
  );
});
