/** The bucket and the object that a request names, read by one statement. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows, selectRow, shapeOf } from '@cumulet/common/database/rows';
import { isStorable } from '@cumulet/common/database/storable';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller.js';
import { Bucket } from '../buckets/bucket.entity.js';
import type { CorsRule } from '../buckets/cors-rules.js';
import type { S3Config } from '../config.js';
import type { NamedBucket } from '../http/s3-request.js';
import { S3Error } from '../http/s3-error.js';
import { StoredObject } from '../objects/object.entity.js';

/** Buckets of one name that are considered for a preflight. */
const MAX_NAMESAKES = 1000;

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

  /** The rules of all buckets of a name, in any project unless it is given. */
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

/**
 * The project of the bucket that a request names. Pure.
 * @throws S3Error AccessDenied if nobody says whose bucket it is; NoSuchBucket for what is no name
 */
export function bucketNameOf(
  { name, projectId }: NamedBucket,
  caller: Caller,
  { namespace }: Pick<S3Config, 'namespace'>,
): BucketName {
  if (!isStorable(name) || !isStorable(projectId ?? '')) throw noSuchBucket(name);
  if (projectId !== undefined) return { name, projectId };
  if (namespace === 'global') return { name, projectId: undefined };
  if (caller.kind === 'signed') return { name, projectId: caller.projectId };
  throw new S3Error('AccessDenied', {
    message:
      'A request without a signature names the project of its bucket: {project_id}:{bucket} in the path, or {bucket}.{project_id} before the host.',
  });
}

export function noSuchBucket(name: string): S3Error {
  return new S3Error('NoSuchBucket', { details: { BucketName: name } });
}
