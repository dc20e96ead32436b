/** Servers with networks: requests, and the life of ports. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import type { Port } from '@cumulet/clients/network/network-wire';
import { eventually } from '@cumulet/testing/settle';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import { HypervisorError } from '../hypervisor/hypervisor-error.js';
import { awayError } from '../networks.fixture.js';

let compute: ComputeFixture;
let service: string;

beforeAll(async () => {
  compute = await startCompute();
  service = await compute.tokens.issue(['service']);
});
afterEach(async () => {
  compute.networks.quota = Infinity;
  await compute.deleteServers();
  compute.networks.clear();
});
afterAll(() => compute.stop());

const AT = { 'OpenStack-API-Version': 'compute 2.42' };

const create = (networks: unknown, server: object = {}, headers: Record<string, string> = AT) =>
  compute.client.post('/servers', {
    token: compute.token,
    headers,
    body: {
      server: {
        name: 'web-1',
        imageRef: compute.images.bootable,
        flavorRef: '1',
        ...server,
        ...(networks === undefined ? {} : { networks }),
      },
    },
  });

async function built(networks: unknown, server: object = {}): Promise<string> {
  const answer = await create(networks, server);
  if (answer.status !== 202) throw new Error(answer.text);
  await compute.settle();
  return (answer.body as { server: { id: string } }).server.id;
}

const ports = (): Port[] => [...compute.networks.stored.values()];
const given = (networkId: string, port: Partial<Port> = {}): Port =>
  compute.networks.givenPort(networkId, { projectId: compute.projectId, ...port });

describe('a server on a network', () => {
  it('has a port of its project, bound to its host, and a NIC in its guest', async () => {
    const network = compute.networks.add();
    const id = await built([{ uuid: network.id }]);
    const [port, ...others] = ports();
    expect(others).toEqual([]);
    expect(port).toMatchObject({
      networkId: network.id,
      projectId: compute.projectId,
      deviceId: id,
      deviceOwner: 'compute:nova',
      hostId: 'host-1',
      dnsName: 'web-1',
    });
    const guest = compute.hypervisor.world.guests.get(id);
    expect(guest?.startedWith?.nics).toMatchObject([{ macAddress: port?.macAddress, mtu: 1442 }]);
  });

  it('checks requests as its caller, and creates ports as itself', async () => {
    const network = compute.networks.add();
    await built([{ uuid: network.id }]);
    expect(compute.networks.asked).toContain('networks as caller');
    expect(compute.networks.asked).toContain('createPort as service');
    expect(compute.networks.asked).not.toContain('createPort as caller');
  });

  it('shows its addresses by the name of the network, floating ones too', async () => {
    const network = compute.networks.add({ name: 'inner', projectId: compute.projectId });
    const id = await built([{ uuid: network.id, fixed_ip: '10.0.0.77' }]);
    const [port] = ports();
    compute.networks.leading.push({
      id: randomUUID(),
      portId: port?.id ?? '',
      fixedAddress: '10.0.0.77',
      floatingAddress: '203.0.113.9',
    });
    await compute.client.post('/os-server-external-events', {
      token: service,
      body: { events: [{ name: 'network-changed', server_uuid: id, tag: port?.id }] },
    });
    await compute.settle();
    const common = { version: 4, 'OS-EXT-IPS-MAC:mac_addr': port?.macAddress };
    expect(await compute.show(id)).toMatchObject({
      addresses: {
        inner: [
          { ...common, addr: '10.0.0.77', 'OS-EXT-IPS:type': 'fixed' },
          { ...common, addr: '203.0.113.9', 'OS-EXT-IPS:type': 'floating' },
        ],
      },
    });
  });

  it('has the networks in the requested order, also one of them twice', async () => {
    const [one, other] = ['one', 'other'].map((name) => compute.networks.add({ name }));
    const id = await built([{ uuid: other?.id }, { uuid: one?.id }, { uuid: other?.id }]);
    const nics = compute.hypervisor.world.guests.get(id)?.startedWith?.nics ?? [];
    const networkOf = (mac: string) => ports().find((port) => port.macAddress === mac)?.networkId;
    expect(nics.map(({ macAddress }) => networkOf(macAddress))).toEqual([
      other?.id,
      one?.id,
      other?.id,
    ]);
    expect(Object.keys((await compute.show(id))['addresses'] as object)).toEqual(['other', 'one']);
  });

  it('lists its addresses', async () => {
    const network = compute.networks.add({ name: 'inner', projectId: compute.projectId });
    const id = await built([{ uuid: network.id, fixed_ip: '10.0.0.5' }]);
    const get = (path: string) =>
      compute.client.get(`/servers/${id}/ips${path}`, { token: compute.token });
    const inner = [{ version: 4, addr: '10.0.0.5' }];
    expect((await get('')).body).toEqual({ addresses: { inner } });
    expect((await get('/inner')).body).toEqual({ inner });
    const missing = await get('/outer');
    expect(missing.status).toBe(404);
    expect(missing.text).toContain('Instance is not a member of specified network');
  });

  it('is found by the beginning of its address', async () => {
    const network = compute.networks.add({ projectId: compute.projectId });
    const id = await built([{ uuid: network.id, fixed_ip: '10.0.0.5' }]);
    const found = async (query: string): Promise<string[]> => {
      const { body } = await compute.client.get(`/servers?${query}`, {
        token: compute.token,
        headers: AT,
      });
      return (body as { servers: { id: string }[] }).servers.map((one) => one.id);
    };
    expect(await found('ip=10.0')).toEqual([id]);
    expect(await found('ip=0.0.5')).toEqual([]);
    expect(await found('ip6=fd00')).toEqual([]);
  });

  it('describes its networks and tags to its guest', async () => {
    const network = compute.networks.add();
    const id = await built([{ uuid: network.id, tag: 'front' }]);
    const started = compute.hypervisor.world.guests.get(id)?.startedWith;
    expect(started?.nics).toMatchObject([{ tag: 'front', position: 0 }]);
    const [port] = ports();
    expect(started?.configDrive?.networkData).toMatchObject({
      links: [{ vif_id: port?.id, ethernet_mac_address: port?.macAddress, mtu: 1442 }],
      networks: [{ id: 'network0', type: 'ipv4_dhcp', network_id: network.id }],
    });
  });
});

describe('the ports of a server', () => {
  it('are deleted with it if compute created them, and stay otherwise', async () => {
    const network = compute.networks.add();
    const own = given(network.id);
    const id = await built([{ uuid: network.id }, { port: own.id }]);
    expect(ports()).toHaveLength(2);
    await compute.client.delete(`/servers/${id}`, { token: compute.token });
    await compute.settle();
    expect(ports()).toMatchObject([{ id: own.id, deviceId: '', hostId: '', deviceOwner: '' }]);
  });

  it('are in the groups that are named by name or id', async () => {
    const network = compute.networks.add();
    const { projectId } = compute;
    const [web, db] = ['web', 'db'].map((name) => compute.networks.addGroup({ name, projectId }));
    const security_groups = [{ name: 'web' }, { name: db?.id }];
    const id = await built([{ uuid: network.id }], { security_groups });
    expect(ports()).toMatchObject([{ securityGroupIds: [web?.id, db?.id] }]);
    expect(await compute.show(id)).toMatchObject({
      security_groups: [{ name: 'db' }, { name: 'web' }],
    });
  });

  it('are created once, even if a worker dies between a port and its row', async () => {
    const network = compute.networks.add();
    compute.networks.failures.push({ method: 'createPort', error: awayError(), afterwards: true });
    const id = await built([{ uuid: network.id }]);
    expect(ports()).toHaveLength(1);
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
  });

  it('are deleted also if the answer to their creation was lost', async () => {
    const network = compute.networks.add();
    const away = { method: 'createPort', error: awayError() };
    compute.networks.failures.push({ ...away, afterwards: true });
    // No answer comes again before the server is deleted.
    for (let time = 0; time < 20; time += 1) compute.networks.failures.push(away);
    const answer = await create([{ uuid: network.id }]);
    const { id } = (answer.body as { server: { id: string } }).server;
    await eventually('the port is there', () => ports().length === 1);
    compute.networks.failures.length = 0;
    await compute.client.delete(`/servers/${id}`, { token: compute.token });
    await compute.settle();
    expect(ports()).toEqual([]);
  });

  it("are deleted with it also while a NIC's own run releases one", async () => {
    const network = compute.networks.add();
    const id = await built([{ uuid: network.id }, { uuid: network.id }]);
    const { networks } = compute;
    jest.spyOn(networks, 'deletePort').mockImplementationOnce(async (_, portId) => {
      networks.stored.delete(portId);
      await compute.app.dataSource.query('DELETE FROM server_nics WHERE port_id = $1', [portId]);
    });
    await compute.client.delete(`/servers/${id}`, { token: compute.token });
    await compute.settle();
    const { status } = await compute.client.get(`/servers/${id}`, { token: compute.token });
    expect(status).toBe(404);
    expect(ports()).toEqual([]);
  });

  it('are deleted if the build fails, also while the network is briefly down', async () => {
    const network = compute.networks.add();
    const own = given(network.id);
    const broken = new HypervisorError('bad-image', 'The image has no boot sector.');
    compute.hypervisor.failNext('ensureDisk', broken);
    const id = await built([{ uuid: network.id }, { port: own.id }]);
    expect(await compute.show(id)).toMatchObject({ status: 'ERROR', addresses: {} });
    expect(ports()).toMatchObject([{ id: own.id, deviceId: '' }]);
  });

  it('fail the build in the words of the network, and leave nothing', async () => {
    const network = compute.networks.add();
    const error = new ServiceRefusedError('network', 409, 'No more IP addresses available.');
    compute.networks.failures.push({ method: 'createPort', error });
    const id = await built([{ uuid: network.id }]);
    expect(await compute.show(id)).toMatchObject({
      status: 'ERROR',
      fault: { message: expect.stringContaining('No more IP addresses available.') },
    });
    expect(ports()).toEqual([]);
  });
});

describe('without named networks, a server has', () => {
  it('the only one that its project may use', async () => {
    const network = compute.networks.add();
    await built('auto');
    expect(ports()).toMatchObject([{ networkId: network.id }]);
  });

  it('none if there is none, before 2.37', async () => {
    const answer = await create(undefined, {}, {});
    expect(answer.status).toBe(202);
    await compute.settle();
    const { id } = (answer.body as { server: { id: string } }).server;
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE', addresses: {} });
  });

  it('none on request', async () => {
    compute.networks.add();
    await built('none');
    expect(ports()).toEqual([]);
  });

  it("its project's automatic network", async () => {
    const given = compute.networks.add({ isShared: false });
    compute.networks.topology = given.id;
    await built('auto');
    expect(ports()).toMatchObject([{ networkId: given.id }]);
  });

  it('to choose among several', async () => {
    for (const name of ['one', 'other']) compute.networks.add({ name });
    const { status, text } = await create('auto');
    expect([status, text]).toEqual([409, expect.stringContaining('Multiple possible networks')]);
  });

  it('no network if none can be created', async () => {
    const { status, text } = await create('auto');
    expect(status).toBe(400);
    expect(text).toContain('Unable to automatically allocate a network for project');
  });
});

describe('a request is refused, and leaves nothing,', () => {
  const refused = async (
    networks: unknown,
    expected: [number, string],
    server: object = {},
  ): Promise<void> => {
    const before = ports().length;
    const { status, text } = await create(networks, server);
    expect([status, text]).toEqual([expected[0], expect.stringContaining(expected[1])]);
    const { body } = await compute.client.get('/servers', { token: compute.token });
    expect(body).toEqual({ servers: [] });
    expect(ports()).toHaveLength(before);
  };

  it('for an unknown network', async () => {
    const id = randomUUID();
    await refused([{ uuid: id }], [400, `Network ${id} could not be found.`]);
  });

  it('for a network without a subnet', async () => {
    const { id } = compute.networks.add({}, null);
    await refused([{ uuid: id }], [400, `Network ${id} requires a subnet`]);
  });

  it('for an external network', async () => {
    const { id } = compute.networks.add({ isExternal: true, isShared: false });
    await refused([{ uuid: id }], [403, `external network ${id}`]);
  });

  it('for a port that is unknown, in use, without an address, or of others', async () => {
    const { id } = compute.networks.add();
    const missing = randomUUID();
    await refused([{ port: missing }], [400, `Port id ${missing} could not be found.`]);
    const used = given(id, { deviceId: randomUUID() });
    await refused([{ port: used.id }], [409, `Port ${used.id} is still in use.`]);
    const bare = given(id, { addresses: [] });
    await refused([{ port: bare.id }], [400, `Port ${bare.id} requires a FixedIP`]);
    const foreign = given(id, { projectId: 'others' });
    await refused([{ port: foreign.id }], [400, `Port ${foreign.id} not usable for instance`]);
    const named = given(id, { dnsName: 'other' });
    await refused([{ port: named.id }], [400, 'does not match instance']);
  });

  it('for a port given twice, or with an address', async () => {
    const { id } = given(compute.networks.add().id);
    await refused([{ port: id }, { port: id }], [400, `Port ID '${id}' was specified twice`]);
    await refused([{ port: id, fixed_ip: '10.0.0.9' }], [400, 'cannot be specified together']);
  });

  it('for an address in use, outside of the network, or of a network of others', async () => {
    const own = compute.networks.add({ projectId: compute.projectId });
    const [taken] = given(own.id).addresses;
    const address = taken?.address ?? '';
    await refused([{ uuid: own.id, fixed_ip: address }], [400, `Fixed IP ${address} is already`]);
    await refused([{ uuid: own.id, fixed_ip: '192.0.2.1' }], [400, 'is not a valid ip address']);
    const foreign = compute.networks.add();
    await refused([{ uuid: foreign.id, fixed_ip: '10.0.0.9' }], [403, 'create_port:fixed_ips']);
  });

  it('for several servers with one port or address', async () => {
    const own = compute.networks.add({ projectId: compute.projectId });
    const several = { min_count: 2 };
    const port = given(own.id).id;
    await refused([{ port }], [400, 'multiple instances with a single configured port'], several);
    const fixed = { uuid: own.id, fixed_ip: '10.0.0.9' };
    await refused([fixed], [400, 'max_count cannot be greater than 1'], several);
  });

  it('for more ports than the quota has', async () => {
    compute.networks.quota = 1;
    const { id } = compute.networks.add();
    await refused([{ uuid: id }], [403, 'Maximum number of ports exceeded'], { min_count: 2 });
  });

  it('for an unknown group, or several of one name', async () => {
    const { id } = compute.networks.add();
    const groups = (name: string): object => ({ security_groups: [{ name }] });
    await refused([{ uuid: id }], [400, 'Security group web not found.'], groups('web'));
    for (const _ of [1, 2]) compute.networks.addGroup({ projectId: compute.projectId });
    await refused([{ uuid: id }], [409, 'Multiple security groups found'], groups('web'));
  });

  it.each([
    ['no id', [{}], "missing 'uuid'"],
    ['a name', [{ uuid: 'inner' }], 'network uuid is not in proper format (inner)'],
    ['a word', 'all', 'server.networks'],
    ['another property', [{ uuid: randomUUID(), name: 'x' }], 'name'],
    ['no address', [{ uuid: randomUUID(), fixed_ip: '10.0.0' }], 'fixed_ip must be an IP address'],
    ['a tag with a comma', [{ uuid: randomUUID(), tag: 'a,b' }], 'tag must not contain'],
  ])('for %s', async (_, networks, named) => refused(networks, [400, named]));

  it('for a tag before 2.32, and from 2.37 to 2.41', async () => {
    const { id } = compute.networks.add();
    for (const [minor, status] of [
      [31, 400],
      [32, 202],
      [36, 202],
      [37, 400],
      [41, 400],
    ] as const) {
      const headers = { 'OpenStack-API-Version': `compute 2.${minor}` };
      const answer = await create([{ uuid: id, tag: 'front' }], {}, headers);
      expect([minor, answer.status]).toEqual([minor, status]);
    }
  });

  it('while the network service is away', async () => {
    compute.networks.failures.push({ method: 'networks', error: awayError() });
    await refused([{ uuid: randomUUID() }], [503, 'network']);
  });

  it('for a port that another server has taken meanwhile', async () => {
    const port = given(compute.networks.add().id);
    const answers = await Promise.all([1, 2].map(() => create([{ port: port.id }])));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
  });
});
