/** Makes an object of bytes that have been received, or gives these up. */
import { inTransaction } from '@cumulet/common/database/transaction';
import { Injectable } from '@nestjs/common';
import { ContentWriter } from '../../content/content-writer.js';
import type { Received } from '../../content/received.js';
import { repeated } from '../../objects/collisions.js';
import type { WriteConditions } from '../../objects/conditions.js';
import { ObjectVersions } from '../../objects/object-versions.js';
import type { StoredObject } from '../../objects/object.entity.js';
import type { BucketCall } from '../../operations/operation.js';
import { StorageQuotas } from '../../usage/storage-quotas.js';
import type { ObjectProperties } from '../../objects/new-version.js';

export interface WrittenObject {
  readonly key: string;
  /** The project that owns it. */
  readonly ownerId: string;
  readonly properties: ObjectProperties;
  readonly conditions: WriteConditions;
  readonly createdBy: 'Put' | 'Post' | 'Copy';
}

@Injectable()
export class ObjectWriter {
  constructor(
    private readonly content: ContentWriter,
    private readonly versions: ObjectVersions,
    private readonly quotas: StorageQuotas,
  ) {}

  /**
   * @throws S3Error as `ObjectVersions.publish` does, and as `StorageQuotas.within`; then nothing of
   * what was received is kept
   */
  async write(
    { ctx, bucket }: Pick<BucketCall, 'ctx' | 'bucket'>,
    received: Received,
    { key, ownerId, properties, conditions, createdBy }: WrittenObject,
  ): Promise<StoredObject> {
    const content = { ...received, partCount: null };
    const object = { ...properties, key, ownerId, content, createdBy };
    const added = { objects: 1, bytes: received.size };
    try {
      return await this.quotas.within(ctx, bucket.projectId, added, (within) => {
        if (received.dataId === null)
          return this.versions.publish(within, bucket, object, conditions);
        return repeated(within, () =>
          inTransaction(within, async (tx) => {
            await this.content.keep(tx, received);
            return this.versions.publish(tx, bucket, object, conditions);
          }),
        );
      });
    } catch (error) {
      await this.content.drop(ctx, received);
      throw error;
    }
  }
}
