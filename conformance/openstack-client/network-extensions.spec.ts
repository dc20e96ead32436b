/**
 * Address scopes, subnet pools, address groups and QoS policies with the openstack client, against the
 * standalone cloud.
 */
import { describe, expect, it } from '@jest/globals';
import type { OpenStackClient } from '../support/openstack-client.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, unknown>>;

let admin: OpenStackClient;
let demo: OpenStackClient;

withProject((own) => {
  ({ admin, demo } = own);
});

const show = (kind: string, name: string, client = demo): Promise<Fields> =>
  client.json<Fields>(...kind.split(' '), 'show', name);

describe('the openstack client and address scopes', () => {
  it(
    'creates, shares, lists and deletes them',
    async () => {
      await demo.text(...words`address scope create --ip-version 6 inside`);
      expect(await show('address scope', 'inside')).toMatchObject({ ip_version: 6, shared: false });
      await demo.text(...words`address scope set --name within inside`);
      await admin.text(...words`address scope create --share everywhere`);
      const shared = await demo.json<Fields[]>(...words`address scope list --share`);
      expect(shared).toMatchObject([{ Name: 'everywhere', 'IP Version': 4, Shared: true }]);
      const refused = await demo.run(...words`address scope create --share ours`);
      expect(refused.stderr).toContain('disallowed by policy');
      await demo.text(...words`address scope delete within`);
      await admin.text(...words`address scope delete everywhere`);
    },
    10 * MINUTES,
  );
});

describe('the openstack client and subnet pools', () => {
  it(
    'creates, changes and deletes them, with subnets of theirs',
    async () => {
      await demo.text(...words`address scope create scope`);
      await demo.text(
        ...words`subnet pool create --pool-prefix 10.20.0.0/16 --default-prefix-length 26 --address-scope scope --tag red pool`,
      );
      await demo.text(
        ...words`subnet pool set --pool-prefix 10.21.0.0/16 --max-prefix-length 28 --default-quota 512 pool`,
      );
      expect(await show('subnet pool', 'pool')).toMatchObject({
        prefixes: ['10.20.0.0/15'],
        default_prefixlen: 26,
        max_prefixlen: 28,
        default_quota: 512,
        tags: ['red'],
      });
      await demo.text(...words`network create net`);
      await demo.text(...words`subnet create --network net --subnet-pool pool any`);
      await demo.text(
        ...words`subnet create --network net --subnet-pool pool --prefix-length 28 small`,
      );
      await demo.text(
        ...words`subnet create --network net --subnet-pool pool --subnet-range 10.21.7.0/24 chosen`,
      );
      const subnets = await demo.json<Fields[]>(...words`subnet list --subnet-pool pool`);
      expect(subnets.map((one) => one['Subnet']).sort()).toEqual([
        '10.20.0.0/26',
        '10.20.0.64/28',
        '10.21.7.0/24',
      ]);
      const full = await demo.run(
        ...words`subnet create --network net --subnet-pool pool --prefix-length 24 more`,
      );
      expect(full.stderr).toContain('Per-project subnet pool prefix quota exceeded');
      const inUse = await demo.run(...words`subnet pool delete pool`);
      expect(inUse.stderr).toContain('Subnet pool has existing allocations');
      await demo.text(...words`network delete net`);
      await demo.text(...words`subnet pool delete pool`);
    },
    10 * MINUTES,
  );
});

describe('the openstack client and address groups', () => {
  it(
    'creates and changes them, for rules to name',
    async () => {
      await demo.text(...words`address group create --address 10.30.0.0/16 offices`);
      await demo.text(...words`address group set --address 10.31.0.1 --description all offices`);
      await demo.text(...words`address group unset --address 10.30.0.0/16 offices`);
      expect(await show('address group', 'offices')).toMatchObject({
        addresses: ['10.31.0.1/32'],
        description: 'all',
      });
      await demo.text(...words`security group create from-offices`);
      const rule = await demo.json<Fields>(
        ...words`security group rule create --remote-address-group offices --protocol tcp from-offices`,
      );
      expect(rule['remote_address_group_id']).toBe((await show('address group', 'offices'))['id']);
      const inUse = await demo.run(...words`address group delete offices`);
      expect(inUse.stderr).toContain('is in use on one or more security group rules');
      await demo.text(...words`security group delete from-offices`);
      await demo.text(...words`address group delete offices`);
    },
    10 * MINUTES,
  );
});

