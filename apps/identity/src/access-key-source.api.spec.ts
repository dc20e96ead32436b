/** The client by which s3 reads access keys, against the service itself. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccessKeySource } from '@cumulet/clients/identity/access-key-source';
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { HttpTokenAuthority } from '@cumulet/clients/identity/http-token-authority';
import { ServiceTokenSource } from '@cumulet/clients/identity/service-token-source';
import { TokenVerifier } from '@cumulet/common/auth/token-verifier';
import { accessKeyId } from './credentials/ec2-blob.js';
import { SERVICE_PASSWORD, startIdentity, tokenOf, type TestIdentity } from './identity.fixture.js';

let identity: TestIdentity;
let demo: string;
let userId: string;
let projectId: string;
let tokens: ServiceTokenSource;
let authority: HttpTokenAuthority;
let verifier: TokenVerifier;
let source: AccessKeySource;
let access: string;
let secret: string;

beforeAll(async () => {
  identity = await startIdentity();
  demo = await tokenOf(identity.client, 'demo');
  const rows: { userId: string; projectId: string }[] = await identity.app.dataSource.query(
    `SELECT users.id AS "userId", projects.id AS "projectId"
       FROM users JOIN projects USING (name) WHERE name = 'demo'`,
  );
  ({ userId, projectId } = rows[0] ?? { userId: '', projectId: '' });
});
afterAll(() => identity.stop());

beforeEach(async () => {
  const identityUrl = identity.client.baseUrl;
  tokens = new ServiceTokenSource({ identityUrl, user: 'compute', password: SERVICE_PASSWORD });
  const credentials = new ActorCredentials(tokens);
  authority = new HttpTokenAuthority({ identityUrl, credentials });
  verifier = new TokenVerifier(authority);
  source = new AccessKeySource({ identityUrl, credentials, verifier });
  const { body } = await identity.client.post(keys(), {
    token: demo,
    body: { tenant_id: projectId },
  });
  ({ access, secret } = (body as { credential: { access: string; secret: string } }).credential);
});
afterEach(async () => {
  await Promise.all([source.close(), authority.close(), tokens.close()]);
});

const keys = (): string => `/v3/users/${userId}/credentials/OS-EC2`;

describe('AccessKeySource', () => {
  it('reads a key from identity', async () => {
    expect(await source.find(undefined, access)).toEqual({
      access,
      secret,
      credentialId: accessKeyId(access),
      userId,
      userDomainId: 'default',
      projectId,
      projectDomainId: 'default',
      roles: ['member', 'reader'],
      issuedAt: expect.any(Number),
    });
    expect(await source.find(undefined, 'unknown')).toBeUndefined();
  });

  it('refuses a key once it is removed and the events have been read', async () => {
    await verifier.refresh();
    await source.find(undefined, access);
    await identity.client.delete(`${keys()}/${access}`, { token: demo });
    expect(await source.find(undefined, access)).toMatchObject({ secret });
    await verifier.refresh();
    expect(await source.find(undefined, access)).toBeUndefined();
  });

  it('reads a changed key again once it has read the events', async () => {
    await source.find(undefined, access);
    const blob = JSON.stringify({ access, secret: 'another' });
    await identity.client.patch(`/v3/credentials/${accessKeyId(access)}`, {
      token: demo,
      body: { credential: { blob } },
    });
    await verifier.refresh();
    expect(await source.find(undefined, access)).toMatchObject({ secret: 'another' });
  });

  it('recovers from the revocation of its own token', async () => {
    const token = await tokens.token();
    await identity.client.delete('/v3/auth/tokens', {
      token,
      headers: { 'X-Subject-Token': token },
    });
    expect(await source.find(undefined, access)).toMatchObject({ secret });
  });
});
