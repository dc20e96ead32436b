import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BalancerNotPossibleError } from '../data-plane/data-plane.errors.js';
import { DataPlaneComparison } from '../data-plane-comparison/data-plane.sweep.js';
import { messageOf, refusalOf, startNetwork } from '../network.fixture.js';
import type { NetworkFixture, Wire } from '../network.fixture.js';
import { BalancerHealthSweep } from './balancer-health.sweep.js';

let network: NetworkFixture;
let own: Wire;
let subnet: Wire;
let vip: Wire;
let id: string;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaNetworks: -1, quotaPorts: -1, quotaSubnets: -1 } });
});
afterAll(() => network.stop());
beforeEach(async () => {
  ({ network: own, subnet } = await network.networkWith('10.0.0.0/24'));
  const fields = { device_owner: 'Octavia', fixed_ips: [{ ip_address: '10.0.0.30' }] };
  vip = await network.create('ports', { network_id: own.id, ...fields });
  id = randomUUID();
});

const CHECK = { interval: 5, timeout: 3, success_count: 1, failure_count: 3 };
const member = (address: string, fields: object = {}) => ({
  id: randomUUID(),
  address,
  protocol_port: 8080,
  subnet_id: null,
  ...fields,
});
const listener = (members: readonly object[], fields: object = {}) => ({
  id: randomUUID(),
  protocol: 'tcp',
  protocol_port: 80,
  affinity_timeout: null,
  health_check: CHECK,
  members,
  ...fields,
});
const body = (...listeners: readonly object[]) => ({
  balancer: {
    project_id: network.project,
    vip_port_id: vip.id,
    admin_state_up: true,
    listeners,
  },
});
const at = (one = id) => `/v2.0/balancers/${one}`;
const put = (asked: object, token = network.service) =>
  network.client.put(at(), { token, body: asked });
const show = async () => {
  const answer = await network.client.get(at(), { token: network.service });
  return (answer.body as { balancer: Wire }).balancer;
};
const remove = () => network.client.delete(at(), { token: network.service });
const told = () => network.dataPlane.balancers.get(id);
const sources = (one: Wire = own): Promise<Wire[]> =>
  network.list(`ports?network_id=${one.id}&device_owner=ovn-lb-hm:distributed`);

