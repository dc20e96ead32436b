import { describe, expect, it } from '@jest/globals';
import { RequestContext } from '@cumulet/common/context/request-context';
import { createLogger } from '@cumulet/common/observe/logger';
import { RowGoneError } from '@cumulet/common/states/transition';
import { eventually } from '@cumulet/testing/settle';
import { UploadLease } from './upload-lease.js';

const ctx = RequestContext.system('req-test', undefined as never);

function aLease(progress: () => Promise<void>, onLost: (error: Error) => void): UploadLease {
  return new UploadLease(ctx, progress, onLost, createLogger('test', 'silent'), 1);
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

  it('reports once that the upload is lost', async () => {
    const lost: Error[] = [];
    const lease = aLease(
      () => Promise.reject(new RowGoneError('image', 'one')),
      (error) => lost.push(error),
    );
    await eventually('the loss was told', () => lost.length > 0);
    lease.end();
    expect(lost[0]).toBeInstanceOf(RowGoneError);
  });

  it('continues after a failed renewal', async () => {
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
