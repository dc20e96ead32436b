/** As whom services work after a request, in a cloud where each really asks its sisters. */
import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { asBearer, asService, throughTrust, type Actor } from '@cumulet/clients/http/actor';
import { ServiceClient } from '@cumulet/clients/http/service-client';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { DelegationClient } from '@cumulet/clients/identity/delegation-client';
import {
  DelegationEndedError,
  DelegationForbiddenError,
} from '@cumulet/clients/identity/delegation.errors';
import { ServiceTokenSource } from '@cumulet/clients/identity/service-token-source';
import { ImagesClient } from '@cumulet/clients/images/images-client';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { eventually } from '@cumulet/testing/settle';
import { newId } from '@cumulet/testing/test-tokens';
import { parcelsService } from './parcels.fixture.js';
import { SERVICES } from './services.js';
import { startTestCloud, type TestCloud } from './test-cloud.fixture.js';

const PASSWORD = 'a password of the tests';

let cloud: TestCloud;
let admin: string;
let member: string;
let tokens: ServiceTokenSource;
let delegations: DelegationClient;
let images: ImagesClient;
let parcels: ServiceClient;

beforeAll(async () => {
  cloud = await startTestCloud([...SERVICES, parcelsService]);
  admin = await cloud.login('admin', cloud.secrets.adminPassword);
  const { body } = await cloud.client.get('/identity/v3/roles?name=member', { token: admin });
  member = (body as { roles: { id: string }[] }).roles[0]?.id ?? '';
  const identityUrl = `${cloud.url}/identity`;
  const { servicePassword: password } = cloud.secrets;
  tokens = new ServiceTokenSource({ identityUrl, user: 'compute', password });
  const credentials = new ActorCredentials(tokens);
  delegations = new DelegationClient({ identityUrl, tokens, credentials });
  images = new ImagesClient({ imagesUrl: `${cloud.url}/image`, credentials });
  parcels = new ServiceClient({ service: 'parcels', baseUrl: `${cloud.url}/parcel`, credentials });
});
afterAll(async () => {
  for (const client of [delegations, images, parcels, tokens]) await client.close();
  await cloud.stop();
});

/** A user of its own project, who asks for work with a token. */
interface Person {
  readonly userId: string;
  readonly projectId: string;
  readonly token: string;
}

let person: Person;

