import { createHash, createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  DeleteBucketPolicyCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  PutBucketEncryptionCommand,
  PutBucketPolicyCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { countsIn, type Counts } from '../../multipart/stored-counts.fixture.js';
import { TestBucket } from '../../objects/objects.fixture.js';
import { TestS3 } from '../../s3.fixture.js';

let s3: TestS3;
let client: S3Client;
let open: string;
let closed: string;

beforeAll(async () => {
  s3 = await TestS3.start();
  client = s3.client();
  open = (await TestBucket.create(s3, { ACL: 'public-read-write' })).name;
  closed = (await TestBucket.create(s3)).name;
});
afterAll(() => s3.stop());

type Fields = Readonly<Record<string, string>>;

/** An unsigned form names the bucket's project. */
function post(
  bucket: string,
  fields: Fields,
  file: string | Buffer = 'bytes',
  filename = 'a.txt',
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([file]), filename);
  const url = `${s3.url}/${s3.projectId}:${bucket}`;
  return fetch(url, { method: 'POST', body: form, redirect: 'manual' });
}

function signed(conditions: readonly unknown[], expiration = '2099-01-01T00:00:00Z'): Fields {
  const { access, secret } = s3.member;
  const policy = Buffer.from(JSON.stringify({ expiration, conditions })).toString('base64');
  const signature = createHmac('sha1', secret).update(policy).digest('base64');
  return { AWSAccessKeyId: access, policy, signature };
}

const codeOf = async (response: Response): Promise<string | undefined> =>
  /<Code>(.*)<\/Code>/.exec(await response.text())?.[1];

async function read(Bucket: string, Key: string): Promise<string | undefined> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
  return Body?.transformToString();
}

describe('a form without a signature', () => {
  it('stores its file where the public may write', async () => {
    const response = await post(open, {
      key: 'dir/${filename}',
      acl: 'public-read',
      'Content-Type': 'text/x',
      'x-amz-meta-word': 'thing',
      tagging: '<Tagging><TagSet><Tag><Key>a</Key><Value>b c</Value></Tag></TagSet></Tagging>',
    });
    expect([response.status, await response.text()]).toEqual([204, '']);
    const etag = response.headers.get('etag');
    const named = { Bucket: open, Key: 'dir/a.txt' };
    expect(await client.send(new GetObjectCommand(named))).toMatchObject({
      ETag: etag,
      ContentType: 'text/x',
      Metadata: { word: 'thing' },
    });
    const { TagSet } = await client.send(new GetObjectTaggingCommand(named));
    expect(TagSet).toEqual([{ Key: 'a', Value: 'b c' }]);
  });

  it('chooses how it is answered', async () => {
    const created = await post(open, { key: 'k', success_action_status: '201' });
    expect(created.status).toBe(201);
    expect(await created.text()).toContain('<Key>k</Key>');
    const redirected = await post(open, { key: 'k', success_action_redirect: 'http://h/p' });
    expect(redirected.status).toBe(303);
    expect(redirected.headers.get('location')).toMatch(
      /^http:\/\/h\/p\?bucket=.*&key=k&etag=%22[0-9a-f]{32}%22$/,
    );
  });

  it('is refused elsewhere, and stores nothing', async () => {
    const response = await post(closed, { key: 'k' });
    expect([response.status, await codeOf(response)]).toEqual([403, 'AccessDenied']);
    expect(await countsIn(s3, closed)).toMatchObject({ objects: 0 });
  });
});

