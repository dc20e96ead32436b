/** Users that stacks are made of, at the services that have to let them in or not. */
import 'reflect-metadata';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@cumulet/orchestration/json/json';
import { freePort } from '@cumulet/testing/free-port';
import type { TestResponse } from '@cumulet/testing/http-client';
import { TypedCloud } from './resource-types.fixture.js';
import { SERVICES } from './services.js';
import { startTestCloud, type TestCloud } from './test-cloud.fixture.js';

let cloud: TestCloud;
let typed: TypedCloud;
let demo: string;
let s3Url: string;

beforeAll(async () => {
  const s3Port = String(await freePort());
  s3Url = `http://127.0.0.1:${s3Port}`;
  cloud = await startTestCloud(SERVICES, { S3_PORT: s3Port, S3_STORE: 'memory' });
  demo = await cloud.login('demo', cloud.secrets.demoPassword);
  typed = new TypedCloud(cloud, 'project', 'user', s3Url);
});
afterEach(() => typed.removeAll());
afterAll(async () => {
  await typed.close();
  await cloud.stop();
});

describe('a stack user', () => {
  const make = (type: string, properties: JsonObject): ReturnType<TypedCloud['make']> =>
    typed.make(demo, type, properties);
  const Password = 'correct horse battery';
  const login = async (name: string): Promise<TestResponse> =>
    cloud.client.post('/identity/v3/auth/tokens', {
      body: {
        auth: {
          identity: {
            methods: ['password'],
            password: { user: { name, domain: { id: 'stack-users' }, password: Password } },
          },
        },
      },
    });
  const made = async () => {
    const user = await make('AWS::IAM::User', { LoginProfile: { Password } });
    return { user, name: user.type.referenceOf?.(user.scope.row) as string };
  };

  it('is in a separate domain, and has no access elsewhere', async () => {
    const { name } = await made();
    const answer = await login(name);
    const { token } = answer.body as { token: { roles: { name: string }[] } };
    expect(token.roles.map((role) => role.name)).toEqual(['heat_stack_user']);
    const own = answer.headers.get('X-Subject-Token') ?? '';
    for (const path of ['/compute/v2.1/servers', '/networking/v2.0/networks', '/image/v2/images'])
      expect((await cloud.client.get(path, { token: own })).status).toBe(403);
  });

  it('can log in unless its stack is suspended', async () => {
    const { user, name } = await made();
    await user.type.suspend?.(user.scope);
    expect((await login(name)).status).toBe(401);
    await user.type.resume?.(user.scope);
    expect((await login(name)).status).toBe(201);
  });

  it('has access keys with no more rights than its own', async () => {
    const { user, name } = await made();
    const key = await make('AWS::IAM::AccessKey', { UserName: name });
    const secretAccessKey = (await key.attribute('SecretAccessKey')) as string;
    expect([await key.attribute('UserName'), secretAccessKey]).toEqual([
      name,
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ]);
    const path = `/identity/v3/users/${user.id}/credentials/OS-EC2`;
    const { body } = await cloud.client.get(path, {
      token: await cloud.login('admin', cloud.secrets.adminPassword),
    });
    expect(body).toMatchObject({ credentials: [{ access: key.id, secret: secretAccessKey }] });
    const credentials = { accessKeyId: key.id, secretAccessKey };
    const s3 = new S3Client({ endpoint: s3Url, region: 'us-east-1', credentials });
    await expect(s3.send(new ListBucketsCommand({}))).rejects.toThrow('Access Denied');
    s3.destroy();
  });

  it('is created once per key in the same stack', async () => {
    await expect(make('AWS::IAM::AccessKey', { UserName: 'demo' })).rejects.toThrow(
      'could not find user demo',
    );
  });
});
