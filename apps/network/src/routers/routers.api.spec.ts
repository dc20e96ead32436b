import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { messageOf, refusalOf, startNetwork } from '../network.fixture.js';
import type { NetworkFixture, Wire } from '../network.fixture.js';

let network: NetworkFixture;
let outside: Wire;
let outsideSubnet: Wire;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaRouters: -1 } });
  outside = await network.create('networks', { 'router:external': true }, network.admin);
  const subnet = { network_id: outside.id, ip_version: 4, cidr: '203.0.113.0/24' };
  outsideSubnet = await network.create('subnets', subnet, network.admin);
});
afterAll(() => network.stop());

const path = '/v2.0/routers';
const put = (url: string, body: object, token = network.member) =>
  network.client.put(`${path}/${url}`, { token, body });
const change = (id: string, router: object, token = network.member) => put(id, { router }, token);
const remove = (id: string) => network.client.delete(`${path}/${id}`, { token: network.member });
const show = (id: string) => network.show('routers', id);
const told = (id: string) => network.dataPlane.routers.get(id);

describe('a router', () => {
  it('is created with defaults, changed, found, and applied to the data plane', async () => {
    const router = await network.create('routers', { name: 'one', tags: ['red'] });
    expect(router).toMatchObject({
      name: 'one',
      admin_state_up: true,
      status: 'ACTIVE',
      tags: ['red'],
      external_gateway_info: null,
      external_gateways: [],
      routes: [],
      enable_snat: true,
    });
    const { status } = await change(router.id, { admin_state_up: false, name: 'two' });
    expect(status).toBe(200);
    expect(await show(router.id)).toMatchObject({ name: 'two', revision_number: 1 });
    const found = await network.list('routers?name=two&admin_state_up=False&status=ACTIVE');
    expect(found.map(({ id }) => id)).toEqual([router.id]);
    await network.settle();
    expect(told(router.id)).toMatchObject({ adminStateUp: false });
    expect((await remove(router.id)).status).toBe(204);
    await network.settle();
    expect(told(router.id)).toBeUndefined();
  });

  it('is visible to its project only', async () => {
    const { id } = await network.create('routers', {});
    const token = network.stranger;
    expect(await network.list('routers', token)).toEqual([]);
    const seen = await network.client.get(`${path}/${id}`, { token });
    expect([refusalOf(seen), messageOf(seen)]).toEqual([
      [404, 'RouterNotFound'],
      `Router ${id} could not be found`,
    ]);
    const changed = await put(`${id}/add_router_interface`, { subnet_id: newId() }, token);
    expect(refusalOf(changed)).toEqual([404, 'RouterNotFound']);
  });

  it.each([
    ["Unrecognized attribute(s) 'colour'", { colour: 1 }],
    ["Attribute 'routes' not allowed in POST", { routes: [] }],
    [
      'Invalid input for external_gateway_info. Reason: \'{"enable_snat":true}\' lacks network_id.',
      { external_gateway_info: { enable_snat: true } },
    ],
  ])('refuses: %s', async (message, router) => {
    const answer = await network.client.post(path, { token: network.member, body: { router } });
    expect([refusalOf(answer), messageOf(answer)]).toEqual([[400, 'HTTPBadRequest'], message]);
  });

  it('counts against the quota', async () => {
    const quota = `/v2.0/quotas/${network.project}`;
    await network.client.put(quota, { token: network.admin, body: { quota: { router: 0 } } });
    const body = { router: {} };
    const answer = await network.client.post(path, { token: network.member, body });
    expect(refusalOf(answer)[1]).toBe('OverQuota');
    await network.client.put(quota, { token: network.admin, body: { quota: { router: -1 } } });
  });
});

