import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { refusalOf, startNetwork, type NetworkFixture, type Wire } from '../network.fixture.js';
import { policyFixture, type PolicyFixture } from './rbac-policies.fixture.js';

let network: NetworkFixture;
let policies: PolicyFixture;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaNetworks: -1, quotaRbacPolicies: -1 } });
  policies = await policyFixture(network);
});
afterAll(() => network.stop());

const put = (id: string, fields: object, token = network.admin) =>
  network.client.put(`/v2.0/networks/${id}`, { token, body: { network: fields } });

const friendsPort = (network_id: string) =>
  network.client.post('/v2.0/ports', {
    token: policies.friendToken,
    body: { port: { network_id } },
  });

const wildcards = async (id: string): Promise<Wire[]> =>
  network.list(`rbac-policies?object_id=${id}&target_tenant=*`, network.admin);

describe('a network that is shared with a project', () => {
  it('is visible there with its subnets, for as long as the policy exists', async () => {
    const { network: made, subnet } = await network.networkWith('10.1.0.0/24');
    expect(await policies.isSeen(made.id)).toBe(false);
    const policy = await policies.grant(made.id);
    expect(await policies.isSeen(made.id)).toBe(true);
    const subnets = await network.list('subnets', policies.friendToken);
    expect(subnets.map(({ id }) => id)).toContain(subnet.id);
    await policies.remove(policy.id);
    expect(await policies.isSeen(made.id)).toBe(false);
    const left = await network.list('subnets', policies.friendToken);
    expect(left.map(({ id }) => id)).not.toContain(subnet.id);
  });

  it('is shown as shared to that project, but not to its owner', async () => {
    const { id } = await network.create('networks', {});
    await policies.grant(id);
    expect(await network.show('networks', id)).toMatchObject({ shared: false });
    const seen = await network.show('networks', id, policies.friendToken);
    expect(seen).toMatchObject({ shared: true });
    const ids = async (shared: boolean, token: string) =>
      (await network.list(`networks?shared=${shared}`, token)).map((one) => one.id);
    expect(await ids(true, policies.friendToken)).toContain(id);
    expect(await ids(false, policies.friendToken)).not.toContain(id);
    expect(await ids(true, network.member)).not.toContain(id);
    expect(await ids(false, network.member)).toContain(id);
  });

  it('permits ports of that project, but no changes', async () => {
    const { id } = await network.create('networks', {});
    expect(refusalOf(await friendsPort(id))).toEqual([404, 'NetworkNotFound']);
    await policies.grant(id);
    expect((await friendsPort(id)).status).toBe(201);
    const renamed = await put(id, { name: 'mine' }, policies.friendToken);
    expect(refusalOf(renamed)).toEqual([403, 'PolicyNotAuthorized']);
    const body = { subnet: { network_id: id, ip_version: 4, cidr: '10.2.0.0/24' } };
    const subnet = await network.client.post('/v2.0/subnets', {
      token: policies.friendToken,
      body,
    });
    expect(refusalOf(subnet)).toEqual([403, 'PolicyNotAuthorized']);
  });

  it('stays so while that project has ports on it', async () => {
    const { id } = await network.create('networks', {});
    const policy = await policies.grant(id);
    const { port } = (await friendsPort(id)).body as { port: Wire };
    expect(refusalOf(await policies.remove(policy.id))).toEqual([409, 'RbacPolicyInUse']);
    const moved = await policies.retarget(policy.id, newId());
    expect(refusalOf(moved)).toEqual([409, 'RbacPolicyInUse']);
    expect(await policies.isSeen(id)).toBe(true);
    await network.client.delete(`/v2.0/ports/${port.id}`, { token: policies.friendToken });
    expect((await policies.remove(policy.id)).status).toBe(204);
  });

  it('may be shared with everyone instead, whatever ports it has', async () => {
    const { id } = await network.create('networks', {});
    const policy = await policies.grant(id);
    await friendsPort(id);
    expect((await policies.retarget(policy.id, '*', network.admin)).status).toBe(200);
    expect(await policies.isSeen(id)).toBe(true);
  });
});

describe('shared', () => {
  it('corresponds to the policy for everyone, created with the network or later', async () => {
    const made = await network.create('networks', { shared: true }, network.admin);
    expect(await wildcards(made.id)).toMatchObject([{ action: 'access_as_shared' }]);
    const { id } = await network.create('networks', {});
    await put(id, { shared: true });
    expect(await wildcards(id)).toMatchObject([{ project_id: network.project }]);
    await put(id, { shared: false });
    expect(await wildcards(id)).toEqual([]);
    expect(await policies.isSeen(id)).toBe(false);
  });

  it('is set and unset with that policy', async () => {
    const { id } = await network.create('networks', {});
    const policy = await policies.grant(id, { target_tenant: '*' }, network.admin);
    expect(await network.show('networks', id)).toMatchObject({ shared: true });
    expect(await policies.isSeen(id)).toBe(true);
    expect((await policies.remove(policy.id, network.admin)).status).toBe(204);
    expect(await network.show('networks', id)).toMatchObject({ shared: false });
    expect(await policies.isSeen(id)).toBe(false);
  });

  it('is kept while ports of projects without other policies need it', async () => {
    const { id } = await network.create('networks', { shared: true }, network.admin);
    await friendsPort(id);
    const [wildcard] = await wildcards(id);
    const remove = () => policies.remove(wildcard?.id ?? '', network.admin);
    expect(refusalOf(await remove())).toEqual([409, 'RbacPolicyInUse']);
    expect(refusalOf(await put(id, { shared: false }))).toEqual([409, 'InvalidSharedSetting']);
    await policies.grant(id, {}, network.admin);
    expect((await remove()).status).toBe(204);
    expect(await policies.isSeen(id)).toBe(true);
  });

  it('is unset on an external network that routers have gateways on', async () => {
    const fields = { shared: true, 'router:external': true };
    const { id } = await network.create('networks', fields, network.admin);
    await network.create('routers', { external_gateway_info: { network_id: id } });
    expect((await put(id, { shared: false })).status).toBe(200);
  });
});

describe('a policy that is deleted while a port is created by it', () => {
  it('never leaves the port without it', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { id } = await network.create('networks', {});
      const policy = await policies.grant(id);
      const [port, removed] = await Promise.all([friendsPort(id), policies.remove(policy.id)]);
      expect([port.status, removed.status]).not.toEqual([201, 204]);
    }
  });
});
