import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCallers, type Callers } from '../credentials/credential.fixture.js';
import { signedIn, tokenIn } from '../identity.fixture.js';

const SECRET = 'the secret';

let callers: Callers;
let service: string;
let access: string;

beforeAll(async () => {
  callers = await startCallers();
  service = await callers.as('compute', ['service']);
});
afterAll(() => callers.identity.stop());

beforeEach(async () => {
  access = await makeKey();
});

let made = 0;

/** @returns the access key */
async function makeKey(blob: object = {}): Promise<string> {
  made += 1;
  const key = `key ${made}`.replace(' ', '-');
  const credential = {
    user_id: callers.id('user demo'),
    project_id: callers.id('project demo'),
    type: 'ec2',
    blob: JSON.stringify({ access: key, secret: SECRET, ...blob }),
  };
  const token = await callers.as('demo', ['member', 'reader']);
  const { status } = await post('credentials', { credential }, token);
  expect(status).toBe(201);
  return key;
}

function post(path: string, body: object, token: string): Promise<TestResponse> {
  return callers.identity.client.post(`/v3/${path}`, { token, body });
}

interface Signing {
  readonly secret?: string;
  readonly timestamp?: string;
  readonly as?: string;
  readonly key?: string;
}

function ec2(options: Signing = {}, token = service): Promise<TestResponse> {
  const { secret = SECRET, timestamp, as = 'ec2Credentials', key = access } = options;
  const params = { SignatureVersion: '0', Action: 'Act', Timestamp: timestamp ?? now() };
  const text = params.Action + params.Timestamp;
  const signature = createHmac('sha1', secret).update(text).digest('base64');
  const request = { verb: 'GET', host: 'h', path: '/', params, headers: {}, body_hash: '' };
  return post('ec2tokens', { [as]: { access: key, signature, ...request } }, token);
}

function s3(secret = SECRET, token = service): Promise<TestResponse> {
  const text = 'GET\n\n\nthe date\n/bucket/ä';
  const signature = createHmac('sha1', secret).update(text).digest('base64');
  const credentials = { access, token: Buffer.from(text).toString('base64url'), signature };
  return post('s3tokens', { credentials }, token);
}

function now(): string {
  return new Date().toISOString();
}

describe('POST /v3/ec2tokens', () => {
  it("answers with a token of the key's user and project", async () => {
    const response = await ec2();
    expect(response.status).toBe(200);
    expect(signedIn(response)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(tokenIn(response)).toMatchObject({
      methods: ['ec2credential'],
      user: { id: callers.id('user demo'), name: 'demo' },
      project: { id: callers.id('project demo') },
      roles: [{ name: 'member' }, { name: 'reader' }],
      catalog: expect.arrayContaining([expect.objectContaining({ type: 'identity' })]),
    });
  });

  it.each(['credentials', 'credential', 'ec2Credentials'])(
    'accepts the credentials as %s',
    async (as) => {
      expect((await ec2({ as })).status).toBe(200);
    },
  );

  it('is allowed for services and administrators only', async () => {
    expect((await ec2({}, await callers.as('demo', ['member']))).status).toBe(403);
    expect((await ec2({}, await callers.as('admin', ['admin']))).status).toBe(200);
  });

  it('refuses a wrong signature, and an old request', async () => {
    expect((await ec2({ secret: 'another' })).status).toBe(401);
    expect((await ec2({ timestamp: '2026-01-31T12:00:00Z' })).status).toBe(401);
    expect((await ec2({ timestamp: '20260131T120000Z' })).status).toBe(401);
    expect((await ec2({ timestamp: 'yesterday' })).status).toBe(401);
  });

  it('answers 404 for an unknown key, and for one whose blob names a delegation', async () => {
    const response = await ec2({ key: 'none' });
    expect(response.status).toBe(404);
    expect(response.body).toMatchObject({ error: { message: 'EC2 access key not found.' } });
    expect((await ec2({ key: await makeKey({ trust_id: 't' }) })).status).toBe(404);
  });

  it('refuses a user who is disabled or has lost the role', async () => {
    const { dataSource } = callers.identity.app;
    const enable = `UPDATE users SET enabled = $1 WHERE name = 'demo'`;
    await dataSource.query(enable, [false]);
    expect((await ec2()).status).toBe(401);
    await dataSource.query(enable, [true]);
    const grant = 'UPDATE role_assignments SET inherited = $1 WHERE user_id = $2';
    await dataSource.query(grant, [true, callers.id('user demo')]);
    expect((await ec2()).status).toBe(401);
    await dataSource.query(grant, [false, callers.id('user demo')]);
  });

  it('is not bound by rules for several factors, as in Keystone', async () => {
    const { dataSource } = callers.identity.app;
    const set = `UPDATE users SET options = $1 WHERE name = 'demo'`;
    await dataSource.query(set, [{ multi_factor_auth_rules: [['password', 'totp']] }]);
    expect((await ec2()).status).toBe(200);
    await dataSource.query(set, [{}]);
  });

  it('answers 400 without credentials', async () => {
    expect((await post('ec2tokens', {}, service)).status).toBe(400);
    expect((await post('ec2tokens', { credentials: { access } }, service)).status).toBe(400);
  });
});

describe('POST /v3/s3tokens', () => {
  it('shows the signer, and returns no signed token', async () => {
    const response = await s3();
    expect(response.status).toBe(200);
    expect(response.headers.get('X-Subject-Token')).toBeNull();
    expect(tokenIn(response)).toMatchObject({
      user: { id: callers.id('user demo') },
      project: { id: callers.id('project demo') },
    });
  });

  it('refuses a wrong signature, and callers other than services', async () => {
    expect((await s3('another')).status).toBe(401);
    expect((await s3(SECRET, await callers.as('demo', ['member']))).status).toBe(403);
  });
});
