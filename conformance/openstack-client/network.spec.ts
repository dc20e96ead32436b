/** Networks, subnets and ports with the openstack client, against the standalone cloud. */
import { describe, expect, it } from '@jest/globals';
import type { OpenStackClient } from '../support/openstack-client.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, unknown>>;

let admin: OpenStackClient;
let demo: OpenStackClient;
let project: string;

withProject((own) => {
  ({ admin, demo, project } = own);
});

const show = (kind: string, name: string, client = demo): Promise<Fields> =>
  client.json<Fields>(...kind.split(' '), 'show', name);

describe('the openstack client and networks', () => {
  it(
    'finds the way out of a new cloud, and a pool for the addresses of networks',
    async () => {
      const external = await demo.json<Fields[]>(...words`network list --external --long`);
      const outside = external.find(({ Name }) => Name === 'public');
      expect(outside).toMatchObject({ 'Router Type': true, Shared: false });
      expect(await show('subnet', 'public-subnet', admin)).toMatchObject({
        network_id: outside?.['ID'],
        cidr: '172.24.4.0/24',
        gateway_ip: '172.24.4.1',
      });
      const [pool] = await demo.json<Fields[]>(...words`subnet pool list --default --long`);
      expect(pool).toMatchObject({ 'Default Prefix Length': 24, Shared: true });
    },
    10 * MINUTES,
  );

  it(
    'creates, changes, lists and deletes them',
    async () => {
      await demo.text(...words`network create --description first --mtu 1400 --tag red blue-net`);
      expect(await show('network', 'blue-net')).toMatchObject({
        name: 'blue-net',
        description: 'first',
        mtu: 1400,
        status: 'ACTIVE',
        tags: ['red'],
      });
      await demo.text(...words`network set --disable --name green-net blue-net`);
      expect(await show('network', 'green-net')).toMatchObject({ admin_state_up: false });
      const found = await demo.json<Fields[]>(...words`network list --disable --tags red --long`);
      expect(found).toMatchObject([{ Name: 'green-net', State: false }]);
      await demo.text(...words`network unset --tag red green-net`);
      expect(await show('network', 'green-net')).toMatchObject({ tags: [] });
      await demo.text(...words`network delete green-net`);
      expect(await demo.json<Fields[]>(...words`network list --name green-net`)).toEqual([]);
    },
    10 * MINUTES,
  );
});

describe('the openstack client and subnets', () => {
  it(
    'creates, changes and deletes them',
    async () => {
      await demo.text(...words`network create net`);
      await demo.text(
        ...words`subnet create --network net --subnet-range 10.9.0.0/24 --dns-nameserver 9.9.9.9 --host-route destination=10.8.0.0/16,gateway=10.9.0.254 --allocation-pool start=10.9.0.10,end=10.9.0.20 v4`,
      );
      expect(await show('subnet', 'v4')).toMatchObject({
        cidr: '10.9.0.0/24',
        gateway_ip: '10.9.0.1',
        dns_nameservers: ['9.9.9.9'],
        allocation_pools: [{ start: '10.9.0.10', end: '10.9.0.20' }],
        host_routes: [{ destination: '10.8.0.0/16', nexthop: '10.9.0.254' }],
      });
      await demo.text(
        ...words`subnet create --network net --ip-version 6 --ipv6-ra-mode slaac --ipv6-address-mode slaac --subnet-range 2001:db8::/64 v6`,
      );
      await demo.text(...words`subnet set --no-dns-nameservers --gateway none v4`);
      expect(await show('subnet', 'v4')).toMatchObject({ dns_nameservers: [], gateway_ip: null });
      const found = await demo.json<Fields[]>(...words`subnet list --network net --ip-version 6`);
      expect(found).toMatchObject([{ Name: 'v6', Subnet: '2001:db8::/64' }]);
      await demo.text(...words`subnet delete v6`);
      const refused = await demo.run(
        ...words`subnet create --network net --subnet-range 10.9.0.1/24 odd`,
      );
      expect(refused.stderr).toContain('cidr: 10.9.0.0/24');
      expect(refused.stderr).toContain('overlaps with another subnet');
    },
    10 * MINUTES,
  );
});

describe('the openstack client and ports', () => {
  it(
    'creates, changes, lists and deletes them',
    async () => {
      await demo.text(
        ...words`port create --network net --fixed-ip subnet=v4,ip-address=10.9.0.15 --allowed-address ip-address=10.9.0.99 first`,
      );
      expect(await show('port', 'first')).toMatchObject({
        fixed_ips: [{ ip_address: '10.9.0.15' }],
        allowed_address_pairs: [{ ip_address: '10.9.0.99' }],
        status: 'DOWN',
      });
      await demo.text(...words`port create --network net second`);
      await demo.text(...words`port set --disable --description mine second`);
      const found = await demo.json<Fields[]>(
        ...words`port list --network net --fixed-ip ip-address=10.9.0.11`,
      );
      expect(found).toMatchObject([{ Name: 'second' }]);
      await admin.text(
        ...words`port set --host here --device-owner compute:nova --device some first`,
      );
      const inUse = await demo.run('network', 'delete', 'net');
      expect(inUse.stderr).toContain('There are one or more ports still in use on the network');
      await demo.text(...words`port delete first second`);
      await demo.text(...words`network delete net`);
    },
    10 * MINUTES,
  );
});

describe('the openstack client and security groups', () => {
  it(
    'creates them with rules, for ports to be in',
    async () => {
      await demo.text(...words`security group create --description http web`);
      await demo.text(
        ...words`security group rule create --protocol tcp --dst-port 80:443 --remote-ip 10.0.0.0/8 web`,
      );
      await demo.text(...words`security group rule create --protocol icmp --remote-group web web`);
      const rules = await demo.json<Fields[]>(...words`security group rule list --ingress web`);
      expect(rules).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ 'Port Range': '80:443', 'IP Range': '10.0.0.0/8' }),
        ]),
      );
      await demo.text(...words`network create guarded`);
      await demo.text(...words`port create --network guarded --security-group web door`);
      const { id } = await show('security group', 'web');
      expect(await demo.json<Fields>('port', 'show', 'door')).toMatchObject({
        security_group_ids: [id],
      });
      const inUse = await demo.run('security', 'group', 'delete', 'web');
      expect(inUse.stderr).toContain('in use');
      await demo.text(...words`port unset --security-group web door`);
      await demo.text(...words`security group delete web`);
      await demo.text(...words`port delete door`);
    },
    10 * MINUTES,
  );

  it(
    'shows a project its default group',
    async () => {
      const groups = await demo.json<Fields[]>(...words`security group list`);
      expect(groups.map(({ Name }) => Name)).toContain('default');
    },
    10 * MINUTES,
  );
});

describe('the openstack client and quotas of networks', () => {
  it(
    'shows and sets them',
    async () => {
      await admin.text(...words`quota set --ports 1 ${project}`);
      const rows = await demo.json<{ Resource: string; Limit: number }[]>('quota', 'show');
      expect(rows).toContainEqual(expect.objectContaining({ Resource: 'ports', Limit: 1 }));
      await demo.text(...words`network create small`);
      await demo.text(...words`port create --network small one`);
      const refused = await demo.run(...words`port create --network small two`);
      expect(refused.stderr).toContain('Quota exhausted for port: all 1 are in use');
    },
    10 * MINUTES,
  );
});
