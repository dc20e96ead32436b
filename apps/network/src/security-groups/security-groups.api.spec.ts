import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { refusalOf, startNetwork, type NetworkFixture, type Wire } from '../network.fixture.js';

let network: NetworkFixture;

beforeAll(async () => {
  network = await startNetwork({
    config: { quotaSecurityGroups: -1, quotaSecurityGroupRules: -1 },
  });
});
afterAll(() => network.stop());

const path = '/v2.0/security-groups';
const post = (security_group: object, token = network.member) =>
  network.client.post(path, { token, body: { security_group } });

const rulesOf = (group: Wire) =>
  group['security_group_rules'] as readonly Readonly<Record<string, unknown>>[];

const defaultOf = async (token = network.member): Promise<Wire> => {
  const [group] = await network.list('security-groups?name=default', token);
  if (!group) throw new Error('the project has no default group');
  return group;
};

describe('the default group', () => {
  it('is created when a project first lists its groups, once, and lets its ports reach each other', async () => {
    const token = await network.tokens.issue(['reader']);
    const looks = await Promise.all([1, 2, 3].map(() => network.list('security-groups', token)));
    expect(looks.map((groups) => groups.length)).toEqual([1, 1, 1]);
    const group = await defaultOf(token);
    expect(group).toMatchObject({ name: 'default', stateful: true });
    const shown = rulesOf(group).map((rule) => [
      rule['direction'],
      rule['ethertype'],
      rule['remote_group_id'],
    ]);
    expect(shown.sort()).toEqual([
      ['egress', 'IPv4', null],
      ['egress', 'IPv6', null],
      ['ingress', 'IPv4', group.id],
      ['ingress', 'IPv6', group.id],
    ]);
  });

  it("is created when an administrator lists that project's groups", async () => {
    const project_id = newId();
    for (const name of ['project_id', 'tenant_id']) {
      const found = await network.list(`security-groups?${name}=${project_id}`, network.admin);
      expect(found).toMatchObject([{ name: 'default', project_id }]);
    }
    const other = await network.list(`security-groups?project_id=${newId()}`);
    expect(other).toEqual([]);
  });

  it('cannot be deleted or renamed', async () => {
    const { id } = await defaultOf();
    const { client, member: token } = network;
    const removed = await client.delete(`${path}/${id}`, { token });
    expect(refusalOf(removed)).toEqual([409, 'SecurityGroupCannotRemoveDefault']);
    const body = { security_group: { name: 'other' } };
    const renamed = await client.put(`${path}/${id}`, { token, body });
    expect(refusalOf(renamed)).toEqual([409, 'SecurityGroupCannotUpdateDefault']);
    expect(refusalOf(await post({ name: 'Default' }))).toEqual([
      409,
      'SecurityGroupDefaultAlreadyExists',
    ]);
  });
});

