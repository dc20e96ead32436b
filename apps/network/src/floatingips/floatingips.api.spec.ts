import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { messageOf, refusalOf, startNetwork } from '../network.fixture.js';
import type { NetworkFixture, Wire } from '../network.fixture.js';
import { floatingTopology, type FloatingTopology } from './floating-topology.fixture.js';

let network: NetworkFixture;
let all: FloatingTopology;
let outside: Wire;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaRouters: -1, quotaFloatingIps: -1 } });
  all = await floatingTopology(network);
  outside = all.outside;
});
afterAll(() => network.stop());

const path = '/v2.0/floatingips';
const post = (floatingip: object, token = network.member) =>
  network.client.post(path, { token, body: { floatingip } });
const put = (id: string, floatingip: object, token = network.member) =>
  network.client.put(`${path}/${id}`, { token, body: { floatingip } });
const create = (fields: object = {}, token = network.member) =>
  network.create('floatingips', { floating_network_id: outside.id, ...fields }, token);
const show = (id: string) => network.show('floatingips', id);
const remove = (url: string, token = network.member) =>
  network.client.delete(`/v2.0/${url}`, { token });
const told = () => network.dataPlane.routers.get(all.router.id)?.floatingIps;
const newPort = (fields: object = {}) =>
  network.create('ports', { network_id: all.inside.id, ...fields });

describe('a floating IP', () => {
  it('is disassociated by an update without attributes', async () => {
    const port = await newPort();
    const one = await create({ port_id: port.id });
    expect(one['port_id']).toBe(port.id);
    const { body } = await put(one.id, {});
    expect(body).toMatchObject({ floatingip: { port_id: null, fixed_ip_address: null } });
    await remove(`floatingips/${one.id}`);
  });

  it('has an address and a port of its own, and is not associated at first', async () => {
    const one = await create({ description: 'mine' });
    expect(one).toMatchObject({
      status: 'DOWN',
      port_id: null,
      fixed_ip_address: null,
      router_id: null,
      port_details: null,
      port_forwardings: [],
      description: 'mine',
    });
    expect(one['floating_ip_address']).toMatch(/^203\.0\.113\./);
    expect(Object.keys(one)).not.toContain('name');
    const [port] = await network.list(`ports?device_id=${one.id}`, network.admin);
    expect(port).toMatchObject({
      device_owner: 'network:floatingip',
      project_id: '',
      status: 'N/A',
      fixed_ips: [{ ip_address: one['floating_ip_address'] }],
    });
    expect(await network.list(`ports?device_id=${one.id}`)).toEqual([]);
    expect(refusalOf(await remove(`ports/${port?.id ?? ''}`, network.admin))).toEqual([
      409,
      'ServicePortInUse',
    ]);
    expect((await remove(`floatingips/${one.id}`)).status).toBe(204);
    await network.settle();
    expect(await network.list(`ports?device_id=${one.id}`, network.admin)).toEqual([]);
  });

  it('belongs to its project, is found by its address, and counts against the quota', async () => {
    const one = await create();
    const token = network.stranger;
    const seen = await network.client.get(`${path}/${one.id}`, { token });
    expect([refusalOf(seen), messageOf(seen)]).toEqual([
      [404, 'FloatingIPNotFound'],
      `Floating IP ${one.id} could not be found`,
    ]);
    const address = String(one['floating_ip_address']);
    const found = await network.list(`floatingips?floating_ip_address=${address}&status=DOWN`);
    expect(found.map(({ id }) => id)).toEqual([one.id]);
    const { body } = await network.client.get(`/v2.0/quotas/${network.project}/details.json`, {
      token: network.member,
    });
    const count = (await network.list('floatingips')).length;
    expect(body).toMatchObject({ quota: { floatingip: { used: count } } });
  });

  it('has an address that administrators and managers may choose, and that must be free', async () => {
    const wanted = { floating_network_id: outside.id, floating_ip_address: '203.0.113.99' };
    expect(refusalOf(await post(wanted))).toEqual([403, 'PolicyNotAuthorized']);
    const { project: projectId } = network;
    const manager = await network.tokens.issue(['member', 'manager'], { projectId });
    expect((await post(wanted, manager)).status).toBe(201);
    const taken = await post(wanted, network.admin);
    expect(refusalOf(taken)).toEqual([409, 'IpAddressInUse']);
    expect(messageOf(taken)).toContain('203.0.113.99');
  });

  it('requires an external network with IPv4', async () => {
    const inside = await post({ floating_network_id: all.inside.id });
    expect([refusalOf(inside), messageOf(inside)]).toEqual([
      [400, 'BadRequest'],
      `Bad floatingip request: Network ${all.inside.id} is not a valid external network.`,
    ]);
    const bare = await network.create('networks', { 'router:external': true }, network.admin);
    expect(messageOf(await post({ floating_network_id: bare.id }))).toBe(
      `Bad floatingip request: Network ${bare.id} does not contain any IPv4 subnet.`,
    );
    const none = await post({ floating_network_id: newId() });
    expect(refusalOf(none)).toEqual([404, 'NetworkNotFound']);
    const named = await post({ floating_network_id: outside.id, name: 'one' });
    expect(messageOf(named)).toBe("Attribute 'name' not allowed in POST");
  });

  it('is deleted with its network, if it is not associated', async () => {
    const { network: own } = await all.external('198.51.100.0/24');
    const one = await create({ floating_network_id: own.id });
    expect((await remove(`networks/${own.id}`, network.admin)).status).toBe(204);
    await network.settle();
    expect((await network.client.get(`${path}/${one.id}`, { token: network.member })).status).toBe(
      404,
    );
    expect(network.dataPlane.networks.has(own.id)).toBe(false);
  });
});

