/** Buckets, uploads and parts as repositories' tests make them. */
import { randomUUID } from 'node:crypto';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { DataId } from '@cumulet/storage/stores/byte-store';
import { newId } from '@cumulet/testing/test-tokens';
import { BucketRepository } from '../buckets/bucket.repository.js';
import type { Bucket, BucketId } from '../buckets/bucket.entity.js';
import type { ContentId } from '../content/received.js';
import type { NewPart } from '../content/part.repository.js';
import { NO_PROPERTIES } from '../objects/version-id.js';
import { type Upload, newUploadId } from './upload.entity.js';

export async function newBucket(ctx: RequestContext): Promise<Bucket> {
  const fields = {
    projectId: asId<ProjectId>(newId()),
    name: 'a-bucket',
    region: 'us-east-1',
  } as const;
  const bucket = await new BucketRepository().create(ctx, fields);
  if (!bucket) throw new Error('the bucket was there already');
  return bucket;
}

export function newUpload(bucketId: BucketId, key: string, more: Partial<Upload> = {}): Upload {
  const now = Date.now();
  return {
    id: newUploadId(now),
    bucketId,
    key: Buffer.from(key),
    ownerId: 'owner',
    initiatorId: 'owner',
    initiatedAt: new Date(now),
    checksumAlgorithm: null,
    checksumType: null,
    encryption: null,
    ...NO_PROPERTIES,
    ...more,
  };
}

export function newPart(contentId: ContentId, number: number): NewPart & { dataId: DataId } {
  return {
    contentId,
    number,
    size: 8,
    etag: newId(),
    checksum: null,
    crc64: null,
    encryption: null,
    dataId: asId(randomUUID()),
    inline: null,
  };
}

/** The IDs of loose data among these. */
export async function looseAmong(ctx: RequestContext, ids: readonly DataId[]): Promise<DataId[]> {
  const sql = 'SELECT data_id AS id FROM loose_data WHERE data_id = ANY ($1::uuid[])';
  const rows = await preparedRows<{ readonly id: DataId }>(ctx.manager, sql, [ids]);
  return rows.map(({ id }) => id);
}
