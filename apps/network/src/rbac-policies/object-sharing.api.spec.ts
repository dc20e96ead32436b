import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { refusalOf, startNetwork, type NetworkFixture, type Wire } from '../network.fixture.js';
import { policyFixture, type PolicyFixture } from './rbac-policies.fixture.js';

let network: NetworkFixture;
let other: NetworkFixture;
let policies: PolicyFixture;

beforeAll(async () => {
  network = await startNetwork({
    config: { quotaNetworks: -1, quotaRbacPolicies: -1, quotaSecurityGroups: -1 },
  });
  other = await startNetwork({ beside: network });
  policies = await policyFixture(network);
});
afterAll(async () => {
  await other.stop();
  await network.stop();
});

/** A type of object that policies share. */
interface Kind {
  readonly type: string;
  readonly path: string;
  readonly body: string;
  readonly missing: string;
  /** Attributes of a new object. */
  readonly fields: object;
  /** Has the friend's project use the object. @returns the answer and its path */
  use(id: string): Promise<{ status: number; path: string }>;
}

const send = async (token: string, path: string, key: string, fields: object) => {
  const { status, body } = await network.client.post(`/v2.0/${path}`, {
    token,
    body: { [key]: fields },
  });
  const { id = '' } = (body as Record<string, Wire>)[key] ?? {};
  return { status, path: `${path}/${id}` };
};
const asFriend = (path: string, key: string, fields: object) =>
  send(policies.friendToken, path, key, fields);
const friendsNetwork = async () => (await network.create('networks', {}, policies.friendToken)).id;

let octet = 0;
const nextPrefix = () => `10.${(octet += 1)}.0.0/16`;

const KINDS: readonly Kind[] = [
  {
    type: 'security_group',
    path: 'security-groups',
    body: 'security_group',
    missing: 'SecurityGroupNotFound',
    fields: { name: 'ours' },
    use: async (id) => {
      const network_id = await friendsNetwork();
      return asFriend('ports', 'port', { network_id, security_groups: [id] });
    },
  },
  {
    type: 'qos_policy',
    path: 'qos/policies',
    body: 'policy',
    missing: 'QosPolicyNotFound',
    fields: { name: 'ours' },
    use: (id) => asFriend('networks', 'network', { qos_policy_id: id }),
  },
  {
    type: 'address_group',
    path: 'address-groups',
    body: 'address_group',
    missing: 'AddressGroupNotFound',
    fields: { addresses: ['10.0.0.0/8'] },
    use: async (id) => {
      const group = await network.create('security_groups', { name: 'mine' }, policies.friendToken);
      const remote = { remote_address_group_id: id, direction: 'ingress' };
      const rule = { ...remote, security_group_id: group.id };
      return asFriend('security-group-rules', 'security_group_rule', rule);
    },
  },
  {
    type: 'address_scope',
    path: 'address-scopes',
    body: 'address_scope',
    missing: 'AddressScopeNotFound',
    fields: { name: 'ours', ip_version: 4 },
    use: (id) => {
      const prefixes = [nextPrefix()];
      return asFriend('subnetpools', 'subnetpool', {
        name: 'mine',
        prefixes,
        address_scope_id: id,
      });
    },
  },
  {
    type: 'subnetpool',
    path: 'subnetpools',
    body: 'subnetpool',
    missing: 'SubnetPoolNotFound',
    fields: { name: 'ours', prefixes: ['10.200.0.0/16'] },
    use: async (id) => {
      const network_id = await friendsNetwork();
      const subnet = { network_id, ip_version: 4, subnetpool_id: id, prefixlen: 26 };
      return asFriend('subnets', 'subnet', subnet);
    },
  },
];

