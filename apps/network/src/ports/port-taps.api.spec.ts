/** The devices of ports, as hosts and compute see them. */
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
  it('belongs to the user in binding:profile, or else to the host’s default', async () => {
    const host = { 'binding:host_id': 'here' };
    const profile = { 'binding:profile': { tap_uid: 1_865_000_001 } };
    expect(await toldOf({ ...host, ...profile })).toEqual({ uid: 1_865_000_001 });
    expect(await toldOf(host)).toEqual({ uid: null });
  });

  it('is named for the program that starts its guest, with its namespace', async () => {
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

  it('is in a namespace of its own if binding:profile says so', async () => {
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

  it("does not exist for the network service's own ports", async () => {
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
  ])('stays if the device owner becomes %j, and the port works as before', async (away) => {
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
  });

  it.each([0, -1, 1.5, '1000', 4_294_967_295])('refuses the UID %j', async (uid) => {
    const answer = await create({ 'binding:profile': { tap_uid: uid } });
    expect(refusalOf(answer)).toEqual([400, 'HTTPBadRequest']);
  });
});
