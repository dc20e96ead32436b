/** Secrets as sisters of the secrets service read them, with the tokens that identity gives them. */
import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { asService } from '@cumulet/clients/http/actor';
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { ServiceTokenSource } from '@cumulet/clients/identity/service-token-source';
import { SecretsClient } from '@cumulet/clients/secrets/secrets-client';
import { identityService } from '@cumulet/identity/service';
import { secretsService } from '@cumulet/secrets/service';
import { newId } from '@cumulet/testing/test-tokens';
import { startTestCloud, type TestCloud } from './test-cloud.fixture.js';

let cloud: TestCloud;
let tokens: ServiceTokenSource;
let secrets: SecretsClient;
let token: string;

beforeAll(async () => {
  cloud = await startTestCloud([identityService, secretsService]);
  token = await cloud.login('demo', cloud.secrets.demoPassword);
  const { servicePassword: password } = cloud.secrets;
  const identityUrl = `${cloud.url}/identity`;
  tokens = new ServiceTokenSource({ identityUrl, user: 'secrets', password });
  const credentials = new ActorCredentials(tokens);
  secrets = new SecretsClient({ secretsUrl: `${cloud.url}/key-manager`, credentials });
});
afterAll(async () => {
  for (const client of [secrets, tokens]) await client.close();
  await cloud.stop();
});

it('secrets are read only for the project that owns them', async () => {
  const body = { payload: 's3cret', payload_content_type: 'text/plain' };
  const answer = await cloud.client.post('/key-manager/v1/secrets', { token, body });
  const { secret_ref: ref } = answer.body as { secret_ref: string };
  expect(ref.startsWith(`${cloud.url}/key-manager/v1/secrets/`)).toBe(true);
  const { body: shown } = await cloud.client.get('/identity/v3/auth/projects', { token });
  const [project] = (shown as { projects: { id: string; name: string }[] }).projects;
  expect(project).toMatchObject({ name: 'demo' });
  const as = (projectId: string) => ({ actor: asService(), projectId });
  expect((await secrets.payload(as(project?.id ?? ''), ref)).toString()).toBe('s3cret');
  await expect(secrets.payload(as(newId()), ref)).rejects.toMatchObject({ status: 404 });
});
