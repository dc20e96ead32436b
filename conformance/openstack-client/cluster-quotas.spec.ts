/** How many clusters there may be and are, and who looks after them, with the openstack client. */
import { describe, expect, it } from '@jest/globals';
import { makeCluster } from '../support/cluster-cloud.js';
import type { OpenStackClient } from '../support/openstack-client.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, unknown>>;

let demo: OpenStackClient;
let admin: OpenStackClient;
let project: string;
/** Which quota the client is about. */
let quota: string[];

withProject(async (started) => {
  ({ demo, admin } = started);
  const { id } = await admin.json<Fields>('project', 'show', started.project);
  project = String(id);
  quota = words`--project-id ${project} --resource Cluster`;
});

/** Of a table for people, of two columns: the client has no other form of it. */
function valueIn(table: string, name: string): string | undefined {
  return new RegExp(`^\\| ${name} +\\| (.*?) +\\|$`, 'm').exec(table)?.[1];
}

describe('the openstack client and the quota of clusters', () => {
  it(
    'shows the default',
    async () => {
      const table = await demo.text(...words`coe quotas show`, ...quota);
      expect(Number(valueIn(table, 'hard_limit'))).toBeGreaterThan(1);
    },
    3 * MINUTES,
  );

  it(
    'sets one, changes and lists it',
    async () => {
      await admin.text(...words`coe quotas create --hard-limit 3`, ...quota);
      const table = await admin.text(...words`coe quotas update --hard-limit 1`, ...quota);
      expect(valueIn(table, 'hard_limit')).toBe('1');
      const list = await admin.text(...words`coe quotas list --all-tenants`);
      expect(list).toMatch(new RegExp(`\\| ${project} +\\| Cluster +\\| 1 +\\|`));
      const again = await admin.text(...words`coe quotas create`, ...quota);
      expect(again).toMatch(/failed:.*HTTP 409/);
    },
    3 * MINUTES,
  );

  it(
    'is refused one cluster too many',
    async () => {
      await makeCluster(demo, 'one');
      const template = words`--cluster-template one-template`;
      const refused = await demo.refusal(...words`coe cluster create two`, ...template);
      expect(refused).toContain('HTTP 413');
    },
    5 * MINUTES,
  );

  it(
    'is not set by members',
    async () => {
      const refused = await demo.text(...words`coe quotas update --hard-limit 9`, ...quota);
      expect(refused).toMatch(/failed:.*HTTP 403/);
    },
    3 * MINUTES,
  );

  it(
    'goes back to the default',
    async () => {
      await admin.text(...words`coe quotas delete`, ...quota);
      const table = await admin.text(...words`coe quotas show`, ...quota);
      expect(Number(valueIn(table, 'hard_limit'))).toBeGreaterThan(1);
    },
    3 * MINUTES,
  );
});

describe('the openstack client and what there is of clusters', () => {
  it(
    'counts clusters and their nodes',
    async () => {
      const table = await demo.text(...words`coe stats list ${project}`);
      expect(valueIn(table, 'clusters')).toBe('1');
      expect(valueIn(table, 'nodes')).toBe('2');
    },
    3 * MINUTES,
  );

  it(
    'lists the services, to administrators',
    async () => {
      expect(await admin.json<Fields[]>(...words`coe service list`)).toMatchObject([
        { id: 1, binary: 'magnum-conductor', state: 'up', disabled: false },
      ]);
      expect(await demo.refusal(...words`coe service list`)).toContain('HTTP 403');
    },
    3 * MINUTES,
  );
});
