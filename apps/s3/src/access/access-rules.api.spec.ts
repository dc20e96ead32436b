/** Access keys of application credentials that are limited to requests by access rules. */
import {
  CopyObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccessKey } from '@cumulet/clients/identity/access-key';
import { TestBucket } from '../objects/objects.fixture.js';
import { TestS3 } from '../s3.fixture.js';
import { answerTo, presigned } from '../auth/signing.fixture.js';

let s3: TestS3;
let bucket: TestBucket;

beforeAll(async () => {
  s3 = await TestS3.start();
  bucket = await TestBucket.create(s3);
  for (const key of ['in/a b', 'in/deep/c', 'other']) await bucket.put(key, key);
});
afterAll(() => s3.stop());

type Rule = readonly [method: string, path: string, service?: string];

/** @param rules undefined for a credential without any */
function ruled(rules: readonly Rule[] | undefined, roles = ['member', 'reader']): AccessKey {
  return s3.keys.issue(s3.projectId, roles, {
    kind: 'application-credential',
    id: 'credential',
    unrestricted: false,
    accessRules: rules?.map(([method, path, service = 's3']) => ({ service, method, path })),
  });
}

async function outcome(sent: Promise<unknown>): Promise<string> {
  return sent.then(
    () => 'done',
    (error: unknown) => (error as Error).name,
  );
}

const within = (key: AccessKey): TestBucket => bucket.by(s3.client(key));

describe('a key whose application credential has access rules', () => {
  it('signs only requests that a rule allows', async () => {
    const own = within(ruled([['GET', `/${bucket.name}/in/*`]]));
    expect(await own.text('in/a b')).toBe('in/a b');
    const refused = [
      own.get('in/deep/c'),
      own.get('other'),
      own.head('in/a b'),
      own.put('in/a b', 'x'),
    ];
    for (const sent of refused) expect(await outcome(sent)).not.toBe('done');
    expect(await bucket.text('in/a b')).toBe('in/a b');
  });

  it('signs nothing under rules for other services, or without any rule', async () => {
    const path = `/${bucket.name}/other`;
    for (const rules of [[['GET', path, 'object-store']], [['GET', path, 'image']], []] as Rule[][])
      expect(await outcome(within(ruled(rules)).get('other'))).toBe('AccessDenied');
    expect(await within(ruled(undefined)).text('other')).toBe('other');
  });

  it('lists buckets and objects by the paths in the rules', async () => {
    const client: S3Client = s3.client(ruled([['GET', `/${bucket.name}`]]));
    const list = new ListObjectsV2Command({ Bucket: bucket.name });
    expect(await outcome(client.send(list))).toBe('done');
    expect(await outcome(client.send(new ListBucketsCommand({})))).toBe('AccessDenied');
    const all = s3.client(ruled([['GET', '/']]));
    expect(await outcome(all.send(new ListBucketsCommand({})))).toBe('done');
  });

  it('copies only what it may read', async () => {
    const copy = (client: S3Client, key: string): Promise<string> => {
      const source = { CopySource: `${bucket.name}/${encodeURIComponent(key)}` };
      return outcome(
        client.send(new CopyObjectCommand({ Bucket: bucket.name, Key: 'in/copy', ...source })),
      );
    };
    const put: Rule = ['PUT', `/${bucket.name}/in/**`];
    const [writes, reads] = [[put], [put, ['GET', `/${bucket.name}/other`]]] as Rule[][];
    expect(await copy(s3.client(ruled(writes)), 'other')).toBe('AccessDenied');
    expect(await outcome(bucket.head('in/copy'))).toBe('NotFound');
    expect(await copy(s3.client(ruled(reads)), 'other')).toBe('done');
  });

  it('does not reach a bucket of the same name in another project', async () => {
    const key = ruled([['GET', `/${bucket.name}/**`]]);
    const path = `/${s3.stranger.projectId}%3A${bucket.name}/other`;
    const address = await presigned(s3, { method: 'GET', path }, { key });
    const answer = await answerTo(s3, { method: 'GET', path: address });
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('access rules')]);
  });

  it('allows no more through a presigned URL', async () => {
    const key = ruled([['GET', `/${bucket.name}/in/*`]]);
    const status = async (method: string, name: string): Promise<number> => {
      const path = await presigned(s3, { method, path: `/${bucket.name}/${name}` }, { key });
      return (await answerTo(s3, { method, path })).status;
    };
    expect(await status('GET', 'in/a%20b')).toBe(200);
    expect(await status('GET', 'other')).toBe(403);
    expect(await status('DELETE', 'in/a%20b')).toBe(403);
    expect(await bucket.text('in/a b')).toBe('in/a b');
  });

  it('allows no more than its roles, whatever its rules allow', async () => {
    const own = within(ruled([['PUT', '/**']], ['reader']));
    expect(await outcome(own.put('in/more', 'x'))).toBe('AccessDenied');
  });
});
