/** Writers of one key that come into each other's way: all but one try again. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import {
  hasSqlState,
  violatesForeignKey,
  violatesUnique,
} from '@cumulet/common/database/violations';
import { S3Error } from '../http/s3-error.js';

const MAX_ATTEMPTS = 16;
const DEADLOCK = '40P01';
const LATEST = ['objects_latest', 'objects_pkey'];

/**
 * Inside an open transaction it tries once: that is lost with the statement, so whoever has opened
 * it calls this around the whole of it.
 * @param work gets which attempt it is, from 1
 * @throws S3Error SlowDown after too many attempts; NoSuchBucket if the bucket has gone meanwhile
 */
export async function repeated<T>(
  ctx: RequestContext,
  work: (attempt: number) => Promise<T>,
): Promise<T> {
  const isLost = isInTransaction(ctx);
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (violatesForeignKey(error, 'objects_bucket_id_fkey'))
        throw new S3Error('NoSuchBucket', { cause: error });
      if (isLost || !isCollision(error)) throw error;
      if (attempt === MAX_ATTEMPTS) throw new S3Error('SlowDown', { cause: error });
    }
  }
}

export function isInTransaction(ctx: RequestContext): boolean {
  return ctx.manager.queryRunner?.isTransactionActive ?? false;
}

function isCollision(error: unknown): boolean {
  return LATEST.some((name) => violatesUnique(error, name)) || hasSqlState(error, DEADLOCK);
}
