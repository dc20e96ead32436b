/** NICs of existing servers, with their groups and addresses. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import type { Network, Port } from '@cumulet/clients/network/network-wire';
import { eventually } from '@cumulet/testing/settle';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import { HypervisorError } from '../hypervisor/hypervisor-error.js';
import { awayError } from '../networks.fixture.js';

let compute: ComputeFixture;
let network: Network;
let service: string;

beforeAll(async () => {
  compute = await startCompute();
  service = await compute.tokens.issue(['service']);
});
afterEach(async () => {
  compute.networks.failures.length = 0;
  await compute.deleteServers();
  compute.networks.clear();
});
afterAll(() => compute.stop());

const AT = { 'OpenStack-API-Version': 'compute 2.70' };

const call = (method: 'get' | 'post' | 'delete', path: string, body?: object, version = AT) =>
  compute.client[method](path, {
    token: compute.token,
    headers: version,
    ...(body ? { body } : {}),
  });

async function built(networks: object[] | 'none' = 'none', server: object = {}): Promise<string> {
  network = compute.networks.add({ name: 'inner', projectId: compute.projectId });
  const named = networks === 'none' ? 'none' : networks.map(() => ({ uuid: network.id }));
  const image = { imageRef: compute.images.bootable, flavorRef: '1' };
  const body = { server: { name: 'web-1', networks: named, ...image, ...server } };
  const answer = await call('post', '/servers', body);
  if (answer.status !== 202) throw new Error(answer.text);
  await compute.settle();
  return (answer.body as { server: { id: string } }).server.id;
}

const attach = (id: string, interfaceAttachment: object = {}) =>
  call('post', `/servers/${id}/os-interface`, { interfaceAttachment });
const list = async (id: string): Promise<unknown> =>
  ((await call('get', `/servers/${id}/os-interface`)).body as { interfaceAttachments: unknown })
    .interfaceAttachments;
const nicsOf = (id: string) => compute.hypervisor.world.guests.get(id)?.nics ?? [];
const ports = (): Port[] => [...compute.networks.stored.values()];
const act = (id: string, body: object, version = AT) =>
  call('post', `/servers/${id}/action`, body, version);

describe('an interface is attached', () => {
  it('to a running server, which has it when the answer comes', async () => {
    const id = await built();
    const { status, body } = await attach(id, { net_id: network.id, tag: 'back' });
    const [port] = ports();
    const shown = {
      net_id: network.id,
      port_id: port?.id,
      mac_addr: port?.macAddress,
      tag: 'back',
      fixed_ips: [{ ip_address: '10.0.0.2', subnet_id: expect.any(String) }],
    };
    expect([status, body]).toEqual([
      200,
      { interfaceAttachment: { ...shown, port_state: 'ACTIVE' } },
    ]);
    expect(nicsOf(id)).toMatchObject([{ macAddress: port?.macAddress, tag: 'back' }]);
    expect(await list(id)).toEqual([{ ...shown, port_state: 'ACTIVE' }]);
    expect(ports()).toMatchObject([{ hostId: 'host-1', deviceId: id }]);
    expect((await compute.show(id))['addresses']).toMatchObject({ inner: [{ addr: '10.0.0.2' }] });
  });

  it('by a port that was given, by an address, or on the only network', async () => {
    const id = await built();
    const given = compute.networks.givenPort(network.id, { projectId: compute.projectId });
    expect((await attach(id, { port_id: given.id })).status).toBe(200);
    const fixed_ips = [{ ip_address: '10.0.0.99' }];
    expect((await attach(id, { net_id: network.id, fixed_ips })).status).toBe(200);
    expect((await attach(id)).status).toBe(200);
    await compute.settle();
    expect(nicsOf(id).map(({ position }) => position)).toEqual([0, 1, 2]);
    expect(ports().map(({ addresses: [one] }) => one?.address)).toContain('10.0.0.99');
  });

  it('to a stopped server, which has it from its next start', async () => {
    const id = await built();
    await act(id, { 'os-stop': null });
    await compute.settle();
    expect((await attach(id, { net_id: network.id })).status).toBe(200);
    await compute.settle();
    expect(nicsOf(id)).toEqual([]);
    await act(id, { 'os-start': null });
    await compute.settle();
    expect(nicsOf(id)).toHaveLength(1);
  });

  it('not while the network service is away, and leaves no port', async () => {
    const id = await built();
    compute.networks.failures.push({ method: 'port', error: awayError() });
    expect((await attach(id, { net_id: network.id })).status).toBe(503);
    await compute.settle();
    // A refused request leaves nothing.
    expect(ports()).toEqual([]);
    expect(await list(id)).toEqual([]);
  });

  it('not if the guest cannot have it, and leaves no port', async () => {
    const id = await built();
    const error = new HypervisorError('not-ready', 'Stop and start it.');
    compute.hypervisor.failNext('plugNic', error);
    const { status, text } = await attach(id, { net_id: network.id });
    expect([status, text]).toEqual([
      409,
      expect.stringContaining(`network adapter device to ${id}`),
    ]);
    await compute.settle();
    expect([ports(), await list(id), nicsOf(id)]).toEqual([[], [], []]);
  });

  it.each([
    ['both', () => ({ net_id: randomUUID(), port_id: randomUUID() }), 400, 'Must not input both'],
    ['an address alone', () => ({ fixed_ips: [{ ip_address: '10.0.0.9' }] }), 400, 'network_id'],
    ['a network that is not there', () => ({ net_id: randomUUID() }), 404, 'could not be found'],
    ['a port that is not there', () => ({ port_id: randomUUID() }), 404, 'could not be found'],
    [
      'two addresses',
      () => ({ net_id: network.id, fixed_ips: [1, 2].map(() => ({ ip_address: '10.0.0.9' })) }),
      400,
      'fixed_ips',
    ],
    ['something else', () => ({ network: 'inner' }), 400, 'network'],
  ])('not by %s', async (_, asked, status, named) => {
    const id = await built();
    const answer = await attach(id, asked());
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(named)]);
    expect(await list(id)).toEqual([]);
  });

  it('not by a port or an address in use', async () => {
    const id = await built([{}]);
    const [used] = ports();
    expect((await attach(id, { port_id: used?.id })).status).toBe(409);
    const fixed_ips = [{ ip_address: used?.addresses[0]?.address }];
    expect((await attach(id, { net_id: network.id, fixed_ips })).status).toBe(409);
  });

  it('not if the network refuses, in its words', async () => {
    const id = await built();
    const error = new ServiceRefusedError('network', 409, 'No more IP addresses available.');
    compute.networks.failures.push({ method: 'createPort', error });
    const { status, text } = await attach(id, { net_id: network.id });
    expect([status, text]).toEqual([409, expect.stringContaining('No more IP addresses')]);
    await compute.settle();
    expect(await list(id)).toEqual([]);
  });

  it('not to a server that is locked, or in error', async () => {
    const id = await built();
    await act(id, { lock: null });
    expect((await attach(id, { net_id: network.id })).status).toBe(409);
    await act(id, { unlock: null });
    await compute.app.dataSource.query("UPDATE servers SET state = 'error' WHERE id = $1", [id]);
    expect((await attach(id, { net_id: network.id })).status).toBe(409);
  });
});

describe('an interface is detached', () => {
  const detach = (id: string, port: string) =>
    call('delete', `/servers/${id}/os-interface/${port}`);

  it('from a running server, with the port that was made for it', async () => {
    const id = await built([{}, {}]);
    const [port] = ports();
    expect((await detach(id, port?.id ?? '')).status).toBe(202);
    await compute.settle();
    expect(nicsOf(id)).toHaveLength(1);
    expect(ports()).toHaveLength(1);
    expect((await detach(id, port?.id ?? '')).status).toBe(404);
  });

  it('and leaves a port that was given, free', async () => {
    const id = await built();
    const given = compute.networks.givenPort(network.id, { projectId: compute.projectId });
    await attach(id, { port_id: given.id });
    await compute.settle();
    await detach(id, given.id);
    await compute.settle();
    expect(ports()).toMatchObject([{ id: given.id, deviceId: '', hostId: '' }]);
    expect((await compute.show(id))['addresses']).toEqual({});
  });

  it('right after the answer that attached it, and the port is attached again right after', async () => {
    const id = await built();
    const given = compute.networks.givenPort(network.id, { projectId: compute.projectId });
    for (let turn = 0; turn < 2; turn += 1) {
      expect((await attach(id, { port_id: given.id })).status).toBe(200);
      expect((await detach(id, given.id)).status).toBe(202);
    }
    await compute.settle();
    expect(ports()).toMatchObject([{ id: given.id, deviceId: '', hostId: '' }]);
  });

  it.each(['deviceUser', 'plugNic'] as const)(
    'while it is still being attached, at %s',
    async (step) => {
      const id = await built();
      const given = compute.networks.givenPort(network.id, { projectId: compute.projectId });
      const hold = compute.hypervisor.hold(step);
      const attached = [attach(id, { port_id: given.id }), attach(id, { net_id: network.id })];
      const own = async (): Promise<string[]> =>
        (
          await compute.app.dataSource.query<{ port_id: string }[]>(
            'SELECT port_id FROM server_nics WHERE server_id = $1 AND port_id IS NOT NULL',
            [id],
          )
        ).map(({ port_id }) => port_id);
      await eventually('both have ports', async () => (await own()).length === 2);
      await hold.reached;
      const answers = await Promise.all((await own()).map((port) => detach(id, port)));
      hold.release();
      expect(answers.map(({ status, text }) => [status, text])).toEqual([
        [202, ''],
        [202, ''],
      ]);
      await Promise.all(attached);
      await compute.settle();
      expect([nicsOf(id), await list(id)]).toEqual([[], []]);
      expect(ports()).toMatchObject([{ id: given.id, deviceId: '', hostId: '' }]);
      expect((await compute.show(id))['addresses']).toEqual({});
    },
  );

  it('not if the guest does not release it', async () => {
    const id = await built([{}]);
    const [port] = ports();
    const error = new HypervisorError('not-ready', 'The guest does not release it.');
    compute.hypervisor.failNext('unplugNic', error);
    await detach(id, port?.id ?? '');
    await compute.settle();
    expect(ports()).toMatchObject([{ id: port?.id, deviceId: id }]);
    expect(await list(id)).toHaveLength(1);
  });

  it('once its port is gone', async () => {
    const id = await built([{}]);
    const [port] = ports();
    compute.networks.stored.clear();
    const event = { name: 'network-vif-deleted', server_uuid: id, tag: port?.id };
    await compute.client.post('/os-server-external-events', {
      token: service,
      body: { events: [event] },
    });
    await compute.settle();
    expect([nicsOf(id), (await compute.show(id))['addresses']]).toEqual([[], {}]);
  });

  it('not without it', async () => {
    const id = await built();
    expect((await detach(id, randomUUID())).status).toBe(404);
    const shown = await call('get', `/servers/${id}/os-interface/${randomUUID()}`);
    expect([shown.status, shown.text]).toEqual([
      404,
      expect.stringContaining('does not have a port'),
    ]);
  });
});

describe('the security groups of a server', () => {
  it('are those of its ports, and are changed with them', async () => {
    const { projectId } = compute;
    const id = await built([{}, {}]);
    const web = compute.networks.addGroup({ name: 'web', projectId });
    expect((await act(id, { addSecurityGroup: { name: 'web' } })).status).toBe(202);
    for (const port of ports()) expect(port.securityGroupIds).toEqual([web.id]);
    expect(await compute.show(id)).toMatchObject({ security_groups: [{ name: 'web' }] });
    const { body } = await call('get', `/servers/${id}/os-security-groups`);
    expect(body).toEqual({
      security_groups: [
        { id: web.id, name: 'web', description: '', tenant_id: projectId, rules: [] },
      ],
    });
    expect((await act(id, { removeSecurityGroup: { name: web.id } })).status).toBe(202);
    for (const port of ports()) expect(port.securityGroupIds).toEqual([]);
    expect((await act(id, { removeSecurityGroup: { name: web.id } })).status).toBe(404);
  });

  it('must exist, and be unambiguous', async () => {
    const id = await built([{}]);
    expect((await act(id, { addSecurityGroup: { name: 'web' } })).status).toBe(404);
    expect((await act(id, { addSecurityGroup: { name: ' ' } })).status).toBe(400);
    compute.networks.addGroup({ name: 'web', projectId: compute.projectId });
    const [port] = ports();
    if (port) compute.networks.stored.set(port.id, { ...port, isSecured: false });
    expect((await act(id, { addSecurityGroup: { name: 'web' } })).status).toBe(400);
  });
});

describe('the addresses of a server', () => {
  const BEFORE = { 'OpenStack-API-Version': 'compute 2.43' };

  it('are added and removed until 2.43', async () => {
    const id = await built([{}]);
    const addresses = async () => {
      const shown = (await compute.show(id))['addresses'] as { inner?: { addr: string }[] };
      return shown.inner?.map(({ addr }) => addr);
    };
    const add = { addFixedIp: { networkId: network.id } };
    expect((await act(id, add, BEFORE)).status).toBe(202);
    expect(await addresses()).toEqual(['10.0.0.2', '10.0.0.3']);
    const remove = { removeFixedIp: { address: '10.0.0.2' } };
    expect((await act(id, remove, BEFORE)).status).toBe(202);
    expect(await addresses()).toEqual(['10.0.0.3']);
    expect((await act(id, remove, BEFORE)).status).toBe(400);
    for (const body of [add, remove]) expect((await act(id, body)).status).toBe(404);
  });
});

describe('floating IPs of a server', () => {
  const BEFORE = { 'OpenStack-API-Version': 'compute 2.43' };
  const add = (id: string, given: object) => act(id, { addFloatingIp: given }, BEFORE);
  const remove = (id: string, address: string) =>
    act(id, { removeFloatingIp: { address } }, BEFORE);

  const allocated = (): string => {
    const floatingAddress = `203.0.113.${10 + compute.networks.leading.length}`;
    const free = { id: randomUUID(), portId: null, fixedAddress: null };
    compute.networks.leading.push({ ...free, floatingAddress });
    return floatingAddress;
  };
  const shown = async (id: string) => {
    const all = (await compute.show(id))['addresses'] as { inner?: Record<string, string>[] };
    return all.inner
      ?.filter((one) => one['OS-EXT-IPS:type'] === 'floating')
      .map(({ addr }) => addr);
  };

  it('are associated with its first address, until with another server', async () => {
    const [first, second] = [await built([{}]), await built([{}])];
    const address = allocated();
    expect((await add(first, { address })).status).toBe(202);
    expect(await shown(first)).toEqual([address]);
    expect((await add(second, { address })).status).toBe(202);
    expect([await shown(first), await shown(second)]).toEqual([[], [address]]);
    const { status, body } = await remove(first, address);
    const message = `Floating IP ${address} is not associated with instance ${first}.`;
    expect([status, body]).toEqual([409, { conflictingRequest: { code: 409, message } }]);
    expect((await remove(second, address)).status).toBe(202);
    expect(await shown(second)).toEqual([]);
  });

  it('are associated with a named address, one with each', async () => {
    const id = await built([{}, {}]);
    const [, port] = ports();
    const fixed_address = port?.addresses[0]?.address;
    expect((await add(id, { address: allocated(), fixed_address })).status).toBe(202);
    expect(compute.networks.leading).toMatchObject([{ portId: port?.id }]);
    const again = await add(id, { address: allocated(), fixed_address });
    expect([again.status, again.body]).toMatchObject([
      400,
      { badRequest: { message: 'floating IP is already associated' } },
    ]);
    const foreign = await add(id, { address: allocated(), fixed_address: '10.9.9.9' });
    expect(foreign.status).toBe(400);
  });

  it('must exist, and the server must have an address', async () => {
    const id = await built();
    expect((await add(id, { address: allocated() })).status).toBe(400);
    expect((await add(id, { address: '' })).status).toBe(400);
    await attach(id);
    await compute.settle();
    expect((await add(id, { address: '0.0.0.0' })).status).toBe(404);
    expect((await remove(id, '0.0.0.0')).status).toBe(404);
  });

  it('are changed by themselves since 2.44', async () => {
    const id = await built([{}]);
    const address = allocated();
    for (const name of ['addFloatingIp', 'removeFloatingIp'])
      expect((await act(id, { [name]: { address } })).status).toBe(404);
  });
});
