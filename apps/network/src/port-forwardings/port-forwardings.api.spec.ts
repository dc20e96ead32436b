import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { floatingTopology } from '../floatingips/floating-topology.fixture.js';
import type { FloatingTopology } from '../floatingips/floating-topology.fixture.js';
import { messageOf, refusalOf, startNetwork } from '../network.fixture.js';
import type { NetworkFixture, Wire } from '../network.fixture.js';

let network: NetworkFixture;
let all: FloatingTopology;
let ip: Wire;
let port: Wire;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaFloatingIps: -1 } });
  all = await floatingTopology(network);
});
afterAll(() => network.stop());
beforeEach(async () => {
  ip = await network.create('floatingips', { floating_network_id: all.outside.id });
  port = await network.create('ports', { network_id: all.inside.id });
});

const path = (id = '', of = ip) => `/v2.0/floatingips/${of.id}/port_forwardings${id && `/${id}`}`;
const post = (fields: object, of = ip, token = network.member) =>
  network.client.post(path('', of), {
    token,
    body: {
      port_forwarding: {
        protocol: 'tcp',
        external_port: 2222,
        internal_port: 22,
        internal_port_id: port.id,
        ...fields,
      },
    },
  });
const put = (id: string, port_forwarding: object) =>
  network.client.put(path(id), { token: network.member, body: { port_forwarding } });
const remove = (id: string) => network.client.delete(path(id), { token: network.member });
const create = async (fields: object = {}, of = ip): Promise<Wire> => {
  const { status, text, body } = await post(fields, of);
  if (status !== 201) throw new Error(`create answered ${status}: ${text}`);
  return (body as { port_forwarding: Wire }).port_forwarding;
};
const list = (of = ip) => network.list(`floatingips/${of.id}/port_forwardings`);
const showIp = (of = ip) => network.show('floatingips', of.id);
const told = () =>
  network.dataPlane.routers
    .get(all.router.id)
    ?.portForwardings.filter((one) => one.address === ip['floating_ip_address']);

