/** The settings of the S3 service, read from the environment once. */
import { oldSecretKeys, secretKey } from '@cumulet/common/config/secret-key';
import {
  choice,
  drawnKey,
  integer,
  networks,
  optional,
  text,
  type Values,
} from '@cumulet/common/config/settings';
import { identitySettings, serviceSettings } from '@cumulet/common/service/service-settings';
import { storeSettings } from '@cumulet/storage/stores/store-settings';

/** Names the content of the store in its errors. */
export const HELD = 'object';

const NAMESPACES = ['project', 'global'] as const;

export const s3Settings = {
  ...serviceSettings('S3', 9000),
  ...identitySettings(),
  domains: text('S3_DOMAINS', {
    about:
      'Host names of the service, separated by commas. In the host of a request, what precedes one of them is the bucket.',
    default: 'localhost',
  }),
  websiteDomains: text('S3_WEBSITE_DOMAINS', {
    about:
      'Host names below which buckets are served as websites, separated by commas. Without any, website configurations are kept but not served.',
    default: '',
  }),
  region: text('S3_REGION', {
    about: 'The region of buckets that are created without one.',
    default: 'us-east-1',
  }),
  namespace: choice('S3_BUCKET_NAMESPACE', NAMESPACES, {
    about:
      'Whether bucket names are unique within a project (project) or across all projects (global), where a taken name is refused as Amazon does.',
    default: 'project',
  }),
  ...storeSettings('S3', { holds: HELD, s3Prefix: 'S3_UPSTREAM', folder: 's3' }),
  scrubSeconds: integer('S3_SCRUB_SECONDS', {
    about:
      'Seconds between the starts of two runs that compare all stored bytes of objects with their checksums.',
    default: 7 * 24 * 3_600,
    min: 1,
    max: 1_000_000_000,
  }),
  scrubBytesPerSecond: integer('S3_SCRUB_BYTES_PER_SECOND', {
    about: 'Bytes per second that the service reads for this comparison; 0 disables it.',
    default: 20 * 1024 * 1024,
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
  }),
  lifecycleDaySeconds: integer('S3_LIFECYCLE_DAY_SECONDS', {
    about:
      'Length of a day for lifecycle rules, in seconds. Less than 86400 is for tests of clients: objects are deleted that much sooner.',
    default: 86_400,
    min: 1,
    max: 86_400,
  }),
  accessLogSeconds: integer('S3_ACCESS_LOG_SECONDS', {
    about: 'Seconds between two deliveries of the access logs of buckets.',
    default: 300,
    min: 1,
    max: 86_400,
  }),
  webhookNetworks: optional(
    networks('S3_WEBHOOK_NETWORKS', {
      about: 'Non-public addresses and networks that bucket notifications may be posted to.',
    }),
  ),
  secretKey: drawnKey(
    secretKey('S3_SECRET_KEY', {
      about:
        'Key that seals the keys of encrypted objects: 32 random bytes, as 64 hexadecimal digits or in base64. If it is lost, so are these objects.',
    }),
  ),
  oldSecretKeys: oldSecretKeys('S3'),
  bucketQuota: quota('S3_QUOTA_BUCKETS', 'Buckets that a project may have', 1_000),
  objectQuota: quota(
    'S3_QUOTA_OBJECTS',
    'Objects that a project may have; each version counts',
    -1,
  ),
  bytesQuota: quota('S3_QUOTA_BYTES', 'Bytes that the objects of a project may have', -1),
  answerWithinSeconds: integer('S3_ANSWER_WITHIN_SECONDS', {
    about:
      'Seconds after which a copy or the completion of an upload is answered with 200 while it still runs. White space follows twice as often, and finally the result or the error.',
    default: 10,
    min: 1,
    max: 3_600,
  }),
  stallSeconds: integer('S3_STALL_SECONDS', {
    about: 'Seconds without data from its client after which an upload is aborted.',
    default: 60,
    min: 1,
    max: 3_600,
  }),
};

export type S3Config = Values<typeof s3Settings>;

function quota(env: string, about: string, standard: number): ReturnType<typeof integer> {
  return integer(env, {
    about: `${about}; -1 means unlimited.`,
    default: standard,
    min: -1,
    max: Number.MAX_SAFE_INTEGER,
  });
}
