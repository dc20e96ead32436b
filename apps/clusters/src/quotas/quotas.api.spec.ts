import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import type { TestResponse } from '@cumulet/testing/http-client';
import { type ClustersFixture, messageOf, startClusters } from '../clusters.fixture.js';

let fixture: ClustersFixture;

beforeAll(async () => {
  fixture = await startClusters({ config: { role: 'api' } });
});
afterAll(() => fixture.stop());

const asAdmin = (method: string, path: string, body?: object): Promise<TestResponse> =>
  fixture.ask(method, `/v1${path}`, body, { token: fixture.admin });

/** A new project with a template. */
async function project(): Promise<{
  id: string;
  create: (fields?: object) => Promise<TestResponse>;
}> {
  const id = newId();
  const token = await fixture.tokens.issue(['member'], { projectId: id });
  const template = { coe: 'kubernetes', image_id: 'node-1.35', flavor_id: 'm1.small' };
  const { body } = await fixture.ask('POST', '/v1/clustertemplates', template, { token });
  const cluster_template_id = (body as { uuid: string }).uuid;
  return {
    id,
    create: (fields = {}) =>
      fixture.ask('POST', '/v1/clusters', { cluster_template_id, ...fields }, { token }),
  };
}

describe('a quota', () => {
  it('is created, shown, listed, changed and deleted', async () => {
    const project_id = newId();
    const made = await asAdmin('POST', '/quotas', {
      project_id,
      resource: 'Cluster',
      hard_limit: 3,
    });
    expect([made.status, made.body]).toMatchObject([
      201,
      { id: expect.any(Number), project_id, resource: 'Cluster', hard_limit: 3 },
    ]);
    const path = `/quotas/${project_id}/Cluster`;
    expect((await asAdmin('GET', path)).body).toMatchObject({ hard_limit: 3 });
    const listed = await asAdmin('GET', '/quotas?all_tenants=True');
    expect((listed.body as { quotas: unknown[] }).quotas).toContainEqual(
      expect.objectContaining({ project_id, hard_limit: 3 }),
    );
    expect((await asAdmin('GET', '/quotas')).body).toMatchObject({ quotas: [] });
    // As sent by the dashboard, with the number that it was shown.
    const { id } = made.body as { id: number };
    const change = { id, project_id, resource: 'Cluster', hard_limit: 5 };
    const changed = await asAdmin('PATCH', path, change);
    expect([changed.status, changed.body]).toMatchObject([
      202,
      { id, hard_limit: 5, updated_at: expect.stringMatching(/\+00:00$/) },
    ]);
    expect((await asAdmin('DELETE', path)).status).toBe(204);
    expect((await asAdmin('GET', path)).body).toMatchObject({ hard_limit: 20 });
    expect((await asAdmin('DELETE', path)).status).toBe(404);
    expect((await asAdmin('PATCH', path, change)).status).toBe(404);
  });

  it('is listed in pages, sorted by number or another key', async () => {
    const [one, other] = [newId(), newId()];
    for (const [project_id, hard_limit] of [
      [one, 8],
      [other, 7],
    ])
      await asAdmin('POST', '/quotas', { project_id, hard_limit });
    const limits = async (query: string): Promise<{ ids: string[]; next?: string }> => {
      const { body } = await asAdmin('GET', `/quotas?${query}`);
      const { quotas, next } = body as { quotas: { project_id: string }[]; next?: string };
      return { ids: quotas.map(({ project_id }) => project_id), ...(next ? { next } : {}) };
    };
    const all = (await limits('all_tenants=True')).ids;
    expect(all.slice(-2)).toEqual([one, other]);
    const first = await limits(`all_tenants=True&limit=${all.length - 1}`);
    expect(first.ids).toEqual(all.slice(0, -1));
    const { searchParams } = new URL(first.next ?? '');
    expect(searchParams.get('all_tenants')).toBe('true');
    expect(await limits(searchParams.toString())).toEqual({ ids: [other] });
    const { ids } = await limits('all_tenants=1&sort_key=hard_limit');
    expect(ids.indexOf(other)).toBeLessThan(ids.indexOf(one));
    expect((await asAdmin('GET', '/quotas?all_tenants=True&marker=99999')).status).toBe(404);
    expect((await asAdmin('GET', '/quotas?marker=x')).status).toBe(400);
  });

  it('of one resource stays when that of another is deleted', async () => {
    const project_id = newId();
    await asAdmin('POST', '/quotas', { project_id, resource: 'Cluster', hard_limit: 3 });
    await asAdmin('POST', '/quotas', { project_id, resource: 'Node', hard_limit: 9 });
    await asAdmin('DELETE', `/quotas/${project_id}/Cluster`);
    expect((await asAdmin('GET', `/quotas/${project_id}/Node`)).body).toMatchObject({
      hard_limit: 9,
    });
  });

  it.each<[string, object, number]>([
    ['of no project', { hard_limit: 1 }, 400],
    ['of another resource', { project_id: 'x', resource: 'Pod' }, 400],
    ['below nothing', { project_id: 'x', hard_limit: -1 }, 400],
    ['of what is no field', { project_id: 'x', zzz: 1 }, 400],
  ])('%s is refused', async (_, body, status) => {
    expect((await asAdmin('POST', '/quotas', body)).status).toBe(status);
  });

  it('of a missing project, and a duplicate one, are refused', async () => {
    const [missing, there] = [newId(), newId()];
    fixture.references.missingProjects.add(missing);
    const none = await asAdmin('POST', '/quotas', { project_id: missing });
    expect([none.status, messageOf(none)]).toEqual([
      404,
      `The project_id ${missing} could not be found.`,
    ]);
    expect((await asAdmin('POST', '/quotas', { project_id: there })).status).toBe(201);
    expect((await asAdmin('POST', '/quotas', { project_id: there })).status).toBe(409);
  });

  it('is visible to its project, and set by administrators', async () => {
    const own = `/v1/quotas/${fixture.projectId}/Cluster`;
    expect((await fixture.ask('GET', own)).body).toMatchObject({ hard_limit: 20 });
    expect((await fixture.ask('GET', `/v1/quotas/${newId()}/Cluster`)).status).toBe(404);
    expect((await fixture.ask('DELETE', own)).status).toBe(403);
    const body = { project_id: fixture.projectId };
    expect((await fixture.ask('POST', '/v1/quotas', body)).status).toBe(403);
  });

  it('limits clusters', async () => {
    const { id, create } = await project();
    await asAdmin('POST', '/quotas', { project_id: id, hard_limit: 1 });
    expect((await create()).status).toBe(202);
    const refused = await create();
    expect([refused.status, messageOf(refused)]).toEqual([
      413,
      'Quota exhausted for Cluster: all 1 are in use',
    ]);
  });

  it('limits the nodes of all clusters together, including masters', async () => {
    const { id, create } = await project();
    await asAdmin('POST', '/quotas', { project_id: id, resource: 'Node', hard_limit: 5 });
    expect((await create({ node_count: 2 })).status).toBe(202);
    const refused = await create({ node_count: 2 });
    expect([refused.status, messageOf(refused)]).toEqual([
      403,
      'Quota exceeded for Node: requested 3, 2 of 5 left',
    ]);
    expect((await create({ node_count: 1 })).status).toBe(202);
    expect((await create()).status).toBe(413);
  });
});

