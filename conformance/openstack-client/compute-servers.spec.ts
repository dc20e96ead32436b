/** What the openstack client says to compute about servers: names, properties, tags, lists. */
import { describe, expect, it } from '@jest/globals';
import type { OpenStackClient } from '../support/openstack-client.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

let demo: OpenStackClient;

type Row = Readonly<Record<string, unknown>>;

withProject(async (started) => {
  ({ demo } = started);
  for (const name of ['web-1', 'web-2', 'db'])
    await demo.text(...words`server create --image micro --flavor m1.nano --nic none --wait`, name);
});

const names = async (...command: string[]): Promise<unknown[]> =>
  (await demo.json<Row[]>(...command)).map(({ Name }) => Name).sort();

describe('the openstack client and servers', () => {
  it(
    'sets and unsets what an owner says of one',
    async () => {
      await demo.text(
        ...words`--os-compute-api-version 2.90 server set --name front --hostname front-1`,
        ...words`--property role=web --property stage=test --description mine --tag blue web-1`,
      );
      expect(
        await demo.json<Row>(...words`--os-compute-api-version 2.90 server show front`),
      ).toMatchObject({
        name: 'front',
        description: 'mine',
        tags: ['blue'],
        properties: { role: 'web', stage: 'test' },
        'OS-EXT-SRV-ATTR:hostname': 'front-1',
      });
      await demo.text(
        ...words`--os-compute-api-version 2.90 server unset --property stage --description`,
        ...words`--tag blue front`,
      );
      expect(
        await demo.json<Row>(...words`--os-compute-api-version 2.90 server show front`),
      ).toMatchObject({ description: '', tags: [], properties: { role: 'web' } });
      await demo.text(...words`server set --name web-1 front`);
    },
    10 * MINUTES,
  );

  it(
    'lists them by name, status, flavor, image and tags',
    async () => {
      await demo.text(...words`--os-compute-api-version 2.26 server set --tag red db`);
      expect(await names(...words`server list`)).toEqual(['db', 'web-1', 'web-2']);
      expect(await names(...words`server list --name ^web`)).toEqual(['web-1', 'web-2']);
      expect(await names(...words`server list --status ACTIVE --name db`)).toEqual(['db']);
      expect(await names(...words`server list --status SHUTOFF`)).toEqual([]);
      expect(await names(...words`server list --flavor m1.nano --image micro`)).toHaveLength(3);
      expect(await names(...words`server list --flavor m1.tiny`)).toEqual([]);
      const tagged = words`--os-compute-api-version 2.26 server list`;
      expect(await names(...tagged, '--tags', 'red')).toEqual(['db']);
      expect(await names(...tagged, '--not-tags', 'red')).toEqual(['web-1', 'web-2']);
    },
    10 * MINUTES,
  );

  it(
    'shows the extensions of before microversions',
    async () => {
      const extensions = await demo.json<Row[]>(...words`extension list --compute`);
      expect(extensions.map(({ Alias }) => Alias)).toContain('os-server-groups');
      // This one asks the network service alone.
      expect(await demo.json<Row>(...words`extension show router`)).toMatchObject({
        alias: 'router',
      });
    },
    10 * MINUTES,
  );

  it(
    'shows the versions of the API',
    async () => {
      const versions = await demo.json<Row[]>(...words`versions show --service compute`);
      expect(versions.map(({ Version }) => Version)).toEqual(['2.0', '2.1']);
      expect(versions[1]).toMatchObject({ Status: 'CURRENT', 'Min Microversion': '2.1' });
    },
    10 * MINUTES,
  );
});
