/** A credential is never worth more than what made it, where access keys are used: in S3. */
import 'reflect-metadata';
import { createHmac } from 'node:crypto';
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identityService } from '@cumulet/identity/service';
import { s3Service } from '@cumulet/s3/service';
import { eventually } from '@cumulet/testing/settle';
import { startTestCloud, type TestCloud } from './test-cloud.fixture.js';

interface Key {
  readonly access: string;
  readonly secret: string;
}

let cloud: TestCloud;
let endpoint: string;
let demo: string;
let user: string;
let project: string;
let owner: S3Client;
let count = 0;

const Bucket = 'files';

beforeAll(async () => {
  cloud = await startTestCloud([identityService, s3Service], { CUMULET_REVOCATION_REFRESH: '50' });
  demo = await cloud.login('demo', cloud.secrets.demoPassword);
  const { body } = await cloud.client.get('/identity/v3/auth/tokens', {
    token: demo,
    headers: { 'X-Subject-Token': demo },
  });
  const { token } = body as {
    token: {
      user: { id: string };
      project: { id: string };
      catalog: { type: string; endpoints: { url: string }[] }[];
    };
  };
  [user, project] = [token.user.id, token.project.id];
  endpoint = token.catalog.find(({ type }) => type === 's3')?.endpoints[0]?.url ?? '';
  owner = clientOf(await keyBy(demo));
  await owner.send(new CreateBucketCommand({ Bucket }));
  await owner.send(new PutObjectCommand({ Bucket, Key: 'here', Body: 'text' }));
});
afterAll(() => cloud.stop());

async function ask(method: string, path: string, token: string, body?: object): Promise<unknown> {
  const answer = await cloud.client.send(method, `/identity/v3/${path}`, { token, body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
  return Object.values(answer.body ?? { none: null })[0];
}

const keyBy = async (token: string): Promise<Key> =>
  (await ask('POST', `users/${user}/credentials/OS-EC2`, token, { tenant_id: project })) as Key;

/** By default an unrestricted reader's. */
async function credential(fields: object = {}): Promise<{ id: string; token: string }> {
  const wanted = { name: `made ${(count += 1)}`, roles: [{ name: 'reader' }], unrestricted: true };
  const { id, secret } = (await ask('POST', `users/${user}/application_credentials`, demo, {
    application_credential: { ...wanted, ...fields },
  })) as { id: string; secret: string };
  const proof = { methods: ['application_credential'], application_credential: { id, secret } };
  const body = { auth: { identity: proof } };
  const { headers } = await cloud.client.post('/identity/v3/auth/tokens', { body });
  return { id, token: headers.get('X-Subject-Token') ?? '' };
}

function clientOf({ access, secret }: Key): S3Client {
  return new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: access, secretAccessKey: secret },
    maxAttempts: 1,
  });
}

async function outcome(sent: Promise<unknown>): Promise<string> {
  return sent.then(
    () => 'done',
    (error: unknown) => (error as Error).name,
  );
}

const read = (by: S3Client): Promise<string> =>
  outcome(by.send(new GetObjectCommand({ Bucket, Key: 'here' })));
const list = (by: S3Client): Promise<string> =>
  outcome(by.send(new ListObjectsV2Command({ Bucket })));
const write = (by: S3Client): Promise<string> =>
  outcome(by.send(new PutObjectCommand({ Bucket, Key: 'written', Body: 'x' })));

/** An address by which its holder may read the object for an hour, by signature version 2. */
function presigned({ access, secret }: Key): string {
  const expires = String(Math.floor(Date.now() / 1000) + 3600);
  const text = `GET\n\n\n${expires}\n/${Bucket}/here`;
  const query = new URLSearchParams({
    AWSAccessKeyId: access,
    Expires: expires,
    Signature: createHmac('sha1', secret).update(text).digest('base64'),
  });
  return `${endpoint}/${Bucket}/here?${query.toString()}`;
}

describe('an access key created with an application credential', () => {
  it('reads where its role permits, and writes nothing', async () => {
    const by = clientOf(await keyBy((await credential()).token));
    expect([await read(by), await list(by), await write(by)]).toEqual([
      'done',
      'done',
      'AccessDenied',
    ]);
  });

  it('can request only what its access rules name', async () => {
    const rules = [
      { service: 'identity', method: 'POST', path: '/v3/users/*/credentials/OS-EC2' },
      { service: 's3', method: 'GET', path: `/${Bucket}/*` },
    ];
    const { token } = await credential({ roles: [{ name: 'member' }], access_rules: rules });
    const by = clientOf(await keyBy(token));
    expect([await read(by), await list(by), await write(by)]).toEqual([
      'done',
      'AccessDenied',
      'AccessDenied',
    ]);
  });

  it('is revoked with the credential within a bounded time, as are its presigned URLs', async () => {
    const { id, token } = await credential();
    const key = await keyBy(token);
    const by = clientOf(key);
    const address = presigned(key);
    expect([await read(by), (await fetch(address)).status]).toEqual(['done', 200]);
    await ask('DELETE', `users/${user}/application_credentials/${id}`, demo);
    await eventually('the key is refused', async () => (await read(by)) === 'InvalidAccessKeyId');
    expect((await fetch(address)).status).toBe(403);
    expect(await read(owner)).toBe('done');
  });

  it('is revoked when the credential that created its own is', async () => {
    const first = await credential();
    const fields = { name: `made ${(count += 1)}`, secret: 'a secret of the tests' };
    const { id } = (await ask('POST', `users/${user}/application_credentials`, first.token, {
      application_credential: { ...fields, unrestricted: true },
    })) as { id: string };
    const proof = { id, secret: fields.secret };
    const identity = { methods: ['application_credential'], application_credential: proof };
    const { headers } = await cloud.client.post('/identity/v3/auth/tokens', {
      body: { auth: { identity } },
    });
    const by = clientOf(await keyBy(headers.get('X-Subject-Token') ?? ''));
    expect(await read(by)).toBe('done');
    await ask('DELETE', `users/${user}/application_credentials/${first.id}`, demo);
    await eventually('the key is refused', async () => (await read(by)) === 'InvalidAccessKeyId');
  });
});
