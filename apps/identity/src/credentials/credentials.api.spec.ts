import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { restricted, startCallers, unrestricted, type Callers } from './credential.fixture.js';

let callers: Callers;
let admin: string;
let demo: string;

beforeAll(async () => {
  callers = await startCallers();
  admin = await callers.as('admin', ['admin', 'member', 'reader']);
  demo = await callers.as('demo', ['member', 'reader']);
});
afterAll(() => callers.identity.stop());

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const ec2Blob = (access: string, more = {}): string =>
  JSON.stringify({ access, secret: `secret of ${access}`, ...more });

type Fields = Record<string, unknown>;
const send = (
  method: string,
  path: string,
  token: string,
  credential?: Fields,
): Promise<TestResponse> =>
  callers.identity.client.send(method, `/v3/credentials${path}`, {
    token,
    body: credential && { credential },
  });

/** A certificate of the user demo, unless the fields say otherwise. */
const post = (fields: Fields = {}, token = demo): Promise<TestResponse> =>
  send('POST', '', token, {
    user_id: callers.id('user demo'),
    type: 'cert',
    blob: 'a certificate',
    ...fields,
  });
const postEc2 = (access: string, fields: Fields = {}, token = demo): Promise<TestResponse> =>
  post(
    { type: 'ec2', project_id: callers.id('project demo'), blob: ec2Blob(access), ...fields },
    token,
  );

const credentialIn = ({ body }: TestResponse): Fields =>
  (body as { credential: Fields }).credential;
async function made(response: Promise<TestResponse>): Promise<string> {
  const { status, body } = await response;
  expect(status).toBe(201);
  return (body as { credential: { id: string } }).credential.id;
}
async function listed(path: string, token: string): Promise<unknown[]> {
  const { status, body } = await send('GET', path, token);
  expect(status).toBe(200);
  return (body as { credentials: Fields[] }).credentials.map(({ id }) => id);
}

describe('POST /v3/credentials', () => {
  it('creates a credential of any type', async () => {
    const response = await post({ type: 'totp', blob: 'JBSWY3DPEHPK3PXP' });
    expect(response.status).toBe(201);
    const credential = credentialIn(response);
    expect(credential).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      user_id: callers.id('user demo'),
      project_id: null,
      type: 'totp',
      blob: 'JBSWY3DPEHPK3PXP',
      links: {
        self: `${callers.identity.client.baseUrl}/v3/credentials/${String(credential['id'])}`,
      },
    });
    const shown = await send('GET', `/${String(credential['id'])}`, demo);
    expect(shown.body).toEqual(response.body);
  });

  it('stores further properties', async () => {
    const response = await post({ id: 'chosen', links: {}, colour: 'red' });
    expect(response.status).toBe(201);
    const credential = credentialIn(response);
    expect(credential).toMatchObject({ type: 'cert', colour: 'red' });
    expect(credential['id']).not.toBe('chosen');
    const shown = await send('GET', `/${String(credential['id'])}`, demo);
    expect(shown.body).toEqual(response.body);
  });

  it('names an access key by its SHA-256', async () => {
    expect(await made(postEc2('AKIDNAMED'))).toBe(sha256('AKIDNAMED'));
  });

  it('keeps no secret in clear', async () => {
    await made(post({ blob: 'most secret of all' }));
    const rows: { text: string }[] = await callers.identity.app.dataSource.query(
      'SELECT row_to_json(credentials)::text AS text FROM credentials',
    );
    expect(rows.map(({ text }) => text).join()).not.toContain('most secret');
  });

  it('answers 409 for an access key in use, without a secret', async () => {
    await made(postEc2('AKIDTAKEN'));
    const response = await postEc2('AKIDTAKEN', { user_id: callers.id('user admin') }, admin);
    expect(response.status).toBe(409);
    expect(response.text).toContain(sha256('AKIDTAKEN'));
    expect(response.text).not.toContain('secret of');
  });

  it.each([
    ['no project', { project_id: undefined }, 'project_id is required for the type ec2'],
    ['no project, whatever the case', { type: 'EC2', project_id: null }, 'project_id is required'],
    ['a blob that is no JSON', { blob: '{"secret":"s3"d}' }, 'must be a JSON object'],
    ['a blob that is no object', { blob: '[]' }, 'must be a JSON object'],
    ['a blob without an access key', { blob: '{"secret":"s3"}' }, 'must hold an `access`'],
    ['an access key with a space', { blob: ec2Blob('a b') }, 'visible ASCII characters'],
  ])('answers 400 for an access key with %s, and says no secret', async (_, fields, message) => {
    const response = await postEc2('AKIDBAD', fields);
    expect(response.status).toBe(400);
    expect(response.text).toContain(message);
    expect(response.text).not.toMatch(/s3"|secret of/);
  });

  it.each([
    ['no blob', { blob: undefined }, 'credential.blob is required'],
    ['no type', { type: undefined }, 'credential.type is required'],
    ['no user', { user_id: undefined }, 'credential.user_id is required'],
    ['a blob of more than 64 KiB', { blob: 'x'.repeat(65_537) }, 'credential.blob must be shorter'],
    ['a blob that is an object', { blob: {} }, 'credential.blob must be a string'],
    ['a property that cannot be kept', { colour: '\0' }, 'credential.extra must have at most'],
  ])('answers 400 for %s', async (_, fields, message) => {
    const response = await post(fields, admin);
    expect(response.status).toBe(400);
    expect(response.text).toContain(message);
  });

  it('answers 404 for an unknown user or project', async () => {
    const id = newId();
    expect((await post({ user_id: id }, admin)).text).toContain(`Could not find user: ${id}.`);
    const response = await post({ project_id: id });
    expect(response.status).toBe(404);
    expect(response.text).toContain(`Could not find project: ${id}.`);
  });

  it('is allowed for oneself and for administrators', async () => {
    expect((await post({ user_id: callers.id('user admin') })).status).toBe(403);
    await made(post({}, admin));
    const domainAdmin = await callers.as('admin', ['admin'], {
      projectId: undefined,
      domainId: 'default',
      scope: 'domain',
    });
    expect((await post({}, domainAdmin)).status).toBe(403);
  });
});

