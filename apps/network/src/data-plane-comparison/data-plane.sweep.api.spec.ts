import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { startNetwork, type NetworkFixture, type Wire } from '../network.fixture.js';
import { DataPlaneComparison } from './data-plane.sweep.js';

let network: NetworkFixture;
let own: Wire;
let port: Wire;
let router: Wire;

const compare = async () => {
  await new DataPlaneComparison(network.dataPlane).compare(network.ctx);
  await network.settle();
};

const status = async () => (await network.show('ports', port.id)).status;

beforeAll(async () => {
  network = await startNetwork();
  ({ network: own } = await network.networkWith('10.0.0.0/24'));
  port = await network.create('ports', { network_id: own.id });
  router = await network.create('routers', {});
  const { subnet } = await network.networkWith('10.1.0.0/24');
  await network.client.put(`/v2.0/routers/${router.id}/add_router_interface`, {
    token: network.member,
    body: { subnet_id: subnet.id },
  });
  const body = { port: { 'binding:host_id': 'here' } };
  await network.client.put(`/v2.0/ports/${port.id}`, { token: network.service, body });
  await network.settle();
});
afterAll(() => network.stop());

/** Lets comparisons fail, also those of the service itself, until they are restored. */
const withoutComparison = () =>
  jest.spyOn(network.dataPlane, 'inventory').mockRejectedValue(new Error('not compared'));

describe('the comparison of rows and data plane', () => {
  it('applies again what the data plane lost', async () => {
    network.dataPlane.ports.clear();
    network.dataPlane.networks.clear();
    network.dataPlane.securityGroups.clear();
    network.dataPlane.routers.clear();
    await compare();
    expect(network.dataPlane.routers.get(router.id)?.interfaces).toHaveLength(1);
    expect(network.dataPlane.networks.get(own.id)?.subnets).toHaveLength(1);
    expect(network.dataPlane.ports.get(port.id)).toMatchObject({ host: 'here' });
    expect([...network.dataPlane.securityGroups.values()]).toMatchObject([{ stateful: true }]);
    expect(await status()).toBe('ACTIVE');
  });

  it('removes resources without a row', async () => {
    const [held] = network.dataPlane.networks.values();
    const [plugged] = network.dataPlane.ports.values();
    if (!held || !plugged) throw new Error('the data plane is empty');
    await network.dataPlane.ensureNetwork({ ...held, id: 'stranger' });
    await network.dataPlane.ensurePort({ ...plugged, id: 'lost', networkId: 'stranger' });
    await network.dataPlane.ensureSecurityGroup({ id: 'odd', stateful: true, rules: [] });
    const [routed] = network.dataPlane.routers.values();
    if (!routed) throw new Error('the data plane lacks the router');
    await network.dataPlane.ensureRouter({ ...routed, id: 'nobody' });
    await compare();
    expect([...network.dataPlane.routers.keys()]).toEqual([router.id]);
    expect(network.dataPlane.securityGroups.has('odd')).toBe(false);
    expect(network.dataPlane.networks.has('stranger')).toBe(false);
    expect(network.dataPlane.networks.has(own.id)).toBe(true);
    expect([...network.dataPlane.ports.keys()]).toEqual([port.id]);
  });

  it('does not delay ports that go down or come up', async () => {
    const spec = network.dataPlane.ports.get(port.id);
    if (!spec) throw new Error('the data plane lacks the port');
    const comparisons = withoutComparison();
    await network.dataPlane.ensurePort({ ...spec, host: null });
    await eventually('it is down', async () => (await status()) === 'DOWN');
    await network.dataPlane.ensurePort(spec);
    await eventually('it is up', async () => (await status()) === 'ACTIVE');
    comparisons.mockRestore();
  });

  it('uses the latest status of a port that is being changed', async () => {
    const other = await network.create('ports', { network_id: own.id });
    await network.settle();
    const set = (state: string) =>
      network.app.dataSource.query('UPDATE ports SET state = $1, state_deadline = NULL', [state]);
    const generation = async (): Promise<unknown> => {
      const sql = 'SELECT generation FROM ports WHERE id = $1';
      return (await network.app.dataSource.query<unknown[]>(sql, [port.id]))[0];
    };
    const before = await generation();
    const comparisons = withoutComparison();
    await set('updating');
    for (const isUp of [false, true]) network.dataPlane.report({ id: port.id, isUp });
    network.dataPlane.report({ id: other.id, isUp: false });
    await set('active');
    const ofOther = async () => (await network.show('ports', other.id)).status;
    await eventually('it was looked at', async () => (await ofOther()) === 'DOWN');
    expect(await generation()).toEqual(before);
    comparisons.mockRestore();
  });

  it('ignores what is settled while it asks the data plane', async () => {
    const { dataPlane } = network;
    const inventory = await dataPlane.inventory();
    const asked = jest.spyOn(dataPlane, 'inventory').mockImplementationOnce(async () => {
      const body = { port: { port_security_enabled: false, security_groups: [] } };
      await network.client.put(`/v2.0/ports/${port.id}`, { token: network.service, body });
      await network.settle();
      return { ...inventory, ports: inventory.ports.map((one) => ({ ...one, isUp: false })) };
    });
    await new DataPlaneComparison(dataPlane).compare(network.ctx);
    expect(asked).toHaveBeenCalled();
    expect(await status()).toBe('ACTIVE');
    asked.mockRestore();
  });

  it('notices that a port went down and came up', async () => {
    const spec = network.dataPlane.ports.get(port.id);
    if (!spec) throw new Error('the data plane lacks the port');
    await network.dataPlane.ensurePort({ ...spec, host: null });
    await compare();
    expect(await status()).toBe('DOWN');
    await network.dataPlane.ensurePort(spec);
    await compare();
    expect(await status()).toBe('ACTIVE');
  });
});
