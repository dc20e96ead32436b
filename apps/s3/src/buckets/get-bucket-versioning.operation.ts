/** Public source: Amazon S3 API reference, GetBucketVersioning. */
import { Injectable } from '@nestjs/common';
import { xmlAnswer, type S3Answer } from '../http/s3-answer.js';
import { Handles } from '../operations/handles.js';
import type { BucketCall, Operation } from '../operations/operation.js';
import type { Versioning } from './bucket.entity.js';

/** A bucket that has never kept versions says nothing. */
const STATUS: Readonly<Record<Versioning, string | undefined>> = {
  off: undefined,
  enabled: 'Enabled',
  suspended: 'Suspended',
};

@Injectable()
@Handles('GetBucketVersioning')
export class GetBucketVersioning implements Operation<BucketCall> {
  run({ bucket }: BucketCall): Promise<S3Answer> {
    const tree = { Status: STATUS[bucket.versioning] };
    return Promise.resolve(xmlAnswer('VersioningConfiguration', tree));
  }
}
