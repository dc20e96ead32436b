import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { refusalOf, startNetwork, type NetworkFixture, type Wire } from '../network.fixture.js';

let network: NetworkFixture;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaNetworks: -1 } });
});
afterAll(() => network.stop());

const POLICIES = '/v2.0/qos/policies';
const token = () => network.admin;

/** A shared policy, unless the fields say otherwise. */
const policy = async (fields: object = {}): Promise<Wire> => {
  const body = { policy: { name: 'policy', shared: true, ...fields } };
  const answer = await network.client.post(POLICIES, { token: token(), body });
  if (answer.status !== 201) throw new Error(answer.text);
  return (answer.body as { policy: Wire }).policy;
};

const shown = async (id: string): Promise<Wire> => {
  const { body } = await network.client.get(`${POLICIES}/${id}`, { token: token() });
  return (body as { policy: Wire }).policy;
};

const post = (id: string, type: string, fields: object) =>
  network.client.post(`${POLICIES}/${id}/${type}_rules`, {
    token: token(),
    body: { [`${type}_rule`]: fields },
  });

const rule = async (id: string, type: string, fields: object): Promise<Wire> => {
  const answer = await post(id, type, fields);
  if (answer.status !== 201) throw new Error(answer.text);
  return (answer.body as Record<string, Wire>)[`${type}_rule`] as Wire;
};

const put = (path: string, body: object) => network.client.put(path, { token: token(), body });
const remove = (path: string, as = token()) => network.client.delete(path, { token: as });

const told = async (port: Wire) => {
  await network.settle();
  return network.dataPlane.ports.get(port.id)?.qos;
};

const NONE = { ingress: null, egress: null, dscpMark: null };

describe('a QoS policy', () => {
  it('is created, shared, changed and deleted by administrators', async () => {
    const { id } = await policy({ description: 'slow' });
    const { body } = await put(`${POLICIES}/${id}`, { policy: { name: 'new', shared: false } });
    expect(body).toMatchObject({
      policy: { name: 'new', description: 'slow', shared: false, is_default: false, rules: [] },
    });
    const asMember = await network.client.get(`${POLICIES}/${id}`, { token: network.member });
    expect(refusalOf(asMember)).toEqual([404, 'QosPolicyNotFound']);
    const mine = { token: network.member, body: { policy: { name: 'mine' } } };
    expect(refusalOf(await network.client.post(POLICIES, mine))).toEqual([
      403,
      'PolicyNotAuthorized',
    ]);
    expect((await remove(`${POLICIES}/${id}`)).status).toBe(204);
    expect(refusalOf(await remove(`${POLICIES}/${id}`))).toEqual([404, 'QosPolicyNotFound']);
  });

  it('is the default of its project, which has at most one', async () => {
    const project_id = network.project;
    const { id } = await policy({ is_default: true, project_id });
    const body = { policy: { name: 'other', is_default: true, project_id } };
    const second = await network.client.post(POLICIES, { token: token(), body });
    expect(refusalOf(second)).toEqual([409, 'QoSPolicyDefaultAlreadyExists']);
    const made = await network.create('networks', {});
    expect(made['qos_policy_id']).toBe(id);
    const other = await network.create('networks', {}, network.stranger);
    expect(other['qos_policy_id']).toBeNull();
    await put(`${POLICIES}/${id}`, { policy: { is_default: false } });
    expect((await network.create('networks', {}))['qos_policy_id']).toBeNull();
  });

  it('is not deleted while a network or a port has it', async () => {
    const { id } = await policy();
    const { id: network_id } = await network.create('networks', { qos_policy_id: id });
    const inUse = [409, 'QosPolicyInUse'];
    expect(refusalOf(await remove(`${POLICIES}/${id}`))).toEqual(inUse);
    const port = await network.create('ports', { network_id, qos_policy_id: id });
    await put(`/v2.0/networks/${network_id}`, { network: { qos_policy_id: null } });
    expect(refusalOf(await remove(`${POLICIES}/${id}`))).toEqual(inUse);
    await remove(`/v2.0/ports/${port.id}`, network.member);
    expect((await remove(`${POLICIES}/${id}`)).status).toBe(204);
  });
});

