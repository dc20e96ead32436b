import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RevocationIndex, type RevocationEvent } from '@cumulet/common/auth/revocation';
import { asId, type RequestId } from '@cumulet/common/context/ids';
import { ServiceUnavailableError } from '../http/service-client-errors.js';
import { AccessKeySource } from './access-key-source.js';

/** Identity as far as this source sees it: what it answers next, and what it was asked. */
let server: Server;
let source: AccessKeySource;
let asked: { url: string; token: unknown; requestId: unknown }[];
let answer: (response: ServerResponse) => void;
let events: RevocationEvent[];
let dropped: string[];
let now: number;
const realNow = performance.now;

const ISSUED = Date.parse('2026-01-01T00:00:00.123Z');
const SECRET = 's3cret';
const REMEMBERED = 20;

const wire = (changes: object = {}): object => ({
  access: 'AKID',
  secret: SECRET,
  credential_id: 'c',
  user_id: 'u',
  user_domain_id: 'ud',
  project_id: 'p',
  project_domain_id: 'pd',
  roles: ['member', 'reader'],
  issued_at: '2026-01-01T00:00:00.123000Z',
  expires_at: '2026-01-01T01:00:00.123000Z',
  ...changes,
});

const reply =
  (status: number, body: object) =>
  (response: ServerResponse): void => {
    response.writeHead(status).end(JSON.stringify(body));
  };
const found = (changes?: object): ((response: ServerResponse) => void) =>
  reply(200, { access_key: wire(changes) });
const missing = reply(404, { error: { message: 'no such key' } });

