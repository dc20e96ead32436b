/**
 * The rows of buckets.
 *
 * Always holds: the versions of a bucket whose objects can be locked are kept (a CHECK); a bucket
 * that is deleted leaves no version, upload or part behind.
 */
import { Injectable } from '@nestjs/common';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows, selectRow, selectRows, shapeOf } from '@cumulet/common/database/rows';
import { randomUUID } from 'node:crypto';
import type { Acl } from './acl.js';
import {
  type ConfigurationKind,
  type Configurations,
  Bucket,
  type BucketId,
  type Versioning,
} from './bucket.entity.js';

export interface NewBucket {
  readonly projectId: ProjectId;
  readonly name: string;
  readonly region: string;
  /** Versioning is then enabled from the beginning. */
  readonly objectLock?: boolean;
  readonly acl?: Acl | null;
  readonly configurations?: Configurations;
}

export interface BucketsAsked {
  readonly prefix: string;
  /** Only buckets whose names sort behind this one. */
  readonly after: string;
  readonly region: string | undefined;
  readonly limit: number;
}

@Injectable()
export class BucketRepository {
  /** @returns undefined if the project has one of this name */
  async create(ctx: RequestContext, bucket: NewBucket): Promise<Bucket | undefined> {
    const { projectId, name, region, objectLock = false, acl = null, configurations = {} } = bucket;
    const { columns } = shapeOf(ctx.manager, Bucket);
    const [created] = await preparedRows<Bucket>(
      ctx.manager,
      `INSERT INTO buckets (id, project_id, name, region, versioning, object_lock, acl, configurations)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (project_id, name) DO NOTHING
       RETURNING ${columns}`,
      [
        asId<BucketId>(randomUUID()),
        projectId,
        name,
        region,
        objectLock ? 'enabled' : 'off',
        objectLock,
        acl && JSON.stringify(acl),
        JSON.stringify(configurations),
      ],
    );
    return created;
  }

  /** Whether the project has one of this name. */
  async has(
    ctx: RequestContext,
    { projectId, name }: Pick<NewBucket, 'projectId' | 'name'>,
  ): Promise<boolean> {
    const sql = 'SELECT FROM buckets WHERE project_id = $1 AND name = $2';
    return (await preparedRows(ctx.manager, sql, [projectId, name])).length > 0;
  }

  /**
   * Waits until nobody else creates a bucket of this name, in whichever project, and keeps others
   * from it until the transaction ends.
   * @returns the one that there is
   */
  async claimName(tx: RequestContext, name: string): Promise<Bucket | undefined> {
    await preparedRows(tx.manager, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `bucket ${name}`,
    ]);
    return selectRow(tx.manager, Bucket, 'WHERE name = $1', [name]);
  }

  list(
    ctx: RequestContext,
    projectId: ProjectId,
    { prefix, after, region, limit }: BucketsAsked,
  ): Promise<Bucket[]> {
    return selectRows(
      ctx.manager,
      Bucket,
      `WHERE project_id = $1 AND name > $2 AND starts_with(name, $3)
         AND ($4::text IS NULL OR region = $4)
       ORDER BY name LIMIT $5`,
      [projectId, after, prefix, region ?? null, limit],
    );
  }

  /** Stores the configuration of this kind, beside the others. @param value null removes it */
  async configure<Kind extends ConfigurationKind>(
    ctx: RequestContext,
    { id }: Pick<Bucket, 'id'>,
    kind: Kind,
    value: NonNullable<Configurations[Kind]> | null,
  ): Promise<boolean> {
    const rows = await preparedRows(
      ctx.manager,
      `UPDATE buckets SET configurations = configurations - $2::text
         || CASE WHEN $3::jsonb IS NULL THEN '{}' ELSE jsonb_build_object($2::text, $3::jsonb) END
        WHERE id = $1 RETURNING id`,
      [id, kind, value === null ? null : JSON.stringify(value)],
    );
    return rows.length === 1;
  }

  /** @returns false if it is gone, or if object lock requires versioning */
  async setVersioning(
    ctx: RequestContext,
    { id }: Pick<Bucket, 'id'>,
    versioning: Exclude<Versioning, 'off'>,
  ): Promise<boolean> {
    const rows = await preparedRows(
      ctx.manager,
      `UPDATE buckets SET versioning = $2
        WHERE id = $1 AND (NOT object_lock OR $2 = 'enabled') RETURNING id`,
      [id, versioning],
    );
    return rows.length === 1;
  }

  /** @returns false if it is gone, or versioning is not enabled */
  async enableObjectLock(ctx: RequestContext, { id }: Pick<Bucket, 'id'>): Promise<boolean> {
    const rows = await preparedRows(
      ctx.manager,
      `UPDATE buckets SET object_lock = true
        WHERE id = $1 AND versioning = 'enabled' RETURNING id`,
      [id],
    );
    return rows.length === 1;
  }

  /** @returns whether the bucket still exists */
  async setAcl(ctx: RequestContext, { id }: Pick<Bucket, 'id'>, acl: Acl | null): Promise<boolean> {
    const rows = await preparedRows(
      ctx.manager,
      'UPDATE buckets SET acl = $2 WHERE id = $1 RETURNING id',
      [id, acl && JSON.stringify(acl)],
    );
    return rows.length === 1;
  }

  /**
   * Deletes a bucket without versions, and its uploads. Concurrent writers wait, and then find no
   * bucket.
   * @returns false if it has versions: then the transaction must not be committed
   */
  async delete(tx: RequestContext, { id }: Pick<Bucket, 'id'>): Promise<boolean> {
    const run = (sql: string): Promise<object[]> => preparedRows(tx.manager, sql, [id]);
    const version = 'SELECT FROM objects WHERE bucket_id = $1 LIMIT 1';
    if ((await run(version)).length > 0) return false;
    // Before the bucket is locked, as completing an upload locks the upload and then the bucket.
    await run('DELETE FROM uploads WHERE bucket_id = $1');
    await run('SELECT FROM buckets WHERE id = $1 FOR UPDATE');
    if ((await run(version)).length > 0) return false;
    await run('DELETE FROM buckets WHERE id = $1');
    return true;
  }
}