describe("a policy's rules", () => {
  const KINDS = [
    ['bandwidth_limit', { max_kbps: 1000 }, { max_burst_kbps: 0, direction: 'egress' }],
    ['dscp_marking', { dscp_mark: 26 }, {}],
    ['minimum_bandwidth', { min_kbps: 10, direction: 'ingress' }, {}],
    ['minimum_packet_rate', { min_kpps: 10, direction: 'any' }, {}],
    ['packet_rate_limit', { max_kpps: 10 }, { max_burst_kpps: 0, direction: 'egress' }],
  ] as const;

  const ALIASED = KINDS.filter(([type]) => type !== 'packet_rate_limit').map(
    ([type, fields]): [string, object] => [type, fields],
  );

  it.each(KINDS)('have the type %s: %j', async (type, fields, defaults) => {
    const { id } = await policy();
    const made = await rule(id, type, fields);
    const all = { id: made.id, ...fields, ...defaults };
    expect(made).toEqual(all);
    const path = `${POLICIES}/${id}/${type}_rules`;
    const get = (url: string) => network.client.get(url, { token: token() });
    expect((await get(`${path}/${made.id}`)).body).toEqual({ [`${type}_rule`]: all });
    expect((await get(path)).body).toEqual({ [`${type}_rules`]: [all] });
    const [name = '', value] = Object.entries(fields)[0] ?? [];
    expect((await get(`${path}?${name}=${String(value)}`)).body).toEqual({
      [`${type}_rules`]: [all],
    });
    expect((await get(`${path}?${name}=77`)).body).toEqual({ [`${type}_rules`]: [] });
    expect((await get(`${path}?colour=red`)).status).toBe(400);
    expect((await shown(id))['rules']).toEqual([{ ...all, type, qos_policy_id: id }]);
    const changed = await put(`${path}/${made.id}`, { [`${type}_rule`]: { [name]: 46 } });
    expect(changed.body).toEqual({ [`${type}_rule`]: { ...all, [name]: 46 } });
    expect((await remove(`${path}/${made.id}`)).status).toBe(204);
    expect(refusalOf(await remove(`${path}/${made.id}`))).toEqual([404, 'QosRuleNotFound']);
    expect((await shown(id)).revision_number).toBe(3);
  });

  it.each(ALIASED)('are found without their policy: %s', async (type, fields) => {
    const { id } = await policy();
    const made = await rule(id, type, fields);
    const path = `/v2.0/qos/alias_${type}_rules/${made.id}`;
    const get = () => network.client.get(path, { token: token() });
    expect((await get()).body).toEqual({ [`alias_${type}_rule`]: made });
    const [name = ''] = Object.keys(fields);
    const changed = await put(path, { [`alias_${type}_rule`]: { [name]: 46 } });
    expect(changed.body).toEqual({ [`alias_${type}_rule`]: { ...made, [name]: 46 } });
    expect((await remove(path)).status).toBe(204);
    expect(refusalOf(await get())).toEqual([404, 'QosRuleNotFound']);
  });

  it.each([
    ['bandwidth_limit', {}],
    ['bandwidth_limit', { max_kbps: -1 }],
    ['bandwidth_limit', { max_kbps: 1, direction: 'any' }],
    ['bandwidth_limit', { max_kbps: 1, colour: 'red' }],
    ['dscp_marking', { dscp_mark: 47 }],
    ['minimum_packet_rate', { min_kpps: 'much' }],
  ])('of the type %s are refused with %j', async (type, fields) => {
    const { id } = await policy();
    expect(refusalOf(await post(id, type, fields))).toEqual([400, 'HTTPBadRequest']);
    expect((await shown(id))['rules']).toEqual([]);
  });

  it('are unique by type and direction, also for concurrent requests', async () => {
    const { id } = await policy();
    const answers = await Promise.all(
      [1, 2, 3].map((max_kbps) => post(id, 'bandwidth_limit', { max_kbps })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const again = await post(id, 'bandwidth_limit', { max_kbps: 9 });
    expect(refusalOf(again)).toEqual([409, 'QoSRulesConflict']);
    const ingress = await rule(id, 'bandwidth_limit', { max_kbps: 9, direction: 'ingress' });
    const turned = await put(`${POLICIES}/${id}/bandwidth_limit_rules/${ingress.id}`, {
      bandwidth_limit_rule: { direction: 'egress' },
    });
    expect(refusalOf(turned)).toEqual([409, 'QoSRulesConflict']);
  });

  it('do not require more than they permit', async () => {
    const { id } = await policy();
    const least = await rule(id, 'minimum_bandwidth', { min_kbps: 100 });
    const conflict = [409, 'QoSRuleParameterConflict'];
    expect(refusalOf(await post(id, 'bandwidth_limit', { max_kbps: 99 }))).toEqual(conflict);
    await rule(id, 'bandwidth_limit', { max_kbps: 99, direction: 'ingress' });
    await rule(id, 'bandwidth_limit', { max_kbps: 100 });
    const more = await put(`${POLICIES}/${id}/minimum_bandwidth_rules/${least.id}`, {
      minimum_bandwidth_rule: { min_kbps: 101 },
    });
    expect(refusalOf(more)).toEqual(conflict);
    await rule(id, 'minimum_packet_rate', { min_kpps: 1, direction: 'any' });
    expect(refusalOf(await post(id, 'minimum_packet_rate', { min_kpps: 1 }))).toEqual(conflict);
  });

  it('are not found without a policy', async () => {
    for (const id of [newId(), 'nothing']) {
      const answer = await post(id, 'dscp_marking', { dscp_mark: 8 });
      expect(refusalOf(answer)).toEqual([404, 'QosPolicyNotFound']);
    }
  });
});

describe('a port', () => {
  it('has the limits of its policy, or else of its network', async () => {
    const [own, shared] = [await policy(), await policy()];
    await rule(own.id, 'bandwidth_limit', { max_kbps: 1000, max_burst_kbps: 100 });
    await rule(shared.id, 'bandwidth_limit', { max_kbps: 2000, direction: 'ingress' });
    await rule(shared.id, 'dscp_marking', { dscp_mark: 46 });
    const { id: network_id } = await network.create('networks', { qos_policy_id: shared.id });
    const byNetwork = { ...NONE, ingress: { maxKbps: 2000, maxBurstKbps: 0 }, dscpMark: 46 };
    const port = await network.create('ports', { network_id });
    expect(port).toMatchObject({ qos_policy_id: null, qos_network_policy_id: shared.id });
    expect(await told(port)).toEqual(byNetwork);
    await put(`/v2.0/ports/${port.id}`, { port: { qos_policy_id: own.id } });
    expect(await told(port)).toEqual({ ...NONE, egress: { maxKbps: 1000, maxBurstKbps: 100 } });
    await put(`/v2.0/ports/${port.id}`, { port: { qos_policy_id: null } });
    expect(await told(port)).toEqual(byNetwork);
    const dhcp = await network.create('ports', { network_id, device_owner: 'network:dhcp' });
    expect(await told(dhcp)).toEqual(NONE);
    await put(`/v2.0/networks/${network_id}`, { network: { qos_policy_id: own.id } });
    expect(await told(port)).toMatchObject({ ingress: null, dscpMark: null });
  });

  it('is applied again on each change of the rules', async () => {
    const { id } = await policy();
    const { id: network_id } = await network.create('networks', { qos_policy_id: id });
    const [one, two] = [
      await network.create('ports', { network_id }),
      await network.create(
        'ports',
        { network_id, qos_policy_id: id, 'binding:host_id': 'h' },
        token(),
      ),
    ];
    const made = await rule(id, 'dscp_marking', { dscp_mark: 8 });
    for (const port of [one, two]) expect(await told(port)).toEqual({ ...NONE, dscpMark: 8 });
    const path = `${POLICIES}/${id}/dscp_marking_rules/${made.id}`;
    await put(path, { dscp_marking_rule: { dscp_mark: 10 } });
    for (const port of [one, two]) expect(await told(port)).toEqual({ ...NONE, dscpMark: 10 });
    await rule(id, 'bandwidth_limit', { max_kbps: 0 });
    await remove(path);
    for (const port of [one, two]) expect(await told(port)).toEqual(NONE);
    expect(await network.show('ports', two.id)).toMatchObject({ status: 'ACTIVE' });
  });

  it('cannot have a policy with unsupported rules', async () => {
    const { id } = await policy();
    await rule(id, 'minimum_bandwidth', { min_kbps: 1 });
    const { client, member } = network;
    const made = await client.post('/v2.0/networks', {
      token: member,
      body: { network: { qos_policy_id: id } },
    });
    expect(refusalOf(made)).toEqual([409, 'QosRuleNotSupportedByNetwork']);
    const { id: network_id } = await network.create('networks', {});
    const body = { port: { network_id, qos_policy_id: id } };
    const port = await client.post('/v2.0/ports', { token: member, body });
    expect(refusalOf(port)).toEqual([409, 'QosRuleNotSupported']);
    const used = await policy();
    await network.create('ports', { network_id, qos_policy_id: used.id });
    const late = await post(used.id, 'packet_rate_limit', { max_kpps: 1 });
    expect(refusalOf(late)).toEqual([409, 'QosRuleNotSupported']);
  });

  it('has a policy that its owner sees, and keeps one that its owner does not see', async () => {
    const hidden = await policy({ shared: false });
    const { id: network_id } = await network.create('networks', {});
    const { client, member } = network;
    const body = { port: { network_id, qos_policy_id: hidden.id } };
    const made = await client.post('/v2.0/ports', { token: member, body });
    expect(refusalOf(made)).toEqual([404, 'QosPolicyNotFound']);
    const port = await network.create('ports', { network_id });
    const change = (qos_policy_id: string | null, as: string) =>
      client.put(`/v2.0/ports/${port.id}`, { token: as, body: { port: { qos_policy_id } } });
    expect((await change(hidden.id, token())).status).toBe(200);
    expect(refusalOf(await change(null, member))).toEqual([403, 'PolicyRemoveAuthorizationError']);
    const ofNetwork = `/v2.0/networks/${network_id}`;
    await put(ofNetwork, { network: { qos_policy_id: hidden.id } });
    const kept = await client.put(ofNetwork, {
      token: member,
      body: { network: { qos_policy_id: null } },
    });
    expect(refusalOf(kept)).toEqual([403, 'PolicyRemoveAuthorizationError']);
  });
});

describe('rule types', () => {
  it('are the supported ones, or all', async () => {
    const types = async (query = '') =>
      (await network.list(`qos/rule-types${query}`)).map((one) => one['type']);
    expect(await types()).toEqual(['bandwidth_limit', 'dscp_marking']);
    expect(await types('?all_supported=true')).toEqual(['bandwidth_limit', 'dscp_marking']);
    expect(await types('?all_rules=true')).toHaveLength(5);
    expect(
      (await network.client.get('/v2.0/qos/rule-types?all_rules=x', { token: token() })).status,
    ).toBe(400);
  });

  it('are shown to administrators with the permitted values', async () => {
    const get = (type: string, as = token()) =>
      network.client.get(`/v2.0/qos/rule-types/${type}`, { token: as });
    expect((await get('bandwidth_limit')).body).toEqual({
      rule_type: {
        type: 'bandwidth_limit',
        drivers: [
          {
            name: 'cumulet',
            supported_parameters: [
              {
                parameter_name: 'max_kbps',
                parameter_type: 'range',
                parameter_values: { start: 0, end: 2_147_483_647 },
              },
              {
                parameter_name: 'max_burst_kbps',
                parameter_type: 'range',
                parameter_values: { start: 0, end: 2_147_483_647 },
              },
              {
                parameter_name: 'direction',
                parameter_type: 'choices',
                parameter_values: ['ingress', 'egress'],
              },
            ],
          },
        ],
      },
    });
    expect((await get('minimum_bandwidth')).body).toMatchObject({ rule_type: { drivers: [] } });
    expect((await get('colour')).status).toBe(404);
    expect((await get('bandwidth_limit', network.member)).status).toBe(403);
  });
});
