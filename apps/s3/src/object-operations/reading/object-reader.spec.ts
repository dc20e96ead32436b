import { DataMissingError } from '@cumulet/storage/stores/store.errors';
import { describe, expect, it } from '@jest/globals';
import { S3Error } from '../../http/s3-error.js';
import { unlessVanished } from './object-reader.js';

describe('a read whose bytes vanish', () => {
  it.each([new DataMissingError('id'), new S3Error('NoSuchKey')])(
    'looks again: %s',
    async (gone) => {
      const read = unlessVanished((attempt) =>
        attempt === 1 ? Promise.reject(gone) : Promise.resolve(attempt),
      );
      expect(await read).toBe(2);
    },
  );

  it('gives up in the end', async () => {
    const gone = new DataMissingError('id');
    let attempts = 0;
    const read = unlessVanished(() => {
      attempts++;
      return Promise.reject(gone);
    });
    await expect(read).rejects.toBe(gone);
    expect(attempts).toBe(3);
  });

  it('that fails otherwise fails at once', async () => {
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
