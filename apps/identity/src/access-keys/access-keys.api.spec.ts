import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { eventually } from '@cumulet/testing/settle';
import { startCallers, type Callers } from '../credentials/credential.fixture.js';
import { accessKeyId } from '../credentials/ec2-blob.js';
import { lockForRevocation } from '../revocations/revocation.repository.js';

let callers: Callers;
let service: string;
let demo: string;
let key: { access: string; secret: string };

beforeAll(async () => {
  callers = await startCallers();
  service = await callers.as('compute', ['service']);
  demo = await callers.as('demo', ['member', 'reader']);
});
afterAll(() => callers.identity.stop());

beforeEach(async () => {
  const { body } = await callers.identity.client.post(keysOfDemo(), {
    token: demo,
    body: { tenant_id: callers.id('project demo') },
  });
  key = (body as { credential: typeof key }).credential;
});

const keysOfDemo = (): string => `/v3/users/${callers.id('user demo')}/credentials/OS-EC2`;
const read = (access: string, token = service): Promise<TestResponse> =>
  callers.identity.client.get(`/v3/OS-EC2/access-keys/${encodeURIComponent(access)}`, { token });
const sql = (text: string, params: unknown[] = []): Promise<unknown> =>
  callers.identity.app.dataSource.query(text, params);

async function give(access: string, fields: object, blob: object = {}): Promise<void> {
  const credential = {
    user_id: callers.id('user demo'),
    project_id: callers.id('project demo'),
    type: 'ec2',
    blob: JSON.stringify({ access, secret: 'given', ...blob }),
    ...fields,
  };
  const { status } = await callers.identity.client.post('/v3/credentials', {
    token: demo,
    body: { credential },
  });
  expect(status).toBe(201);
}

describe('GET /v3/OS-EC2/access-keys/{access}', () => {
  it('shows user, project and roles, and must not be cached', async () => {
    const before = Date.now();
    const response = await read(key.access);
    expect(response.status).toBe(200);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    const { access_key: shown } = response.body as { access_key: Record<string, string> };
    expect(shown).toEqual({
      access: key.access,
      secret: key.secret,
      credential_id: accessKeyId(key.access),
      user_id: callers.id('user demo'),
      user_domain_id: 'default',
      project_id: callers.id('project demo'),
      project_domain_id: 'default',
      roles: ['member', 'reader'],
      trust: null,
      application_credential: null,
      issued_at: expect.any(String),
      expires_at: expect.any(String),
    });
    const [issuedAt = 0, expiresAt] = [shown['issued_at'], shown['expires_at']].map((one) =>
      Date.parse(one ?? ''),
    );
    expect(Math.abs(issuedAt - before)).toBeLessThan(60_000);
    expect(expiresAt).toBe(issuedAt + callers.identity.config.tokenLifetime * 1000);
  });

  it('is allowed for services only', async () => {
    const admin = await callers.as('admin', ['admin', 'member', 'reader']);
    for (const token of [admin, demo]) {
      const response = await read(key.access, token);
      expect(response.status).toBe(403);
      expect(response.text).not.toContain(key.secret);
    }
  });

  it.each(['unknown', 'a/b', 'ä', ' ', 'x'.repeat(5_000)])('answers 404 for %j', async (access) => {
    const response = await read(access);
    expect(response.status).toBe(404);
    expect(response.text).toContain('Could not find access key');
  });

  it('finds it by the key, never by its id', async () => {
    expect((await read(accessKeyId(key.access))).status).toBe(404);
  });

  it('answers 404 once it is removed', async () => {
    await callers.identity.client.delete(`${keysOfDemo()}/${key.access}`, { token: demo });
    expect((await read(key.access)).status).toBe(404);
  });

  it.each([
    ['the user is', 'users', 'demo'],
    ['the project is', 'projects', 'demo'],
    ['a domain is', 'domains', 'Default'],
  ])('answers 404 while %s disabled', async (_, table, name) => {
    await sql(`UPDATE ${table} SET enabled = false WHERE name = $1`, [name]);
    const response = await read(key.access);
    await sql(`UPDATE ${table} SET enabled = true WHERE name = $1`, [name]);
    expect(response.status).toBe(404);
    expect((await read(key.access)).status).toBe(200);
  });

  it('answers 404 for a project on which its user has no role', async () => {
    await give('AKIDELSEWHERE', { project_id: callers.id('project admin') });
    expect((await read('AKIDELSEWHERE')).status).toBe(404);
  });

  it('answers 404 for one without a secret', async () => {
    await give('AKIDBARE', {}, { secret: undefined });
    expect((await read('AKIDBARE')).status).toBe(404);
  });

  it('answers 404 for a key whose blob names a trust', async () => {
    await give('AKIDTRUST', {}, { trust_id: 't' });
    expect((await read('AKIDTRUST')).status).toBe(404);
    await give('AKIDOWN', {}, { trust_id: null });
    expect((await read('AKIDOWN')).status).toBe(200);
  });
});

describe('GET /v3/OS-EC2/access-keys', () => {
  interface Listed {
    readonly access_keys: readonly { readonly id: string }[];
  }
  const list = async (query = ''): Promise<TestResponse> => {
    const token = await callers.as('admin', ['admin', 'member', 'reader']);
    return callers.identity.client.get(`/v3/OS-EC2/access-keys${query}`, { token });
  };
  const ofBefore = (ids: readonly string[]): Promise<unknown> =>
    sql('UPDATE credentials SET is_maker_known = NOT (id = ANY ($1))', [ids]);

  it('lists keys whose maker was not recorded, without secrets', async () => {
    expect((await list()).body).toMatchObject({ access_keys: [] });
    await give('AKIDOLD', {});
    const ids = [accessKeyId(key.access), accessKeyId('AKIDOLD')];
    await ofBefore(ids);
    const response = await list();
    const { access_keys: shown } = response.body as Listed;
    expect(shown).toEqual(
      ids.map((id) => ({
        id,
        user_id: callers.id('user demo'),
        project_id: callers.id('project demo'),
        created_at: expect.any(String),
      })),
    );
    expect(response.text).not.toContain(key.secret);
    expect(response.text).not.toContain(key.access);
    const first = await list('?limit=1');
    expect(first.body).toMatchObject({ access_keys: [{ id: ids[0] }], truncated: true });
    expect((await list(`?marker=${ids[0] ?? ''}`)).body).toMatchObject({
      access_keys: [{ id: ids[1] }],
    });
    await ofBefore([]);
  });

  it('is allowed for administrators and readers of the system', async () => {
    for (const token of [demo, service])
      expect((await callers.identity.client.get('/v3/OS-EC2/access-keys', { token })).status).toBe(
        403,
      );
  });
});

it('waits for a revocation that is under way', async () => {
  const { app, ctx } = callers.identity;
  let answer: Promise<TestResponse> | undefined;
  let answered = false;
  const committedAt = await app.dataSource.transaction(async (manager) => {
    await lockForRevocation(ctx.withManager(manager));
    await manager.query('DELETE FROM credentials WHERE id = $1', [accessKeyId(key.access)]);
    answer = read(key.access).finally(() => (answered = true));
    await eventually('the reader waits for the lock', async () => {
      const rows: { waiting: number }[] = await manager.query(
        `SELECT count(*)::int AS waiting FROM pg_locks
          WHERE locktype = 'advisory' AND NOT granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      return rows[0]?.waiting === 1;
    });
    return answered;
  });
  expect(committedAt).toBe(false);
  expect((await answer)?.status).toBe(404);
});
