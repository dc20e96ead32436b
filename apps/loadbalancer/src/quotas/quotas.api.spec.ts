import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inTransaction } from '@cumulet/common/database/transaction';
import { initialState } from '@cumulet/common/states/transition';
import { asId } from '@cumulet/common/context/ids';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { loadBalancerStates } from '../tree/load-balancer.states.js';
import { loadBalancers } from '../tree/load-balancer.entity.js';
import { startLoadBalancer, type LoadBalancerFixture } from '../loadbalancer.fixture.js';
import { LoadBalancerQuotas } from './load-balancer-quotas.js';

let fixture: LoadBalancerFixture;

beforeAll(async () => {
  fixture = await startLoadBalancer({
    config: { loadBalancerQuota: 2, healthMonitorQuota: 7, memberQuota: -1 },
  });
});
afterAll(() => fixture.stop());

const PATH = '/v2.0/lbaas/quotas';
const DEFAULTS = {
  loadbalancer: 2,
  load_balancer: 2,
  healthmonitor: 7,
  health_monitor: 7,
  listener: 1000,
  pool: 1000,
  member: -1,
  l7policy: 1000,
  l7rule: 10_000,
};
const NONE = Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, null]));

const get = (path: string, token = fixture.admin): Promise<TestResponse> =>
  fixture.client.get(`${PATH}${path}`, { token });

const put = (id: string, quota: unknown, token = fixture.admin): Promise<TestResponse> =>
  fixture.client.put(`${PATH}/${id}`, { token, body: { quota } });

const reset = (id: string): Promise<TestResponse> =>
  fixture.client.delete(`${PATH}/${id}`, { token: fixture.admin });

describe('quotas', () => {
  it('have defaults until they are set, and after they are reset', async () => {
    const { project } = fixture;
    const mine = { ...DEFAULTS, project_id: project };
    expect((await get(`/${project}`, fixture.reader)).body).toEqual({ quota: mine });
    const own = { loadbalancer: 5, load_balancer: 5, listener: -1 };
    const answer = await put(project, { loadbalancer: 5, listener: -1 });
    expect([answer.status, answer.body]).toEqual([202, { quota: { ...mine, ...own } }]);
    expect((await get(`/${project}`)).body).toEqual({ quota: { ...mine, ...own } });
    for (const path of ['/defaults', `/${project}/default`])
      expect((await get(path, fixture.reader)).body).toMatchObject({ quota: DEFAULTS });
    expect([(await reset(project)).status, (await reset(project)).status]).toEqual([202, 404]);
    expect((await get(`/${project}`)).body).toEqual({ quota: mine });
  });

  it('have both names where Octavia has two', async () => {
    const id = newId();
    await put(id, { load_balancer: 4, health_monitor: '3' });
    const both = { loadbalancer: 4, load_balancer: 4, healthmonitor: 3, health_monitor: 3 };
    expect((await get(`/${id}`)).body).toMatchObject({ quota: both });
    expect((await put(id, { load_balancer: 1, loadbalancer: 1 })).status).toBe(202);
    expect((await put(id, { load_balancer: 1, loadbalancer: 2 })).status).toBe(400);
  });

  it('that are null are reset, and others are kept', async () => {
    const id = newId();
    await put(id, { loadbalancer: 4, pool: 3 });
    await put(id, { loadbalancer: null });
    expect((await get(`/${id}`)).body).toMatchObject({ quota: { loadbalancer: 2, pool: 3 } });
  });

  it('count load balancers that are not being deleted', async () => {
    const quotas = new LoadBalancerQuotas(fixture.config);
    const projectId = asId<typeof fixture.ctx.projectId>(newId());
    const create = (): Promise<string> =>
      inTransaction(fixture.ctx, async (tx) => {
        await quotas.claim(tx, { loadbalancer: 1 }, projectId);
        const id = randomUUID();
        await loadBalancers.insert(tx, {
          id,
          projectId,
          provider: 'haproxy',
          ...initialState(loadBalancerStates),
        });
        return id;
      });
    const id = await create();
    await create();
    await expect(create()).rejects.toThrow('Quota exhausted for loadbalancer: all 2 are in use');
    await fixture.ctx.manager.query(
      `UPDATE load_balancers SET state = 'pending_delete' WHERE id = $1`,
      [id],
    );
    await expect(create()).resolves.toBeDefined();
  });

  it.each([
    ['less than unlimited', { pool: -2 }],
    ['more than Octavia accepts', { pool: 2_000_000_001 }],
    ['a text', { pool: 'many' }],
    ['an unknown name', { colours: 7 }],
    ['nothing', undefined],
  ])('refuse %s', async (_what, quota) => {
    const id = newId();
    expect((await put(id, quota)).status).toBe(400);
    expect((await get(`/${id}`)).body).toMatchObject({ quota: DEFAULTS });
  });

  it('are visible to their project and administrators only', async () => {
    const { project, stranger, member } = fixture;
    expect((await get(`/${project}`, stranger)).status).toBe(404);
    expect((await put(project, { pool: 1 }, member)).status).toBe(403);
  });
});

describe('the list of quotas', () => {
  it('shows projects with their own quotas, in pages', async () => {
    const ids = [newId(), newId(), newId()].sort();
    for (const id of ids) await put(id, { pool: 1 });
    const { body } = await get('');
    const listed = (body as { quotas: { project_id: string }[] }).quotas;
    expect(listed).toContainEqual({ ...NONE, pool: 1, project_id: ids[0] });
    const all = listed.map(({ project_id: id }) => id);
    expect((await get(`?limit=2&marker=${all[0] ?? ''}`)).body).toMatchObject({
      quotas: [{ project_id: all[1] }, { project_id: all[2] }],
      quotas_links: [{ rel: 'next' }, { rel: 'previous' }],
    });
  });

  it("shows only the caller's project to non-administrators", async () => {
    const { project, member } = fixture;
    expect((await get('', member)).body).toEqual({ quotas: [], quotas_links: [] });
    await put(project, { l7rule: 1 });
    const own = { ...NONE, l7rule: 1, project_id: project };
    expect((await get('', member)).body).toMatchObject({ quotas: [own] });
    await put(newId(), { l7rule: 2 });
    expect((await get(`?project_id=${project}`)).body).toMatchObject({ quotas: [own] });
  });
});
