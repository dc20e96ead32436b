import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext, type RequestContextFields } from '@cumulet/common/context/request-context';
import { UnauthenticatedError } from '@cumulet/common/errors/domain-error';
import { ServiceRefusedError, ServiceUnavailableError } from '../http/service-client-errors.js';
import { ActorCredentials, type TrustTokens } from './actor-credentials.js';
import { DelegationClient } from './delegation-client.js';
import { DelegationEndedError, DelegationForbiddenError } from './delegation.errors.js';
import { ServiceTokenSource } from './service-token-source.js';

interface Asked {
  /** `POST /v3/OS-TRUST/trusts`; of a login, by what scope. */
  readonly what: string;
  readonly token: string | undefined;
  readonly body: unknown;
}

/** Identity as far as this client sees it: the status of each kind of request, and what came. */
let server: Server;
let tokens: ServiceTokenSource;
let delegations: DelegationClient;
let trusts: TrustTokens;
let asked: Asked[];
let statuses: Record<string, number>;

const PASSWORD = 'p4ss';
const [OWN, BY_TRUST] = ['login to service', 'login by t1'];
const [CREATE, END] = ['POST /v3/OS-TRUST/trusts', 'DELETE /v3/OS-TRUST/trusts/t1'];

function kindOf(method: string, url: string, body: unknown): string {
  if (!url.startsWith('/v3/auth/tokens')) return `${method} ${url}`;
  const { auth } = body as { auth: { scope: { 'OS-TRUST:trust'?: { id: string } } } };
  const trust = auth.scope['OS-TRUST:trust'];
  return trust ? `login by ${trust.id}` : OWN;
}

