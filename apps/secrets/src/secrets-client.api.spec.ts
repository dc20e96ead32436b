/** The client that sister services use, against the service it is a client of. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asBearer, asService } from '@cumulet/clients/http/actor';
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import type { ServiceTokenSource } from '@cumulet/clients/identity/service-token-source';
import { SecretsClient, type SecretsActor } from '@cumulet/clients/secrets/secrets-client';
import { InvalidInputError, UnavailableError } from '@cumulet/common/errors/domain-error';
import { newId } from '@cumulet/testing/test-tokens';
import { SECRET, TestSecrets } from './secrets.fixture.js';

let secrets: TestSecrets;
let client: SecretsClient;
/** The service, for the project of the test, and for another. */
let own: SecretsActor;
let others: SecretsActor;
/** A service whose user is known. */
const userId = newId();

beforeAll(async () => {
  secrets = await TestSecrets.start();
  const token = await secrets.started.tokens.issue(['service'], { userId });
  client = clientOf(secrets.client.baseUrl, token);
  own = { actor: asService(), projectId: secrets.project };
  others = { actor: asService(), projectId: newId() };
});
afterAll(async () => {
  await client.close();
  await secrets.stop();
});

function clientOf(secretsUrl: string, token: string): SecretsClient {
  const tokens = { token: () => Promise.resolve(token) } as ServiceTokenSource;
  return new SecretsClient({ secretsUrl, credentials: new ActorCredentials(tokens) });
}

const containerRef = (id: string): string => `${secrets.client.baseUrl}/v1/containers/${id}`;

describe('SecretsClient', () => {
  it('reads a container and its payloads as a service for their project', async () => {
    const bytes = Buffer.from([0, 200, 255]);
    const key = await secrets.create({
      payload: bytes.toString('base64'),
      payload_content_type: 'application/octet-stream',
      payload_content_encoding: 'base64',
    });
    const certificate = await secrets.create();
    const id = await secrets.contain('certificate', { certificate, private_key: key });
    const found = await client.container(own, containerRef(id));
    expect(found).toEqual({
      id,
      name: 'all',
      type: 'certificate',
      secretRefs: new Map([
        ['certificate', secrets.refOf(certificate)],
        ['private_key', secrets.refOf(key)],
      ]),
    });
    const { secretRefs } = found ?? { secretRefs: new Map<string, string>() };
    const payload = (name: string) => client.payload(own, secretRefs.get(name) ?? '');
    expect(await payload('private_key')).toEqual(bytes);
    expect((await payload('certificate')).toString()).toBe(SECRET.payload);
  });

  it('describes a secret', async () => {
    const id = await secrets.create({
      ...SECRET,
      secret_type: 'passphrase',
      expiration: '2099-01-31T12:00:00Z',
    });
    expect(await client.secret(own, secrets.refOf(id))).toEqual({
      id,
      name: SECRET.name,
      secretType: 'passphrase',
      contentType: 'text/plain',
      expiresAt: new Date('2099-01-31T12:00:00Z'),
    });
    const empty = await secrets.create({});
    expect(await client.secret(own, secrets.refOf(empty))).toMatchObject({
      name: undefined,
      contentType: undefined,
      expiresAt: undefined,
    });
  });

  it('finds nothing of another project than it acts for, unless an ACL names it', async () => {
    const id = await secrets.create();
    const ref = secrets.refOf(id);
    const container = containerRef(await secrets.contain('generic', { one: id }));
    expect(await client.secret(others, ref)).toBeUndefined();
    expect(await client.container(others, container)).toBeUndefined();
    await expect(client.payload(others, ref)).rejects.toMatchObject({ status: 404 });
    const body = { read: { users: [userId] } };
    await secrets.send('PUT', `/secrets/${id}/acl`, { body });
    expect((await client.payload(others, ref)).toString()).toBe(SECRET.payload);
  });

  it('has the rights of a caller', async () => {
    const ref = secrets.refOf(await secrets.create());
    const as = (token: string) => ({ actor: asBearer(token), projectId: secrets.project });
    expect((await client.payload(as(secrets.member), ref)).toString()).toBe(SECRET.payload);
    await expect(client.payload(as(secrets.stranger), ref)).rejects.toMatchObject({ status: 404 });
  });

  it('registers and removes consumers, idempotently', async () => {
    const id = await secrets.create();
    const ref = secrets.refOf(id);
    const listener = { service: 'load-balancer', resourceType: 'listener', resourceId: newId() };
    for (let times = 0; times < 2; times += 1) await client.addSecretConsumer(own, ref, listener);
    expect(await secrets.show(`/secrets/${id}`)).toMatchObject({
      consumers: [{ service: 'load-balancer', resource_id: listener.resourceId }],
    });
    for (let times = 0; times < 2; times += 1)
      await client.removeSecretConsumer(own, ref, listener);
    expect(await secrets.show(`/secrets/${id}`)).toMatchObject({ consumers: [] });

    const container = await secrets.contain('generic');
    const consumer = { name: 'listener', url: 'http://lb/v2.0/lbaas/listeners/one' };
    const at = containerRef(container);
    for (let times = 0; times < 2; times += 1) await client.addContainerConsumer(own, at, consumer);
    expect(await secrets.show(`/containers/${container}`)).toMatchObject({
      consumers: [{ name: consumer.name, URL: consumer.url }],
    });
    for (let times = 0; times < 2; times += 1)
      await client.removeContainerConsumer(own, at, consumer);
    expect(await secrets.show(`/containers/${container}`)).toMatchObject({ consumers: [] });
    await secrets.send('DELETE', `/containers/${container}`);
    await client.removeContainerConsumer(own, at, consumer);
    await expect(client.addContainerConsumer(own, at, consumer)).rejects.toMatchObject({
      status: 404,
    });
  });

  it.each(['', 'one', 'http://here/v1/secrets/../quotas', 'http://here/v1/orders/x'])(
    'refuses the URL %j without a request',
    async (ref) => {
      await expect(client.payload(own, ref)).rejects.toThrow(InvalidInputError);
      await expect(client.container(own, ref)).rejects.toThrow(InvalidInputError);
    },
  );

  it('does not read a secret at the URL of a container', async () => {
    const ref = containerRef(await secrets.contain('generic'));
    await expect(client.payload(own, ref)).rejects.toThrow(
      `'${ref}' is not the URL of a secret of the secrets service.`,
    );
  });

  it('is unavailable without an answer', async () => {
    const nobody = clientOf('http://127.0.0.1:1', 'token');
    const ref = secrets.refOf('00000000-0000-4000-8000-000000000000');
    await expect(nobody.payload(own, ref)).rejects.toThrow(UnavailableError);
    await nobody.close();
  });
});