describe('a signed form', () => {
  const CONDITIONS = [
    ['starts-with', '$key', 'in/'],
    ['content-length-range', 2, 20_000_000],
  ];
  const allowed = (): Fields => signed([{ bucket: closed }, ...CONDITIONS]);

  it('stores what its policy allows', async () => {
    expect((await post(closed, { key: 'in/small', ...allowed() })).status).toBe(204);
    expect(await read(closed, 'in/small')).toBe('bytes');
    const large = Buffer.alloc(9_000_000, 'x');
    expect((await post(closed, { key: 'in/large', ...allowed() }, large)).status).toBe(204);
    expect((await read(closed, 'in/large'))?.length).toBe(large.length);
  });

  it('need not name a project beside its bucket', async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ key: 'in/k', ...allowed() }))
      form.append(name, value);
    form.append('file', 'text');
    const response = await fetch(`${s3.url}/${closed}`, { method: 'POST', body: form });
    expect(response.status).toBe(204);
  });

  const sum = { 'x-amz-checksum-sha256': 'sailorjerry' };
  const wide = (): Fields => signed([{ bucket: closed }, ['starts-with', '$key', '']]);
  const forged = (): Fields => ({ ...allowed(), signature: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' });
  it.each<[string, () => Promise<Response>, number, string]>([
    ['another key', () => post(closed, { key: 'k', ...allowed() }), 403, 'AccessDenied'],
    ['no key', () => post(closed, wide()), 403, 'AccessDenied'],
    [
      'a file that is too short',
      () => post(closed, { key: 'in/k', ...allowed() }, 'x'),
      400,
      'EntityTooSmall',
    ],
    [
      'a file that is too long',
      () => post(closed, { key: 'in/k', ...allowed() }, Buffer.alloc(20_000_001)),
      400,
      'EntityTooLarge',
    ],
    [
      'a forged signature',
      () => post(closed, { key: 'in/k', ...forged() }),
      403,
      'SignatureDoesNotMatch',
    ],
    [
      'an unknown access key',
      () => post(closed, { key: 'in/k', ...allowed(), AWSAccessKeyId: 'nobody' }),
      403,
      'InvalidAccessKeyId',
    ],
    [
      'an expired policy',
      () => post(closed, { key: 'k', ...signed([['eq', '$key', 'k']], '2020-01-01T00:00:00Z') }),
      403,
      'AccessDenied',
    ],
    [
      'an extra field',
      () => post(closed, { key: 'in/k', ...allowed(), 'x-amz-meta-more': 'x' }),
      403,
      'AccessDenied',
    ],
    [
      'a malformed checksum',
      () => {
        const conditions = [{ bucket: closed }, { key: 'k' }, sum];
        return post(closed, { key: 'k', ...signed(conditions), ...sum });
      },
      400,
      'BadDigest',
    ],
  ])('is refused with %s, and stores nothing', async (_, act, status, code) => {
    const before = await settledCounts();
    const response = await act();
    expect([response.status, await codeOf(response)]).toEqual([status, code]);
    expect(await settledCounts()).toMatchObject({ objects: before.objects });
  });

  const settledCounts = (): Promise<Counts> => countsIn(s3, closed);
});

