/** What hosts are told of the devices that they make for ports. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AgentsSweep } from '../agents/agents.sweep.js';
import { refusalOf, startNetwork, type NetworkFixture, type Wire } from '../network.fixture.js';

let network: NetworkFixture;
let own: Wire;

beforeAll(async () => {
  network = await startNetwork();
  ({ network: own } = await network.networkWith('10.0.0.0/24'));
});
afterAll(() => network.stop());

const create = (port: object) =>
  network.client.post('/v2.0/ports', {
    token: network.admin,
    body: { port: { network_id: own.id, ...port } },
  });

const toldOf = async (port: object) => {
  const { body } = await create(port);
  const { id } = (body as { port: Wire }).port;
  await network.settle();
  return network.dataPlane.ports.get(id)?.tap;
};

describe('the device of a port', () => {
  it('is of the user whom binding:profile names, or of the host’s', async () => {
    const host = { 'binding:host_id': 'here' };
    const profile = { 'binding:profile': { tap_uid: 1_865_000_001 } };
    expect(await toldOf({ ...host, ...profile })).toEqual({ uid: 1_865_000_001 });
    expect(await toldOf(host)).toEqual({ uid: null });
  });

  it('is named to whoever starts its guest, with the namespace that it is in', async () => {
    const there = { datapathType: 'netdev', networkNamespace: 'cumulet-1' };
    network.dataPlane.simulatedHosts.set('there', there);
    await new AgentsSweep(network.dataPlane).follow(network.ctx);
    const port = await network.create(
      'ports',
      { network_id: own.id, 'binding:host_id': 'there' },
      network.admin,
    );
    expect(port).toMatchObject({
      'binding:vif_type': 'ovs',
      'binding:vif_details': {
        connectivity: 'l2',
        port_filter: true,
        bridge_name: 'br-int',
        datapath_type: 'netdev',
        tap_name: `tap${port.id.slice(0, 11)}`,
        network_namespace: 'cumulet-1',
      },
    });
  });

  it('leads to a namespace of its own where binding:profile asks for one', async () => {
    network.dataPlane.simulatedHosts.set('there', { networkNamespace: 'cumulet-1' });
    await new AgentsSweep(network.dataPlane).follow(network.ctx);
    const asked = {
      network_id: own.id,
      project_id: network.project,
      'binding:host_id': 'there',
      device_owner: 'Octavia',
      'binding:profile': { network_namespace: 'own' },
    };
    const port = await network.create('ports', asked, network.service);
    await network.settle();
    expect(network.dataPlane.ports.get(port.id)).toMatchObject({ tap: null, namespace: 'own' });
    expect(port['binding:vif_details']).toMatchObject({
      device_name: 'eth0',
      network_namespace: `cumulet-1.${port.id}`,
    });
    const answer = await create({ 'binding:profile': { network_namespace: '/proc/1' } });
    expect(refusalOf(answer)).toEqual([400, 'HTTPBadRequest']);
  });

  it('is none where the port is the network’s own', async () => {
    expect(await toldOf({ device_owner: 'network:dhcp' })).toBeNull();
  });

  it.each([
    'network:dhcp',
    'network:router_interface',
    'network:floatingip',
    'network:distributed',
    'ovn-lb-hm:distributed',
    'Octavia',
    'trunk:subport',
    '',
  ])(
    'stays while the port is called %j, and all of the port works as before after that',
    async (away) => {
      const named = { device_owner: 'compute:nova', 'binding:host_id': 'here', network_id: own.id };
      const port = await network.create('ports', named, network.admin);
      const told = () => network.dataPlane.ports.get(port.id);
      const call = async (device_owner: string) => {
        const body = { port: { device_owner } };
        const { status } = await network.client.put(`/v2.0/ports/${port.id}`, {
          token: network.admin,
          body,
        });
        expect(status).toBe(200);
        await network.settle();
      };
      await network.settle();
      const before = told();
      expect(before?.tap).toEqual({ uid: null });
      const { status } = await network.show('ports', port.id);
      await call(away);
      expect(told()?.tap).toEqual(before?.tap);
      await call('compute:nova');
      expect(told()).toEqual(before);
      expect(await network.show('ports', port.id)).toMatchObject({ status });
    },
  );

  it.each([0, -1, 1.5, '1000', 4_294_967_295])('is of nobody whose number is %j', async (uid) => {
    const answer = await create({ 'binding:profile': { tap_uid: uid } });
    expect(refusalOf(answer)).toEqual([400, 'HTTPBadRequest']);
  });
});
