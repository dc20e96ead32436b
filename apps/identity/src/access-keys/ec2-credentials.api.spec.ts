import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { restricted, startCallers, type Callers } from '../credentials/credential.fixture.js';
import { accessKeyId } from '../credentials/ec2-blob.js';

let callers: Callers;
let admin: string;
let demo: string;

beforeAll(async () => {
  callers = await startCallers();
  admin = await callers.as('admin', ['admin', 'member', 'reader']);
  demo = await callers.as('demo', ['member', 'reader']);
});
afterAll(() => callers.identity.stop());

interface AccessKey {
  readonly access: string;
  readonly secret: string;
}

const pathOf = (user: string, access?: string): string =>
  `/users/${callers.id(`user ${user}`)}/credentials/OS-EC2${access === undefined ? '' : `/${access}`}`;
const send = (
  method: string,
  path: string,
  token: string,
  body?: object,
  prefix = '/v3',
): Promise<TestResponse> => callers.identity.client.send(method, prefix + path, { token, body });
const create = (user: string, project: string, token: string): Promise<TestResponse> =>
  send('POST', pathOf(user), token, { tenant_id: callers.id(`project ${project}`) });

async function made(response: Promise<TestResponse>): Promise<AccessKey> {
  const { status, body } = await response;
  expect(status).toBe(201);
  return (body as { credential: AccessKey }).credential;
}
async function listed(user: string, token: string): Promise<string[]> {
  const { status, body } = await send('GET', pathOf(user), token);
  expect(status).toBe(200);
  return (body as { credentials: AccessKey[] }).credentials.map(({ access }) => access);
}

describe.each(['/v3', '/v2.0'])('%s/users/{user_id}/credentials/OS-EC2', (prefix) => {
  it('creates, lists, shows and deletes an access key', async () => {
    const body = { tenant_id: callers.id('project demo') };
    const response = await send('POST', pathOf('demo'), demo, body, prefix);
    const { access, secret } = await made(Promise.resolve(response));
    const credential = {
      access: expect.stringMatching(/^[0-9a-f]{32}$/),
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      user_id: callers.id('user demo'),
      tenant_id: callers.id('project demo'),
      trust_id: null,
      links: { self: `${callers.identity.client.baseUrl}/v3${pathOf('demo', access)}` },
    };
    expect(response.body).toEqual({ credential });

    const list = await send('GET', pathOf('demo'), demo, undefined, prefix);
    expect(list.body).toEqual({
      credentials: [{ ...credential, secret }],
      links: {
        self: `${callers.identity.client.baseUrl}${prefix}${pathOf('demo')}`,
        next: null,
        previous: null,
      },
    });
    const path = pathOf('demo', access);
    const shown = await send('GET', path, demo, undefined, prefix);
    expect(shown.body).toEqual({ credential: { ...credential, secret } });
    expect((await send('DELETE', path, demo, undefined, prefix)).status).toBe(204);
    expect((await send('GET', path, demo, undefined, prefix)).status).toBe(404);
  });
});

describe('POST /v3/users/{user_id}/credentials/OS-EC2', () => {
  it('creates a new key each time', async () => {
    const [one, other] = [
      await made(create('demo', 'demo', demo)),
      await made(create('demo', 'demo', demo)),
    ];
    expect(one.access).not.toBe(other.access);
    expect(one.secret).not.toBe(other.secret);
  });

  it('lets administrators create keys for others', async () => {
    await made(create('demo', 'demo', admin));
    expect((await create('admin', 'admin', demo)).status).toBe(403);
  });

  it('answers 404 for an unknown project or user', async () => {
    const id = newId();
    const response = await send('POST', pathOf('demo'), demo, { tenant_id: id });
    expect(response.status).toBe(404);
    expect(response.text).toContain(`Could not find project: ${id}.`);
    const path = `/users/${id}/credentials/OS-EC2`;
    const body = { tenant_id: callers.id('project demo') };
    expect((await send('POST', path, admin, body)).text).toContain(`Could not find user: ${id}.`);
  });

  it('answers 403 for a project on which the user has no role', async () => {
    const response = await create('demo', 'admin', demo);
    expect(response.status).toBe(403);
    expect(response.text).toContain(
      `The user ${callers.id('user demo')} has no role on the project ${callers.id('project admin')}`,
    );
  });

  it('answers 400 without a project', async () => {
    const response = await send('POST', pathOf('demo'), demo, {});
    expect(response.status).toBe(400);
    expect(response.text).toContain('tenant_id is required');
  });

  it('keeps no secret in clear', async () => {
    const { access, secret } = await made(create('demo', 'demo', demo));
    const rows: object[] = await callers.identity.app.dataSource.query('SELECT * FROM credentials');
    const text = JSON.stringify(rows);
    expect(text).toContain(accessKeyId(access));
    expect(text).not.toContain(access);
    expect(text).not.toContain(secret);
  });
});

