import { describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { createLogger } from '@cumulet/common/observe/logger';
import { eventually } from '@cumulet/testing/settle';
import { UploadLostError } from '../images/image.errors.js';
import { newDataId } from '../store/data-id.js';
import { UploadLease } from './upload-lease.js';
import type { UploadRepository } from './upload.repository.js';

const ctx = RequestContext.system('req-test', undefined as never);
const upload = { kind: 'data', imageId: asId<never>('image'), dataId: newDataId() } as const;

function aLease(progress: () => Promise<void>, onLost: (error: Error) => void): UploadLease {
  const uploads = { progress } as unknown as UploadRepository;
  return new UploadLease(uploads, ctx, upload, createLogger('test', 'silent'), onLost, 1);
}

describe('UploadLease', () => {
  it('renews until it is ended', async () => {
    let renewed = 0;
    const lease = aLease(
      () => Promise.resolve(void (renewed += 1)),
      () => undefined,
    );
    await eventually('it was renewed twice', () => renewed >= 2);
    lease.end();
  });

  it('tells once the upload is lost', async () => {
    const lost: Error[] = [];
    const lease = aLease(
      () => Promise.reject(new UploadLostError('image')),
      (error) => lost.push(error),
    );
    await eventually('the loss was told', () => lost.length > 0);
    lease.end();
    expect(lost[0]).toBeInstanceOf(UploadLostError);
  });

  it('goes on after a renewal that failed', async () => {
    let tries = 0;
    const lost: Error[] = [];
    const lease = aLease(
      () => Promise.reject(new Error(`database away, try ${(tries += 1)}`)),
      (error) => lost.push(error),
    );
    await eventually('it was tried again', () => tries >= 2);
    lease.end();
    expect(lost).toEqual([]);
  });
});
