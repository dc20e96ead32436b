/** The hosts of the data plane and their availability zones, with the openstack client, against the standalone cloud. */
import { describe, expect, it } from '@jest/globals';
import { withCloud } from '../support/cloud-with-users.js';
import { eventually } from '../support/eventually.js';
import type { OpenStackClient } from '../support/openstack-client.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, unknown>>;

let admin: OpenStackClient;
let demo: OpenStackClient;

withCloud({ COMPUTE_HYPERVISOR: 'simulated' }, (started) => {
  ({ admin, demo } = started);
});

describe('the openstack client and the hosts of networks', () => {
  it(
    'lists, shows, describes and deletes their agents',
    async () => {
      const agent = await eventually('the host is known', 3 * MINUTES, async () => {
        return (await admin.json<Fields[]>(...words`network agent list`))[0];
      });
      expect(agent).toMatchObject({ Alive: true, State: true, 'Availability Zone': 'nova' });
      const id = String(agent['ID']);
      await admin.text(...words`network agent set --description first ${id}`);
      expect(await admin.json<Fields>(...words`network agent show ${id}`)).toMatchObject({
        id,
        description: 'first',
        alive: true,
        host: agent['Host'],
      });
      const disabled = await admin.run(...words`network agent set --disable ${id}`);
      expect(disabled.stderr).toContain('OVN agent status cannot be updated');
      await admin.text(...words`network agent delete ${id}`);
      const left = await admin.json<Fields[]>(...words`network agent list`);
      expect(left.map((one) => one['ID'])).not.toContain(id);
      expect(await demo.json<Fields[]>(...words`network agent list`)).toEqual([]);
    },
    10 * MINUTES,
  );

  it(
    'lists their availability zones, and asks for some',
    async () => {
      // The agent that was deleted lives, and is back at the next look.
      const zones = () => demo.json<Fields[]>(...words`availability zone list --network`);
      for (let end = Date.now() + 2 * MINUTES; Date.now() < end && (await zones()).length === 0;);
      expect(await zones()).toEqual([
        { 'Zone Name': 'nova', 'Zone Status': 'available' },
        { 'Zone Name': 'nova', 'Zone Status': 'available' },
      ]);
      const hint = words`--availability-zone-hint nova`;
      const network = await demo.json<Fields>(...words`network create zoned`, ...hint);
      expect(network).toMatchObject({ availability_zone_hints: ['nova'] });
      const router = await demo.json<Fields>(...words`router create zoned`, ...hint);
      expect(router).toMatchObject({ availability_zones: ['nova'] });
      const unknown = await demo.run(
        ...words`network create lost --availability-zone-hint nowhere`,
      );
      expect(unknown.stderr).toContain('AvailabilityZone nowhere could not be found');
    },
    10 * MINUTES,
  );
});
