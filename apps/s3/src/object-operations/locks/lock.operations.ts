/**
 * Retention and legal holds of objects. Public source: Amazon S3 API reference, GetObjectRetention,
 * PutObjectRetention, GetObjectLegalHold and PutObjectLegalHold.
 */
import { inTransaction } from '@cumulet/common/database/transaction';
import { Feature } from '@cumulet/common/service/feature';
import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { xmlAnswer, type S3Answer } from '../../http/s3-answer.js';
import { S3Error } from '../../http/s3-error.js';
import { malformed } from '../../http/xml.js';
import { ObjectVersions } from '../../objects/object-versions.js';
import { ObjectRepository } from '../../objects/object.repository.js';
import { requireFound, requireObject, type FoundObject } from '../../objects/version-id.js';
import { Handles, type ObjectCall, type Operation } from '../../operations/operation.js';
import { xmlOf } from '../../operations/read-document.js';
import { requireChange, retentionOf, retentionTree, type Retention } from './retention.js';

@Injectable()
@Handles('GetObjectRetention')
export class GetObjectRetention implements Operation<ObjectCall> {
  /** @throws S3Error NoSuchObjectLockConfiguration, and what `requireLockable` throws */
  run(call: ObjectCall): Promise<S3Answer> {
    const object = requireLockable(call);
    if (object.retentionMode === null) throw new S3Error('NoSuchObjectLockConfiguration');
    return Promise.resolve(xmlAnswer('Retention', retentionTree(object)));
  }
}

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

@Injectable()
@Handles('GetObjectLegalHold')
export class GetObjectLegalHold implements Operation<ObjectCall> {
  /** @throws S3Error what `requireLockable` throws */
  run(call: ObjectCall): Promise<S3Answer> {
    const { legalHold } = requireLockable(call);
    return Promise.resolve(xmlAnswer('LegalHold', { Status: legalHold ? 'ON' : 'OFF' }));
  }
}

@Injectable()
@Handles('PutObjectLegalHold')
export class PutObjectLegalHold implements Operation<ObjectCall> {
  constructor(private readonly versions: ObjectVersions) {}

  /** @throws S3Error MalformedXML, and what `requireLockable` throws */
  async run(call: ObjectCall): Promise<S3Answer> {
    const object = requireLockable(call);
    const status = (await xmlOf(call, 'LegalHold')).need('Status').text.trim();
    if (status !== 'ON' && status !== 'OFF')
      throw malformed(`The status of a legal hold is ON or OFF, not ${status}.`);
    const hold = { legalHold: status === 'ON', legalHoldTold: true };
    await this.versions.change(call.ctx, object, hold);
    return {};
  }
}

/**
 * The object that a request about its lock is for.
 *
 * @throws S3Error InvalidRequest if the bucket's objects cannot be locked; NoSuchKey, NoSuchVersion,
 * MethodNotAllowed
 */
function requireLockable(call: ObjectCall): FoundObject {
  if (call.bucket.objectLock) return requireObject(call);
  throw new S3Error('InvalidRequest', { message: 'Bucket is missing Object Lock Configuration' });
}

@Feature({
  providers: [GetObjectLegalHold, GetObjectRetention, PutObjectLegalHold, PutObjectRetention],
})
export class LocksModule {}
