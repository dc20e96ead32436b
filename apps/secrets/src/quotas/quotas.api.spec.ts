import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { errorOf, SECRET, TestSecrets } from '../secrets.fixture.js';

let secrets: TestSecrets;

beforeAll(async () => {
  secrets = await TestSecrets.start({ secretQuota: 2, containerQuota: 1, consumerQuota: -1 });
});
afterAll(() => secrets.stop());

const DEFAULTS = { secrets: 2, orders: 0, containers: 1, consumers: -1, cas: 0 };
const NONE = { secrets: null, orders: null, containers: null, consumers: null, cas: null };

const asAdmin = (method: string, path: string, body?: unknown) =>
  secrets.send(method, `/project-quotas${path}`, { token: secrets.admin, body });

describe('quotas', () => {
  it('are shown to users of the project', async () => {
    expect(await secrets.show('/quotas', secrets.reader)).toEqual({ quotas: DEFAULTS });
  });

  it('limit what a project creates, and free what it deletes', async () => {
    const token = await secrets.started.tokens.issue(['member']);
    const create = () => secrets.send('POST', '/secrets', { token, body: SECRET });
    const answers = await Promise.all(Array.from({ length: 5 }, create));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 413, 413, 413]);
    expect(errorOf(await create())).toEqual([413, 'Quota exhausted for secrets: all 2 are in use']);
    const made = answers.find(({ status }) => status === 201)?.body as { secret_ref: string };
    await secrets.send('DELETE', new URL(made.secret_ref).pathname.slice(3), { token });
    expect((await create()).status).toBe(201);
    const contain = () => secrets.send('POST', '/containers', { token, body: { type: 'generic' } });
    expect([(await contain()).status, (await contain()).status]).toEqual([201, 413]);
  });

  it('limit the consumers that a project registers', async () => {
    const projectId = newId();
    await asAdmin('PUT', `/${projectId}`, { project_quotas: { consumers: 1 } });
    const token = await secrets.started.tokens.issue(['member'], { projectId });
    const id = await secrets.create(SECRET, token);
    const register = (resource_id: string) =>
      secrets.send('POST', `/secrets/${id}/consumers`, {
        token,
        body: { service: 's', resource_type: 't', resource_id },
      });
    expect((await register('a')).status).toBe(200);
    expect((await register('b')).status).toBe(413);
    expect((await register('a')).status).toBe(200);
  });
});

describe('/v1/project-quotas', () => {
  it('are set, shown, listed and removed by administrators', async () => {
    const id = newId();
    expect(errorOf(await asAdmin('GET', `/${id}`))[0]).toBe(404);
    const set = await asAdmin('PUT', `/${id}`, { project_quotas: { secrets: 7, containers: -1 } });
    expect([set.status, set.text]).toEqual([204, '']);
    const own = { ...NONE, secrets: 7, containers: -1 };
    expect((await asAdmin('GET', `/${id}`)).body).toEqual({ project_quotas: own });
    const listed = (await asAdmin('GET', '?limit=100')).body as { project_quotas: unknown[] };
    expect(listed.project_quotas).toContainEqual({ project_id: id, project_quotas: own });
    const token = await secrets.started.tokens.issue(['reader'], { projectId: id });
    expect(await secrets.show('/quotas', token)).toEqual({
      quotas: { ...DEFAULTS, secrets: 7, containers: -1 },
    });
    await asAdmin('PUT', `/${id}`, { project_quotas: { orders: 3 } });
    expect((await asAdmin('GET', `/${id}`)).body).toEqual({
      project_quotas: { ...NONE, orders: 3 },
    });
    expect((await asAdmin('DELETE', `/${id}`)).status).toBe(204);
    expect((await asAdmin('DELETE', `/${id}`)).status).toBe(404);
    expect(await secrets.show('/quotas', token)).toEqual({ quotas: DEFAULTS });
  });

  it('has pages', async () => {
    for (const id of [newId(), newId()])
      await asAdmin('PUT', `/${id}`, { project_quotas: { cas: 1 } });
    const { body } = await asAdmin('GET', '?limit=1&offset=1');
    expect(body).toMatchObject({
      project_quotas: [expect.anything()],
      previous: `${secrets.client.baseUrl}/v1/project-quotas?limit=1&offset=0`,
    });
  });

  it('is closed to members', async () => {
    expect((await secrets.send('GET', '/project-quotas')).status).toBe(403);
  });

  it.each([
    ['less than no limit', { project_quotas: { secrets: -2 } }, 'must not be less than -1'],
    ['a text', { project_quotas: { secrets: '7' } }, 'must be an integer'],
    ['an unknown name', { project_quotas: { colours: 7 } }, 'colours is not a property'],
    ['nothing', {}, 'project_quotas is required'],
  ])('refuses %s', async (_what, body, message) => {
    const id = newId();
    expect(errorOf(await asAdmin('PUT', `/${id}`, body))).toEqual([
      400,
      expect.stringContaining(message),
    ]);
    expect((await asAdmin('GET', `/${id}`)).status).toBe(404);
  });
});
