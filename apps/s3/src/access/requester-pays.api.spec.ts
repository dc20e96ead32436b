import {
  CopyObjectCommand,
  CreateBucketCommand,
  GetBucketRequestPaymentCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutBucketPolicyCommand,
  PutBucketRequestPaymentCommand,
  PutObjectCommand,
  type Payer,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { TestS3 } from '../s3.fixture.js';

const Bucket = 'tolled';
const Key = 'key';
const DENIED = { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } };

let s3: TestS3;
let owner: S3Client;
let stranger: S3Client;

beforeAll(async () => {
  // Another project names the bucket as its own.
  s3 = await TestS3.start({ namespace: 'global' });
  owner = s3.client();
  stranger = s3.client(s3.stranger);
  await owner.send(new CreateBucketCommand({ Bucket }));
  await owner.send(new PutObjectCommand({ Bucket, Key, Body: 'body' }));
  const Policy = JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Principal: '*', Action: 's3:*', Resource: `arn:aws:s3:::${Bucket}/*` },
    ],
  });
  await owner.send(new PutBucketPolicyCommand({ Bucket, Policy }));
});
beforeEach(() => charge('Requester'));
afterAll(() => s3.stop());

async function charge(Payer: Payer): Promise<void> {
  const RequestPaymentConfiguration = { Payer };
  await owner.send(new PutBucketRequestPaymentCommand({ Bucket, RequestPaymentConfiguration }));
}

const payer = async (): Promise<string | undefined> =>
  (await owner.send(new GetBucketRequestPaymentCommand({ Bucket }))).Payer;

it('a bucket shows who pays for requests', async () => {
  expect(await payer()).toBe('Requester');
  await charge('BucketOwner');
  expect(await payer()).toBe('BucketOwner');
});

it('a requester must agree to pay, and is told of the charge', async () => {
  await expect(stranger.send(new GetObjectCommand({ Bucket, Key }))).rejects.toMatchObject(DENIED);
  const RequestPayer = 'requester' as const;
  const got = await stranger.send(new HeadObjectCommand({ Bucket, Key, RequestPayer }));
  expect(got.RequestCharged).toBe('requester');
});

it('the bucket owner need not agree, and is not charged', async () => {
  const got = await owner.send(new HeadObjectCommand({ Bucket, Key }));
  expect(got.RequestCharged).toBeUndefined();
});

it('an unsigned request is refused, whatever it agrees to', async () => {
  const headers = { 'x-amz-request-payer': 'requester' };
  const url = `${s3.url}/${Bucket}/${Key}`;
  expect((await fetch(url, { headers })).status).toBe(403);
  await charge('BucketOwner');
  expect((await fetch(url)).status).toBe(200);
});

it('a copy from the bucket is charged as well', async () => {
  await stranger.send(new CreateBucketCommand({ Bucket: 'copies' }));
  const copy = { Bucket: 'copies', Key, CopySource: `${Bucket}/${Key}` };
  await expect(stranger.send(new CopyObjectCommand(copy))).rejects.toMatchObject(DENIED);
  await stranger.send(new CopyObjectCommand({ ...copy, RequestPayer: 'requester' }));
});
