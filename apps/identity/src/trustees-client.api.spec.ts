/** Users of a service as trustees of what it runs for others, against identity itself. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { DelegationClient } from '@cumulet/clients/identity/delegation-client';
import {
  DelegationEndedError,
  DelegationForbiddenError,
} from '@cumulet/clients/identity/delegation.errors';
import { ServiceTokenSource } from '@cumulet/clients/identity/service-token-source';
import { TrusteesClient } from '@cumulet/clients/identity/trustees-client';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import {
  SERVICE_PASSWORD,
  signedIn,
  startIdentity,
  statusOf,
  testConfig,
  tokenIn,
  tokenOf,
  type TestIdentity,
} from './identity.fixture.js';
import type { TestResponse } from '@cumulet/testing/http-client';

interface Service {
  readonly tokens: ServiceTokenSource;
  readonly delegations: DelegationClient;
  readonly trustees: TrusteesClient;
}

let identity: TestIdentity;
let clusters: Service;
let compute: Service;
let ctx: RequestContext;

beforeAll(async () => {
  const { services } = testConfig('postgres://127.0.0.1');
  const magnum = { user: 'clusters', type: 'container-infra', name: 'magnum', url: 'http://here' };
  identity = await startIdentity({ services: [...services, magnum] });
  clusters = service('clusters');
  compute = service('compute');
  const token = await tokenOf(identity.client, 'demo');
  const shown = await identity.client.get('/v3/auth/tokens', {
    token,
    headers: { 'X-Subject-Token': token },
  });
  const { user, project } = tokenIn(shown) as Record<'user' | 'project', { id: string }>;
  ctx = new RequestContext({
    ...RequestContext.system('req', identity.app.dataSource.manager).fields,
    userId: asId(user.id),
    projectId: asId(project.id),
    roles: ['member', 'reader'],
    token,
  });
});
afterAll(async () => {
  for (const { tokens, delegations, trustees } of [clusters, compute])
    await Promise.all([tokens.close(), delegations.close(), trustees.close()]);
  await identity.stop();
});

function service(user: string): Service {
  const identityUrl = identity.client.baseUrl;
  const tokens = new ServiceTokenSource({ identityUrl, user, password: SERVICE_PASSWORD });
  const credentials = new ActorCredentials(tokens);
  const domainId = 'cluster-trustees';
  return {
    tokens,
    delegations: new DelegationClient({ identityUrl, tokens, credentials }),
    trustees: new TrusteesClient({ identityUrl, credentials, domainId }),
  };
}

const trustee = (name: string = randomUUID()) => ({
  name,
  password: randomUUID(),
  description: 'The cluster web.',
});

/** As a cluster logs in. */
function loginBy(trustId: string, id: string, password: string): Promise<TestResponse> {
  return identity.client.post('/v3/auth/tokens', {
    body: {
      auth: {
        identity: { methods: ['password'], password: { user: { id, password } } },
        scope: { 'OS-TRUST:trust': { id: trustId } },
      },
    },
  });
}

const failure = (work: Promise<unknown>): Promise<unknown> => work.catch((one: unknown) => one);

describe('a trustee', () => {
  it('is made once for each key, and found by its name', async () => {
    const wanted = trustee();
    const key = randomUUID();
    const id = await clusters.trustees.create(ctx, wanted, key);
    expect(await clusters.trustees.create(ctx, wanted, key)).toBe(id);
    expect(await clusters.trustees.find(ctx, wanted.name)).toBe(id);
    await clusters.trustees.delete(ctx, id);
    await clusters.trustees.delete(ctx, id);
    expect(await clusters.trustees.find(ctx, wanted.name)).toBeUndefined();
  });

  it('acts for the user who gave its service a trust, which redelegates it', async () => {
    const { delegations, trustees } = clusters;
    const wanted = trustee();
    const trustId = await delegations.create(ctx, { mayRedelegate: true });
    const trusteeId = await trustees.create(ctx, wanted, randomUUID());
    const key = randomUUID();
    const redelegated = await delegations.redelegate(
      ctx,
      trustId,
      { trusteeId, roles: ['member'] },
      key,
    );
    expect(await delegations.redelegate(ctx, trustId, { trusteeId, roles: ['member'] }, key)).toBe(
      redelegated,
    );
    const login = await loginBy(redelegated, trusteeId, wanted.password);
    expect(tokenIn(login)).toMatchObject({
      user: { id: ctx.userId },
      project: { id: ctx.projectId },
      'OS-TRUST:trust': { trustee_user: { id: trusteeId } },
    });
  });

  it('loses its trusts and their tokens as soon as it is removed', async () => {
    const { delegations, trustees } = clusters;
    const wanted = trustee();
    const trustId = await delegations.create(ctx, { mayRedelegate: true });
    const trusteeId = await trustees.create(ctx, wanted, randomUUID());
    const redelegated = await delegations.redelegate(ctx, trustId, { trusteeId }, randomUUID());
    const token = signedIn(await loginBy(redelegated, trusteeId, wanted.password));
    expect(await statusOf(identity, token)).toBe(200);
    await trustees.delete(ctx, trusteeId);
    expect(await statusOf(identity, token)).toBe(401);
    expect((await loginBy(redelegated, trusteeId, wanted.password)).status).toBe(401);
    const left: unknown[] = await identity.app.dataSource.query(
      'SELECT FROM trusts WHERE id = $1',
      [redelegated],
    );
    expect(left).toEqual([]);
  });

  it('loses them with the trust of its service', async () => {
    const { delegations, trustees } = clusters;
    const wanted = trustee();
    const trustId = await delegations.create(ctx, { mayRedelegate: true });
    const trusteeId = await trustees.create(ctx, wanted, randomUUID());
    const redelegated = await delegations.redelegate(ctx, trustId, { trusteeId }, randomUUID());
    const token = signedIn(await loginBy(redelegated, trusteeId, wanted.password));
    await delegations.revoke(trustId);
    expect(await statusOf(identity, token)).toBe(401);
    const again = delegations.redelegate(ctx, trustId, { trusteeId }, randomUUID());
    expect(await failure(again)).toBeInstanceOf(DelegationEndedError);
  });

  it('gets nothing of a trust that may not be redelegated', async () => {
    const { delegations, trustees } = clusters;
    const trustId = await delegations.create(ctx);
    const trusteeId = await trustees.create(ctx, trustee(), randomUUID());
    const redelegated = delegations.redelegate(ctx, trustId, { trusteeId }, randomUUID());
    expect(await failure(redelegated)).toBeInstanceOf(DelegationForbiddenError);
  });
});

describe('the domain of trustees', () => {
  it('is of its service alone', async () => {
    const made = await failure(compute.trustees.create(ctx, trustee(), randomUUID()));
    expect(made).toBeInstanceOf(ServiceRefusedError);
    expect(made).toMatchObject({ status: 401 });
  });

  it('is where its service may make users, and nowhere else', async () => {
    const { value: token } = await clusters.tokens.issue({ domain: { id: 'cluster-trustees' } });
    const user = { name: randomUUID(), domain_id: 'default' };
    const made = await identity.client.post('/v3/users', { token, body: { user } });
    expect(made.status).toBe(403);
    const changed = await identity.client.patch(`/v3/users/${ctx.userId}`, {
      token,
      body: { user: { enabled: false } },
    });
    expect(changed.status).toBe(403);
    const removed = await identity.client.delete(`/v3/users/${ctx.userId}`, { token });
    expect(removed.status).toBe(403);
  });
});