describe('a balancer', () => {
  it('is applied to the data plane, with the subnets of its members', async () => {
    const { network: other, subnet: far } = await network.networkWith('10.9.0.0/24');
    const members = [
      member('10.0.0.11'),
      member('10.9.0.11', { subnet_id: far.id }),
      member('192.0.2.1'),
      member('10.0.0.12', { subnet_id: far.id }),
    ];
    const answer = await put(body(listener(members)));
    expect([answer.status, answer.body]).toMatchObject([200, { balancer: { status: 'BUILD' } }]);
    await network.settle();
    expect(await show()).toMatchObject({ id, status: 'ACTIVE', status_reason: null });
    const [source] = await sources();
    const [farSource] = await sources(other);
    expect(told()).toMatchObject({
      id,
      projectId: network.project,
      portId: vip.id,
      networkId: own.id,
      addresses: [{ address: '10.0.0.30', cidr: '10.0.0.0/24' }],
      listeners: [
        {
          protocol: 'tcp',
          port: 80,
          affinitySeconds: null,
          check: { failureCount: 3 },
          members: [
            { networkId: own.id, checkedFrom: source?.fixed_ips[0]?.ip_address },
            { networkId: other.id, checkedFrom: farSource?.fixed_ips[0]?.ip_address },
            { networkId: null, checkedFrom: null },
            { networkId: null, checkedFrom: null },
          ],
        },
      ],
    });
    expect(network.dataPlane.ports.get(vip.id)).toMatchObject({ isVip: true });
  });

  it('is not applied again if nothing has changed', async () => {
    const same = body(listener([member('10.0.0.11')]));
    await put(same);
    await network.settle();
    expect((await put(same)).body).toMatchObject({ balancer: { status: 'ACTIVE' } });
    expect((await put(body())).body).toMatchObject({ balancer: { status: 'BUILD' } });
    await network.settle();
    expect(told()?.listeners).toEqual([]);
  });

  it('does not answer while it is disabled', async () => {
    const { balancer } = body(listener([member('10.0.0.11')]));
    await put({ balancer: { ...balancer, admin_state_up: false } });
    await network.settle();
    expect(told()?.listeners).toEqual([]);
  });

  it('sends checks from one address of a subnet, which is released by its last balancer', async () => {
    const first = id;
    await put(body(listener([member('10.0.0.11')])));
    id = randomUUID();
    await put(body(listener([member('10.0.0.12')], { protocol_port: 81 })));
    const [source, ...others] = await sources();
    expect(others).toEqual([]);
    expect(
      refusalOf(
        await network.client.delete(`/v2.0/ports/${source?.id ?? ''}`, {
          token: network.member,
        }),
      ),
    ).toEqual([409, 'ServicePortInUse']);
    await put(body(listener([member('10.0.0.12')], { health_check: null })));
    expect(await sources()).toHaveLength(1);
    id = first;
    expect((await remove()).status).toBe(204);
    expect(await sources()).toEqual([]);
    await network.settle();
    expect(
      (await network.client.delete(`/v2.0/ports/${vip.id}`, { token: network.member })).status,
    ).toBe(204);
    const { status } = await network.client.delete(`/v2.0/subnets/${subnet.id}`, {
      token: network.member,
    });
    expect(status).toBe(204);
  });

  it('keeps a subnet with checked members from being deleted', async () => {
    await put(body(listener([member('10.0.0.11')])));
    const token = network.member;
    await network.client.delete(`/v2.0/ports/${vip.id}`, { token });
    expect(refusalOf(await network.client.delete(`/v2.0/subnets/${subnet.id}`, { token }))).toEqual(
      [409, 'SubnetInUse'],
    );
  });

  it('shows the health of members', async () => {
    const [well, down] = [member('10.0.0.11'), member('10.0.0.12')];
    network.dataPlane.checkResults.set(down.id, 'offline');
    await put(body(listener([well, down])));
    await network.settle();
    await new BalancerHealthSweep(network.dataPlane).follow(network.ctx);
    const health = [
      { id: well.id, status: 'online' },
      { id: down.id, status: 'offline' },
    ];
    const list = await network.client.get('/v2.0/balancers', { token: network.service });
    const all = (list.body as { balancers: (Wire & { members: object[] })[] }).balancers;
    expect(all.find((one) => one.id === id)?.members).toEqual(expect.arrayContaining(health));
  });

  it('is in ERROR with the reason if the data plane has no balancers', async () => {
    const { dataPlane } = network;
    const ensure = dataPlane.ensureBalancer.bind(dataPlane);
    dataPlane.ensureBalancer = () => Promise.reject(new BalancerNotPossibleError());
    const asked = body(listener([]));
    await put(asked);
    await network.settle();
    expect(await show()).toMatchObject({
      status: 'ERROR',
      status_reason: "QEMU's user-mode network does not support load balancers.",
    });
    dataPlane.ensureBalancer = ensure;
    await put(asked);
    await network.settle();
    expect(await show()).toMatchObject({ status: 'ACTIVE', status_reason: null });
  });

  it('is in ERROR if its port has been deleted', async () => {
    await put(body(listener([])));
    await network.settle();
    await network.client.delete(`/v2.0/ports/${vip.id}`, { token: network.member });
    await network.ctx.manager.query("UPDATE balancers SET listeners = '[]'");
    network.dataPlane.balancers.delete(id);
    await network.ctx.manager.query(
      "UPDATE balancers SET state_since = state_since - interval '1 minute'",
    );
    await new DataPlaneComparison(network.dataPlane).compare(network.ctx);
    await network.settle();
    expect((await show())['status_reason']).toBe(
      `The port ${vip.id}, which holds the balancer's addresses, no longer exists.`,
    );
  });

  it('is applied again if the data plane lost it, and removed if no row has it', async () => {
    await put(body(listener([])));
    await network.settle();
    const spec = told();
    if (!spec) throw new Error('the data plane lacks it');
    network.dataPlane.balancers.clear();
    await network.dataPlane.ensureBalancer({ ...spec, id: 'stranger' });
    await new DataPlaneComparison(network.dataPlane).compare(network.ctx);
    await network.settle();
    expect(told()).toEqual(spec);
    expect(network.dataPlane.balancers.has('stranger')).toBe(false);
  });

  it('can be deleted repeatedly', async () => {
    await put(body(listener([member('10.0.0.11')])));
    await network.settle();
    expect((await remove()).status).toBe(204);
    expect(refusalOf(await remove())).toEqual([404, 'BalancerNotFound']);
    await network.settle();
    expect(told()).toBeUndefined();
    const rows: unknown = await network.ctx.manager.query('SELECT FROM balancers WHERE id = $1', [
      id,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('a request for a balancer', () => {
  it.each([
    ['is a member', () => network.member],
    ['is a stranger', () => network.stranger],
  ])('%s: it is for services only', async (_, token) => {
    expect(refusalOf(await put(body(), token()))).toEqual([403, 'PolicyNotAuthorized']);
  });

  it('is refused with an unknown port', async () => {
    const gone = randomUUID();
    const { balancer } = body();
    const answer = await put({ balancer: { ...balancer, vip_port_id: gone } });
    expect(refusalOf(answer)).toEqual([404, 'PortNotFound']);
  });

  it.each([
    ['a protocol', { protocol: 'http' }, 'protocol'],
    ['a port', { protocol_port: 0 }, 'protocol_port'],
    ['an address', { members: [{ ...member('10.0.0.11'), address: '10.0.0.300' }] }, 'address'],
    ['a check', { health_check: { ...CHECK, interval: 0 } }, 'interval'],
  ])('is refused with an unknown %s', async (_, fields, name) => {
    const answer = await put(body(listener([], fields)));
    expect(answer.status).toBe(400);
    expect(messageOf(answer)).toContain(name);
  });
});