describe.each(KINDS)('$type that is shared by a policy', (kind) => {
  const { type, path, body, missing } = kind;
  const token = () => (type === 'qos_policy' ? network.admin : network.member);
  const make = async (): Promise<string> => {
    const made = await send(token(), path, body, kind.fields);
    expect(made.status).toBe(201);
    return made.path.split('/').at(-1) ?? '';
  };
  const isSeen = async (id: string): Promise<boolean> => {
    const listed = await network.list(path, policies.friendToken);
    return listed.some((one) => one.id === id);
  };
  const change = (id: string) =>
    network.client.put(`/v2.0/${path}/${id}`, {
      token: policies.friendToken,
      body: { [body]: { name: 'theirs' } },
    });

  it('is visible and usable in that project only', async () => {
    const id = await make();
    expect(await isSeen(id)).toBe(false);
    expect((await kind.use(id)).status).toBe(404);
    await policies.grant(id, { object_type: type }, token());
    expect(await isSeen(id)).toBe(true);
    expect((await kind.use(id)).status).toBe(201);
    const stranger = await network.client.get(`/v2.0/${path}/${id}`, { token: network.stranger });
    expect(refusalOf(stranger)).toEqual([404, missing]);
  });

  it('cannot be changed or shared by that project', async () => {
    const id = await make();
    await policies.grant(id, { object_type: type }, token());
    const mine = { object_type: type, target_tenant: newId() };
    const shared = await policies.post(id, mine, policies.friendToken);
    expect(refusalOf(shared)).toEqual([400, 'InvalidInput']);
    expect(refusalOf(await change(id))[0]).toBe(403);
  });

  it('stays so while that project uses it', async () => {
    const id = await make();
    const policy = await policies.grant(id, { object_type: type }, token());
    const used = await kind.use(id);
    expect(used.status).toBe(201);
    expect(refusalOf(await policies.remove(policy.id, token()))).toEqual([409, 'RbacPolicyInUse']);
    const retargeted = await policies.retarget(policy.id, newId(), token());
    expect(refusalOf(retargeted)).toEqual([409, 'RbacPolicyInUse']);
    await network.client.delete(`/v2.0/${used.path}`, { token: policies.friendToken });
    expect((await policies.remove(policy.id, token())).status).toBe(204);
    expect(await isSeen(id)).toBe(false);
  });

  it('may lose the policy if another one covers its uses', async () => {
    const id = await make();
    const policy = await policies.grant(id, { object_type: type }, token());
    expect((await kind.use(id)).status).toBe(201);
    const everyone = { object_type: type, target_tenant: '*' };
    const open = await policies.grant(id, everyone, network.admin);
    expect((await policies.remove(policy.id, token())).status).toBe(204);
    const last = await policies.remove(open.id, network.admin);
    expect(refusalOf(last)).toEqual([409, 'RbacPolicyInUse']);
  });

  it('is deleted with its policies', async () => {
    const id = await make();
    const policy = await policies.grant(id, { object_type: type }, token());
    await network.client.delete(`/v2.0/${path}/${id}`, { token: token() });
    const left = await network.list(`rbac-policies?object_id=${id}`, network.admin);
    expect(left.map((one) => one.id)).not.toContain(policy.id);
  });

  it('is not found if it does not exist', async () => {
    const answer = await policies.post(newId(), { object_type: type }, token());
    expect(refusalOf(answer)).toEqual([404, missing]);
  });

  it('refuses the action access_as_external', async () => {
    const fields = { object_type: type, action: 'access_as_external' };
    const answer = await policies.post(await make(), fields, token());
    expect(refusalOf(answer)).toEqual([400, 'InvalidActionForType']);
  });

  it('is either used or unshared by two concurrent replicas', async () => {
    for (let round = 0; round < 4; round += 1) {
      const id = await make();
      const policy = await policies.grant(id, { object_type: type }, token());
      const [used, gone] = await Promise.all([
        kind.use(id),
        other.client.delete(`/v2.0/rbac-policies/${policy.id}`, { token: token() }),
      ]);
      expect([
        [201, 409],
        [404, 204],
      ]).toContainEqual([used.status, gone.status]);
    }
  });
});

