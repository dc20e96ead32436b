import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { floatingTopology } from '../floatingips/floating-topology.fixture.js';
import type { FloatingTopology } from '../floatingips/floating-topology.fixture.js';
import { refusalOf, startNetwork, type NetworkFixture, type Wire } from '../network.fixture.js';

let network: NetworkFixture;
let all: FloatingTopology;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaFloatingIps: -1 } });
  all = await floatingTopology(network);
});
afterAll(() => network.stop());

const LIMIT = { ingress: null, egress: { maxKbps: 1000, maxBurstKbps: 0 }, dscpMark: null };

/** A policy that limits egress. */
const policy = async (fields: object = { shared: true }): Promise<string> => {
  const token = network.admin;
  const made = await network.client.post('/v2.0/qos/policies', {
    token,
    body: { policy: { name: 'slow', ...fields } },
  });
  const { id } = (made.body as { policy: Wire }).policy;
  await network.client.post(`/v2.0/qos/policies/${id}/bandwidth_limit_rules`, {
    token,
    body: { bandwidth_limit_rule: { max_kbps: 1000 } },
  });
  return id;
};
const removePolicy = (id: string) =>
  network.client.delete(`/v2.0/qos/policies/${id}`, { token: network.admin });
const put = (path: string, key: string, fields: object, token = network.member) =>
  network.client.put(`/v2.0/${path}`, { token, body: { [key]: fields } });
const setGateway = (info: object | null) =>
  put(`routers/${all.router.id}`, 'router', { external_gateway_info: info });
const gateway = async () =>
  (await network.show('routers', all.router.id))['external_gateway_info'] as object;
/** The router in the data plane, once it has been applied. */
const told = async () => {
  await network.settle();
  const router = network.dataPlane.routers.get(all.router.id);
  if (!router) throw new Error('the data plane has no router');
  return router;
};

const floatingIp = async (fields: object = {}): Promise<Wire> => {
  const port = await network.create('ports', { network_id: all.inside.id });
  const where = { floating_network_id: all.outside.id, port_id: port.id };
  return network.create('floatingips', { ...where, ...fields });
};

describe('the QoS policy of a floating IP', () => {
  it('is applied with its router, until it is removed', async () => {
    const qos_policy_id = await policy();
    const one = await floatingIp({ qos_policy_id });
    expect(one).toMatchObject({ qos_policy_id });
    const qosOf = async () => (await told()).floatingIps.find(({ id }) => id === one.id)?.qos;
    expect(await qosOf()).toEqual(LIMIT);
    const { body } = await put(`floatingips/${one.id}`, 'floatingip', { qos_policy_id: null });
    expect(body).toMatchObject({ floatingip: { qos_policy_id: null, port_id: one['port_id'] } });
    expect(await qosOf()).toMatchObject({ egress: null });
    expect(await removePolicy(qos_policy_id)).toMatchObject({ status: 204 });
  });

  it('is applied again when its rules change', async () => {
    const qos_policy_id = await policy();
    const one = await floatingIp({ qos_policy_id });
    await told();
    await network.client.post(`/v2.0/qos/policies/${qos_policy_id}/bandwidth_limit_rules`, {
      token: network.admin,
      body: { bandwidth_limit_rule: { max_kbps: 2000, direction: 'ingress' } },
    });
    const { floatingIps } = await told();
    expect(floatingIps.find(({ id }) => id === one.id)).toMatchObject({
      qos: { ...LIMIT, ingress: { maxKbps: 2000 } },
    });
  });

  it('cannot be deleted while it is used, and the floating IP shows it', async () => {
    const qos_policy_id = await policy();
    const one = await floatingIp({ qos_policy_id });
    expect(refusalOf(await removePolicy(qos_policy_id))).toEqual([409, 'QosPolicyInUse']);
    const found = await network.list(`floatingips?qos_policy_id=${qos_policy_id}`);
    expect(found.map(({ id }) => id)).toEqual([one.id]);
  });

  it.each([
    [404, 'QosPolicyNotFound', () => Promise.resolve(newId())],
    [404, 'QosPolicyNotFound', () => policy({ shared: false })],
    [400, 'HTTPBadRequest', () => Promise.resolve('odd')],
  ])('is refused with %i, %s, and the floating IP stays as it was', async (status, type, id) => {
    const one = await floatingIp();
    const asked = { qos_policy_id: await id() };
    const answer = await put(`floatingips/${one.id}`, 'floatingip', asked);
    expect(refusalOf(answer)).toEqual([status, type]);
    expect(await network.show('floatingips', one.id)).toMatchObject({ qos_policy_id: null });
    const made = await network.client.post('/v2.0/floatingips', {
      token: network.member,
      body: { floatingip: { floating_network_id: all.outside.id, ...asked } },
    });
    expect(refusalOf(made)).toEqual([status, type]);
  });
});

describe("the QoS policy of a router's gateway", () => {
  it('is shown with the gateway, applied, and kept if it is omitted', async () => {
    const qos_policy_id = await policy();
    const network_id = all.outside.id;
    await setGateway({ network_id, qos_policy_id });
    expect(await gateway()).toMatchObject({ network_id, qos_policy_id, enable_snat: true });
    expect((await told()).gateways).toMatchObject([{ qos: LIMIT }]);
    await setGateway({ network_id });
    expect(await gateway()).toMatchObject({ qos_policy_id });
    expect(refusalOf(await removePolicy(qos_policy_id))).toEqual([409, 'QosPolicyInUse']);
    await setGateway({ network_id, qos_policy_id: null });
    expect(await gateway()).not.toHaveProperty('qos_policy_id');
    expect((await removePolicy(qos_policy_id)).status).toBe(204);
  });

  it('is removed with the gateway', async () => {
    const qos_policy_id = await policy();
    const info = { network_id: all.outside.id, qos_policy_id };
    const router = await network.create('routers', { external_gateway_info: info });
    expect(router).toMatchObject({ external_gateway_info: { qos_policy_id } });
    const off = { external_gateway_info: null };
    expect((await put(`routers/${router.id}`, 'router', off)).status).toBe(200);
    expect((await removePolicy(qos_policy_id)).status).toBe(204);
  });

  it('is refused if the project does not see it', async () => {
    const before = await gateway();
    const answer = await setGateway({ network_id: all.outside.id, qos_policy_id: newId() });
    expect(refusalOf(answer)).toEqual([404, 'QosPolicyNotFound']);
    expect(await gateway()).toEqual(before);
  });
});

describe('a rule that the data plane does not support', () => {
  it('is refused in policies of floating IPs and gateways', async () => {
    const qos_policy_id = await policy();
    await floatingIp({ qos_policy_id });
    const answer = await network.client.post(
      `/v2.0/qos/policies/${qos_policy_id}/packet_rate_limit_rules`,
      { token: network.admin, body: { packet_rate_limit_rule: { max_kpps: 1 } } },
    );
    expect(refusalOf(answer)).toEqual([409, 'QosRuleNotSupported']);
  });
});