describe('the statistics', () => {
  it('count clusters and all their nodes', async () => {
    const { id, create } = await project();
    await create({ node_count: 2 });
    await create();
    const token = await fixture.tokens.issue(['reader'], { projectId: id });
    const stats = async (query: string, options: object): Promise<TestResponse> =>
      fixture.ask('GET', `/v1/stats${query}`, undefined, options);
    expect((await stats('', { token })).body).toEqual({ clusters: 2, nodes: 5 });
    expect((await stats(`?project_id=${id}&type=cluster`, { token })).status).toBe(200);
    expect((await stats(`?project_id=${id}`, { token: fixture.admin })).body).toEqual({
      clusters: 2,
      nodes: 5,
    });
    expect((await stats(`?project_id=${id}`, {})).status).toBe(403);
    expect((await stats('?type=pods', { token })).status).toBe(400);
    const { body } = await stats('', { token: fixture.admin });
    expect((body as { clusters: number }).clusters).toBeGreaterThanOrEqual(2);
  });
});

describe('worker processes', () => {
  it("are listed for administrators, under Magnum's name", async () => {
    expect((await fixture.ask('GET', '/v1/mservices')).status).toBe(403);
    expect((await asAdmin('GET', '/mservices')).body).toMatchObject({
      mservices: expect.any(Array),
    });
  });
});