describe('what is shared with everyone', () => {
  it.each([
    ['policies', 'qos/policies', 'policy', { name: 'all' }],
    ['address scopes', 'address-scopes', 'address_scope', { name: 'all', ip_version: 4 }],
    ['subnet pools', 'subnetpools', 'subnetpool', { name: 'all', prefixes: ['10.201.0.0/16'] }],
  ])('is %s with a policy for everyone, and the policy makes it so', async (...kind) => {
    const [, path, key, fields] = kind;
    const made = await send(network.admin, path, key, { ...fields, shared: true });
    const id = made.path.split('/').at(-1) ?? '';
    const show = async (token: string) => {
      const { body } = await network.client.get(`/v2.0/${path}/${id}`, { token });
      return (body as Record<string, Wire | undefined>)[key]?.['shared'];
    };
    const all = `rbac-policies?object_id=${id}`;
    const [policy] = await network.list(all, network.admin);
    expect(policy).toMatchObject({ target_tenant: '*', action: 'access_as_shared' });
    expect(await show(network.stranger)).toBe(true);
    await policies.remove(policy?.id ?? '', network.admin);
    expect(await show(network.admin)).toBe(false);
    expect(await show(network.stranger)).toBeUndefined();
  });

  it('is a QoS policy until it is unshared, which its uses prevent', async () => {
    const fields = { name: 'open', shared: true };
    const { path } = await send(network.admin, 'qos/policies', 'policy', fields);
    const id = path.split('/').at(-1) ?? '';
    const close = () =>
      network.client.put(`/v2.0/${path}`, {
        token: network.admin,
        body: { policy: { shared: false } },
      });
    const used = await asFriend('networks', 'network', { qos_policy_id: id });
    expect(refusalOf(await close())).toEqual([409, 'RbacPolicyInUse']);
    await network.client.delete(`/v2.0/${used.path}`, { token: policies.friendToken });
    expect((await close()).status).toBe(200);
    expect(await network.list(`rbac-policies?object_id=${id}`, network.admin)).toEqual([]);
  });
});

describe('a security group that is shared', () => {
  it('is shown as shared to those projects, and filtered accordingly', async () => {
    const group = await network.create('security_groups', { name: 'seen' });
    await policies.grant(group.id, { object_type: 'security_group' });
    const seen = await network.show('security_groups', group.id, policies.friendToken);
    expect(seen).toMatchObject({ shared: true, security_group_rules: [{}, {}] });
    expect(await network.show('security_groups', group.id)).toMatchObject({ shared: false });
    const ids = async (shared: boolean) =>
      (await network.list(`security-groups?shared=${shared}`, policies.friendToken)).map(
        (one) => one.id,
      );
    expect(await ids(true)).toContain(group.id);
    expect(await ids(false)).not.toContain(group.id);
  });

  it('accepts rules of its owner only', async () => {
    const group = await network.create('security_groups', { name: 'ruled' });
    await policies.grant(group.id, { object_type: 'security_group' });
    const answer = await network.client.post('/v2.0/security-group-rules', {
      token: policies.friendToken,
      body: { security_group_rule: { security_group_id: group.id, direction: 'ingress' } },
    });
    expect(refusalOf(answer)).toEqual([403, 'PolicyNotAuthorized']);
  });

  it("may be a remote group of other groups' rules", async () => {
    const group = await network.create('security_groups', { name: 'named' });
    await policies.grant(group.id, { object_type: 'security_group' });
    const own = await network.create('security_groups', { name: 'own' }, policies.friendToken);
    const rule = { security_group_id: own.id, remote_group_id: group.id, direction: 'ingress' };
    const made = await asFriend('security-group-rules', 'security_group_rule', rule);
    expect(made.status).toBe(201);
  });
});

describe('a subnet pool in an address scope', () => {
  it('is shared only with projects that have the scope', async () => {
    const scope = await network.create('address_scopes', { name: 'one', ip_version: 4 });
    const pool = { name: 'in', prefixes: [nextPrefix()], address_scope_id: scope.id };
    const { id } = await network.create('subnetpools', pool);
    const asked = { object_type: 'subnetpool' };
    expect(refusalOf(await policies.post(id, asked))).toEqual([400, 'RbacPolicyInitError']);
    await policies.grant(scope.id, { object_type: 'address_scope' });
    expect((await policies.post(id, asked)).status).toBe(201);
  });
});
