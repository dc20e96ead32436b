/** A project that has as many buckets as it may. */
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { newId } from '@cumulet/testing/test-tokens';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { refusalOf } from '../objects/objects.fixture.js';
import { TestS3 } from '../s3.fixture.js';

let s3: TestS3;

beforeAll(async () => {
  s3 = await TestS3.start({ bucketQuota: 1 });
});
afterAll(() => s3.stop());

it('a client is told that the bucket exists before it is told that its quota is exceeded', async () => {
  const [first, second] = [newId(), newId()];
  const create = (Bucket: string): Promise<string> =>
    refusalOf(s3.client().send(new CreateBucketCommand({ Bucket })));
  expect(await create(first)).toBe('accepted');
  expect(await create(first)).toBe('409 BucketAlreadyExists');
  expect(await create(second)).toBe('413 QuotaExceeded');
});

it('a client is told that the bucket was created concurrently', async () => {
  const Bucket = newId();
  const client = s3.client(s3.stranger);
  const create = (): Promise<string> => refusalOf(client.send(new CreateBucketCommand({ Bucket })));
  const answers = await Promise.all([create(), create(), create()]);
  expect(answers.sort()).toEqual([
    '409 BucketAlreadyExists',
    '409 BucketAlreadyExists',
    'accepted',
  ]);
});