describe('a gateway', () => {
  it('has a port that no project sees, and that is deleted with the router', async () => {
    const info = { network_id: outside.id };
    const router = await network.create('routers', { external_gateway_info: info });
    expect(router['external_gateway_info']).toMatchObject({ ...info, enable_snat: true });
    const [{ ip_address: address }] = (
      router['external_gateway_info'] as { external_fixed_ips: [{ ip_address: string }] }
    ).external_fixed_ips;
    await network.settle();
    expect(await network.list(`ports?device_id=${router.id}`)).toEqual([]);
    const [port] = await network.list(`ports?device_id=${router.id}`, network.admin);
    expect(port).toMatchObject({
      device_owner: 'network:router_gateway',
      project_id: '',
      status: 'ACTIVE',
      fixed_ips: [{ ip_address: address, subnet_id: outsideSubnet.id }],
    });
    expect(told(router.id)?.gateways).toMatchObject([
      { portId: port?.id, enableSnat: true, addresses: [{ address, gatewayIp: '203.0.113.1' }] },
    ]);
    const url = `/v2.0/ports/${port?.id ?? ''}`;
    expect(refusalOf(await network.client.delete(url, { token: network.admin }))).toEqual([
      409,
      'ServicePortInUse',
    ]);
    await remove(router.id);
    await network.settle();
    expect((await network.client.get(url, { token: network.admin })).status).toBe(404);
  });

  it('is removed by null and by an empty object, and SNAT is reset', async () => {
    for (const external_gateway_info of [null, {}]) {
      const info = { network_id: outside.id, enable_snat: false };
      const { id } = await network.create(
        'routers',
        { external_gateway_info: info, project_id: network.project },
        network.admin,
      );
      expect(await show(id)).toMatchObject({ enable_snat: false });
      await change(id, { external_gateway_info });
      expect(await show(id)).toMatchObject({ enable_snat: true, external_gateway_info: null });
    }
  });

  it('has the addresses that an administrator chooses, which may be changed', async () => {
    const { id } = await network.create('routers', {});
    const set = (ip_address: string, token = network.admin) =>
      change(
        id,
        { external_gateway_info: { network_id: outside.id, external_fixed_ips: [{ ip_address }] } },
        token,
      );
    const denied = await set('203.0.113.77', network.member);
    expect([refusalOf(denied), messageOf(denied)]).toEqual([
      [403, 'PolicyNotAuthorized'],
      'rule:update_router:external_gateway_info:external_fixed_ips is disallowed by policy',
    ]);
    for (const address of ['203.0.113.77', '203.0.113.78']) {
      expect((await set(address)).status).toBe(200);
      const ports = await network.list(`ports?device_id=${id}`, network.admin);
      expect(ports.map((port) => port.fixed_ips[0]?.ip_address)).toEqual([address]);
    }
    expect(refusalOf(await set('203.0.113.1'))).toEqual([400, 'BadRequest']);
  });

  it('is unchanged if the addresses are named in another order', async () => {
    const { id } = await network.create('routers', {});
    const set = async (addresses: readonly (string | undefined)[]) => {
      const external_fixed_ips = addresses.map((ip_address) => ({
        subnet_id: outsideSubnet.id,
        ...(ip_address === undefined ? {} : { ip_address }),
      }));
      const info = { network_id: outside.id, external_fixed_ips };
      const { status } = await change(id, { external_gateway_info: info }, network.admin);
      const [port] = await network.list(`ports?device_id=${id}`, network.admin);
      return [status, port?.fixed_ips.map((one) => one.ip_address), port?.revision_number];
    };
    const [status, shown, revision] = await set(['203.0.113.90', '203.0.113.80']);
    expect([status, shown]).toEqual([200, ['203.0.113.80', '203.0.113.90']]);
    for (const same of [
      ['203.0.113.80', '203.0.113.90'],
      [undefined, '203.0.113.80'],
    ])
      expect(await set(same)).toEqual([200, shown, revision]);
    const [, other] = await set(['203.0.113.80', '203.0.113.81']);
    expect(other).toEqual(['203.0.113.80', '203.0.113.81']);
  });

  it('refuses an address of a subnet that does not exist', async () => {
    const { id } = await network.create('routers', {});
    const info = { network_id: outside.id, external_fixed_ips: [{ subnet_id: newId() }] };
    const answer = await change(id, { external_gateway_info: info }, network.admin);
    expect(refusalOf(answer)).toEqual([404, 'SubnetNotFound']);
    expect(await show(id)).toMatchObject({ external_gateway_info: null });
  });

  it('requires an external network that does not overlap with inner subnets', async () => {
    const { network: inside } = await network.networkWith('10.0.0.0/24');
    const { id } = await network.create('routers', {});
    const notExternal = await change(id, { external_gateway_info: { network_id: inside.id } });
    expect([refusalOf(notExternal), messageOf(notExternal)]).toEqual([
      [400, 'BadRequest'],
      `Bad router request: Network ${inside.id} is not an external network.`,
    ]);
    const none = await change(id, { external_gateway_info: { network_id: newId() } });
    expect(refusalOf(none)).toEqual([404, 'NetworkNotFound']);
    const { subnet } = await network.networkWith('203.0.113.128/25');
    await put(`${id}/add_router_interface`, { subnet_id: subnet.id });
    const crossing = await change(id, { external_gateway_info: { network_id: outside.id } });
    expect([refusalOf(crossing), messageOf(crossing)]).toEqual([
      [400, 'BadRequest'],
      `Bad router request: Cidr 203.0.113.0/24 of subnet ${outsideSubnet.id} overlaps with cidr 203.0.113.128/25 of subnet ${subnet.id}.`,
    ]);
  });

  it('keeps its network external, and its subnet', async () => {
    await network.create('routers', { external_gateway_info: { network_id: outside.id } });
    const url = `/v2.0/networks/${outside.id}`;
    const body = { network: { 'router:external': false } };
    const inside = await network.client.put(url, { token: network.admin, body });
    expect(refusalOf(inside)).toEqual([409, 'ExternalNetworkInUse']);
    const gone = await network.client.delete(url, { token: network.admin });
    expect(refusalOf(gone)).toEqual([409, 'NetworkInUse']);
    const subnet = `/v2.0/subnets/${outsideSubnet.id}`;
    expect(refusalOf(await network.client.delete(subnet, { token: network.admin }))).toEqual([
      409,
      'SubnetInUse',
    ]);
  });
});

