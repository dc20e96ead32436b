/** The bucket and the object that a request names, by one statement. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows, selectRow, shapeOf } from '@cumulet/common/database/rows';
import { Bucket } from '../buckets/bucket.entity.js';
import type { CorsRule } from '../configurations/cors/cors-rule.js';
import { StoredObject } from '../objects/object.entity.js';

/** Buckets of one name that a preflight may be for. */
const MAX_NAMESAKES = 1000;

/** What a bucket is found by. */
export interface BucketName {
  readonly name: string;
  /** Undefined where all projects share their names. */
  readonly projectId: string | undefined;
}

export interface ObjectName {
  readonly key: string;
  /** Undefined for the latest version. */
  readonly versionId: string | undefined;
  /** Whether bytes that are in its row are read as well. */
  readonly hasBytes: boolean;
}

export interface Target {
  readonly bucket: Bucket;
  /** Undefined if there is none, or if none was asked for. */
  readonly object: StoredObject | undefined;
}

@Injectable()
export class TargetRepository {
  async findBucket(
    ctx: RequestContext,
    { name, projectId }: BucketName,
  ): Promise<Bucket | undefined> {
    const [where, params] =
      projectId === undefined
        ? ['WHERE name = $1', [name]]
        : ['WHERE name = $1 AND project_id = $2', [name, projectId]];
    return selectRow(ctx.manager, Bucket, where, params);
  }

  /** Of all buckets of a name, in whichever project, unless it is said in which. */
  async findCorsRules(
    ctx: RequestContext,
    { name, projectId }: BucketName,
  ): Promise<(readonly CorsRule[])[]> {
    const rows = await preparedRows<{ readonly cors: readonly CorsRule[] }>(
      ctx.manager,
      `SELECT configurations->'cors' AS cors FROM buckets
        WHERE name = $1 AND ($2::text IS NULL OR project_id = $2) AND configurations ? 'cors'
        LIMIT ${MAX_NAMESAKES}`,
      [name, projectId ?? null],
    );
    return rows.map(({ cors }) => cors);
  }

  async find(
    ctx: RequestContext,
    of: BucketName,
    { key, versionId, hasBytes }: ObjectName,
  ): Promise<Target | undefined> {
    const { name, projectId } = of;
    const objects = shapeOf(ctx.manager, StoredObject);
    const buckets = shapeOf(ctx.manager, Bucket);
    const version = versionId === undefined ? 'objects.is_latest' : 'objects.version_id = $3';
    const project =
      projectId === undefined ? '' : `AND buckets.project_id = $${versionId === undefined ? 3 : 4}`;
    const bytes = hasBytes ? ', objects.inline AS object_inline' : '';
    const [row] = await preparedRows<Record<string, unknown>>(
      ctx.manager,
      `SELECT ${prefixed(buckets.columns, 'bucket_')}, ${prefixed(objects.columns, 'object_')} ${bytes}
         FROM buckets LEFT JOIN objects
           ON objects.bucket_id = buckets.id AND objects.key = $2 AND ${version}
        WHERE buckets.name = $1 ${project}`,
      [
        name,
        Buffer.from(key),
        ...(versionId === undefined ? [] : [versionId]),
        ...(projectId === undefined ? [] : [projectId]),
      ],
    );
    if (!row) return undefined;
    const object = part(row, 'object_');
    return {
      bucket: part(row, 'bucket_') as unknown as Bucket,
      object: object['bucketId'] === null ? undefined : (object as unknown as StoredObject),
    };
  }
}

/** Columns under names that do not clash: `"buckets"."id" AS "bucket_id"`. */
function prefixed(columns: string, prefix: string): string {
  return columns.replaceAll(' AS "', ` AS "${prefix}`);
}

function part(row: Readonly<Record<string, unknown>>, prefix: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
    ),
  );
}
