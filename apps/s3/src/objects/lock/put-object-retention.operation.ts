/** Public source: Amazon S3 API reference, PutObjectRetention. */
import { Injectable } from '@nestjs/common';
import { inTransaction } from '@cumulet/common/database/transaction';
import { Access } from '../../access/access.js';
import { xmlOf } from '../../http/read-document.js';
import type { S3Answer } from '../../http/s3-answer.js';
import { Handles } from '../../operations/handles.js';
import type { ObjectCall, Operation } from '../../operations/operation.js';
import { requireFound, type FoundObject } from '../found-object.js';
import { ObjectVersions } from '../object-versions.js';
import { ObjectRepository } from '../object.repository.js';
import { requireLockable } from './lockable-object.js';
import { requireChange, retentionOf, type Retention } from './retention.js';

@Injectable()
@Handles('PutObjectRetention')
export class PutObjectRetention implements Operation<ObjectCall> {
  constructor(
    private readonly objects: ObjectRepository,
    private readonly versions: ObjectVersions,
    private readonly access: Access,
  ) {}

  /** @throws S3Error MalformedXML, InvalidArgument, AccessDenied, and what `requireLockable` throws */
  async run(call: ObjectCall): Promise<S3Answer> {
    const object = requireLockable(call);
    const retention = retentionOf(await xmlOf(call, 'Retention'));
    await this.#change(call, object, retention);
    return {};
  }

  /** Of two who change it at once, the second has to keep to what the first has made of it. */
  async #change(call: ObjectCall, object: FoundObject, retention: Retention): Promise<void> {
    const { bucket, key, ctx, caller } = call;
    const { versionId } = object;
    const bypassGovernance = this.access.bypassesGovernance(caller, call);
    await inTransaction(ctx, async (tx) => {
      const current = await this.objects.findLocked(tx, { bucketId: bucket.id, key, versionId });
      const found = requireFound(current, { key, versionId });
      requireChange(found, retention, bypassGovernance);
      await this.versions.change(tx, found, retention);
    });
  }
}