describe('several gateways', () => {
  let other: Wire;

  beforeAll(async () => {
    other = await network.create('networks', { 'router:external': true }, network.admin);
    const subnet = { network_id: other.id, ip_version: 4, cidr: '198.51.100.0/24' };
    await network.create('subnets', subnet, network.admin);
  });

  const gateways = async (id: string) =>
    ((await show(id))['external_gateways'] as { network_id: string }[]).map(
      ({ network_id }) => network_id,
    );
  const act = (id: string, verb: string, networkIds: readonly string[]) =>
    put(`${id}/${verb}_external_gateways`, {
      router: { external_gateways: networkIds.map((network_id) => ({ network_id })) },
    });

  it('are added, ordered and removed', async () => {
    const { id } = await network.create('routers', {});
    expect((await act(id, 'add', [outside.id, other.id])).status).toBe(200);
    expect(await gateways(id)).toEqual([outside.id, other.id]);
    expect((await show(id))['external_gateway_info']).toMatchObject({ network_id: outside.id });
    await act(id, 'update', [other.id, outside.id]);
    expect(await gateways(id)).toEqual([other.id, outside.id]);
    await network.settle();
    expect(told(id)?.gateways.map(({ networkId }) => networkId)).toEqual([other.id, outside.id]);
    await act(id, 'remove', [other.id]);
    expect((await show(id))['external_gateway_info']).toMatchObject({ network_id: outside.id });
    await act(id, 'update', []);
    expect(await gateways(id)).toEqual([]);
  });

  it('may be on one network, and are then distinguished by their addresses', async () => {
    const { id } = await network.create('routers', {});
    await act(id, 'add', [outside.id, outside.id]);
    expect(await gateways(id)).toEqual([outside.id, outside.id]);
    expect(refusalOf(await act(id, 'remove', [outside.id]))).toEqual([
      400,
      'UnableToMatchGateways',
    ]);
    const [, second] = (await show(id))['external_gateways'] as {
      external_fixed_ips: { ip_address: string }[];
    }[];
    const named = { network_id: outside.id, ...second };
    const answer = await put(`${id}/remove_external_gateways`, {
      router: { external_gateways: [named] },
    });
    expect(answer.status).toBe(200);
    expect(await gateways(id)).toEqual([outside.id]);
  });

  it('stay if none is named, as by the openstack client with an empty object', async () => {
    const { id } = await network.create('routers', {});
    await act(id, 'add', [outside.id]);
    const body = { router: { external_gateways: {} } };
    expect((await put(`${id}/remove_external_gateways`, body)).status).toBe(200);
    expect(await gateways(id)).toEqual([outside.id]);
  });

  it('cannot be removed if there are none', async () => {
    const { id } = await network.create('routers', {});
    expect(refusalOf(await act(id, 'remove', [outside.id]))).toEqual([
      400,
      'UnableToRemoveGateways',
    ]);
  });
});

describe('routes', () => {
  let id: string;

  beforeAll(async () => {
    ({ id } = await network.create('routers', {}));
    const { subnet } = await network.networkWith('10.5.0.0/24');
    await put(`${id}/add_router_interface`, { subnet_id: subnet.id });
  });

  const route = (destination: string, nexthop = '10.5.0.9') => ({ destination, nexthop });
  const routes = async () => (await show(id))['routes'];

  it('can be added and removed separately, and repeatedly', async () => {
    const [one, two, three] = ['10.6.0.0/16', '10.7.0.0/16', '10.8.0.0/16'].map((at) => route(at));
    await change(id, { routes: [one] });
    for (const added of [
      [one, two],
      [two, three],
    ])
      await put(`${id}/add_extraroutes`, { router: { routes: added } });
    expect(await routes()).toEqual([one, two, three]);
    for (const gone of [[one], [one, two]])
      await put(`${id}/remove_extraroutes`, { router: { routes: gone } });
    expect(await routes()).toEqual([three]);
    await network.settle();
    expect(told(id)?.routes).toEqual([three]);
  });

  it.each([
    ['the nexthop is not connected with router', '10.9.0.1'],
    ['the nexthop is used by router', '10.5.0.1'],
  ])('require a reachable next hop: %s', async (reason, nexthop) => {
    const answer = await change(id, { routes: [route('10.6.0.0/16', nexthop)] });
    expect(refusalOf(answer)).toEqual([400, 'InvalidRoutes']);
    expect(messageOf(answer)).toContain(nexthop);
    expect(messageOf(answer)).toContain(reason);
  });

  it('are limited to 30', async () => {
    const all = Array.from({ length: 31 }, (_, at) => route(`10.6.${at}.0/24`));
    expect(refusalOf(await change(id, { routes: all }))).toEqual([400, 'RoutesExhausted']);
  });

  it('keep the interface that they use', async () => {
    await change(id, { routes: [route('10.6.0.0/16')] });
    const [{ id: portId } = { id: '' }] = await network.list(`ports?device_id=${id}`);
    const answer = await put(`${id}/remove_router_interface`, { port_id: portId });
    expect(refusalOf(answer)).toEqual([409, 'RouterInterfaceInUseByRoute']);
  });
});
