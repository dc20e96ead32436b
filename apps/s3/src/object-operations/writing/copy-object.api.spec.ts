import { createHash, randomBytes } from 'node:crypto';
import {
  CopyObjectCommand,
  PutBucketEncryptionCommand,
  type CopyObjectCommandInput,
  type CopyObjectCommandOutput,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusalOf, TestBucket } from '../../objects/objects.fixture.js';
import { TestS3 } from '../../s3.fixture.js';

let s3: TestS3;
let bucket: TestBucket;

const DESCRIBED = { ContentType: 'text/a', CacheControl: 'no-cache', Metadata: { a: '1' } };

beforeAll(async () => {
  s3 = await TestS3.start();
  bucket = await TestBucket.create(s3);
  await bucket.put('source', 'text', {
    ...DESCRIBED,
    Tagging: 'a=1',
    WebsiteRedirectLocation: '/a',
  });
});
afterAll(() => s3.stop());

function copy(
  Key: string,
  more: Partial<CopyObjectCommandInput> = {},
): Promise<CopyObjectCommandOutput> {
  const CopySource = `${bucket.name}/source`;
  return bucket.client.send(
    new CopyObjectCommand({ Bucket: bucket.name, Key, CopySource, ...more }),
  );
}

describe('a copy', () => {
  it('has the properties of its source', async () => {
    const { CopyObjectResult } = await copy('same');
    const { ETag, LastModified } = await bucket.head('same');
    expect(CopyObjectResult?.ETag).toBe(ETag);
    expect(Math.floor(Number(CopyObjectResult?.LastModified) / 1000)).toBe(
      Number(LastModified) / 1000,
    );
    const answer = await bucket.get('same');
    expect(answer).toMatchObject({ ...DESCRIBED, TagCount: 1 });
    expect(answer.WebsiteRedirectLocation).toBeUndefined();
    expect(await answer.Body?.transformToString()).toBe('text');
  });

  it('has the properties in its request, if it replaces them', async () => {
    await copy('replaced', {
      MetadataDirective: 'REPLACE',
      TaggingDirective: 'REPLACE',
      ContentType: 'text/b',
      Metadata: { b: '2' },
      Tagging: 'b=2&c=3',
      StorageClass: 'GLACIER_IR',
    });
    const answer = await bucket.get('replaced');
    expect(answer).toMatchObject({ ContentType: 'text/b', Metadata: { b: '2' }, TagCount: 2 });
    expect([answer.CacheControl, answer.StorageClass]).toEqual([undefined, 'GLACIER_IR']);
  });

  it('of bytes in the store is read back', async () => {
    const text = 'large'.repeat(100_000);
    await bucket.put('large', text);
    await copy('large copy', { CopySource: `/${bucket.name}/large`, ChecksumAlgorithm: 'SHA1' });
    await bucket.delete('large');
    expect(await bucket.text('large copy', { ChecksumMode: 'ENABLED' })).toBe(text);
    expect(
      (await bucket.head('large copy', { ChecksumMode: 'ENABLED' })).ChecksumSHA1,
    ).toBeDefined();
  });

  it('of an empty object is empty', async () => {
    await bucket.put('empty', '');
    await copy('empty copy', { CopySource: `${bucket.name}/empty` });
    expect((await bucket.head('empty copy')).ContentLength).toBe(0);
  });

  it('may be made from an older version, which the response names', async () => {
    const versioned = await TestBucket.versioned(s3);
    const { VersionId } = await versioned.put('k', 'old');
    await versioned.put('k', 'new');
    const CopySource = `${versioned.name}/k?versionId=${VersionId}`;
    const copied = await copy('k', { Bucket: versioned.name, CopySource });
    expect(copied.CopySourceVersionId).toBe(VersionId);
    expect(copied.VersionId).not.toBe(VersionId);
    expect(await versioned.text('k')).toBe('old');
  });

  it('onto itself changes only what the request changes', async () => {
    await bucket.put('itself', 'a', DESCRIBED);
    const CopySource = `${bucket.name}/itself`;
    expect(await refusalOf(copy('itself', { CopySource }))).toBe('400 InvalidRequest');
    await copy('itself', { CopySource, MetadataDirective: 'REPLACE', Metadata: { b: '2' } });
    expect((await bucket.head('itself')).Metadata).toEqual({ b: '2' });
    await copy('itself', { CopySource, StorageClass: 'STANDARD_IA' });
    expect(await bucket.head('itself')).toMatchObject({
      StorageClass: 'STANDARD_IA',
      Metadata: { b: '2' },
    });
  });

  it('onto itself applies the requested or default encryption', async () => {
    const CopySource = `${bucket.name}/in place`;
    await bucket.put('in place', 'a', { ServerSideEncryption: 'aws:kms', SSEKMSKeyId: 'k' });
    await copy('in place', { CopySource });
    expect((await bucket.head('in place')).ServerSideEncryption).toBeUndefined();
    const other = await TestBucket.create(s3);
    await other.put('in place', 'a');
    const Rules = [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' as const } }];
    const ServerSideEncryptionConfiguration = { Rules };
    await other.client.send(
      new PutBucketEncryptionCommand({ Bucket: other.name, ServerSideEncryptionConfiguration }),
    );
    const itself = { Bucket: other.name, Key: 'in place', CopySource: `${other.name}/in place` };
    await other.client.send(new CopyObjectCommand(itself));
    expect((await other.head('in place')).ServerSideEncryption).toBe('AES256');
  });

  it('is made if the conditions on its source are met', async () => {
    const { ETag } = await bucket.head('source');
    await copy('conditional', { CopySourceIfMatch: ETag });
    const failed = '412 PreconditionFailed';
    expect(await refusalOf(copy('c', { CopySourceIfMatch: 'x' }))).toBe(failed);
    expect(await refusalOf(copy('c', { CopySourceIfNoneMatch: ETag }))).toBe(failed);
    const future = new Date('2100-01-01');
    expect(await refusalOf(copy('c', { CopySourceIfModifiedSince: future }))).toBe(failed);
    expect(await refusalOf(copy('conditional', { IfNoneMatch: '*' }))).toBe(failed);
    expect(await refusalOf(bucket.get('c'))).toBe('404 NoSuchKey');
  });

  it.each([
    ['nothing', () => `${bucket.name}/nothing`, '404 NoSuchKey'],
    ['a missing bucket', () => 'no-such-bucket/a', '404 NoSuchBucket'],
    [
      'a missing version',
      () => `${bucket.name}/source?versionId=${'v'.repeat(32)}`,
      '404 NoSuchVersion',
    ],
    ['no key', () => bucket.name, '400 InvalidArgument'],
  ])('is refused for %s', async (_, CopySource, refusal) => {
    expect(await refusalOf(copy('refused', { CopySource: CopySource() }))).toBe(refusal);
    expect(await refusalOf(bucket.get('refused'))).toBe('404 NoSuchKey');
  });

  it('of an object with a customer-provided key needs it, and may be encrypted differently', async () => {
    const SSECustomerKey = randomBytes(32).toString('base64');
    const SSECustomerKeyMD5 = createHash('md5')
      .update(Buffer.from(SSECustomerKey, 'base64'))
      .digest('base64');
    const own = { SSECustomerAlgorithm: 'AES256', SSECustomerKey, SSECustomerKeyMD5 };
    await bucket.put('encrypted', 'secret', own);
    const CopySource = `${bucket.name}/encrypted`;
    expect(await refusalOf(copy('decrypted', { CopySource }))).toBe('400 InvalidRequest');
    await copy('decrypted', {
      CopySource,
      CopySourceSSECustomerAlgorithm: 'AES256',
      CopySourceSSECustomerKey: SSECustomerKey,
      CopySourceSSECustomerKeyMD5: SSECustomerKeyMD5,
      ServerSideEncryption: 'AES256',
    });
    expect((await bucket.head('decrypted')).ServerSideEncryption).toBe('AES256');
    expect(await bucket.text('decrypted')).toBe('secret');
    await copy('encrypted again', { CopySource: `${bucket.name}/decrypted`, ...own });
    expect(await refusalOf(bucket.get('encrypted again'))).toBe('400 InvalidRequest');
    expect(await bucket.text('encrypted again', own)).toBe('secret');
    await copy('encrypted', {
      CopySource,
      CopySourceSSECustomerAlgorithm: 'AES256',
      CopySourceSSECustomerKey: SSECustomerKey,
      CopySourceSSECustomerKeyMD5: SSECustomerKeyMD5,
    });
    expect(await bucket.text('encrypted')).toBe('secret');
  });

  it('cannot be made from a delete marker', async () => {
    const versioned = await TestBucket.versioned(s3);
    await versioned.put('k', 'a');
    const { VersionId } = await versioned.delete('k');
    const CopySource = `${versioned.name}/k`;
    expect(await refusalOf(copy('m', { CopySource }))).toBe('404 NoSuchKey');
    const marker = copy('m', { CopySource: `${CopySource}?versionId=${VersionId}` });
    expect(await refusalOf(marker)).toBe('400 InvalidRequest');
  });

  it('cannot be made from an object that its caller may not read', async () => {
    const strangers = await TestBucket.create(s3, { client: s3.client(s3.stranger) });
    await strangers.put('k', 'secret');
    const CopySource = `${s3.stranger.projectId}:${strangers.name}/k`;
    expect(await refusalOf(copy('stolen', { CopySource }))).toBe('403 AccessDenied');
  });

  it('is made only if the source has the expected owner', async () => {
    await copy('expected', { ExpectedSourceBucketOwner: s3.projectId });
    const other = copy('refused', { ExpectedSourceBucketOwner: s3.stranger.projectId });
    expect(await refusalOf(other)).toBe('403 AccessDenied');
  });

  it.each([{ MetadataDirective: 'MOVE' }, { TaggingDirective: 'MOVE' }])(
    'is refused with %j',
    async (more) => {
      expect(await refusalOf(copy('refused', more as never))).toBe('400 InvalidArgument');
    },
  );
});
