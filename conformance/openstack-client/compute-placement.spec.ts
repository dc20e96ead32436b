/** What the openstack client says to compute about hosts, and about where servers go. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { withCloud } from '../support/cloud-with-users.js';
import { eventually } from '../support/eventually.js';
import type { OpenStackClient } from '../support/openstack-client.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

let admin: OpenStackClient;
let demo: OpenStackClient;
let host: string;

type Row = Readonly<Record<string, unknown>>;

withCloud({ COMPUTE_HYPERVISOR: 'simulated', NETWORK_DATA_PLANE: 'simulated' }, async (started) => {
  ({ admin, demo } = started);
  const [service] = await admin.json<Row[]>(...words`compute service list`);
  host = String(service?.['Host']);
});

const at = (version: string): string[] => ['--os-compute-api-version', version];

describe('the openstack client and compute services', () => {
  it(
    'lists one, disables it with a reason, forces it down, and takes both back',
    async () => {
      const service = async (): Promise<Row | undefined> =>
        (await admin.json<Row[]>(...words`compute service list --long`, ...at('2.90')))[0];
      expect(await service()).toMatchObject({
        Binary: 'nova-compute',
        Host: host,
        Zone: 'nova',
        Status: 'enabled',
        State: 'up',
        'Forced Down': false,
      });
      const set = (...options: string[]): Promise<unknown> =>
        admin.text(...words`compute service set`, ...options, host, 'nova-compute', ...at('2.90'));
      await set('--disable', '--disable-reason', 'new memory', '--down');
      expect(await service()).toMatchObject({
        Status: 'disabled',
        State: 'down',
        'Disabled Reason': 'new memory',
        'Forced Down': true,
      });
      await set('--enable', '--up');
      expect(await service()).toMatchObject({ Status: 'enabled', State: 'up' });
      await admin.text(
        ...words`compute service set --disable`,
        host,
        ...words`nova-compute`,
        ...at('2.1'),
      );
      expect(await service()).toMatchObject({ Status: 'disabled' });
      await admin.text(
        ...words`compute service set --enable`,
        host,
        ...words`nova-compute`,
        ...at('2.1'),
      );
    },
    10 * MINUTES,
  );

  it(
    'deletes one, which comes back with its agent',
    async () => {
      const list = (): Promise<Row[]> =>
        admin.json<Row[]>(...words`compute service list`, ...at('2.90'));
      const [before] = await list();
      await admin.text(...words`compute service delete`, String(before?.['ID']), ...at('2.90'));
      const after = await eventually('it is back', 3 * MINUTES, async () => (await list())[0]);
      expect(after['ID']).not.toBe(before?.['ID']);
    },
    10 * MINUTES,
  );
});

describe('the openstack client and hypervisors', () => {
  it(
    'lists and shows them, and their sums',
    async () => {
      const [listed] = await admin.json<Row[]>(...words`hypervisor list --long`, ...at('2.87'));
      expect(listed).toMatchObject({ 'Hypervisor Hostname': host, State: 'up', vCPUs: 64 });
      expect(
        await admin.json<Row[]>(...words`hypervisor list --matching`, host.slice(0, 3)),
      ).toHaveLength(1);
      const shown = await admin.json<Row>(...words`hypervisor show`, host, ...at('2.90'));
      expect(shown).toMatchObject({ hypervisor_hostname: host, service_host: host, state: 'up' });
      const older = await admin.json<Row>(...words`hypervisor show`, host, ...at('2.50'));
      expect(older).toMatchObject({ vcpus: 64, running_vms: 0 });
      const sums = await admin.json<Row>(...words`hypervisor stats show`, ...at('2.87'));
      expect(sums).toMatchObject({ count: 1, vcpus: 64, running_vms: 0 });
    },
    10 * MINUTES,
  );

  it(
    'lists and shows hosts, and sets one',
    async () => {
      const [listed] = await admin.json<Row[]>(...words`host list`, ...at('2.42'));
      expect(listed).toEqual({ 'Host Name': host, Service: 'compute', Zone: 'nova' });
      const shown = await admin.json<Row[]>(...words`host show`, host, ...at('2.42'));
      expect(shown[0]).toMatchObject({ Host: host, Project: '(total)', CPU: 64 });
      await admin.text(...words`host set --disable`, host, ...at('2.42'));
      const enabled = await admin.json<Row[]>(...words`host list`, ...at('2.42'));
      expect(enabled.map(({ Service }) => Service)).toEqual(['scheduler', 'conductor']);
      await admin.text(...words`host set --enable`, host, ...at('2.42'));
    },
    10 * MINUTES,
  );
});

describe('the openstack client and aggregates', () => {
  it(
    'creates, shows, changes, fills, empties and deletes one, whose zone is then listed',
    async () => {
      await admin.text(...words`aggregate create --zone east --property disk=ssd fast`);
      expect(await admin.json<Row>(...words`aggregate show fast`)).toMatchObject({
        name: 'fast',
        availability_zone: 'east',
        properties: { disk: 'ssd' },
        hosts: [],
      });
      await admin.text(...words`aggregate set --name faster --property cpu=new fast`);
      await admin.text(...words`aggregate unset --property disk faster`);
      await admin.text(...words`aggregate add host faster`, host);
      expect(await admin.json<Row>(...words`aggregate show faster`)).toMatchObject({
        properties: { cpu: 'new' },
        hosts: [host],
      });
      expect(await admin.json<Row[]>(...words`aggregate list`)).toMatchObject([
        { Name: 'faster', 'Availability Zone': 'east' },
      ]);
      const zones = await demo.json<Row[]>(...words`availability zone list --compute`);
      expect(zones).toEqual([{ 'Zone Name': 'east', 'Zone Status': 'available' }]);
      const long = await admin.json<Row[]>(...words`availability zone list --compute --long`);
      expect(long).toMatchObject([
        { 'Zone Name': 'east', 'Host Name': host, 'Service Name': 'nova-compute' },
        { 'Zone Name': 'internal', 'Host Name': host, 'Service Name': 'nova-scheduler' },
        { 'Zone Name': 'internal', 'Host Name': host, 'Service Name': 'nova-conductor' },
      ]);
      await admin.text(...words`--os-compute-api-version 2.81 aggregate cache image faster micro`);
      await admin.text(...words`aggregate remove host faster`, host);
      await admin.text(...words`aggregate delete faster`);
      expect(await admin.json<Row[]>(...words`aggregate list`)).toEqual([]);
    },
    10 * MINUTES,
  );
});

describe('the openstack client and where servers go', () => {
  const create = async (client: OpenStackClient, name: string, ...options: string[]) => {
    const basis = words`--image micro --flavor m1.nano --nic none`;
    const made = words`server create --wait`;
    return client.json<Row>(...made, ...basis, ...options, name, ...at('2.90'));
  };

  it(
    'puts servers into a group by a hint, where its policy allows',
    async () => {
      const group = await demo.json<Row>(
        ...words`server group create --policy anti-affinity --rule max_server_per_host=1 apart`,
        ...at('2.90'),
      );
      expect(group).toMatchObject({ name: 'apart', policy: 'anti-affinity' });
      const hint = ['--hint', `group=${String(group['id'])}`];
      const server = await create(demo, 'one', ...hint);
      expect(server).toMatchObject({ status: 'ACTIVE', server_groups: [group['id']] });
      expect(await demo.json<Row>(...words`server group show apart`, ...at('2.90'))).toMatchObject({
        members: [server['id']],
      });
      const basis = words`--image micro --flavor m1.nano --nic none`;
      const refused = await demo.run(
        ...words`server create --wait`,
        ...basis,
        ...hint,
        'two',
        ...at('2.90'),
      );
      expect(refused.exitCode).not.toBe(0);
      expect(await demo.json<Row>(...words`server show two`, ...at('2.90'))).toMatchObject({
        status: 'ERROR',
        fault: { message: expect.stringContaining('AntiAffinity') as unknown },
      });
      await demo.text(...words`server delete --wait one two`);
      await demo.text(...words`server group delete apart`);
      expect(await demo.json<Row[]>(...words`server group list`)).toEqual([]);
    },
    10 * MINUTES,
  );

  it(
    'asks for a zone, and as an administrator for a host',
    async () => {
      const zoned = await create(demo, 'zoned', ...words`--availability-zone nova`);
      expect(zoned).toMatchObject({ 'OS-EXT-AZ:availability_zone': 'nova' });
      const hosted = await create(admin, 'hosted', '--host', host);
      expect(hosted).toMatchObject({ 'OS-EXT-SRV-ATTR:host': host, status: 'ACTIVE' });
      const forced = await create(admin, 'forced', '--availability-zone', `nova:${host}`);
      expect(forced).toMatchObject({ 'OS-EXT-SRV-ATTR:host': host });
      await demo.text(...words`server delete --wait zoned`);
      await admin.text(...words`server delete --wait hosted forced`);
    },
    10 * MINUTES,
  );
});

describe('the openstack client and what is not offered', () => {
  beforeAll(async () => {
    await admin.text(...words`server create --image micro --flavor m1.nano --nic none --wait kept`);
  }, 5 * MINUTES);

  it.each([
    [words`compute agent list`, /410.*withdrawn from Nova/],
    [
      words`compute agent create linux x86 1 http://127.0.0.1 d41d8cd98f00b204e9800998ecf8427e xen`,
      /410.*withdrawn from Nova/,
    ],
    [words`compute agent set 1 --agent-version 2`, /410.*withdrawn from Nova/],
    [words`compute agent delete 1`, /410.*withdrawn from Nova/],
    [words`server volume list kept`, /501.*Volume attachments: list volumes/],
    [words`--os-compute-api-version 2.97 server share list kept`, /501.*Shares: list shares/],
  ])('says so by name: %j', async (command, refusal) => {
    expect(await admin.refusal(...command)).toMatch(refusal);
  });
});