describe('an association', () => {
  it('leads to a port through the router, and is active once the data plane has applied it', async () => {
    const port = await newPort({ name: 'web' });
    const one = await create({ port_id: port.id });
    const address = port.fixed_ips[0]?.ip_address;
    expect(one).toMatchObject({
      port_id: port.id,
      fixed_ip_address: address,
      router_id: all.router.id,
      port_details: { name: 'web', network_id: all.inside.id, device_owner: '' },
    });
    await network.settle();
    expect((await show(one.id)).status).toBe('ACTIVE');
    expect(told()).toContainEqual(
      expect.objectContaining({ id: one.id, fixedAddress: address, fixedPortId: port.id }),
    );
    await put(one.id, { description: 'other' });
    expect(await show(one.id)).toMatchObject({ port_id: port.id, status: 'ACTIVE' });
    const freed = await put(one.id, { port_id: null });
    expect(freed.body).toMatchObject({
      floatingip: { port_id: null, fixed_ip_address: null, router_id: null, status: 'DOWN' },
    });
    await network.settle();
    expect(told()?.map(({ id }) => id)).not.toContain(one.id);
  });

  it('can be moved to another port', async () => {
    const [first, second] = [await newPort(), await newPort()];
    const one = await create({ port_id: first.id });
    await put(one.id, { port_id: second.id });
    await network.settle();
    expect(told()).toContainEqual(expect.objectContaining({ id: one.id, fixedPortId: second.id }));
    const found = await network.list(`floatingips?port_id=${second.id}`);
    expect(found.map(({ id }) => id)).toEqual([one.id]);
  });

  it('is the only one of an address on its network', async () => {
    const port = await newPort();
    await create({ port_id: port.id });
    const other = await create();
    const answer = await put(other.id, { port_id: port.id });
    const fixed = port.fixed_ips[0]?.ip_address ?? '';
    expect([refusalOf(answer), messageOf(answer)]).toEqual([
      [409, 'FloatingIPPortAlreadyAssociated'],
      `Cannot associate floating IP ${String(other['floating_ip_address'])} (${other.id}) with port ${port.id} using fixed IP ${fixed}, as that fixed IP already has a floating IP on external network ${outside.id}.`,
    ]);
    expect((await post({ floating_network_id: outside.id, port_id: port.id })).status).toBe(409);
    expect(await show(other.id)).toMatchObject({ port_id: null });
  });

  it('names the address of a port that has several', async () => {
    const fixed_ips = [{ ip_address: '10.7.0.50' }, { ip_address: '10.7.0.51' }];
    const port = await newPort({ fixed_ips });
    const one = await create();
    expect(messageOf(await put(one.id, { port_id: port.id }))).toBe(
      `Bad floatingip request: Port ${port.id} has multiple fixed IPv4 addresses. Must provide a specific IPv4 address when assigning a floating IP.`,
    );
    const odd = await put(one.id, { port_id: port.id, fixed_ip_address: '10.7.0.77' });
    expect(messageOf(odd)).toBe(
      `Bad floatingip request: Port ${port.id} does not have fixed ip 10.7.0.77.`,
    );
    await put(one.id, { port_id: port.id, fixed_ip_address: '10.7.0.51' });
    expect(await show(one.id)).toMatchObject({ fixed_ip_address: '10.7.0.51' });
    expect(messageOf(await put(one.id, { fixed_ip_address: '10.7.0.50' }))).toBe(
      'Bad floatingip request: fixed_ip_address cannot be specified without a port_id.',
    );
  });

  it('requires a port of its project, with IPv4, that a router connects', async () => {
    const one = await create();
    const unknown = await put(one.id, { port_id: newId() });
    expect(refusalOf(unknown)).toEqual([404, 'PortNotFound']);
    const bare = await newPort({ fixed_ips: [] });
    expect(messageOf(await put(one.id, { port_id: bare.id }))).toBe(
      `Bad floatingip request: Cannot add floating IP to port ${bare.id} that has no fixed IPv4 addresses.`,
    );
    const { network: apart, subnet } = await network.networkWith('10.8.0.0/24');
    const port = await network.create('ports', { network_id: apart.id });
    const answer = await put(one.id, { port_id: port.id });
    expect([refusalOf(answer), messageOf(answer)]).toEqual([
      [404, 'ExternalGatewayForFloatingIPNotFound'],
      `External network ${outside.id} is not reachable from subnet ${subnet.id}. Therefore, cannot associate Port ${port.id} with a Floating IP.`,
    ]);
    const theirs = await network.create(
      'ports',
      { network_id: all.inside.id, project_id: newId() },
      network.admin,
    );
    expect(messageOf(await put(one.id, { port_id: theirs.id }))).toContain(
      'since that port is owned by a different project',
    );
  });

  it('keeps the gateway and the interface that it uses', async () => {
    await create({ port_id: (await newPort()).id });
    const router = `/v2.0/routers/${all.router.id}`;
    const act = (verb: string, body: object) =>
      network.client.put(`${router}${verb}`, { token: network.member, body });
    const gateway = await act('', { router: { external_gateway_info: null } });
    expect([refusalOf(gateway), messageOf(gateway)]).toEqual([
      [409, 'RouterExternalGatewayInUseByFloatingIp'],
      `Gateway cannot be updated for router ${all.router.id}, since a gateway to external network ${outside.id} is required by one or more floating IPs.`,
    ]);
    const inner = await act('/remove_router_interface', { subnet_id: all.insideSubnet.id });
    expect([refusalOf(inner), messageOf(inner)]).toEqual([
      [409, 'RouterInterfaceInUseByFloatingIP'],
      `Router interface for subnet ${all.insideSubnet.id} on router ${all.router.id} cannot be deleted, as it is required by one or more floating IPs.`,
    ]);
  });

  it('ends with its port, whose addresses it keeps until then', async () => {
    const port = await newPort();
    const one = await create({ port_id: port.id });
    const url = `/v2.0/ports/${port.id}`;
    const body = { port: { fixed_ips: [{ ip_address: '10.7.0.90' }] } };
    const moved = await network.client.put(url, { token: network.member, body });
    expect([refusalOf(moved), messageOf(moved)]).toEqual([
      [400, 'BadRequest'],
      `Bad port request: Cannot update the fixed_ips of the port ${port.id}, because its original fixed_ip has been associated to a floating ip.`,
    ]);
    expect((await remove(`ports/${port.id}`)).status).toBe(204);
    expect(await show(one.id)).toMatchObject({ port_id: null, router_id: null, status: 'DOWN' });
    await network.settle();
    expect(told()?.map(({ id }) => id)).not.toContain(one.id);
  });

  it('by an administrator is not ended by a member who deletes the port', async () => {
    const port = await newPort();
    await create({ port_id: port.id }, network.admin);
    expect(refusalOf(await remove(`ports/${port.id}`))).toEqual([409, 'FipAssociated']);
  });
});