describe('the openstack client and QoS policies', () => {
  it(
    'creates them with rules, for networks and ports to have',
    async () => {
      await admin.text(...words`network qos policy create --share --description slow limited`);
      await admin.text(
        ...words`network qos rule create --type bandwidth-limit --max-kbps 1000 --max-burst-kbits 100 --ingress limited`,
      );
      const rule = await admin.json<Fields>(
        ...words`network qos rule create --type dscp-marking --dscp-mark 26 limited`,
      );
      const id = String(rule['id']);
      await admin.text(...words`network qos rule set --dscp-mark 46 limited ${id}`);
      expect(await admin.json<Fields>(...words`network qos rule show limited ${id}`)).toMatchObject(
        { dscp_mark: 46 },
      );
      const rules = await admin.json<Fields[]>(...words`network qos rule list limited`);
      expect(rules.map((one) => one['Type']).sort()).toEqual(['bandwidth_limit', 'dscp_marking']);
      const types = await demo.json<Fields[]>(...words`network qos rule type list`);
      expect(types.map((one) => one['Type'])).toEqual(['bandwidth_limit', 'dscp_marking']);
      await demo.text(...words`network create --qos-policy limited slow-net`);
      await demo.text(...words`port create --network slow-net --qos-policy limited slow-port`);
      const policy = await show('network qos policy', 'limited');
      expect(await show('port', 'slow-port')).toMatchObject({
        qos_policy_id: policy['id'],
        qos_network_policy_id: policy['id'],
      });
      const inUse = await admin.run(...words`network qos policy delete limited`);
      expect(inUse.stderr).toContain('is used by');
      await demo.text(...words`port unset --qos-policy slow-port`);
      expect(await show('port', 'slow-port')).toMatchObject({ qos_policy_id: null });
      await demo.text(...words`port delete slow-port`);
      await demo.text(...words`network delete slow-net`);
      await admin.text(...words`network qos rule delete limited ${id}`);
      await admin.text(...words`network qos policy delete limited`);
    },
    10 * MINUTES,
  );
});

describe('the openstack client and service providers', () => {
  it(
    'lists what carries out routers',
    async () => {
      const listed = await demo.json<Fields[]>(...words`network service provider list`);
      expect(listed).toMatchObject([{ 'Service Type': 'L3_ROUTER_NAT', Default: true }]);
      const refused = await demo.run(...words`network meter list`);
      expect(refused.stderr).toContain('501');
    },
    10 * MINUTES,
  );
});

describe('the openstack client and trunks', () => {
  it(
    'creates them, puts subports in and takes them out',
    async () => {
      for (const name of ['trunk-net', 'sub-net'])
        await demo.text(...words`network create ${name}`);
      await demo.text(...words`port create --network trunk-net carrier`);
      for (const name of ['one', 'two'])
        await demo.text(...words`port create --network sub-net ${name}`);
      const made = await demo.json<Fields>(
        ...words`network trunk create --parent-port carrier --subport port=one,segmentation-type=vlan,segmentation-id=7 bundle`,
      );
      const [carrier, one, two] = await Promise.all(
        ['carrier', 'one', 'two'].map(async (name) => (await show('port', name))['id']),
      );
      expect(made).toMatchObject({
        name: 'bundle',
        port_id: carrier,
        sub_ports: [{ port_id: one, segmentation_id: 7, segmentation_type: 'vlan' }],
      });
      await demo.text(
        ...words`network trunk set --subport port=two,segmentation-type=vlan,segmentation-id=8 bundle`,
      );
      const listed = await demo.json<Fields[]>(...words`network subport list --trunk bundle`);
      expect(listed.map((each) => each['Segmentation ID'])).toEqual([7, 8]);
      expect(await show('port', 'carrier')).toMatchObject({
        trunk_details: { trunk_id: made['id'], sub_ports: [{ port_id: one }, { port_id: two }] },
      });
      const kept = await demo.run(...words`port delete one`);
      expect(kept.stderr).toContain('is currently a subport for trunk');
      await demo.text(...words`network trunk unset --subport one bundle`);
      await demo.text(...words`network trunk set --name bundled --disable bundle`);
      const disabled = await demo.run(...words`network trunk delete bundled`);
      expect(disabled.stderr).toContain('is currently disabled');
      await demo.text(...words`network trunk set --enable bundled`);
      const trunks = await demo.json<Fields[]>(...words`network trunk list`);
      expect(trunks).toMatchObject([{ Name: 'bundled', 'Parent Port': carrier }]);
      await demo.text(...words`network trunk delete bundled`);
      for (const name of ['carrier', 'one', 'two']) await demo.text(...words`port delete ${name}`);
      for (const name of ['trunk-net', 'sub-net'])
        await demo.text(...words`network delete ${name}`);
    },
    10 * MINUTES,
  );
});

describe('the openstack client and segments', () => {
  it(
    'shows where the packets of a network travel, and names that',
    async () => {
      const { id } = await admin.json<Fields>(...words`network create segmented`);
      const listed = await admin.json<Fields[]>(
        ...words`network segment list --network segmented --long`,
      );
      expect(listed).toMatchObject([{ Network: id, 'Network Type': 'geneve', Name: null }]);
      const segment = String(listed[0]?.['ID']);
      await admin.text(...words`network segment set --name rack ${segment}`);
      const shown = await admin.json<Fields>(...words`network segment show rack`);
      expect(shown).toMatchObject({ id: segment, network_id: id, name: 'rack' });
      const second = await admin.run(
        ...words`network segment create --network segmented --network-type geneve second`,
      );
      expect(second.stderr).toContain('501');
      const only = await admin.run(...words`network segment delete rack`);
      expect(only.stderr).toContain('Failed to delete network segment');
      await admin.text(...words`network delete segmented`);
    },
    10 * MINUTES,
  );
});