describe('a form with encryption fields', () => {
  const METHOD = 'x-amz-server-side-encryption';
  const KEY = `${METHOD}-aws-kms-key-id`;
  const KMS = { [METHOD]: 'aws:kms', [KEY]: 'a-key' };
  const AES = { [METHOD]: 'AES256' };
  const customerKey = Buffer.alloc(32, 7);
  const SSE_C = {
    [`${METHOD}-customer-algorithm`]: 'AES256',
    [`${METHOD}-customer-key`]: customerKey.toString('base64'),
    [`${METHOD}-customer-key-md5`]: createHash('md5').update(customerKey).digest('base64'),
  };

  /** @param conditions besides those of its bucket and key; each field's value unless given */
  const send = (
    fields: Fields,
    conditions: readonly unknown[] = Object.entries(fields).map((one) => [
      'eq',
      `$${one[0]}`,
      one[1],
    ]),
    bucket = closed,
  ): Promise<Response> => {
    const policy = signed([{ bucket }, { key: 'secret' }, ...conditions]);
    return post(bucket, { key: 'secret', ...policy, ...fields });
  };
  const named = { Key: 'secret' };

  it.each<[string, Fields, Fields]>([
    ['a named key', KMS, KMS],
    ["the service's own", AES, AES],
    ["its client's", SSE_C, { [`${METHOD}-customer-algorithm`]: 'AES256' }],
  ])('stores its file under %s, and returns that', async (_, fields, said) => {
    const response = await send(fields);
    expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([204, said]);
    const customer =
      fields === SSE_C
        ? { SSECustomerAlgorithm: 'AES256', SSECustomerKey: SSE_C[`${METHOD}-customer-key`] }
        : {};
    const { Body, ...head } = await client.send(
      new GetObjectCommand({ Bucket: closed, ...named, ...customer }),
    );
    expect(await Body?.transformToString()).toBe('bytes');
    expect([head.ServerSideEncryption, head.SSEKMSKeyId]).toEqual([fields[METHOD], fields[KEY]]);
  });

  it('may name any key that its policy permits', async () => {
    const open = [
      ['starts-with', `$${METHOD}`, ''],
      ['starts-with', `$${KEY}`, 'team-'],
    ];
    const allowed = await send({ ...KMS, [KEY]: 'team-a' }, open);
    expect([allowed.status, allowed.headers.get(KEY)]).toEqual([204, 'team-a']);
    const refused = await send(KMS, open);
    expect([refused.status, await codeOf(refused)]).toEqual([403, 'AccessDenied']);
  });

  it.each<[string, Fields, readonly unknown[] | undefined, number, string]>([
    ['fields that its policy does not name', KMS, [], 403, 'AccessDenied'],
    ['a key that its policy does not name', KMS, [{ [METHOD]: 'aws:kms' }], 403, 'AccessDenied'],
    ['another key', KMS, [{ [METHOD]: 'aws:kms' }, { [KEY]: 'b-key' }], 403, 'AccessDenied'],
    ['another method', { ...KMS, [METHOD]: 'AES256' }, [KMS], 403, 'AccessDenied'],
    ['no method, where its policy wants one', {}, [{ [METHOD]: 'aws:kms' }], 403, 'AccessDenied'],
    ['no key', { [METHOD]: 'aws:kms' }, undefined, 400, 'InvalidArgument'],
    ['an empty key', { ...KMS, [KEY]: '' }, undefined, 400, 'InvalidArgument'],
    ['a key without a method', { [KEY]: 'a-key' }, undefined, 400, 'InvalidArgument'],
    ['a key beside AES256', { ...KMS, ...AES }, undefined, 400, 'InvalidArgument'],
    ['two kinds of keys', { ...KMS, ...SSE_C }, undefined, 400, 'InvalidArgument'],
    [
      'an unknown method',
      { [METHOD]: 'aws:kmss' },
      undefined,
      400,
      'InvalidEncryptionAlgorithmError',
    ],
    [
      'an encryption context',
      { ...KMS, [`${METHOD}-context`]: 'e30=' },
      undefined,
      501,
      'NotImplemented',
    ],
    ['double encryption', { ...KMS, [METHOD]: 'aws:kms:dsse' }, undefined, 501, 'NotImplemented'],
  ])('is refused with %s, and stores nothing', async (_, fields, conditions, status, code) => {
    const bucket = (await TestBucket.create(s3)).name;
    const response = await send(fields, conditions, bucket);
    expect([response.status, await codeOf(response)]).toEqual([status, code]);
    expect(await countsIn(s3, bucket)).toMatchObject({ objects: 0 });
  });

  it('meets bucket policies that require encryption, as bucket defaults do', async () => {
    const { name: bucket } = await TestBucket.create(s3);
    const Statement = {
      Effect: 'Deny',
      Principal: '*',
      Action: 's3:PutObject',
      Resource: `arn:aws:s3:::${bucket}/*`,
      Condition: { StringNotEquals: { [`s3:${METHOD}`]: 'aws:kms' } },
    };
    const Policy = JSON.stringify({ Version: '2012-10-17', Statement });
    await client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy }));
    expect((await send({}, [], bucket)).status).toBe(403);
    expect((await send(AES, [AES], bucket)).status).toBe(403);
    expect((await send(KMS, [KMS], bucket)).status).toBe(204);
    await client.send(new DeleteBucketPolicyCommand({ Bucket: bucket }));
    const byDefault = { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: 'of-bucket' } as const;
    await client.send(
      new PutBucketEncryptionCommand({
        Bucket: bucket,
        ServerSideEncryptionConfiguration: {
          Rules: [{ ApplyServerSideEncryptionByDefault: byDefault }],
        },
      }),
    );
    const response = await send({}, [], bucket);
    expect([response.status, response.headers.get(KEY)]).toEqual([204, 'of-bucket']);
  });
});

describe('a request that is not a form', () => {
  it.each([
    ['of another type', 'application/json', '{}', 412, 'RequestIsNotMultiPartContent'],
    ['without a file', 'multipart/form-data; boundary=a', '--a--\r\n', 400, 'InvalidArgument'],
    [
      'that is truncated',
      'multipart/form-data; boundary=a',
      '--a\r\n',
      400,
      'MalformedPOSTRequest',
    ],
  ])('is refused %s', async (_, type, text, status, code) => {
    const response = await fetch(`${s3.url}/${s3.projectId}:${open}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: Readable.toWeb(Readable.from([Buffer.from(text)])) as never,
      duplex: 'half',
    } as never);
    expect([response.status, await codeOf(response)]).toEqual([status, code]);
  });
});
