/**
 * What administrators lay out for all projects of a cloud, with the openstack client, on OVN: hosts and their
 * availability zones, physical networks, and what projects get by default.
 */
import { describe, expect, it } from '@jest/globals';
import { withCloud } from '../support/cloud-with-users.js';
import { eventually } from '../support/eventually.js';
import type { OpenStackClient } from '../support/openstack-client.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, unknown>>;

let admin: OpenStackClient;
let demo: OpenStackClient;

withCloud(
  { COMPUTE_HYPERVISOR: 'simulated', NETWORK_PHYSICAL_NETWORKS: 'public,other' },
  (started) => {
    ({ admin, demo } = started);
  },
);

const show = (kind: string, name: string, client = demo): Promise<Fields> =>
  client.json<Fields>(...kind.split(' '), 'show', name);

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
      const zones = await eventually('the agent is back', 2 * MINUTES, async () => {
        const listed = await demo.json<Fields[]>(...words`availability zone list --network`);
        return listed.length === 0 ? undefined : listed;
      });
      expect(zones).toEqual([
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

describe('the openstack client and networks of everybody', () => {
  it(
    'has an administrator build them on a physical network',
    async () => {
      await admin.text(
        ...words`network create --external --share --provider-network-type flat --provider-physical-network other outside`,
      );
      expect(await show('network', 'outside', admin)).toMatchObject({
        'provider:network_type': 'flat',
        'router:external': true,
        shared: true,
      });
      const outside = await demo.json<Fields[]>(...words`network list --external --name outside`);
      expect(outside).toMatchObject([{ Name: 'outside' }]);
      const refused = await demo.run('network', 'delete', 'outside');
      expect(refused.stderr).toContain('disallowed by policy');
    },
    10 * MINUTES,
  );
});

describe('the openstack client and what projects get by default', () => {
  it(
    'takes subnets from the default of each version',
    async () => {
      await admin.text(
        ...words`subnet pool create --pool-prefix 2001:db8::/48 --default --share standard`,
      );
      await demo.text(...words`network create six`);
      await demo.text(
        ...words`subnet create --network six --use-default-subnet-pool --ip-version 6 v6`,
      );
      expect(await show('subnet', 'v6')).toMatchObject({ cidr: '2001:db8::/64', ip_version: 6 });
      await demo.text(...words`network delete six`);
      await admin.text(...words`subnet pool delete standard`);
    },
    10 * MINUTES,
  );

  it(
    'gets one with all that belongs to it, where any will do',
    async () => {
      await demo.text(...words`network auto allocated topology create --check-resources`);
      const { id } = await demo.json<Fields>(...words`network auto allocated topology create`);
      expect(await show('network', String(id))).toMatchObject({ name: 'auto_allocated_network' });
      expect(await show('router', 'auto_allocated_router')).toMatchObject({ status: 'ACTIVE' });
      await demo.text(...words`network auto allocated topology delete`);
      const found = words`router list --name auto_allocated_router`;
      expect(await demo.json<Fields[]>(...found)).toEqual([]);
    },
    10 * MINUTES,
  );
});

describe('the openstack client and default security group rules', () => {
  it(
    'creates them, for new groups to begin with',
    async () => {
      const seeded = await demo.json<Fields[]>(...words`default security group rule list`);
      expect(seeded).toHaveLength(4);
      const rule = await admin.json<Fields>(
        ...words`default security group rule create --protocol tcp --dst-port 22 --for-custom-sg`,
      );
      expect(rule).toMatchObject({ used_in_default_sg: false, used_in_non_default_sg: true });
      await demo.text(...words`security group create with-ssh`);
      const rules = await demo.json<Fields[]>(...words`security group rule list with-ssh`);
      expect(rules).toContainEqual(expect.objectContaining({ 'Port Range': '22:22' }));
      const refused = await demo.run(
        ...words`default security group rule delete ${String(rule['id'])}`,
      );
      expect(refused.stderr).toMatch(/403|disallowed by policy/);
      await admin.text(...words`default security group rule delete ${String(rule['id'])}`);
      await demo.text(...words`security group delete with-ssh`);
    },
    10 * MINUTES,
  );
});
