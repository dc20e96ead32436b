/** The client by which services work for a user after the request, against the service itself. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { ActorCredentials, type TrustTokens } from '@cumulet/clients/identity/actor-credentials';
import { DelegationClient } from '@cumulet/clients/identity/delegation-client';
import {
  DelegationEndedError,
  DelegationForbiddenError,
} from '@cumulet/clients/identity/delegation.errors';
import { HttpTokenAuthority } from '@cumulet/clients/identity/http-token-authority';
import { ServiceTokenSource } from '@cumulet/clients/identity/service-token-source';
import { TokenVerifier } from '@cumulet/common/auth/token-verifier';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import {
  DEMO_PASSWORD,
  SERVICE_PASSWORD,
  startIdentity,
  testConfig,
  tokenOf,
  type TestIdentity,
} from './identity.fixture.js';

interface Service {
  readonly userId: string;
  readonly delegations: DelegationClient;
  readonly credentials: ActorCredentials;
  readonly trusts: TrustTokens;
  readonly tokens: ServiceTokenSource;
}

let identity: TestIdentity;
let authority: HttpTokenAuthority;
let verifier: TokenVerifier;
/** Stand-ins for orchestration and clusters. */
let stacks: Service;
let clusters: Service;
let caller: RequestContext;

beforeAll(async () => {
  const { services } = testConfig('postgres://127.0.0.1');
  const magnum = { user: 'clusters', type: 'container-infra', name: 'magnum', url: 'http://here' };
  identity = await startIdentity({ services: [...services, magnum] });
});
afterAll(() => identity.stop());

beforeEach(async () => {
  stacks = await service('orchestration');
  clusters = await service('clusters');
  const identityUrl = identity.client.baseUrl;
  authority = new HttpTokenAuthority({ identityUrl, credentials: stacks.credentials });
  verifier = new TokenVerifier(authority);
  caller = await contextOf(await tokenOf(identity.client, 'demo'));
});
afterEach(async () => {
  await authority.close();
  for (const { delegations, tokens } of [stacks, clusters]) {
    await delegations.close();
    await tokens.close();
  }
});

async function service(user: string): Promise<Service> {
  const identityUrl = identity.client.baseUrl;
  const tokens = new ServiceTokenSource({ identityUrl, user, password: SERVICE_PASSWORD });
  const credentials = new ActorCredentials(tokens);
  const delegations = new DelegationClient({ identityUrl, tokens, credentials });
  const { trusts } = credentials;
  return { tokens, credentials, trusts, delegations, userId: await tokens.userId() };
}

/** The context of a request with this token, as a service's token guard makes it. */
async function contextOf(token: string): Promise<RequestContext> {
  await verifier.refresh();
  const { userId, projectId, roles, delegation } = await verifier.verify(token);
  return new RequestContext({
    requestId: asId('req'),
    userId: asId(userId),
    projectId: asId(projectId ?? ''),
    roles,
    delegation,
    token,
    manager: {} as EntityManager,
  });
}

const failure = (work: Promise<unknown>): Promise<unknown> => work.catch((one: unknown) => one);

