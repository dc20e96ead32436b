/** The clients by which other services use this one, against the service itself. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { asBearer } from '@cumulet/clients/http/actor';
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { HttpTokenAuthority } from '@cumulet/clients/identity/http-token-authority';
import { ProjectsClient } from '@cumulet/clients/identity/projects-client';
import { ServiceTokenSource } from '@cumulet/clients/identity/service-token-source';
import { UnifiedLimitsClient } from '@cumulet/clients/identity/unified-limits-client';
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

  it('recovers from the revocation of its own token', async () => {
    const own = await source.token();
    await revoke(own);
    await expect(authority.revocations()).resolves.toEqual(expect.any(Array));
    expect(await source.token()).not.toBe(own);
  });
});

describe('the projects client', () => {
  const exists = async (user: 'admin' | 'demo', id: string): Promise<boolean> => {
    const credentials = new ActorCredentials(source);
    const client = new ProjectsClient({ identityUrl: identity.client.baseUrl, credentials });
    const token = await tokenOf(identity.client, user);
    try {
      return await client.exists(asBearer(token), id);
    } finally {
      await client.close();
    }
  };

  it('knows which projects exist, and treats those that the caller may not read as existing', async () => {
    const { projectId = '' } = await verifier.verify(await tokenOf(identity.client, 'demo'));
    expect(await exists('admin', projectId)).toBe(true);
    expect(await exists('admin', 'nowhere')).toBe(false);
    expect(await exists('admin', 'a/../b?c')).toBe(false);
    expect(await exists('demo', projectId)).toBe(true);
  });
});

describe('the client of unified limits', () => {
  let limits: UnifiedLimitsClient;
  let admin: string;
  let image: string;
  let other: string;
  let projectId: string;

  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await identity.client.send(method, `/v3/${path}`, { token: admin, body });
    if (response.status >= 300) throw new Error(response.text);
    return response.body as T;
  };

  const newService = async (type: string): Promise<string> => {
    const { service } = await ask<{ service: { id: string } }>('POST', 'services', {
      service: { type },
    });
    return service.id;
  };

  beforeAll(async () => {
    admin = await tokenOf(identity.client, 'admin');
    const endpoint = { interface: 'public', url: 'http://image.example', region_id: 'Here' };
    for (const id of ['Here', 'Elsewhere']) await ask('POST', 'regions', { region: { id } });
    [image, other] = [await newService('image'), await newService('compute')];
    await ask('POST', 'endpoints', { endpoint: { ...endpoint, service_id: image } });
    const { project } = await ask<{ project: { id: string } }>('POST', 'projects', {
      project: { name: 'limited' },
    });
    projectId = project.id;
  });
  beforeEach(() => {
    const credentials = new ActorCredentials(source);
    limits = new UnifiedLimitsClient({ identityUrl: identity.client.baseUrl, credentials });
  });
  afterEach(() => limits.close());

  it('reads no limits by default', async () => {
    const none = { defaults: {}, byProject: new Map() };
    expect(await limits.read('image')).toEqual(none);
    expect(await limits.read('parcel')).toEqual(none);
  });

  it('reads those of its service, and those of its region before those of all', async () => {
    const one = { service_id: image, resource_name: 'image_count_total' };
    const size = { ...one, resource_name: 'image_size_total' };
    await ask('POST', 'registered_limits', {
      registered_limits: [
        { ...one, region_id: 'Here', default_limit: 3 },
        { ...one, default_limit: 2 },
        { ...one, region_id: 'Elsewhere', default_limit: 4 },
        { ...size, default_limit: 100 },
        { ...one, service_id: other, default_limit: 9 },
      ],
    });
    await ask('POST', 'limits', {
      limits: [
        { ...one, project_id: projectId, resource_limit: 5 },
        { ...one, project_id: projectId, region_id: 'Elsewhere', resource_limit: 6 },
        { ...size, project_id: projectId, resource_limit: -1 },
        { ...size, domain_id: 'default', resource_limit: 7 },
      ],
    });
    expect(await limits.read('image')).toEqual({
      defaults: { image_count_total: 3, image_size_total: 100 },
      byProject: new Map([[projectId, { image_count_total: 5, image_size_total: -1 }]]),
    });
  });
});
