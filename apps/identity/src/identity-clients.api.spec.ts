/** The clients by which other services use this one, against the service itself. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { HttpTokenAuthority } from '@cumulet/clients/identity/http-token-authority';
import { ServiceTokenSource } from '@cumulet/clients/identity/service-token-source';
import { TokenVerifier } from '@cumulet/common/auth/token-verifier';
import { UnauthenticatedError } from '@cumulet/common/errors/domain-error';
import { SERVICE_PASSWORD, startIdentity, tokenOf, type TestIdentity } from './identity.fixture.js';

let identity: TestIdentity;
let source: ServiceTokenSource;
let authority: HttpTokenAuthority;
let verifier: TokenVerifier;

beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

beforeEach(() => {
  const identityUrl = identity.client.baseUrl;
  source = new ServiceTokenSource({ identityUrl, user: 'compute', password: SERVICE_PASSWORD });
  authority = new HttpTokenAuthority({ identityUrl, credentials: new ActorCredentials(source) });
  verifier = new TokenVerifier(authority);
});
afterEach(async () => {
  await Promise.all([source.close(), authority.close()]);
});

async function revoke(token: string): Promise<void> {
  const headers = { 'X-Subject-Token': token };
  const { status } = await identity.client.delete('/v3/auth/tokens', { token, headers });
  expect(status).toBe(204);
}

describe('a sister service', () => {
  it('gets a token of the project service with the role service', async () => {
    const claims = await verifier.verify(await source.token());
    expect(claims).toMatchObject({ scope: 'project', roles: ['service'] });
  });

  it('reads from a token what identity put into it', async () => {
    const token = await tokenOf(identity.client, 'demo');
    const shown = await identity.client.get('/v3/auth/tokens', {
      token,
      headers: { 'X-Subject-Token': token },
    });
    const { token: body } = shown.body as {
      token: {
        user: { id: string };
        project: { id: string };
        audit_ids: string[];
        issued_at: string;
        expires_at: string;
      };
    };
    expect(await verifier.verify(token)).toEqual({
      userId: body.user.id,
      userDomainId: 'default',
      projectId: body.project.id,
      domainId: 'default',
      scope: 'project',
      roles: ['member', 'reader'],
      methods: ['password'],
      auditIds: body.audit_ids,
      issuedAt: Date.parse(body.issued_at),
      expiresAt: Date.parse(body.expires_at),
    });
  });

  it('refuses a revoked token after one refresh, and still takes the others', async () => {
    const [one, other] = [await tokenOf(identity.client), await tokenOf(identity.client)];
    await verifier.refresh();
    await verifier.verify(one);
    await revoke(one);
    await verifier.refresh();
    await expect(verifier.verify(one)).rejects.toThrow(UnauthenticatedError);
    await expect(verifier.verify(other)).resolves.toMatchObject({
      roles: ['admin', 'member', 'reader'],
    });
  });

  it('gets over the revocation of its own token', async () => {
    const own = await source.token();
    await revoke(own);
    await expect(authority.revocations()).resolves.toEqual(expect.any(Array));
    expect(await source.token()).not.toBe(own);
  });
});
