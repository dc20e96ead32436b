import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { eventually } from '@cumulet/testing/settle';
import { COMPUTE } from '../compute.port.js';
import { DataPlaneComparison } from '../data-plane-comparison/data-plane.sweep.js';
import { floatingTopology } from '../floatingips/floating-topology.fixture.js';
import { startNetwork, type NetworkFixture, type Wire } from '../network.fixture.js';
import { FakeCompute } from './compute.fixture.js';

let network: NetworkFixture;
let own: Wire;
let subnet: Wire;
const compute = new FakeCompute();

beforeAll(async () => {
  network = await startNetwork({ overrides: [{ provide: COMPUTE, useValue: compute }] });
  ({ network: own, subnet } = await network.networkWith('10.0.0.0/24'));
});
afterAll(() => network.stop());
beforeEach(() => {
  compute.code = 200;
  compute.isRefusing = false;
});

const SERVER = { device_owner: 'compute:nova' };

/** A bound port of a server. */
async function serverPort(fields: object = {}): Promise<Wire> {
  const port = await network.create(
    'ports',
    {
      network_id: own.id,
      project_id: network.project,
      device_id: randomUUID(),
      ...SERVER,
      'binding:host_id': 'here',
      ...fields,
    },
    network.service,
  );
  await network.settle();
  return port;
}

async function change(id: string, port: object, token = network.service): Promise<void> {
  const { status, text } = await network.client.put(`/v2.0/ports/${id}`, { token, body: { port } });
  if (status !== 200) throw new Error(text);
}

const left = async (): Promise<number> => {
  const rows: unknown[] = await network.app.dataSource.query('SELECT FROM server_events');
  return rows.length;
};