describe('a security group', () => {
  it('permits all egress, and is applied to the data plane with its rules', async () => {
    const group = await network.create('security_groups', { name: 'web' });
    expect(rulesOf(group)).toMatchObject([{ direction: 'egress' }, { direction: 'egress' }]);
    await network.create('security_group_rules', {
      security_group_id: group.id,
      direction: 'ingress',
      protocol: 'tcp',
      port_range_min: 80,
      port_range_max: 443,
      remote_ip_prefix: '10.0.0.0/8',
    });
    await network.settle();
    expect(network.dataPlane.securityGroups.get(group.id)?.rules).toContainEqual(
      expect.objectContaining({ direction: 'ingress', portRangeMax: 443 }),
    );
    await network.client.delete(`${path}/${group.id}`, { token: network.member });
    await network.settle();
    expect(network.dataPlane.securityGroups.has(group.id)).toBe(false);
  });

  it('starts with rules that count against the quota of rules', async () => {
    const project_id = newId();
    const token = await network.tokens.issue(['member'], { projectId: project_id });
    await network.list('security-groups', token);
    const rules = await network.list('security-group-rules', token);
    const limitTo = (limit: number) =>
      network.client.put(`/v2.0/quotas/${project_id}`, {
        token: network.admin,
        body: { quota: { security_group_rule: limit } },
      });
    await limitTo(rules.length + 1);
    expect(refusalOf(await post({ name: 'more' }, token))).toEqual([403, 'OverQuota']);
    await limitTo(rules.length + 2);
    expect((await post({ name: 'more' }, token)).status).toBe(201);
  });

  it('is visible to its project only', async () => {
    const { id } = await network.create('security_groups', { name: 'own' });
    expect(
      (await network.list('security-groups', network.stranger)).map((one) => one.id),
    ).not.toContain(id);
    const rule = { security_group_id: id, direction: 'ingress' };
    const answer = await network.client.post('/v2.0/security-group-rules', {
      token: network.stranger,
      body: { security_group_rule: rule },
    });
    expect(refusalOf(answer)).toEqual([404, 'SecurityGroupNotFound']);
  });

  it('is deleted with rules of other groups that refer to it', async () => {
    const [one, other] = [
      await network.create('security_groups', { name: 'one' }),
      await network.create('security_groups', { name: 'other' }),
    ];
    const rule = { direction: 'ingress', remote_group_id: other.id };
    await network.create('security_group_rules', { security_group_id: one.id, ...rule });
    await network.client.delete(`${path}/${other.id}`, { token: network.member });
    expect(rulesOf(await network.show('security_groups', one.id))).toHaveLength(2);
    await network.settle();
    expect(network.dataPlane.securityGroups.get(one.id)?.rules).toHaveLength(2);
  });
});

describe('a port', () => {
  const port = async (fields: object) => {
    const { id: network_id } = await network.create('networks', {});
    return network.client.post('/v2.0/ports', {
      token: network.member,
      body: { port: { network_id, ...fields } },
    });
  };
  const groups = (answer: Awaited<ReturnType<typeof port>>) =>
    (answer.body as { port: { security_groups: string[] } }).port.security_groups;

  it('is the default group, the named ones, or none', async () => {
    const { id } = await network.create('security_groups', { name: 'named' });
    expect(groups(await port({}))).toEqual([(await defaultOf()).id]);
    expect(groups(await port({ security_groups: [id] }))).toEqual([id]);
    expect(groups(await port({ security_groups: [] }))).toEqual([]);
    expect(groups(await port({ port_security_enabled: false }))).toEqual([]);
  });

  it('keeps its group from being deleted, until it has left', async () => {
    const { id } = await network.create('security_groups', { name: 'used' });
    const { body } = await port({ security_groups: [id] });
    const { port: made } = body as { port: Wire };
    const remove = () => network.client.delete(`${path}/${id}`, { token: network.member });
    expect(refusalOf(await remove())).toEqual([409, 'SecurityGroupInUse']);
    expect((await network.list(`ports?security_groups=${id}`)).map((one) => one.id)).toEqual([
      made.id,
    ]);
    await network.client.put(`/v2.0/ports/${made.id}`, {
      token: network.member,
      body: { port: { security_groups: [] } },
    });
    expect((await remove()).status).toBe(204);
    await network.settle();
    expect(network.dataPlane.ports.get(made.id)).toMatchObject({ securityGroups: [] });
  });

  it('refuses groups that it cannot be in', async () => {
    const own = await network.create('security_groups', { name: 'own' });
    const stateless = await network.create('security_groups', { name: 'less', stateful: false });
    const foreign = await network.create('security_groups', { name: 'far' }, network.stranger);
    const ask = async (fields: object) => refusalOf(await port(fields));
    expect(await ask({ security_groups: [foreign.id] })).toEqual([404, 'SecurityGroupNotFound']);
    expect(await ask({ security_groups: [newId()] })).toEqual([404, 'SecurityGroupNotFound']);
    expect(await ask({ security_groups: [own.id, stateless.id] })).toEqual([
      409,
      'SecurityGroupConflict',
    ]);
    const unheld = { port_security_enabled: false, security_groups: [own.id] };
    expect(await ask(unheld)).toEqual([409, 'PortSecurityPortHasSecurityGroup']);
  });
});