describe('a port forwarding', () => {
  it('leads from a port of a floating IP to a port of a server, through the router', async () => {
    const one = await create({ description: 'ssh' });
    const internal_ip_address = port.fixed_ips[0]?.ip_address;
    expect(one).toMatchObject({
      protocol: 'tcp',
      external_port: 2222,
      internal_port: 22,
      description: 'ssh',
      internal_port_id: port.id,
      internal_ip_address,
      external_port_range: '2222:2222',
      internal_port_range: '22:22',
    });
    expect(Object.keys(one)).not.toContain('name');
    await network.settle();
    expect(told()).toMatchObject([
      { id: one.id, externalPorts: [2222, 2222], internalPorts: [22, 22], internalPortId: port.id },
    ]);
    expect(await showIp()).toMatchObject({
      router_id: all.router.id,
      status: 'ACTIVE',
      port_id: null,
      port_forwardings: [{ id: one.id, external_port: 2222, internal_ip_address }],
    });
    expect(await list()).toMatchObject([{ id: one.id }]);
    expect(await network.list(`floatingips/${ip.id}/port_forwardings?external_port=1`)).toEqual([]);
  });

  it('can be changed, and the floating IP is free after the last one is deleted', async () => {
    const [one, two] = [await create(), await create({ external_port: 80, internal_port: 80 })];
    const changed = await put(one.id, { external_port: 2223, protocol: 'UDP' });
    expect(changed.body).toMatchObject({
      port_forwarding: { external_port: 2223, internal_port: 22, protocol: 'udp' },
    });
    expect((await remove(one.id)).status).toBe(204);
    expect(await showIp()).toMatchObject({ router_id: all.router.id });
    expect((await remove(two.id)).status).toBe(204);
    expect(await showIp()).toMatchObject({ router_id: null, status: 'DOWN' });
    await network.settle();
    expect(told()).toEqual([]);
    expect(refusalOf(await remove(one.id))).toEqual([404, 'PortForwardingNotFound']);
  });

  it('maps many ports to as many, or to one', async () => {
    const many = { external_port: null, internal_port: null, external_port_range: '8000:8009' };
    const one = await create({ ...many, internal_port_range: '9000:9009' });
    expect(one).toMatchObject({ external_port: null, internal_port_range: '9000:9009' });
    await create({ ...many, external_port_range: '8010:8019', internal_port_range: '80' });
    const uneven = await post({
      ...many,
      external_port_range: '8020:8029',
      internal_port_range: '70:72',
    });
    expect(refusalOf(uneven)).toEqual([400, 'BadRequest']);
    expect(messageOf(uneven)).toContain('70:72 and 8020:8029');
  });

  it('has external ports of its own', async () => {
    await create();
    const outer = await post({ internal_port: 23 });
    expect([refusalOf(outer), messageOf(outer)]).toEqual([
      [400, 'BadRequest'],
      'Bad port_forwarding request: There is a port collision with the external_port_range. The following ranges collide: 2222:2222 and 2222:2222.',
    ]);
    const other = await network.create('floatingips', { floating_network_id: all.outside.id });
    const inner = await post({ external_port: 1 }, other);
    expect(messageOf(inner)).toContain('internal_port_range');
    expect((await post({ internal_port: 23, protocol: 'udp' })).status).toBe(201);
    expect(await showIp(other)).toMatchObject({ router_id: null });
  });

  it.each([
    ["Invalid input for protocol. Reason: 'odd' is not in", { protocol: 'odd' }],
    ["Invalid input for external_port. Reason: '65536' is too large", { external_port: 65_536 }],
    [
      "'90:80': First port in a port range must be lower than the second port",
      { external_port_range: '90:80' },
    ],
    ['Either internal_port or internal_port_range must be specified', { internal_port: null }],
    ["Attribute 'name' not allowed in POST", { name: 'one' }],
  ])('refuses: %s', async (message, fields) => {
    const answer = await post(fields);
    expect(answer.status).toBe(400);
    expect(messageOf(answer)).toContain(message);
    expect(await list()).toEqual([]);
  });

  it('requires an IPv4 address of its port that the router connects', async () => {
    const odd = await post({ internal_ip_address: '10.7.0.250' });
    expect(messageOf(odd)).toContain('10.7.0.250 is not suitable for internal neutron port');
    const { network: apart, subnet } = await network.networkWith('10.8.0.0/24');
    const far = await network.create('ports', { network_id: apart.id });
    const answer = await post({ internal_port_id: far.id });
    expect(refusalOf(answer)).toEqual([400, 'BadRequest']);
    expect(messageOf(answer)).toContain(`is not reachable from subnet ${subnet.id}`);
    const none = await post({ internal_port_id: newId() });
    expect(refusalOf(none)).toEqual([404, 'PortNotFound']);
  });

  it('excludes an associated floating IP, on either side', async () => {
    const bound = await network.create('floatingips', {
      floating_network_id: all.outside.id,
      port_id: port.id,
    });
    const busy = await post({});
    expect(refusalOf(busy)).toEqual([409, 'PortHasBindingFloatingIP']);
    expect(messageOf(busy)).toContain(bound.id);
    const free = await network.create('ports', { network_id: all.inside.id });
    const led = await post({ internal_port_id: free.id }, bound);
    expect(refusalOf(led)).toEqual([409, 'FloatingIPPortAlreadyAssociated']);
    await create({ internal_port_id: free.id });
    const url = `/v2.0/floatingips/${ip.id}`;
    const { member: token, client } = network;
    const body = { floatingip: { port_id: free.id } };
    expect(refusalOf(await client.put(url, { token, body }))).toEqual([
      409,
      'FipInUseByPortForwarding',
    ]);
    expect(refusalOf(await client.delete(url, { token }))).toEqual([
      409,
      'FipInUseByPortForwarding',
    ]);
  });

  it('keeps the interface that it uses, and is deleted with its port', async () => {
    await create();
    const url = `/v2.0/routers/${all.router.id}/remove_router_interface`;
    const { member: token, client } = network;
    const body = { subnet_id: all.insideSubnet.id };
    expect(refusalOf(await client.put(url, { token, body }))).toEqual([
      409,
      'RouterInterfaceInUseByFloatingIP',
    ]);
    await client.delete(`/v2.0/ports/${port.id}`, { token });
    expect(await list()).toEqual([]);
    expect(await showIp()).toMatchObject({ router_id: null, port_forwardings: [] });
    await network.settle();
    expect(told()).toEqual([]);
  });

  it('is deleted with the address of its port', async () => {
    await create();
    const body = { port: { fixed_ips: [{ ip_address: '10.7.0.200' }] } };
    const { member: token, client } = network;
    await client.put(`/v2.0/ports/${port.id}`, { token, body });
    expect(await list()).toEqual([]);
    expect(await showIp()).toMatchObject({ router_id: null });
  });

  it('is one of at most 1000 of its floating IP, and too many at once create none', async () => {
    const { id } = await create({ external_port: 1, internal_port: 1 });
    await network.ctx.manager.query(
      `INSERT INTO port_forwardings
       SELECT (jsonb_populate_record(one, jsonb_build_object(
                'id', gen_random_uuid(), 'external_first', port, 'external_last', port,
                'internal_first', port, 'internal_last', port))).*
         FROM port_forwardings AS one, generate_series(2, 999) AS port WHERE one.id = $1`,
      [id],
    );
    const full = [
      [400, 'BadRequest'],
      'Bad port_forwarding request: A floating IP may have 1000 port forwardings.',
    ];
    const internal_port_id = port.id;
    const wanted = [1_000, 1_001].map((external_port) => ({
      protocol: 'tcp',
      external_port,
      internal_port: external_port,
      internal_port_id,
    }));
    const { member: token } = network;
    const body = { port_forwardings: wanted };
    const several = await network.client.post(path(), { token, body });
    expect([refusalOf(several), messageOf(several)]).toEqual(full);
    expect(await list()).toHaveLength(999);
    expect((await post({ external_port: 1_000, internal_port: 1_000 })).status).toBe(201);
    const more = await post({ external_port: 1_001, internal_port: 1_001 });
    expect([refusalOf(more), messageOf(more)]).toEqual(full);
    expect(await list()).toHaveLength(1_000);
    // Another floating IP has its own bound.
    const other = await network.create('floatingips', { floating_network_id: all.outside.id });
    expect((await post({ internal_port: 1_001 }, other)).status).toBe(201);
  });

  it('belongs to the project of its floating IP', async () => {
    const one = await create();
    const seen = await network.client.get(path(one.id), { token: network.stranger });
    expect(refusalOf(seen)).toEqual([404, 'FloatingIPNotFound']);
    const made = await post({ external_port: 1 }, ip, network.stranger);
    expect(refusalOf(made)).toEqual([404, 'FloatingIPNotFound']);
  });
});