describe('DelegationClient', () => {
  it('lets a service act as the caller, on its project and with its roles', async () => {
    const trustId = await stacks.delegations.create(caller);
    const claims = await verifier.verify(await stacks.trusts.token(trustId));
    expect(claims).toMatchObject({
      userId: caller.userId,
      projectId: caller.projectId,
      roles: ['member', 'reader'],
      delegation: {
        kind: 'trust',
        id: trustId,
        trustorId: caller.userId,
        trusteeId: stacks.userId,
      },
    });
  });

  it('lets it act with the given roles only', async () => {
    const trustId = await stacks.delegations.create(caller, { roles: ['reader'] });
    const claims = await verifier.verify(await stacks.trusts.token(trustId));
    expect(claims.roles).toEqual(['reader']);
  });

  it('is of no use to another service', async () => {
    const trustId = await stacks.delegations.create(caller);
    await expect(clusters.trusts.token(trustId)).rejects.toThrow(DelegationEndedError);
  });

  it('revokes the trust and its tokens', async () => {
    const trustId = await stacks.delegations.create(caller);
    const token = await stacks.trusts.token(trustId);
    await stacks.delegations.revoke(trustId);
    await verifier.refresh();
    await expect(verifier.verify(token)).rejects.toThrow();
    await expect(stacks.trusts.token(trustId)).rejects.toThrow(DelegationEndedError);
    await expect(stacks.delegations.revoke(trustId)).resolves.toBeUndefined();
  });

  it('recovers from a revoked token of a trust', async () => {
    const trustId = await stacks.delegations.create(caller);
    const token = await stacks.trusts.token(trustId);
    await identity.client.delete('/v3/auth/tokens', {
      token,
      headers: { 'X-Subject-Token': token },
    });
    await stacks.delegations.revoke(trustId);
    await expect(stacks.trusts.token(trustId)).rejects.toThrow(DelegationEndedError);
  });

  it('says that it has ended once the user lost its roles', async () => {
    const trustId = await stacks.delegations.create(caller);
    const give = (to: string, from: string): Promise<unknown> =>
      identity.app.dataSource.query(
        'UPDATE role_assignments SET project_id = $1 WHERE user_id = $2 AND project_id = $3',
        [to, caller.userId, from],
      );
    const [{ id: other } = { id: '' }]: { id: string }[] = await identity.app.dataSource.query(
      `SELECT id FROM projects WHERE name = 'admin'`,
    );
    await give(other, caller.projectId);
    const error = await failure(stacks.trusts.token(trustId));
    await give(caller.projectId, other);
    expect(error).toBeInstanceOf(DelegationEndedError);
    await expect(stacks.trusts.token(trustId)).resolves.toEqual(expect.any(String));
  });

  it('says that it has ended while the user is disabled', async () => {
    const trustId = await stacks.delegations.create(caller);
    const enable = (enabled: boolean): Promise<unknown> =>
      identity.app.dataSource.query('UPDATE users SET enabled = $2 WHERE id = $1', [
        caller.userId,
        enabled,
      ]);
    await enable(false);
    const error = await failure(stacks.trusts.token(trustId));
    await enable(true);
    expect(error).toBeInstanceOf(DelegationEndedError);
  });

  it('redelegates to another service', async () => {
    const trustId = await clusters.delegations.create(caller, { mayRedelegate: true });
    const asCaller = await contextOf(await clusters.trusts.token(trustId));
    const handedOn = await stacks.delegations.create(asCaller, { roles: ['member'] });
    const claims = await verifier.verify(await stacks.trusts.token(handedOn));
    expect(claims).toMatchObject({
      userId: caller.userId,
      projectId: caller.projectId,
      delegation: { id: handedOn, trusteeId: stacks.userId },
    });
    await clusters.delegations.revoke(trustId);
    await verifier.refresh();
    await expect(stacks.trusts.token(handedOn)).resolves.toEqual(expect.any(String));
    stacks.trusts.invalidate(handedOn, await stacks.trusts.token(handedOn));
    await expect(stacks.trusts.token(handedOn)).rejects.toThrow(DelegationEndedError);
  });

  it('redelegates the roles of a trust, without those that they imply', async () => {
    const options = { roles: ['member'], mayRedelegate: true };
    const trustId = await clusters.delegations.create(caller, options);
    const asCaller = await contextOf(await clusters.trusts.token(trustId));
    expect(asCaller.roles).toEqual(['member', 'reader']);
    const handedOn = await stacks.delegations.create(asCaller);
    const claims = await verifier.verify(await stacks.trusts.token(handedOn));
    expect(claims.roles).toEqual(['member', 'reader']);
  });

  it('does not redelegate a trust that forbids it', async () => {
    const trustId = await clusters.delegations.create(caller);
    const asCaller = await contextOf(await clusters.trusts.token(trustId));
    await expect(stacks.delegations.create(asCaller)).rejects.toThrow(DelegationForbiddenError);
  });

  it('redelegates as often as is left, and then is refused in identity’s words', async () => {
    let trustId = await clusters.delegations.create(caller, { mayRedelegate: true });
    const next = async (count: number): Promise<string> => {
      const [of, to] = count % 2 === 0 ? [clusters, stacks] : [stacks, clusters];
      const context = await contextOf(await of.trusts.token(trustId));
      return to.delegations.create(context, { mayRedelegate: true });
    };
    const left = async (): Promise<unknown> =>
      identity.app.dataSource.query('SELECT redelegation_count FROM trusts WHERE id = $1', [
        trustId,
      ]);
    for (const count of [0, 1, 2]) {
      expect(await left()).toEqual([{ redelegation_count: 3 - count }]);
      trustId = await next(count);
    }
    expect(await left()).toEqual([{ redelegation_count: 0 }]);
    const error = await failure(next(3));
    expect(error).toBeInstanceOf(DelegationForbiddenError);
    expect((error as Error).message).toContain(`the trust ${trustId} may not be redelegated`);
  });

  it('names the reason where a trust does not impersonate', async () => {
    const { body } = await identity.client.post('/v3/OS-TRUST/trusts', {
      token: caller.fields.token,
      body: {
        trust: {
          trustor_user_id: caller.userId,
          trustee_user_id: clusters.userId,
          project_id: caller.projectId,
          impersonation: false,
          allow_redelegation: true,
          roles: [{ name: 'member' }],
        },
      },
    });
    const { id } = (body as { trust: { id: string } }).trust;
    const asItself = await contextOf(await clusters.trusts.token(id));
    const error = await failure(stacks.delegations.create(asItself, { mayRedelegate: true }));
    expect(error).toBeInstanceOf(DelegationForbiddenError);
    expect((error as Error).message).toContain(`the trust ${id} does not allow impersonation`);
  });

  it('cannot create a trust for a restricted application credential', async () => {
    const made = await identity.client.post(`/v3/users/${caller.userId}/application_credentials`, {
      token: caller.fields.token,
      body: { application_credential: { name: 'restricted', secret: DEMO_PASSWORD } },
    });
    const { id } = (made.body as { application_credential: { id: string } }).application_credential;
    const login = await identity.client.post('/v3/auth/tokens', {
      body: {
        auth: {
          identity: {
            methods: ['application_credential'],
            application_credential: { id, secret: DEMO_PASSWORD },
          },
        },
      },
    });
    const restricted = await contextOf(login.headers.get('X-Subject-Token') ?? '');
    await expect(stacks.delegations.create(restricted)).rejects.toThrow(DelegationForbiddenError);
  });
});
