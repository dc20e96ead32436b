import { DataMissingError } from '@cumulet/storage/stores/store.errors';
import { describe, expect, it } from '@jest/globals';
import { S3Error } from '../../http/s3-error.js';
import type { StoredObject } from '../../objects/object.entity.js';
import type { ObjectCall } from '../../operations/operation.js';
import { GetObject } from './get-object.operations.js';

function objectOf(etag: string): StoredObject {
  return { contentId: etag, etag, isDeleteMarker: false } as never;
}

/** Finds `now` when it looks again; only the bytes of `now` are there. */
function getting(now: StoredObject | undefined, isDenied = false): Promise<unknown> {
  const reader = {
    answer: ({ object }: ObjectCall) =>
      Promise.resolve({ object, slice: { status: 200, headers: {} }, headers: {} }),
  };
  const content = {
    open: (_: unknown, { etag }: StoredObject) =>
      etag === now?.etag ? Promise.resolve(etag) : Promise.reject(new DataMissingError(etag)),
  };
  const access = {
    require: () => (isDenied ? Promise.reject(new S3Error('AccessDenied')) : Promise.resolve()),
  };
  const objects = { find: () => Promise.resolve(now) };
  const operation = new GetObject(
    reader as never,
    content as never,
    objects as never,
    access as never,
  );
  const call = { bucket: {}, request: { query: new Map() }, key: 'k', object: objectOf('old') };
  return operation.run(call as never);
}

describe('an object that is overwritten just before it is read', () => {
  it('is read in its new version', async () => {
    expect(await getting(objectOf('new'))).toMatchObject({ body: 'new' });
  });

  it('is denied to those who may not read the new version', async () => {
    await expect(getting(objectOf('new'), true)).rejects.toMatchObject({ code: 'AccessDenied' });
  });
});