describe('compute', () => {
  it("learns that a server's port has come up, from the service itself", async () => {
    const { id, device_id } = await serverPort();
    const told = compute.requests.flat().find(({ portId }) => portId === id);
    expect(told).toEqual({
      serverId: device_id,
      portId: id,
      name: 'network-vif-plugged',
      status: 'completed',
    });
    expect(compute.actors.at(-1)).toMatchObject({ as: 'service' });
    expect(await left()).toBe(0);
  });

  it('gets no event if a port stays up while something else changes', async () => {
    const { id } = await serverPort();
    await change(id, { name: 'eth0', admin_state_up: true, allowed_address_pairs: [] });
    await network.settle();
    expect(compute.of(id)).toEqual(['network-vif-plugged']);
  });

  it('learns that it has gone down, and come up again', async () => {
    const { id } = await serverPort();
    await change(id, { admin_state_up: false });
    await network.settle();
    await change(id, { admin_state_up: true });
    await network.settle();
    expect(compute.of(id)).toEqual([
      'network-vif-plugged',
      'network-vif-unplugged',
      'network-vif-plugged',
    ]);
  });

  it('learns that a port could not be plugged in', async () => {
    const refusal = new DomainError('conflict', 'The switch would not have it.');
    jest.spyOn(network.dataPlane, 'ensurePort').mockRejectedValueOnce(refusal);
    const { id } = await serverPort();
    expect((await network.show('ports', id)).status).toBe('ERROR');
    expect(compute.of(id)).toEqual(['network-vif-plugged failed']);
  });

  it('learns that the data plane has brought up a port', async () => {
    const { id } = await serverPort({ 'binding:host_id': '' });
    expect(compute.of(id)).toEqual([]);
    const spec = network.dataPlane.ports.get(id);
    if (!spec) throw new Error('the data plane has no such port');
    network.dataPlane.ports.set(id, { ...spec, host: 'here' });
    await new DataPlaneComparison(network.dataPlane).compare(network.ctx);
    await network.settle();
    expect(compute.of(id)).toEqual(['network-vif-plugged']);
  });

  it('learns that its addresses have changed', async () => {
    const { id } = await serverPort();
    await change(id, { fixed_ips: [{ subnet_id: subnet.id, ip_address: '10.0.0.200' }] });
    await network.settle();
    expect(compute.of(id)).toEqual(['network-vif-plugged', 'network-changed']);
  });

  it('gets no event if addresses are named that it already has', async () => {
    const { id, fixed_ips } = await serverPort();
    await change(id, { fixed_ips });
    await network.settle();
    expect(compute.of(id)).toEqual(['network-vif-plugged']);
  });

  it('learns about associated and disassociated floating IPs', async () => {
    const { inside, outside } = await floatingTopology(network);
    const [one, other] = [
      await serverPort({ network_id: inside.id }),
      await serverPort({ network_id: inside.id }),
    ];
    const external = { floating_network_id: outside.id };
    const floating = await network.create('floatingips', { ...external, port_id: one.id });
    const path = `/v2.0/floatingips/${floating.id}`;
    const body = { floatingip: { port_id: other.id } };
    expect((await network.client.put(path, { token: network.member, body })).status).toBe(200);
    await network.client.delete(path, { token: network.member });
    await network.settle();
    const changed = ['network-changed', 'network-changed'];
    expect(compute.of(one.id)).toEqual(['network-vif-plugged', ...changed]);
    expect(compute.of(other.id)).toEqual(['network-vif-plugged', ...changed]);
  });

  it('learns that it was deleted', async () => {
    const { id } = await serverPort();
    await network.client.delete(`/v2.0/ports/${id}`, { token: network.member });
    await network.settle();
    expect(compute.of(id)).toEqual(['network-vif-plugged', 'network-vif-deleted']);
  });

  it('gets no event if a change was refused', async () => {
    const { id } = await serverPort();
    const body = { port: { fixed_ips: [{ ip_address: '10.9.9.9' }] } };
    const { status } = await network.client.put(`/v2.0/ports/${id}`, {
      token: network.service,
      body,
    });
    expect(status).toBe(400);
    await network.settle();
    expect(compute.of(id)).toEqual(['network-vif-plugged']);
  });

  it.each([
    ['no device', { device_id: '' }],
    ['a device that is no server', { device_owner: 'network:dhcp' }],
    ['a device without an id of a server', { device_id: 'web-1' }],
  ])('gets no event about a port with %s', async (_, fields) => {
    const { id } = await serverPort(fields);
    await network.client.delete(`/v2.0/ports/${id}`, { token: network.service });
    await network.settle();
    expect(compute.of(id)).toEqual([]);
  });

  it('gets the events once it is reachable again', async () => {
    const before = compute.failures;
    compute.unanswered = 2;
    const { id } = await serverPort();
    expect(compute.failures - before).toBe(2);
    expect(compute.of(id)).toEqual(['network-vif-plugged']);
    expect(await left()).toBe(0);
  });

  it('gets everything that has happened meanwhile at once, in order', async () => {
    const release = compute.hold();
    const making = serverPort();
    await eventually('an event waits', async () => (await left()) === 1);
    const rows: { id: string }[] = await network.app.dataSource.query(
      'SELECT port_id AS id FROM server_events',
    );
    const id = rows[0]?.id ?? '';
    for (const host of ['.201', '.202'])
      await change(id, { fixed_ips: [{ ip_address: `10.0.0${host}` }] });
    await network.client.delete(`/v2.0/ports/${id}`, { token: network.member });
    expect(await left()).toBe(4);
    const before = compute.requests.length;
    release();
    await making;
    const changed = ['network-changed', 'network-changed'];
    expect(compute.of(id)).toEqual(['network-vif-plugged', ...changed, 'network-vif-deleted']);
    expect(compute.requests.length - before).toBe(2);
  });

  it('that refuses an event does not get it again, which is logged', async () => {
    compute.isRefusing = true;
    const { id } = await serverPort();
    compute.isRefusing = false;
    await network.settle();
    expect(compute.of(id)).toEqual([]);
    expect(await left()).toBe(0);
    expect(network.logs).toContainEqual(
      expect.objectContaining({ resource: 'server_event', msg: 'reconciling failed for good' }),
    );
  });

  it('that does not know the server does not get the event again, which is logged', async () => {
    compute.code = 404;
    const { id, device_id } = await serverPort();
    expect(compute.of(id)).toEqual(['network-vif-plugged']);
    expect(network.logs).toContainEqual(
      expect.objectContaining({ serverId: device_id, portId: id, code: 404 }),
    );
  });

  it('that stays unreachable is given up at the deadline', async () => {
    compute.unanswered = 1_000_000;
    const making = serverPort();
    await eventually('an event waits', async () => (await left()) === 1);
    await network.app.dataSource.query(
      "UPDATE server_events SET state_deadline = now() - interval '1 second'",
    );
    const { id } = await making;
    compute.unanswered = 0;
    expect(compute.of(id)).toEqual([]);
    expect(await left()).toBe(0);
  });
});

describe('a cloud without compute', () => {
  it('gets no rows', async () => {
    const alone = await startNetwork();
    const { network: net } = await alone.networkWith('10.0.0.0/24');
    const port = { device_id: randomUUID(), device_owner: 'compute:nova' };
    const { id } = await alone.create(
      'ports',
      { ...port, network_id: net.id, project_id: alone.project, 'binding:host_id': 'here' },
      alone.service,
    );
    await alone.settle();
    expect((await alone.show('ports', id)).status).toBe('ACTIVE');
    expect(await alone.app.dataSource.query('SELECT FROM server_events')).toEqual([]);
    await alone.stop();
  });
});
