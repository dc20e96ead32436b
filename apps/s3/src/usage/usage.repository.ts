import { Injectable } from '@nestjs/common';
import type { ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { BucketId } from '../buckets/bucket.entity.js';

/** All versions count, delete markers do not. */
export interface StorageUsage {
  readonly objects: number;
  readonly bytes: number;
}

export interface UsageOfBucket extends StorageUsage {
  readonly projectId: ProjectId;
  readonly name: string;
}

const NOTHING: StorageUsage = { objects: 0, bytes: 0 };
const SUMS = `
  COALESCE(sum(objects), 0)::float8 AS objects, COALESCE(sum(bytes), 0)::float8 AS bytes`;

@Injectable()
export class UsageRepository {
  async ofBucket(ctx: RequestContext, id: BucketId): Promise<StorageUsage> {
    const [sums = NOTHING] = await preparedRows<StorageUsage>(
      ctx.manager,
      `SELECT ${SUMS} FROM bucket_usage WHERE bucket_id = $1`,
      [id],
    );
    return sums;
  }

  /** By project and name. @param projectId undefined for all projects */
  ofBuckets(ctx: RequestContext, projectId: ProjectId | undefined): Promise<UsageOfBucket[]> {
    return preparedRows(
      ctx.manager,
      `SELECT project_id AS "projectId", name, ${SUMS}
         FROM buckets LEFT JOIN bucket_usage ON bucket_id = id
        WHERE $1::text IS NULL OR project_id = $1
        GROUP BY id ORDER BY project_id, name`,
      [projectId ?? null],
    );
  }
}