describe('GET /v3/credentials', () => {
  let mine: string;
  let theirs: string;
  beforeAll(async () => {
    mine = await made(post({ type: 'listed' }));
    theirs = await made(post({ type: 'listed', user_id: callers.id('user admin') }, admin));
  });

  it('lists all for administrators and readers of the system, and their own for others', async () => {
    expect(await listed('?type=listed', admin)).toEqual([mine, theirs]);
    const reader = await callers.as('demo', ['reader'], {
      projectId: undefined,
      domainId: undefined,
      scope: 'system',
    });
    expect(await listed('?type=listed', reader)).toEqual([mine, theirs]);
    expect(await listed('?type=listed', demo)).toEqual([mine]);
  });

  it('lists nothing for another user', async () => {
    const ofAdmin = `?type=listed&user_id=${callers.id('user admin')}`;
    expect(await listed(ofAdmin, admin)).toEqual([theirs]);
    expect(await listed(ofAdmin, demo)).toEqual([]);
  });

  it('shows secrets with them', async () => {
    const { body } = await send('GET', '?type=listed', demo);
    expect(body).toMatchObject({
      credentials: [{ blob: 'a certificate' }],
      links: { next: null, previous: null },
    });
  });
});

describe('GET /v3/credentials/{credential_id}', () => {
  it('answers 403 for credentials of others and for unknown ones, in the same words', async () => {
    const theirs = await made(post({ user_id: callers.id('user admin') }, admin));
    const answers = await Promise.all([theirs, newId()].map((id) => send('GET', `/${id}`, demo)));
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(answers[0]?.text).toBe(answers[1]?.text);
    expect((await send('GET', `/${theirs}`, admin)).status).toBe(200);
  });

  it('answers 404 to administrators for an unknown one', async () => {
    const id = newId();
    const response = await send('GET', `/${id}`, admin);
    expect(response.status).toBe(404);
    expect(response.text).toContain(`Could not find credential: ${id}.`);
  });
});

