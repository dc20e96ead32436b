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

const EXTERNAL = { action: 'access_as_external' };

const router = (network_id: string, token = policies.friendToken) =>
  network.client.post('/v2.0/routers', {
    token,
    body: { router: { external_gateway_info: { network_id } } },
  });

const routerId = async (network_id: string, token?: string): Promise<string> => {
  const { body } = await router(network_id, token);
  return (body as { router: { id: string } }).router.id;
};

const put = (id: string, fields: object) =>
  network.client.put(`/v2.0/networks/${id}`, { token: network.admin, body: { network: fields } });

const externalWildcard = async (id: string): Promise<string> => {
  const [policy] = await network.list(
    `rbac-policies?object_id=${id}&action=access_as_external&target_tenant=*`,
    network.admin,
  );
  return policy?.id ?? '';
};

describe('a network that is external for a project', () => {
  it('is visible there with its subnets, for gateways but not for ports', async () => {
    const { network: made, subnet } = await network.networkWith('203.0.113.0/24');
    expect(refusalOf(await router(made.id))).toEqual([404, 'NetworkNotFound']);
    await policies.grant(made.id, EXTERNAL);
    expect(await policies.isSeen(made.id)).toBe(true);
    expect(await network.show('networks', made.id, policies.friendToken)).toMatchObject({
      'router:external': true,
      shared: false,
    });
    const subnets = await network.list('subnets', policies.friendToken);
    const seen = subnets.find(({ id }) => id === subnet.id);
    expect(seen).toMatchObject({ 'router:external': true, network_id: made.id });
    const found = async (external: boolean) => {
      const query = `subnets?router:external=${external}&id=${subnet.id}`;
      return (await network.list(query, policies.friendToken)).length;
    };
    expect([await found(true), await found(false)]).toEqual([1, 0]);
    const renamed = await network.client.put(`/v2.0/subnets/${subnet.id}`, {
      token: policies.friendToken,
      body: { subnet: { name: 'mine' } },
    });
    expect(refusalOf(renamed)).toEqual([403, 'PolicyNotAuthorized']);
    expect((await router(made.id)).status).toBe(201);
    const port = await network.client.post('/v2.0/ports', {
      token: policies.friendToken,
      body: { port: { network_id: made.id } },
    });
    expect(refusalOf(port)).toEqual([403, 'PolicyNotAuthorized']);
    expect(refusalOf(await router(made.id, network.stranger))).toEqual([404, 'NetworkNotFound']);
  });

  it('stays so while that project’s routers have gateways on it', async () => {
    const { id } = await network.create('networks', {});
    const policy = await policies.grant(id, EXTERNAL);
    const made = await routerId(id);
    const refused = await policies.remove(policy.id);
    expect(refusalOf(refused)).toEqual([409, 'RbacPolicyInUse']);
    const moved = await policies.retarget(policy.id, newId());
    expect(refusalOf(moved)).toEqual([409, 'RbacPolicyInUse']);
    await network.client.delete(`/v2.0/routers/${made}`, { token: policies.friendToken });
    expect((await policies.remove(policy.id)).status).toBe(204);
    expect(await network.show('networks', id)).toMatchObject({ 'router:external': false });
    expect(await policies.isSeen(id)).toBe(false);
  });

  it('stays external while its owner’s routers have gateways on it', async () => {
    const { id } = await network.create('networks', {});
    const policy = await policies.grant(id, EXTERNAL);
    expect((await router(id, network.member)).status).toBe(201);
    expect(refusalOf(await policies.remove(policy.id))).toEqual([409, 'ExternalNetworkInUse']);
    expect(await network.show('networks', id)).toMatchObject({ 'router:external': true });
  });
});

describe('router:external', () => {
  it('corresponds to the policy for everyone, and removes all others when it ends', async () => {
    const fields = { 'router:external': true };
    const { id } = await network.create('networks', fields, network.admin);
    expect(await externalWildcard(id)).not.toBe('');
    await policies.grant(id, EXTERNAL, network.admin);
    expect((await put(id, { 'router:external': false })).status).toBe(200);
    const left = await network.list(`rbac-policies?object_id=${id}`, network.admin);
    expect(left).toEqual([]);
    expect(await policies.isSeen(id)).toBe(false);
  });

  it('ends for everyone once the projects with gateways have policies of their own', async () => {
    const fields = { 'router:external': true };
    const { id } = await network.create('networks', fields, network.admin);
    await routerId(id);
    const wildcard = await externalWildcard(id);
    const refused = await policies.remove(wildcard, network.admin);
    expect(refusalOf(refused)).toEqual([409, 'RbacPolicyInUse']);
    await policies.grant(id, EXTERNAL, network.admin);
    expect((await policies.remove(wildcard, network.admin)).status).toBe(204);
    expect(await network.show('networks', id, policies.friendToken)).toMatchObject(fields);
    expect((await network.list('networks')).map((one) => one.id)).not.toContain(id);
  });

  it('of the default external network stays for everyone', async () => {
    const fields = { 'router:external': true, is_default: true };
    const { id } = await network.create('networks', fields, network.admin);
    const refused = await policies.remove(await externalWildcard(id), network.admin);
    expect(refusalOf(refused)).toEqual([409, 'RbacPolicyInUse']);
    expect(messageOf(refused)).toContain('Default external networks must be shared to everyone.');
  });
});
