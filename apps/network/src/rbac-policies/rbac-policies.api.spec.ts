import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { messageOf, refusalOf, startNetwork, type NetworkFixture } from '../network.fixture.js';
import { policyFixture, type PolicyFixture } from './rbac-policies.fixture.js';

let network: NetworkFixture;
let policies: PolicyFixture;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaNetworks: -1, quotaRbacPolicies: -1 } });
  policies = await policyFixture(network);
});
afterAll(() => network.stop());

describe('an RBAC policy', () => {
  it('is visible to its owner only, and can be deleted', async () => {
    const { id } = await network.create('networks', {});
    const policy = await policies.grant(id);
    expect(policy).toMatchObject({
      object_type: 'network',
      object_id: id,
      action: 'access_as_shared',
      target_tenant: policies.friend,
      project_id: network.project,
    });
    // Neither timestamps nor a name.
    expect(Object.keys(policy).sort()).toEqual([
      'action',
      'id',
      'object_id',
      'object_type',
      'project_id',
      'target_tenant',
      'tenant_id',
    ]);
    const path = `/v2.0/rbac-policies/${policy.id}`;
    const get = (token: string) => network.client.get(path, { token });
    expect((await get(network.reader)).body).toEqual({ rbac_policy: policy });
    expect(refusalOf(await get(policies.friendToken))).toEqual([404, 'RbacPolicyNotFound']);
    const found = await network.list(
      `rbac-policies?target_tenant=${policies.friend}&object_id=${id}`,
    );
    expect(found).toEqual([policy]);
    expect((await policies.remove(policy.id)).status).toBe(204);
    expect(refusalOf(await policies.remove(policy.id))).toEqual([404, 'RbacPolicyNotFound']);
  });

  it('increments the revision of its network', async () => {
    const { id, revision_number: before } = await network.create('networks', {});
    const policy = await policies.grant(id);
    await policies.remove(policy.id);
    expect(await network.show('networks', id)).toMatchObject({ revision_number: before + 2 });
  });

  it('is deleted with its network', async () => {
    const { id } = await network.create('networks', {});
    const policy = await policies.grant(id);
    await network.client.delete(`/v2.0/networks/${id}`, { token: network.member });
    expect(refusalOf(await policies.remove(policy.id))).toEqual([404, 'RbacPolicyNotFound']);
  });

  it('is unique', async () => {
    const { id } = await network.create('networks', {});
    await policies.grant(id);
    expect(refusalOf(await policies.post(id))).toEqual([409, 'DuplicateRbacPolicy']);
    const other = await policies.grant(id, { target_tenant: newId() });
    const same = await policies.retarget(other.id, policies.friend);
    expect(refusalOf(same)).toEqual([409, 'DuplicateRbacPolicy']);
  });

  it('cannot change its object and action', async () => {
    const { id } = await network.create('networks', {});
    const policy = await policies.grant(id);
    const answer = await network.client.put(`/v2.0/rbac-policies/${policy.id}`, {
      token: network.member,
      body: { rbac_policy: { action: 'access_as_external' } },
    });
    expect(refusalOf(answer)).toEqual([400, 'HTTPBadRequest']);
  });

  it.each([
    [400, 'InvalidActionForType', { action: 'access_as_odd' }],
    [400, 'InvalidInput', { object_type: 'odd' }],
    [400, 'HTTPBadRequest', { target_tenant: 'odd' }],
    [403, 'PolicyNotAuthorized', { target_tenant: '*' }],
    [404, 'NetworkNotFound', { object_id: newId() }],
  ])('is refused with %i, %s: %j', async (status, type, fields) => {
    const { id } = await network.create('networks', {});
    expect(refusalOf(await policies.post(id, fields))).toEqual([status, type]);
  });

  it('cannot be created by a project that the network is only shared with', async () => {
    const { id } = await network.create('networks', {});
    await policies.grant(id);
    const fields = { target_tenant: newId() };
    const answer = await policies.post(id, fields, policies.friendToken);
    expect(refusalOf(answer)).toEqual([400, 'InvalidInput']);
    expect(messageOf(answer)).toContain('networks they do not own');
  });

  it('counts against its quota', async () => {
    const project = newId();
    const token = await network.tokens.issue(['member'], { projectId: project });
    const quota = { token: network.admin, body: { quota: { rbac_policy: 1 } } };
    await network.client.put(`/v2.0/quotas/${project}`, quota);
    const { id } = await network.create('networks', {}, token);
    const first = await policies.grant(id, {}, token);
    const second = await policies.post(id, { target_tenant: newId() }, token);
    expect(refusalOf(second)[1]).toBe('OverQuota');
    await policies.remove(first.id, token);
    expect((await policies.post(id, {}, token)).status).toBe(201);
  });

  it('for everyone can be created by administrators only', async () => {
    const { id } = await network.create('networks', {});
    const policy = await policies.grant(id);
    const refused = await policies.retarget(policy.id, '*');
    expect(refusalOf(refused)).toEqual([403, 'PolicyNotAuthorized']);
    expect((await policies.retarget(policy.id, '*', network.admin)).status).toBe(200);
    expect(await network.show('networks', id)).toMatchObject({ shared: true });
  });
});
