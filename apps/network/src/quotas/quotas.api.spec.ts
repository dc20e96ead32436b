import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { messageOf, refusalOf, startNetwork, type NetworkFixture } from '../network.fixture.js';

let network: NetworkFixture;
let path: string;

beforeAll(async () => {
  network = await startNetwork();
  path = `/v2.0/quotas/${network.project}`;
});
afterAll(() => network.stop());

const get = (url: string, token = network.member) => network.client.get(url, { token });
const put = (quota: unknown, token = network.admin) =>
  network.client.put(path, { token, body: { quota } });

describe('quotas', () => {
  it('are the settings until an administrator changes them, and again after a reset', async () => {
    const standard = {
      network: 100,
      subnet: 100,
      subnetpool: 1_000,
      address_group: 1_000,
      address_scope: 1_000,
      port: 500,
      security_group: 10,
      security_group_rule: 100,
      router: 10,
      floatingip: 50,
      trunk: -1,
      rbac_policy: 10,
    };
    expect((await get(path)).body).toEqual({ quota: standard });
    expect((await put({ network: 2 })).body).toEqual({ quota: { ...standard, network: 2 } });
    expect((await get(`${path}/default`)).body).toEqual({ quota: standard });
    expect((await get('/v2.0/quotas', network.admin)).body).toEqual({
      quotas: [
        { ...standard, network: 2, project_id: network.project, tenant_id: network.project },
      ],
    });
    const { status } = await network.client.delete(path, { token: network.admin });
    expect(status).toBe(204);
    expect((await get(path)).body).toEqual({ quota: standard });
  });

  it('refuse a request that exceeds them as a whole, and show the usage', async () => {
    await network.create('networks', {});
    await put({ network: 2 });
    const body = { networks: [{}, {}] };
    const post = () => network.client.post('/v2.0/networks', { token: network.member, body });
    expect(refusalOf(await post())).toEqual([403, 'OverQuota']);
    expect((await get(`${path}/details.json`)).body).toMatchObject({
      quota: { network: { limit: 2, used: 1, reserved: 0 }, port: { used: 0 } },
    });
    await network.create('networks', {});
    expect(refusalOf(await post())).toEqual([413, 'OverQuota']);
  });

  it('do not count what is being removed', async () => {
    await put({ network: 100 });
    const { id } = await network.create('networks', {});
    const used = async () => {
      const { body } = await get(`${path}/details.json`);
      return (body as { quota: { network: { used: number } } }).quota.network.used;
    };
    const before = await used();
    await network.client.delete(`/v2.0/networks/${id}`, { token: network.member });
    expect(await used()).toBe(before - 1);
  });

  it('may be below the usage, unless that is to be checked', async () => {
    await network.create('networks', {});
    expect((await put({ network: 0, check_limit: true })).status).toBe(400);
    expect((await put({ network: 0 })).status).toBe(200);
    await put({ network: 100 });
  });

  it.each([
    ["Unrecognized attribute(s) 'colour'", { colour: 1 }],
    ["Invalid input for port. Reason: 'many' is not an integer.", { port: 'many' }],
    ["Invalid input for port. Reason: '-2' is too small - must be at least '-1'.", { port: -2 }],
    ["Unable to find 'quota' in request body", null],
  ])('refuse: %s', async (message, quota) => {
    const answer = await put(quota);
    expect([refusalOf(answer), messageOf(answer)]).toEqual([[400, 'HTTPBadRequest'], message]);
  });

  it('are visible to their project and administrators only', async () => {
    expect(refusalOf(await get(path, network.stranger))).toEqual([404, 'ProjectQuotaNotFound']);
    expect((await put({ port: 1 }, network.member)).status).toBe(403);
  });
});