describe('an access key', () => {
  it('is not found by the path of another user', async () => {
    const { access } = await made(create('admin', 'admin', admin));
    for (const key of [access, accessKeyId(access)]) {
      expect((await send('GET', pathOf('demo', key), demo)).status).toBe(404);
      expect((await send('DELETE', pathOf('demo', key), demo)).status).toBe(404);
      expect((await send('GET', pathOf('admin', key), demo)).status).toBe(403);
      expect((await send('DELETE', pathOf('admin', key), demo)).status).toBe(403);
    }
    expect((await send('GET', pathOf('admin', access), admin)).status).toBe(200);
  });

  it('is not found by its ID', async () => {
    const [mine, theirs] = [
      await made(create('demo', 'demo', demo)),
      await made(create('admin', 'admin', admin)),
    ];
    expect((await send('GET', pathOf('admin', accessKeyId(mine.access)), demo)).status).toBe(404);
    expect((await send('GET', pathOf('admin', theirs.access), demo)).status).toBe(403);
    expect(await listed('demo', demo)).not.toContain(theirs.access);
    expect((await send('GET', pathOf('admin'), demo)).status).toBe(403);
  });

  it('is not a credential of another type', async () => {
    const body = { user_id: callers.id('user demo'), type: 'cert', blob: '{}' };
    const { body: answer } = await send('POST', '/credentials', demo, { credential: body });
    const { id } = (answer as { credential: { id: string } }).credential;
    expect((await send('GET', pathOf('demo', id), demo)).status).toBe(404);
  });

  it('that was created as a credential is listed too', async () => {
    const blob = JSON.stringify({ access: 'AKIDGIVEN', secret: 'given' });
    const [user, project] = [callers.id('user demo'), callers.id('project demo')];
    const credential = { user_id: user, project_id: project, type: 'ec2', blob };
    await send('POST', '/credentials', demo, { credential });
    expect(await listed('demo', demo)).toContain('AKIDGIVEN');
    const { body } = await send('GET', pathOf('demo', 'AKIDGIVEN'), demo);
    expect(body).toMatchObject({ credential: { secret: 'given', trust_id: null } });
  });

  it('is revoked when it is removed', async () => {
    const { access } = await made(create('demo', 'demo', demo));
    await send('DELETE', pathOf('demo', access), demo);
    const { body } = await send('GET', '/OS-REVOKE/events', admin);
    const { events } = body as { events: { credential_id?: string }[] };
    expect(events.map(({ credential_id: id }) => id)).toContain(accessKeyId(access));
  });
});

describe('a delegated token', () => {
  it('of a restricted application credential cannot use access keys', async () => {
    const delegation = restricted['application credential'];
    const { access } = await made(create('demo', 'demo', demo));
    const token = await callers.as('demo', ['member', 'reader'], { delegation });
    const asked = [
      await send('GET', pathOf('demo'), token),
      await send('GET', pathOf('demo', access), token),
      await send('DELETE', pathOf('demo', access), token),
      await create('demo', 'demo', token),
    ];
    expect(asked.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    const ofAdmin = await callers.as('admin', ['admin'], { delegation });
    expect((await create('admin', 'admin', ofAdmin)).status).toBe(403);
  });

  it('of a trust cannot use keys that its user created in person', async () => {
    const delegation = restricted.trust;
    const { access } = await made(create('demo', 'demo', demo));
    for (const roles of [['member', 'reader'], ['admin']]) {
      const token = await callers.as('demo', roles, { delegation });
      expect(await listed('demo', token)).toEqual([]);
      expect((await send('GET', pathOf('demo', access), token)).status).toBe(403);
      expect((await send('DELETE', pathOf('demo', access), token)).status).toBe(403);
    }
  });

  it('of a trust cannot create a key after the trust was deleted', async () => {
    const token = await callers.as('demo', ['member'], { delegation: restricted.trust });
    const response = await create('demo', 'demo', token);
    expect([response.status, response.text]).toEqual([
      404,
      expect.stringContaining('Could not find trust: t.'),
    ]);
  });
});