beforeEach(async () => {
  asked = [];
  statuses = {};
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      const what = kindOf(request.method ?? '', request.url ?? '', body);
      asked.push({ what, token: request.headers['x-auth-token'] as string | undefined, body });
      const status = statuses[what] ?? 200;
      response.writeHead(status, { 'X-Subject-Token': `${what} ${asked.length}` });
      const token = {
        user: { id: 'the service' },
        issued_at: '2026-01-01T00:00:00Z',
        expires_at: '2026-01-01T01:00:00Z',
      };
      const error = { message: `${what} is not for you.` };
      const given = [
        { id: 't1', expires_at: null },
        { id: 't2', expires_at: '2126-01-01T00:00:00.125000Z' },
      ];
      const answer = { token, trust: { id: 't1' }, trusts: given };
      response.end(JSON.stringify(status < 300 ? answer : { error }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const identityUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  tokens = new ServiceTokenSource({ identityUrl, user: 'heat', password: PASSWORD });
  const credentials = new ActorCredentials(tokens);
  delegations = new DelegationClient({ identityUrl, tokens, credentials });
  trusts = credentials.trusts;
});

afterEach(async () => {
  await Promise.all([delegations.close(), tokens.close()]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function context(fields: Partial<RequestContextFields> = {}): RequestContext {
  return new RequestContext({
    requestId: asId('req-1'),
    userId: asId('u'),
    projectId: asId('p'),
    roles: ['member', 'reader'],
    manager: {} as EntityManager,
    token: 'the token of the caller',
    ...fields,
  });
}

const requests = (what: string): Asked[] => asked.filter((one) => one.what === what);
const failure = (work: Promise<unknown>): Promise<unknown> => work.catch((one: unknown) => one);

describe('a trust', () => {
  it('is made with the caller’s token, for the service to act as the caller', async () => {
    expect(await delegations.create(context())).toBe('t1');
    expect(requests(CREATE)).toEqual([
      {
        what: CREATE,
        token: 'the token of the caller',
        body: {
          trust: {
            trustor_user_id: 'u',
            trustee_user_id: 'the service',
            project_id: 'p',
            impersonation: true,
            roles: [{ name: 'member' }, { name: 'reader' }],
          },
        },
      },
    ]);
  });

  it('gives the named roles', async () => {
    await delegations.create(context(), { roles: ['reader'] });
    expect(requests(CREATE)[0]?.body).toMatchObject({ trust: { roles: [{ name: 'reader' }] } });
  });

  it('may be redelegated as often as identity allows', async () => {
    await delegations.create(context(), { mayRedelegate: true });
    const { trust } = (requests(CREATE)[0]?.body ?? {}) as { trust: object };
    expect(trust).toMatchObject({ allow_redelegation: true });
    expect(trust).not.toHaveProperty('redelegation_count');
  });

  it('expires at the given time, unless it redelegates another', async () => {
    const expiresAt = new Date('2126-01-01T00:00:00.125Z');
    await delegations.create(context(), { expiresAt });
    const trust = { kind: 'trust', id: 't9', trustorId: 'u', trusteeId: 'v' } as const;
    const byTrust = context({ delegation: trust });
    await delegations.create(byTrust, { expiresAt, roles: ['reader'] });
    const [first, second] = requests(CREATE).map(({ body }) => (body as { trust: object }).trust);
    expect(first).toMatchObject({ expires_at: '2126-01-01T00:00:00.125Z' });
    expect(second).not.toHaveProperty('expires_at');
  });

  it('is listed among those of the service', async () => {
    expect(await delegations.list()).toEqual([
      { id: 't1', expiresAt: null },
      { id: 't2', expiresAt: new Date('2126-01-01T00:00:00.125Z') },
    ]);
    expect(asked.at(-1)).toMatchObject({
      what: 'GET /v3/OS-TRUST/trusts?trustee_user_id=the%20service',
      token: `${OWN} 1`,
    });
  });

  it('is valid, or not', async () => {
    expect(await delegations.isValid('t1')).toBe(true);
    statuses['login by t2'] = 404;
    expect(await delegations.isValid('t2')).toBe(false);
    // Of which a token is known.
    statuses[BY_TRUST] = 404;
    expect(await delegations.isValid('t1')).toBe(false);
  });

  it('is refused with the message of identity', async () => {
    statuses[CREATE] = 403;
    const error = await failure(delegations.create(context()));
    expect(error).toBeInstanceOf(DelegationForbiddenError);
    expect(error).toMatchObject({ kind: 'forbidden' });
    expect((error as Error).message).toContain(`${CREATE} is not for you.`);
  });

  it('cannot be created with an expired token', async () => {
    statuses[CREATE] = 401;
    await expect(delegations.create(context())).rejects.toThrow(UnauthenticatedError);
  });

  it('cannot be created without the token of a request', async () => {
    await expect(delegations.create(context({ token: undefined }))).rejects.toThrow(
      'only a request has a caller to act as',
    );
    expect(requests(CREATE)).toEqual([]);
  });
});

describe('a token of a trust', () => {
  it('is requested with the service’s own password, once', async () => {
    const all = await Promise.all([trusts.token('t1'), trusts.token('t1')]);
    expect(all).toEqual([`${BY_TRUST} 1`, `${BY_TRUST} 1`]);
    expect(await trusts.token('t1')).toBe(`${BY_TRUST} 1`);
    expect(asked).toEqual([
      {
        what: BY_TRUST,
        token: undefined,
        body: {
          auth: {
            identity: {
              methods: ['password'],
              password: { user: { name: 'heat', domain: { id: 'default' }, password: PASSWORD } },
            },
            scope: { 'OS-TRUST:trust': { id: 't1' } },
          },
        },
      },
    ]);
  });

  it('is separate for each trust', async () => {
    expect(await trusts.token('t1')).not.toBe(await trusts.token('t2'));
  });

  it('is replaced after a refusal', async () => {
    const refused = await trusts.token('t1');
    trusts.invalidate('t1', 'another');
    expect(await trusts.token('t1')).toBe(refused);
    trusts.invalidate('t1', refused);
    expect(await trusts.token('t1')).not.toBe(refused);
  });

  it.each([403, 404])('is not available once the trust has ended: %d', async (status) => {
    statuses[BY_TRUST] = status;
    const error = await failure(trusts.token('t1'));
    expect(error).toBeInstanceOf(DelegationEndedError);
    expect((error as Error).message).toContain('The trust t1');
  });

  it('is not available once the trust is deleted, or its user disabled', async () => {
    await tokens.token();
    statuses[BY_TRUST] = 401;
    await expect(trusts.token('t1')).rejects.toThrow(DelegationEndedError);
    expect(requests(OWN)).toHaveLength(2);
  });

  it('is refused for a wrong password, which does not end the trust', async () => {
    await tokens.token();
    statuses = { [BY_TRUST]: 401, [OWN]: 401 };
    await expect(trusts.token('t1')).rejects.toThrow(ServiceRefusedError);
  });

  it('is not available while identity is away', async () => {
    statuses[BY_TRUST] = 503;
    await expect(trusts.token('t1')).rejects.toThrow(ServiceUnavailableError);
    statuses = {};
    expect(await trusts.token('t1')).toContain(BY_TRUST);
  });

  it('has no password and no token in an error', async () => {
    statuses = { [BY_TRUST]: 403, [CREATE]: 403 };
    for (const work of [trusts.token('t1'), delegations.create(context())]) {
      const text = inspect(await failure(work), { depth: Infinity, showHidden: true });
      expect(text).not.toMatch(new RegExp(`${PASSWORD}|the token of the caller|login to service`));
    }
  });
});

describe('the end of a trust', () => {
  it('is requested as its trustor', async () => {
    await delegations.revoke('t1');
    expect(requests(END)).toEqual([{ what: END, token: `${BY_TRUST} 1`, body: undefined }]);
  });

  it('removes the cached token', async () => {
    await delegations.revoke('t1');
    await trusts.token('t1');
    expect(requests(BY_TRUST)).toHaveLength(2);
  });

  it.each([
    ['the trust is gone', { [END]: 404 }],
    ['it gives nothing any more', { [BY_TRUST]: 403 }],
    ['it lets nobody in', { [BY_TRUST]: 401 }],
  ])('is no error where %s', async (_, changes) => {
    statuses = changes;
    await expect(delegations.revoke('t1')).resolves.toBeUndefined();
  });

  it('replaces a token that was revoked', async () => {
    await trusts.token('t1');
    statuses[END] = 401;
    await expect(delegations.revoke('t1')).rejects.toThrow(ServiceRefusedError);
    expect(requests(END)).toHaveLength(2);
    expect(requests(BY_TRUST)).toHaveLength(2);
  });

  it('is not assumed while identity is away', async () => {
    statuses[END] = 503;
    await expect(delegations.revoke('t1')).rejects.toThrow(ServiceUnavailableError);
  });
});