beforeEach(async () => {
  asked = [];
  events = [];
  dropped = [];
  answer = found();
  now = 1_000;
  performance.now = () => now;
  server = createServer((request, response) => {
    const { 'x-auth-token': token, 'x-openstack-request-id': requestId } = request.headers;
    asked.push({ url: request.url ?? '', token, requestId });
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  source = new AccessKeySource({
    identityUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: {
      of: () => Promise.resolve({ token: `token ${dropped.length + 1}` }),
      invalidate: (_, { token }) => void dropped.push(token),
    },
    remembered: REMEMBERED,
    verifier: { isRevoked: (key) => Promise.resolve(new RevocationIndex(events).isRevoked(key)) },
  });
});

afterEach(async () => {
  performance.now = realNow;
  await source.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const find = (access = 'AKID'): ReturnType<AccessKeySource['find']> =>
  source.find(undefined, access);

describe('AccessKeySource', () => {
  it('reads a key with the service’s own token, on behalf of the request', async () => {
    const ctx = { requestId: asId<RequestId>('req-1'), globalRequestId: undefined };
    expect(await source.find(ctx, 'AK/ID+1')).toEqual({
      access: 'AKID',
      secret: SECRET,
      credentialId: 'c',
      userId: 'u',
      userDomainId: 'ud',
      projectId: 'p',
      projectDomainId: 'pd',
      roles: ['member', 'reader'],
      issuedAt: ISSUED,
    });
    expect(asked).toEqual([
      { url: '/v3/OS-EC2/access-keys/AK%2FID%2B1', token: 'token 1', requestId: 'req-1' },
    ]);
  });

  it('shares one request for a key', async () => {
    const keys = await Promise.all([find(), find(), find()]);
    expect(keys.map((key) => key?.secret)).toEqual([SECRET, SECRET, SECRET]);
    await find();
    expect(asked).toHaveLength(1);
  });

  it('caches a key for five minutes', async () => {
    await find();
    now += 299_999;
    await find();
    expect(asked).toHaveLength(1);
    now += 1;
    answer = found({ roles: [] });
    expect(await find()).toMatchObject({ roles: [] });
    expect(asked).toHaveLength(2);
  });

  it('caches a key no longer than its revocations are listed', async () => {
    answer = found({ expires_at: '2026-01-01T00:01:00.123000Z' });
    await find();
    now += 60_000;
    await find();
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['the credential', { credentialId: 'c' }],
    ['the user', { userId: 'u' }],
    ['the user on the project', { userId: 'u', projectId: 'p' }],
    ['the project', { projectId: 'p' }],
    ['the domain of the user', { domainId: 'ud' }],
    ['the domain of the project', { domainId: 'pd' }],
  ])('refuses a key once %s is revoked, and takes it as it is afterwards', async (_, subject) => {
    await find();
    events.push({ ...subject, issuedBefore: ISSUED });
    answer = missing;
    expect(await find()).toBeUndefined();
    now += 2_000;
    answer = found({ issued_at: '2026-01-01T00:00:00.124000Z' });
    expect(await find()).toMatchObject({ issuedAt: ISSUED + 1 });
    await find();
    expect(asked).toHaveLength(3);
  });

  it.each([
    ['its trust', { trustId: 't' }],
    ['the trustor', { userId: 'u' }],
    ['the trustee', { userId: 'v' }],
    ['who passed the trust on', { userId: 'w' }],
  ])('refuses the key of a trust once %s is revoked', async (_, subject) => {
    const trust = { id: 't', trustor_user_id: 'u', trustee_user_id: 'v' };
    answer = found({ trust: { ...trust, intermediary_user_ids: ['w'] } });
    expect(await find()).toMatchObject({
      delegation: {
        kind: 'trust',
        id: 't',
        trustorId: 'u',
        trusteeId: 'v',
        intermediaryIds: ['w'],
      },
    });
    events.push({ ...subject, issuedBefore: ISSUED });
    answer = missing;
    expect(await find()).toBeUndefined();
  });

  it.each([{}, { id: 't', trustor_user_id: 'u', trustee_user_id: 'v' }, 'no trust'])(
    'refuses a key with an invalid trust: %j',
    async (trust) => {
      answer = found({ trust });
      await expect(find()).rejects.toThrow(ServiceUnavailableError);
    },
  );

  const application = { id: 'a', unrestricted: true, access_rules: null };
  const rule = { service: 's3', method: 'GET', path: '/b/**' };

  it('refuses the key of a revoked application credential', async () => {
    answer = found({ application_credential: { ...application, access_rules: [rule] } });
    expect(await find()).toMatchObject({
      delegation: { kind: 'application-credential', id: 'a', accessRules: [rule] },
    });
    events.push({ credentialId: 'a', issuedBefore: ISSUED });
    answer = missing;
    expect(await find()).toBeUndefined();
  });

  it.each([
    {},
    { id: 'a', unrestricted: true },
    { ...application, access_rules: 'all' },
    { ...application, access_rules: [{ service: 's3' }] },
    'no credential',
  ])('takes no key whose access rules cannot be read: %j', async (credential) => {
    answer = found({ application_credential: credential });
    await expect(find()).rejects.toThrow(ServiceUnavailableError);
  });

  it('keeps a key that an event does not match', async () => {
    await find();
    events.push({ credentialId: 'd', issuedBefore: ISSUED }, { userId: 'v', issuedBefore: ISSUED });
    await find();
    expect(asked).toHaveLength(1);
  });

  it('reads a key again that was read just before a revocation', async () => {
    answer = (response) => {
      events = [{ credentialId: 'c', issuedBefore: ISSUED }];
      answer = missing;
      found()(response);
    };
    expect(await find()).toBeUndefined();
    expect(asked).toHaveLength(2);
  });

  it('never returns a revoked key', async () => {
    events.push({ credentialId: 'c', issuedBefore: ISSUED });
    expect(await find()).toBeUndefined();
    expect(asked).toHaveLength(2);
  });

  it('caches for two seconds that a key does not exist', async () => {
    answer = missing;
    expect(await Promise.all([find(), find()])).toEqual([undefined, undefined]);
    now += 1_999;
    expect(await find()).toBeUndefined();
    expect(asked).toHaveLength(1);
    now += 1;
    answer = found();
    expect(await find()).toMatchObject({ secret: SECRET });
  });

  it('keeps good keys during a flood of bad ones', async () => {
    await find();
    answer = missing;
    for (let n = 0; n <= REMEMBERED; n += 1) await find(`bad-${n}`);
    const before = asked.length;
    expect(await find()).toMatchObject({ secret: SECRET });
    expect(asked).toHaveLength(before);
  });

  it.each(['', ' ', 'a b', 'ä', '\ud800', 'x'.repeat(256)])(
    'refuses an invalid key without a request: %j',
    async (access) => {
      expect(await find(access)).toBeUndefined();
      expect(asked).toEqual([]);
    },
  );

  it('replaces a refused service token, once', async () => {
    answer = (response) => {
      answer = found();
      reply(401, {})(response);
    };
    expect(await find()).toMatchObject({ secret: SECRET });
    expect(dropped).toEqual(['token 1']);
    expect(asked.map(({ token }) => token)).toEqual(['token 1', 'token 2']);
  });

  it('uses cached keys while identity is unreachable, and is unavailable for others', async () => {
    await find();
    answer = reply(503, {});
    expect(await find()).toMatchObject({ secret: SECRET });
    await expect(find('other')).rejects.toThrow(ServiceUnavailableError);
    answer = found();
    expect(await find('other')).toMatchObject({ secret: SECRET });
  });

  it.each([
    ['no key', {}],
    ['no secret', { access_key: wire({ secret: null }) }],
    ['no roles', { access_key: wire({ roles: null }) }],
    ['no time', { access_key: wire({ issued_at: 'then' }) }],
  ])('takes an answer with %s for an outage, in words without a secret', async (_, body) => {
    answer = reply(200, body);
    const error: unknown = await find().catch((one: unknown) => one);
    expect(error).toBeInstanceOf(ServiceUnavailableError);
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain(SECRET);
  });
});
