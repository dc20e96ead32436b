/** Names that all projects share. */
import { CreateBucketCommand, HeadBucketCommand, type S3Client } from '@aws-sdk/client-s3';
import { newId } from '@cumulet/testing/test-tokens';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TestS3 } from '../s3.fixture.js';

let s3: TestS3;

beforeAll(async () => {
  s3 = await TestS3.start({ namespace: 'global' });
});
afterAll(() => s3.stop());

const create = (client: S3Client, Bucket: string, region?: 'eu-west-1') =>
  client.send(
    new CreateBucketCommand({
      Bucket,
      ...(region && { CreateBucketConfiguration: { LocationConstraint: region } }),
    }),
  );

it('a bucket in us-east-1 may be created again only by its owner', async () => {
  const name = `b-${newId()}`;
  await create(s3.client(), name);
  expect((await create(s3.client(), name)).$metadata.httpStatusCode).toBe(200);
  const stranger = create(s3.client(s3.stranger), name);
  await expect(stranger).rejects.toMatchObject({ name: 'BucketAlreadyExists' });
});

it('creating a bucket elsewhere again reports that its owner has it', async () => {
  const name = `b-${newId()}`;
  await create(s3.client(), name, 'eu-west-1');
  const again = create(s3.client(), name, 'eu-west-1');
  await expect(again).rejects.toMatchObject({ name: 'BucketAlreadyOwnedByYou' });
});

it('a request of another project finds the bucket, but is refused', async () => {
  const name = `b-${newId()}`;
  await create(s3.client(), name);
  const head = s3.client(s3.stranger).send(new HeadBucketCommand({ Bucket: name }));
  await expect(head).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
});

it('one of several projects that create a bucket at the same time succeeds', async () => {
  const name = `b-${newId()}`;
  const clients = Array.from({ length: 6 }, () => s3.client(s3.keys.issue(newId(), ['member'])));
  const results = await Promise.allSettled(clients.map((client) => create(client, name)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});
