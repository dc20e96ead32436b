import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusalOf, TestBucket } from '../objects/objects.fixture.js';
import { TestS3 } from '../s3.fixture.js';

let s3: TestS3;

beforeAll(async () => {
  s3 = await TestS3.start();
});
afterAll(() => s3.stop());

/** The headers of a refusal. */
async function headersOf(sent: Promise<unknown>): Promise<Record<string, string>> {
  const error = (await sent.catch((thrown: unknown) => thrown)) as {
    $response: { headers: Record<string, string> };
  };
  return error.$response.headers;
}

describe('a versioned bucket', () => {
  it('returns each version', async () => {
    const bucket = await TestBucket.versioned(s3);
    const a = await bucket.put('k', 'a');
    const b = await bucket.put('k', 'b'.repeat(20_000));
    expect(a.VersionId).not.toBe(b.VersionId);
    expect(await bucket.text('k', { VersionId: a.VersionId })).toBe('a');
    expect((await bucket.get('k')).VersionId).toBe(b.VersionId);
    expect(await bucket.head('k', { VersionId: a.VersionId })).toMatchObject({
      VersionId: a.VersionId,
      ContentLength: 1,
    });
  });

  it('hides an object by a delete marker, and shows it again without one', async () => {
    const bucket = await TestBucket.versioned(s3);
    const { VersionId: a } = await bucket.put('k', 'a');
    const { DeleteMarker, VersionId: marker } = await bucket.delete('k');
    expect(DeleteMarker).toBe(true);
    const hidden = { 'x-amz-delete-marker': 'true', 'x-amz-version-id': marker };
    expect(await headersOf(bucket.get('k'))).toMatchObject(hidden);
    expect(await refusalOf(bucket.get('k'))).toBe('404 NoSuchKey');
    expect(await refusalOf(bucket.get('k', { VersionId: marker }))).toBe('405 MethodNotAllowed');
    expect(await headersOf(bucket.head('k', { VersionId: marker }))).toMatchObject({
      ...hidden,
      allow: 'DELETE',
    });
    expect(await bucket.text('k', { VersionId: a })).toBe('a');
    expect(await bucket.delete('k', { VersionId: marker })).toMatchObject({
      DeleteMarker: true,
      VersionId: marker,
    });
    expect(await bucket.text('k')).toBe('a');
  });

  it('tells a missing key from a deleted one', async () => {
    const bucket = await TestBucket.versioned(s3);
    expect(await headersOf(bucket.head('k'))).toMatchObject({ 'x-amz-delete-marker': 'false' });
  });

  it.each([
    ['abcdefghijklmnopqrstuvwxyz012345', '404 NoSuchVersion'],
    ['null', '404 NoSuchVersion'],
    ['1', '400 InvalidArgument'],
    ['\u0000', '400 InvalidArgument'],
  ])('does not find the version %j', async (VersionId, refusal) => {
    const bucket = await TestBucket.versioned(s3);
    await bucket.put('k', 'a');
    expect(await refusalOf(bucket.get('k', { VersionId }))).toBe(refusal);
    expect((await refusalOf(bucket.delete('k', { VersionId }))).slice(0, 3)).toBe(
      refusal.startsWith('400') ? '400' : 'acc',
    );
    expect(await bucket.text('k')).toBe('a');
  });

  it('keeps its versions when versioning is suspended', async () => {
    const bucket = await TestBucket.create(s3);
    await bucket.put('k', 'null');
    await bucket.setVersioning('enabled');
    const { VersionId } = await bucket.put('k', 'a');
    await bucket.setVersioning('suspended');
    expect((await bucket.put('k', 'b')).VersionId).toBeUndefined();
    expect((await bucket.head('k')).VersionId).toBe('null');
    expect((await bucket.delete('k')).VersionId).toBe('null');
    expect(await bucket.text('k', { VersionId })).toBe('a');
    expect(await bucket.left()).toMatchObject({ versions: 2 });
  });

  it('keeps each of many concurrent versions', async () => {
    const bucket = await TestBucket.versioned(s3);
    const texts = Array.from({ length: 12 }, (_, at) => String(at).repeat(at % 2 ? 1 : 20_000));
    const stored = await Promise.all(texts.map((text) => bucket.put('k', text)));
    const read = await Promise.all(stored.map(({ VersionId }) => bucket.text('k', { VersionId })));
    expect(read).toEqual(texts);
    await Promise.all(stored.map(({ VersionId }) => bucket.delete('k', { VersionId })));
    expect(await bucket.left()).toMatchObject({ versions: 0 });
  });
});

describe('a bucket with object lock', () => {
  const ObjectLockRetainUntilDate = new Date('2100-01-01');

  it('protects a retained version', async () => {
    const bucket = await TestBucket.create(s3, { ObjectLockEnabledForBucket: true });
    const { VersionId } = await bucket.put('k', 'a', {
      ObjectLockMode: 'GOVERNANCE',
      ObjectLockRetainUntilDate,
    });
    expect(await bucket.head('k')).toMatchObject({
      ObjectLockMode: 'GOVERNANCE',
      ObjectLockRetainUntilDate,
    });
    expect(await refusalOf(bucket.delete('k', { VersionId }))).toBe('403 AccessDenied');
    await bucket.delete('k');
    await bucket.delete('k', { VersionId, BypassGovernanceRetention: true });
    expect(await bucket.left()).toMatchObject({ versions: 1 });
  });

  it('protects a version on legal hold from everybody', async () => {
    const bucket = await TestBucket.create(s3, { ObjectLockEnabledForBucket: true });
    const { VersionId } = await bucket.put('k', 'a', { ObjectLockLegalHoldStatus: 'ON' });
    const forced = bucket.delete('k', { VersionId, BypassGovernanceRetention: true });
    expect(await refusalOf(forced)).toBe('403 AccessDenied');
  });
});
