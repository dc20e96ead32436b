/**
 * The default encryption of a bucket. Public source: Amazon S3 API reference, "PutBucketEncryption".
 */
import type { DefaultEncryption } from '../buckets/bucket.entity.js';
import { S3Error } from '../http/s3-error.js';
import { booleanOf, choiceOf, malformed, requireOnly, type XmlElement } from '../http/xml.js';
import type { ConfigurationPage } from './configuration.operations.js';

const ALGORITHMS = ['AES256', 'aws:kms', 'aws:kms:dsse'] as const;

export const ENCRYPTION: ConfigurationPage<'encryption'> = {
  kind: 'encryption',
  root: 'ServerSideEncryptionConfiguration',
  operations: {
    get: 'GetBucketEncryption',
    put: 'PutBucketEncryption',
    delete: 'DeleteBucketEncryption',
  },
  absent: 'ServerSideEncryptionConfigurationNotFoundError',

  parse(document) {
    requireOnly(document, ['Rule']);
    return ruleOf(document.need('Rule'));
  },

  show: ({ algorithm, kmsKeyId, hasBucketKey = false }) => ({
    Rule: {
      ApplyServerSideEncryptionByDefault: { SSEAlgorithm: algorithm, KMSMasterKeyID: kmsKeyId },
      BucketKeyEnabled: hasBucketKey,
    },
  }),
};

function ruleOf(rule: XmlElement): DefaultEncryption {
  const applied = rule.need('ApplyServerSideEncryptionByDefault');
  const algorithm = choiceOf(applied.need('SSEAlgorithm'), ALGORITHMS);
  const kmsKeyId = applied.child('KMSMasterKeyID')?.text;
  const bucketKey = rule.child('BucketKeyEnabled');
  if (kmsKeyId !== undefined && algorithm === 'AES256') {
    throw new S3Error('InvalidArgument', {
      message: 'A KMSMasterKeyID is not applicable if the default sse algorithm is not aws:kms.',
    });
  }
  if (kmsKeyId === '') throw malformed('KMSMasterKeyID is empty.');
  return {
    algorithm,
    ...(kmsKeyId === undefined ? {} : { kmsKeyId }),
    ...(bucketKey === undefined ? {} : { hasBucketKey: booleanOf(bucketKey) }),
  };
}
