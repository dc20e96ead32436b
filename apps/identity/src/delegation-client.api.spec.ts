/** The client by which services go on working for a user, against the service itself. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
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
  readonly tokens: ServiceTokenSource;
}

let identity: TestIdentity;
let authority: HttpTokenAuthority;
let verifier: TokenVerifier;
/** The services of stacks and of clusters, as it were. */
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
  authority = new HttpTokenAuthority({ identityUrl, tokens: stacks.tokens });
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
  const delegations = new DelegationClient({ identityUrl, tokens });
  return { tokens, delegations, userId: await tokens.userId() };
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
    const claims = await verifier.verify(await stacks.delegations.token(trustId));
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

  it('lets it act with no more than the roles that are named', async () => {
    const trustId = await stacks.delegations.create(caller, { roles: ['reader'] });
    const claims = await verifier.verify(await stacks.delegations.token(trustId));
    expect(claims.roles).toEqual(['reader']);
  });

  it('is of no use to another service', async () => {
    const trustId = await stacks.delegations.create(caller);
    await expect(clusters.delegations.token(trustId)).rejects.toThrow(DelegationEndedError);
  });

  it('ends what it began, and its tokens with it', async () => {
    const trustId = await stacks.delegations.create(caller);
    const token = await stacks.delegations.token(trustId);
    await stacks.delegations.revoke(trustId);
    await verifier.refresh();
    await expect(verifier.verify(token)).rejects.toThrow();
    await expect(stacks.delegations.token(trustId)).rejects.toThrow(DelegationEndedError);
    await expect(stacks.delegations.revoke(trustId)).resolves.toBeUndefined();
  });

  it('gets over a revoked token of a trust', async () => {
    const trustId = await stacks.delegations.create(caller);
    const token = await stacks.delegations.token(trustId);
    await identity.client.delete('/v3/auth/tokens', {
      token,
      headers: { 'X-Subject-Token': token },
    });
    await stacks.delegations.revoke(trustId);
    await expect(stacks.delegations.token(trustId)).rejects.toThrow(DelegationEndedError);
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
    const error = await failure(stacks.delegations.token(trustId));
    await give(caller.projectId, other);
    expect(error).toBeInstanceOf(DelegationEndedError);
    await expect(stacks.delegations.token(trustId)).resolves.toEqual(expect.any(String));
  });

  it('says that it has ended while the user is disabled', async () => {
    const trustId = await stacks.delegations.create(caller);
    const enable = (enabled: boolean): Promise<unknown> =>
      identity.app.dataSource.query('UPDATE users SET enabled = $2 WHERE id = $1', [
        caller.userId,
        enabled,
      ]);
    await enable(false);
    const error = await failure(stacks.delegations.token(trustId));
    await enable(true);
    expect(error).toBeInstanceOf(DelegationEndedError);
  });

  it('hands on to another service what may be handed on', async () => {
    const trustId = await clusters.delegations.create(caller, { redelegations: 1 });
    const asCaller = await contextOf(await clusters.delegations.token(trustId));
    const handedOn = await stacks.delegations.create(asCaller, { roles: ['member'] });
    const claims = await verifier.verify(await stacks.delegations.token(handedOn));
    expect(claims).toMatchObject({
      userId: caller.userId,
      projectId: caller.projectId,
      delegation: { id: handedOn, trusteeId: stacks.userId },
    });
    await clusters.delegations.revoke(trustId);
    await verifier.refresh();
    await expect(stacks.delegations.token(handedOn)).resolves.toEqual(expect.any(String));
    stacks.delegations.invalidate(handedOn, await stacks.delegations.token(handedOn));
    await expect(stacks.delegations.token(handedOn)).rejects.toThrow(DelegationEndedError);
  });

  it('hands on nothing that may not be', async () => {
    const trustId = await clusters.delegations.create(caller);
    const asCaller = await contextOf(await clusters.delegations.token(trustId));
    await expect(stacks.delegations.create(asCaller)).rejects.toThrow(DelegationForbiddenError);
  });

  it('makes no trust for a restricted application credential', async () => {
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
