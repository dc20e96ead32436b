import { DataMissingError } from '@cumulet/storage/stores/store.errors';
import { describe, expect, it } from '@jest/globals';
import { S3Error } from '../../http/s3-error.js';
import { rangeOf, unlessVanished } from './object-reader.js';

describe('a read whose bytes disappear', () => {
  it.each([new DataMissingError('id'), new S3Error('NoSuchKey')])(
    'is retried: %s',
    async (gone) => {
      const read = unlessVanished((attempt) =>
        attempt === 1 ? Promise.reject(gone) : Promise.resolve(attempt),
      );
      expect(await read).toBe(2);
    },
  );

  it('fails after several attempts', async () => {
    const gone = new DataMissingError('id');
    let attempts = 0;
    const read = unlessVanished(() => {
      attempts++;
      return Promise.reject(gone);
    });
    await expect(read).rejects.toBe(gone);
    expect(attempts).toBe(3);
  });

  it('that fails for another reason fails immediately', async () => {
    const denied = new S3Error('AccessDenied');
    let attempts = 0;
    const read = unlessVanished(() => {
      attempts++;
      return Promise.reject(denied);
    });
    await expect(read).rejects.toBe(denied);
    expect(attempts).toBe(1);
  });
});

describe('a range', () => {
  it.each([
    ['bytes=0-3', 10, { first: 0, last: 3 }],
    ['bytes=4-', 10, { first: 4, last: 9 }],
    ['bytes=-4', 10, { first: 6, last: 9 }],
    ['bytes=-40', 10, { first: 0, last: 9 }],
    ['bytes=0-99', 10, { first: 0, last: 9 }],
    ['bytes=9-9', 10, { first: 9, last: 9 }],
    ['bytes = 2 - 3', 10, { first: 2, last: 3 }],
  ])('%s of %i bytes is %j', (header, size, range) => {
    expect(rangeOf(header, size)).toEqual(range);
  });

  it.each([
    undefined,
    '',
    'bytes=',
    'bytes=-',
    'bytes=3-2',
    'bytes=0-1,4-5',
    'items=0-1',
    'bytes=a-b',
  ])('%s selects all bytes', (header) => {
    expect(rangeOf(header, 10)).toBeUndefined();
  });

  it.each([
    ['bytes=10-', 10],
    ['bytes=10-12', 10],
    ['bytes=-0', 10],
    ['bytes=0-', 0],
    ['bytes=-1', 0],
    [`bytes=${'9'.repeat(30)}-`, 10],
  ])('%s of %i bytes is past the end', (header, size) => {
    expect(() => rangeOf(header, size)).toThrow(
      expect.objectContaining({
        code: 'InvalidRange',
        details: { RangeRequested: header, ActualObjectSize: size },
        headers: { 'content-range': `bytes */${size}` },
      }),
    );
  });
});
