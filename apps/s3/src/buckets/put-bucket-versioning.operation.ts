/** Public source: Amazon S3 API reference, PutBucketVersioning. */
import { Injectable } from '@nestjs/common';
import { xmlOf } from '../http/read-document.js';
import type { S3Answer } from '../http/s3-answer.js';
import { S3Error } from '../http/s3-error.js';
import { malformed, type XmlElement } from '../http/xml.js';
import { Handles } from '../operations/handles.js';
import type { BucketCall, Operation } from '../operations/operation.js';
import { BucketRepository } from './bucket.repository.js';

const VERSIONING = { Enabled: 'enabled', Suspended: 'suspended' } as const;

@Injectable()
@Handles('PutBucketVersioning')
export class PutBucketVersioning implements Operation<BucketCall> {
  constructor(private readonly buckets: BucketRepository) {}

  /**
   * @throws S3Error InvalidBucketState where objects can be locked, MalformedXML,
   * IllegalVersioningConfigurationException, MissingRequestBodyError, NotImplemented; OperationAborted
   * if the bucket is deleted meanwhile, or made to lock objects
   */
  async run(call: BucketCall): Promise<S3Answer> {
    const { ctx, bucket } = call;
    const versioning = versioningOf(await xmlOf(call, 'VersioningConfiguration'));
    if (await this.buckets.setVersioning(ctx, bucket, versioning)) return {};
    if (!bucket.objectLock) throw new S3Error('OperationAborted');
    throw new S3Error('InvalidBucketState', {
      message:
        'An Object Lock configuration is present on this bucket, so the versioning state cannot be changed.',
    });
  }
}

function versioningOf(document: XmlElement): 'enabled' | 'suspended' {
  const deletion = document.child('MfaDelete')?.text.trim();
  if (deletion === 'Enabled')
    throw new S3Error('NotImplemented', {
      message: 'MFA delete is not implemented: users have no devices for it.',
    });
  if (deletion !== undefined && deletion !== 'Disabled')
    throw malformed(`MfaDelete is ${deletion}, which is neither Enabled nor Disabled.`);
  const status = document.child('Status')?.text.trim();
  if (status === undefined)
    throw new S3Error('IllegalVersioningConfigurationException', {
      message: 'The versioning configuration has no Status.',
    });
  if (status === 'Enabled' || status === 'Suspended') return VERSIONING[status];
  throw malformed(`Status is ${status}, which is neither Enabled nor Suspended.`);
}