describe('PATCH /v3/credentials/{credential_id}', () => {
  it('changes what is named, and nothing else', async () => {
    const id = await made(post({ project_id: callers.id('project demo') }));
    const response = await send('PATCH', `/${id}`, demo, { blob: 'another certificate' });
    expect(response.status).toBe(200);
    expect(credentialIn(response)).toMatchObject({
      id,
      type: 'cert',
      blob: 'another certificate',
      project_id: callers.id('project demo'),
    });
    await send('PATCH', `/${id}`, demo, { project_id: null, type: 'other' });
    expect((await send('GET', `/${id}`, demo)).body).toMatchObject({
      credential: { type: 'other', blob: 'another certificate', project_id: null },
    });
  });

  it('changes further properties', async () => {
    const id = await made(post({ colour: 'red', size: 1 }));
    const response = await send('PATCH', `/${id}`, demo, { colour: 'blue' });
    expect(credentialIn(response)).toMatchObject({ colour: 'blue', size: 1 });
    expect((await send('GET', `/${id}`, demo)).body).toEqual(response.body);
  });

  it('accepts what a client has read, and not another ID', async () => {
    const credential = credentialIn(await post({ colour: 'red' }));
    const path = `/${String(credential['id'])}`;
    expect(credentialIn(await send('PATCH', path, demo, credential))).toEqual(credential);
    expect((await send('PATCH', path, demo, { id: 'other' })).status).toBe(400);
  });

  it('changes an access key’s blob, whose id stays', async () => {
    const id = await made(postEc2('AKIDOLD'));
    const response = await send('PATCH', `/${id}`, demo, { blob: ec2Blob('AKIDNEW') });
    expect(response.status).toBe(200);
    expect(credentialIn(response)).toMatchObject({ id, blob: ec2Blob('AKIDNEW') });
  });

  it('revokes a changed access key', async () => {
    const id = await made(postEc2('AKIDTOLD'));
    await send('PATCH', `/${id}`, demo, { blob: ec2Blob('AKIDTOLD', { secret: 'new' }) });
    const { body } = await callers.identity.client.get('/v3/OS-REVOKE/events', { token: admin });
    expect(body).toMatchObject({
      events: expect.arrayContaining([expect.objectContaining({ credential_id: id })]) as unknown,
    });
  });

  it('lets only administrators change the user', async () => {
    const id = await made(post());
    const given = { user_id: callers.id('user admin') };
    expect((await send('PATCH', `/${id}`, demo, given)).status).toBe(403);
    expect((await send('PATCH', `/${id}`, admin, given)).status).toBe(200);
    expect((await send('GET', `/${id}`, demo)).status).toBe(403);
  });

  it.each([
    ['nothing', {}, 'must have at least one property to change'],
    ['its type', { type: 'cert' }, 'credential.type cannot be changed'],
    ['its project to none', { project_id: null }, 'project_id is required'],
    ['its blob to another form', { blob: 'secret' }, 'must be a JSON object'],
    ['its trust', { blob: ec2Blob('AKIDBOUND', { trust_id: 'u' }) }, 'trust_id cannot be changed'],
    ['its trust to none', { blob: ec2Blob('AKIDBOUND') }, 'trust_id cannot be changed'],
  ])('answers 400 for an access key with a change of %s', async (what, change, message) => {
    const access = `AKID-${what.replaceAll(' ', '-')}`;
    const id = await made(postEc2(access, { blob: ec2Blob(access, { trust_id: 't' }) }));
    const response = await send('PATCH', `/${id}`, demo, change);
    expect(response.status).toBe(400);
    expect(response.text).toContain(message);
  });

  it('does not turn another credential into an access key', async () => {
    const id = await made(post({ blob: ec2Blob('AKIDLATE') }));
    const change = { type: 'ec2', project_id: callers.id('project demo') };
    expect((await send('PATCH', `/${id}`, demo, change)).status).toBe(400);
  });

  it('answers 404 for an unknown project', async () => {
    const id = await made(post());
    const response = await send('PATCH', `/${id}`, demo, { project_id: newId() });
    expect(response.status).toBe(404);
  });

  it('is refused for credentials of others', async () => {
    const theirs = await made(post({ user_id: callers.id('user admin') }, admin));
    expect((await send('PATCH', `/${theirs}`, demo, { blob: 'x' })).status).toBe(403);
    expect((await send('PATCH', `/${newId()}`, admin, { blob: 'x' })).status).toBe(404);
  });
});