/** Asks identity. @returns the created resource, where one was */
async function ask(
  method: string,
  path: string,
  token: string,
  body?: object,
): Promise<{ id: string }> {
  const answer = await cloud.client.send(method, `/identity/v3/${path}`, { token, body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
  return Object.values(answer.body ?? { none: { id: '' } })[0] as { id: string };
}

async function logIn(auth: object): Promise<string> {
  const { headers } = await cloud.client.post('/identity/v3/auth/tokens', { body: { auth } });
  return headers.get('X-Subject-Token') ?? '';
}

beforeEach(async () => {
  const name = newId();
  const { id: projectId } = await ask('POST', 'projects', admin, { project: { name } });
  const user = { name, password: PASSWORD };
  const { id: userId } = await ask('POST', 'users', admin, { user });
  await ask('PUT', `projects/${projectId}/users/${userId}/roles/${member}`, admin);
  person = { userId, projectId, token: await cloud.login(name, PASSWORD) };
});

/** A token of the person's restricted application credential. */
async function restricted(): Promise<{ id: string; token: string }> {
  const { id } = await ask('POST', `users/${person.userId}/application_credentials`, person.token, {
    application_credential: { name: 'restricted', secret: PASSWORD },
  });
  const application_credential = { id, secret: PASSWORD };
  const methods = ['application_credential'];
  return { id, token: await logIn({ identity: { methods, application_credential } }) };
}

/** A context of the person's request with this token, as a service's token guard makes it. */
function request(token: string): RequestContext {
  return new RequestContext({
    requestId: asId('req'),
    userId: asId(person.userId),
    projectId: asId(person.projectId),
    roles: ['member'],
    token,
    manager: {} as EntityManager,
  });
}

async function wrap(actor: Actor, json: object = {}): Promise<{ id: string; project_id: string }> {
  const { body } = await parcels.create({
    actor,
    path: '/v1/parcels',
    json: { name: 'one', ...json },
  });
  return body as { id: string; project_id: string };
}

const failure = (work: Promise<unknown>): Promise<unknown> => work.catch((one: unknown) => one);

/** An image that its project alone sees. */
async function privateImage(): Promise<string> {
  const { token } = person;
  const { body } = await cloud.client.post('/image/v2/images', {
    token,
    body: { name: 'own', disk_format: 'raw', container_format: 'bare', visibility: 'private' },
  });
  const { id } = body as { id: string };
  const headers = { 'Content-Type': 'application/octet-stream' };
  await cloud.client.put(`/image/v2/images/${id}/file`, { token, headers, body: 'bytes' });
  return id;
}

/** What the work was asked for with, and how that ends. */
const ENDS: readonly (readonly [string, () => Promise<[token: string, end: () => unknown]>])[] = [
  [
    'the token is revoked',
    async () => {
      const headers = { 'X-Subject-Token': person.token };
      const end = () =>
        cloud.client.delete('/identity/v3/auth/tokens', { token: person.token, headers });
      return Promise.resolve([person.token, end]);
    },
  ],
  [
    'the user is disabled',
    async () => {
      const user = { enabled: false };
      return Promise.resolve([
        person.token,
        () => ask('PATCH', `users/${person.userId}`, admin, { user }),
      ]);
    },
  ],
  [
    'the user is deleted',
    async () =>
      Promise.resolve([person.token, () => ask('DELETE', `users/${person.userId}`, admin)]),
  ],
  [
    'a restricted application credential is deleted',
    async () => {
      const { id, token } = await restricted();
      const path = `users/${person.userId}/application_credentials/${id}`;
      return [token, () => ask('DELETE', path, person.token)];
    },
  ],
  [
    'the trust is deleted',
    async () => {
      const trustId = await delegations.create(request(person.token));
      const token = (await tokens.issue({ 'OS-TRUST:trust': { id: trustId } })).value;
      return [token, () => delegations.revoke(trustId)];
    },
  ],
];

describe('a service that acts as itself', () => {
  it.each(ENDS)('continues, and can clean up its work, after %s', async (_, begin) => {
    const imageId = await privateImage();
    const [token, end] = await begin();
    const { id, project_id: projectId } = await wrap(asBearer(token));
    expect(projectId).toBe(person.projectId);
    await end();
    const path = `/v1/parcels/${id}`;
    await eventually('the caller is out', async () => {
      const error = await failure(parcels.send({ actor: asBearer(token), path }));
      return error instanceof ServiceRefusedError && error.status === 401;
    });

    const actor = asService();
    const more = await wrap(actor, { project_id: projectId });
    expect(more.project_id).toBe(projectId);
    const bytes = await (await images.download(actor, imageId)).toArray();
    expect(Buffer.concat(bytes as Buffer[]).toString()).toBe('bytes');
    for (const parcel of [id, more.id]) {
      await eventually('it is gone', async () => {
        const gone = await failure(
          parcels.find({ actor, method: 'DELETE', path: `/v1/parcels/${parcel}` }),
        );
        // A 409 while it is still being packed, or removed.
        return gone === undefined;
      });
    }
  });

  it('must name the project that it works for', async () => {
    const error = await failure(wrap(asService()));
    expect(error).toBeInstanceOf(ServiceRefusedError);
    expect((error as Error).message).toContain('project_id is required of a service');
  });

  it('may name other projects, unlike its caller', async () => {
    const error = await failure(wrap(asBearer(person.token), { project_id: newId() }));
    expect(error).toMatchObject({ status: 403 });
  });
});

describe('a service that acts through a trust', () => {
  it('continues after the token is revoked, until the trust is deleted', async () => {
    const trustId = await delegations.create(request(person.token));
    const headers = { 'X-Subject-Token': person.token };
    await cloud.client.delete('/identity/v3/auth/tokens', { token: person.token, headers });
    const actor = throughTrust(undefined, trustId);
    expect(await wrap(actor)).toMatchObject({ project_id: person.projectId });

    const error = await failure(wrap(actor, { project_id: newId() }));
    expect(error).toMatchObject({ status: 403 });

    await delegations.revoke(trustId);
    // Final, so that a reconciler ends the work with this as its reason.
    const end = await failure(wrap(actor));
    expect(end).toBeInstanceOf(DelegationEndedError);
    expect(end).toMatchObject({ kind: 'gone' });
  });

  it('stops once the other service learns that the trustor is disabled', async () => {
    const actor = throughTrust(undefined, await delegations.create(request(person.token)));
    await wrap(actor);
    await ask('PATCH', `users/${person.userId}`, admin, { user: { enabled: false } });
    await eventually('it has ended', async () => {
      return (await failure(wrap(actor))) instanceof DelegationEndedError;
    });
  });

  it('is denied a trust by a restricted application credential, and reports that', async () => {
    const { token } = await restricted();
    const error = await failure(delegations.create(request(token)));
    expect(error).toBeInstanceOf(DelegationForbiddenError);
    expect((error as Error).message).toContain('identity refused it');
  });
});
