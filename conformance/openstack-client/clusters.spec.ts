/** Clusters with the openstack client, from their creation to their deletion; their nodes are simulated. */
import { describe, expect, it } from '@jest/globals';
import { clusterBecomes, TEMPLATE } from '../support/cluster-cloud.js';
import { eventually } from '../support/eventually.js';
import type { OpenStackClient } from '../support/openstack-client.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, unknown>>;

let demo: OpenStackClient;

withProject(async (started) => {
  ({ demo } = started);
  await demo.text(
    ...words`coe cluster template create first --labels of=template,kept=yes`,
    ...TEMPLATE,
  );
});

const becomes = (wanted: Fields): Promise<Fields> => clusterBecomes(demo, 'one', wanted);

const rows = (): Promise<Fields[]> => demo.json<Fields[]>(...words`coe cluster list`);

/** The names of so many workers, of whose health the cluster says something. */
const workersAreOf = (cluster: string, count: number): Promise<string[]> =>
  eventually(`${count} workers`, MINUTES, async () => {
    const shown = await demo.json<Fields>(...words`coe cluster show ${cluster}`);
    const told = Object.keys(shown['health_status_reason'] ?? {});
    const names = told.map((word) => word.replace(/\.Ready$/, ''));
    const workers = names.filter((name) => name.includes('-node-'));
    return workers.length === count ? workers : undefined;
  });

describe('the openstack client and clusters', () => {
  it(
    'creates one',
    async () => {
      const accepted = await demo.text(
        ...words`coe cluster create one --cluster-template first --node-count 2`,
        ...words`--labels of=cluster --merge-labels --timeout 30`,
      );
      expect(accepted).toMatch(/Request to create cluster [0-9a-f-]{36} accepted/);
      const shown = await becomes({ status: 'CREATE_COMPLETE' });
      expect(shown).toMatchObject({
        node_count: 2,
        master_count: 1,
        create_timeout: 30,
        api_address: expect.stringMatching(/^https:\/\/[\d.]+:6443$/),
        coe_version: 'v0.0.0-simulated',
        labels: { of: 'cluster', kept: 'yes' },
        labels_overridden: { of: 'template' },
        labels_added: {},
        labels_skipped: {},
      });
      expect(shown['node_addresses']).toHaveLength(2);
      expect(shown['master_addresses']).toHaveLength(1);
    },
    5 * MINUTES,
  );

  it(
    'lists it',
    async () => {
      expect(await rows()).toMatchObject([
        { name: 'one', node_count: 2, master_count: 1, status: 'CREATE_COMPLETE' },
      ]);
    },
    3 * MINUTES,
  );

  it(
    'gives it more workers, and fewer',
    async () => {
      await demo.text(...words`coe cluster update one --node-count 3`);
      const more = await becomes({ status: 'UPDATE_COMPLETE', node_count: 3 });
      expect(more['node_addresses']).toHaveLength(3);
      await demo.text(...words`coe cluster resize one 1`);
      const fewer = await becomes({ status: 'UPDATE_COMPLETE', node_count: 1 });
      expect(fewer['node_addresses']).toHaveLength(1);
    },
    5 * MINUTES,
  );

  it(
    'removes the worker that is named',
    async () => {
      await demo.text(...words`coe cluster resize one 2`);
      await becomes({ status: 'UPDATE_COMPLETE', node_count: 2 });
      const [named = '', other = ''] = await workersAreOf('one', 2);
      await demo.text(...words`coe cluster resize one 1 --nodes-to-remove ${named}`);
      await becomes({ status: 'UPDATE_COMPLETE', node_count: 1 });
      expect(await workersAreOf('one', 1)).toEqual([other]);
    },
    5 * MINUTES,
  );

  it(
    'brings it to another template',
    async () => {
      await demo.text(...words`coe cluster template create second`, ...TEMPLATE);
      const { uuid } = await demo.json<Fields>(...words`coe cluster template show second`);
      await demo.text(...words`coe cluster upgrade one second --max-batch-size 1`);
      await becomes({ status: 'UPDATE_COMPLETE', cluster_template_id: uuid });
    },
    5 * MINUTES,
  );

  it(
    'refuses what cannot be',
    async () => {
      const inUse = await demo.text(...words`coe cluster template delete second`);
      expect(inUse).toMatch(/failed:.*HTTP 400/);
      const create = (...options: string[]): Promise<string> =>
        demo.refusal(...words`coe cluster create two --cluster-template first`, ...options);
      expect(await create(...words`--master-count 2`)).toContain('HTTP 400');
      expect(await create(...words`--keypair none`)).toContain('HTTP 404');
      expect(await create(...words`--flavor none`)).toContain('HTTP 400');
      expect(await demo.refusal(...words`coe cluster update one --name two`)).toContain('HTTP 400');
      expect(await demo.refusal(...words`coe cluster show two`)).toContain('HTTP 404');
    },
    3 * MINUTES,
  );

  it(
    'deletes it',
    async () => {
      await demo.text(...words`coe cluster delete one`);
      await eventually('no cluster', 3 * MINUTES, async () =>
        (await rows()).length === 0 ? true : undefined,
      );
    },
    5 * MINUTES,
  );
});
