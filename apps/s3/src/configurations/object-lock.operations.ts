/**
 * Whether and how the objects of a bucket are locked by default. Public source: Amazon S3 API
 * reference, "GetObjectLockConfiguration" and "PutObjectLockConfiguration".
 */
import { inTransaction } from '@cumulet/common/database/transaction';
import { BucketRepository } from '../buckets/bucket.repository.js';
import type { DefaultRetention } from '../buckets/bucket.entity.js';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import { S3Error } from '../http/s3-error.js';
import {
  choiceOf,
  integerOf,
  malformed,
  requireOnly,
  type XmlElement,
  type XmlTree,
} from '../http/xml.js';
import { Handles, type BucketCall, type Operation } from '../operations/operation.js';
import { xmlOf } from '../operations/read-document.js';

@Handles('GetObjectLockConfiguration')
export class GetObjectLockConfiguration implements Operation<BucketCall> {
  run({ bucket }: BucketCall): Promise<S3Answer> {
    const { name, objectLock, configurations } = bucket;
    if (!objectLock) {
      const details = { BucketName: name };
      throw new S3Error('ObjectLockConfigurationNotFoundError', { details });
    }
    const tree = showObjectLock(configurations.objectLock);
    return Promise.resolve(xmlAnswer('ObjectLockConfiguration', tree));
  }
}

/**
 * Lets the objects of a bucket be locked, for good, and says how they are by default. Public source:
 * Amazon S3 API reference, "PutObjectLockConfiguration".
 */
@Handles('PutObjectLockConfiguration')
export class PutObjectLockConfiguration implements Operation<BucketCall> {
  constructor(private readonly buckets: BucketRepository) {}

  async run(call: BucketCall): Promise<S3Answer> {
    const { ctx, bucket } = call;
    const retention = defaultRetentionOf(await xmlOf(call, 'ObjectLockConfiguration'));
    await inTransaction(ctx, async (tx) => {
      if (!(await this.buckets.enableObjectLock(tx, bucket))) {
        throw new S3Error('InvalidBucketState', {
          message: `Versioning must be 'Enabled' on the bucket ${bucket.name} to apply an Object Lock configuration.`,
        });
      }
      await this.buckets.configure(tx, bucket, 'objectLock', retention);
    });
    return {};
  }
}

const MAX_YEARS = 100;
const MAX_DAYS = 36_500;

/**
 * The default retention of a bucket, in XML. Pure.
 * @param document an ObjectLockConfiguration
 * @returns null for one without a rule
 * @throws S3Error MalformedXML, InvalidRetentionPeriod
 */
export function defaultRetentionOf(document: XmlElement): DefaultRetention | null {
  requireOnly(document, ['ObjectLockEnabled', 'Rule']);
  choiceOf(document.need('ObjectLockEnabled'), ['Enabled']);
  const rule = document.child('Rule');
  if (!rule) return null;
  const retention = rule.need('DefaultRetention');
  const mode = choiceOf(retention.need('Mode'), ['GOVERNANCE', 'COMPLIANCE']);
  const [days, years] = [retention.child('Days'), retention.child('Years')];
  if ((days === undefined) === (years === undefined))
    throw malformed('DefaultRetention must have one of Days and Years.');
  return days === undefined
    ? { mode, years: periodOf(years, MAX_YEARS) }
    : { mode, days: periodOf(days, MAX_DAYS) };
}

export function showObjectLock(retention: DefaultRetention | undefined): XmlTree {
  return {
    ObjectLockEnabled: 'Enabled',
    Rule: retention && {
      DefaultRetention: { Mode: retention.mode, Days: retention.days, Years: retention.years },
    },
  };
}

function periodOf(element: XmlElement | undefined, max: number): number {
  const value = element === undefined ? 0 : integerOf(element);
  if (value >= 1 && value <= max) return value;
  const name = element?.name ?? 'Days';
  throw new S3Error('InvalidRetentionPeriod', {
    message: `The default retention period must be from 1 to ${max} ${name.toLowerCase()}, and not ${value}.`,
  });
}