describe('DELETE /v3/credentials/{credential_id}', () => {
  it('removes it', async () => {
    const id = await made(post());
    expect((await send('DELETE', `/${id}`, demo)).status).toBe(204);
    expect((await send('GET', `/${id}`, admin)).status).toBe(404);
    expect((await send('DELETE', `/${id}`, admin)).status).toBe(404);
  });

  it('is refused for credentials of others', async () => {
    const theirs = await made(post({ user_id: callers.id('user admin') }, admin));
    expect((await send('DELETE', `/${theirs}`, demo)).status).toBe(403);
  });
});

describe('a delegated token', () => {
  it.each(Object.entries(restricted))(
    'of a %s cannot use credentials of its user',
    async (_, delegation) => {
      const id = await made(post({ project_id: callers.id('project demo') }));
      const token = await callers.as('demo', ['member', 'reader'], { delegation });
      for (const [method, path, fields] of [
        ['GET', '', undefined],
        ['GET', `/${id}`, undefined],
        ['PATCH', `/${id}`, { blob: 'x' }],
        ['DELETE', `/${id}`, undefined],
      ] as const)
        expect([method, (await send(method, path, token, fields)).status]).toEqual([method, 403]);
      expect((await post({ project_id: callers.id('project demo') }, token)).status).toBe(403);
    },
  );

  it.each(Object.entries(restricted))(
    'of a %s of an administrator cannot create or change credentials',
    async (_, delegation) => {
      const id = await made(post({ project_id: callers.id('project admin') }, admin));
      const token = await callers.as('admin', ['admin'], { delegation });
      const response = await post({ project_id: callers.id('project admin') }, token);
      expect(response.status).toBe(403);
      expect(response.text).toContain('cannot create or change credentials');
      expect((await send('PATCH', `/${id}`, token, { blob: 'x' })).status).toBe(403);
    },
  );

  it('of an unrestricted application credential can use what it has created only', async () => {
    const [project, other] = [callers.id('project demo'), callers.id('project admin')];
    const delegation = await unrestricted(callers, 'demo');
    const token = await callers.as('demo', ['reader'], { delegation });
    const id = await made(post({ type: 'within', project_id: project }, token));
    const foreign = [
      await made(post({ type: 'within' })),
      await made(post({ type: 'within', project_id: other })),
      // Of its own project, and worth more than the role of the token.
      await made(post({ type: 'within', project_id: project })),
    ];
    expect(await listed('?type=within', token)).toEqual([id]);
    for (const one of foreign) {
      expect((await send('GET', `/${one}`, token)).status).toBe(403);
      expect((await send('PATCH', `/${one}`, token, { blob: 'x' })).status).toBe(403);
      expect((await send('DELETE', `/${one}`, token)).status).toBe(403);
    }
    expect((await post({}, token)).status).toBe(403);
    expect((await send('PATCH', `/${id}`, token, { project_id: other })).status).toBe(403);
    expect((await send('PATCH', `/${id}`, token, { blob: 'x' })).status).toBe(200);
  });

  it('of an unrestricted application credential cannot create credentials for logins', async () => {
    const delegation = await unrestricted(callers, 'demo');
    const token = await callers.as('demo', ['reader'], { delegation });
    const project_id = callers.id('project demo');
    for (const type of ['totp', 'TOTP']) {
      const response = await post({ type, project_id }, token);
      expect([response.status, response.text]).toEqual([
        403,
        expect.stringContaining('allow logins'),
      ]);
    }
    const id = await made(post({ type: 'cert', project_id }, token));
    expect((await send('PATCH', `/${id}`, token, { type: 'totp' })).status).toBe(403);
  });

  it('of an administrator’s application credential cannot create credentials for others', async () => {
    const delegation = await unrestricted(callers, 'admin');
    const token = await callers.as('admin', ['admin'], { delegation });
    const project_id = callers.id('project admin');
    const forDemo = { user_id: callers.id('user demo'), project_id };
    const response = await post(forDemo, token);
    expect([response.status, response.text]).toEqual([
      403,
      expect.stringContaining('of its own user only'),
    ]);
    const id = await made(post({ user_id: callers.id('user admin'), project_id }, token));
    expect((await send('PATCH', `/${id}`, token, { user_id: forDemo.user_id })).status).toBe(403);
  });
});
