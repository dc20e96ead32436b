/** Access logs of a bucket: none are written. Public source: Amazon S3 API reference, "PutBucketLogging". */
import { S3Error } from '../http/s3-error.js';
import { requireOnly } from '../http/xml-values.js';
import type { ConfigurationPage } from './configuration-page.js';

export const LOGGING: ConfigurationPage<'logging'> = {
  kind: 'logging',
  root: 'BucketLoggingStatus',
  operations: { get: 'GetBucketLogging', put: 'PutBucketLogging' },
  absent: { shown: {} },

  parse(document) {
    requireOnly(document, ['LoggingEnabled']);
    if (!document.child('LoggingEnabled')) return null;
    throw new S3Error('NotImplemented', {
      message: 'PutBucketLogging can only switch off logging: access logs are not implemented.',
    });
  },

  show: ({ bucket, prefix }) => ({
    LoggingEnabled: { TargetBucket: bucket, TargetPrefix: prefix },
  }),
};
