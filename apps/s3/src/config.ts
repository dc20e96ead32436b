/** The settings of the S3 service, read from the environment once. */
import { secretKey, secretKeys } from '@cumulet/common/config/secret-key';
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

/** What the store's bytes are of, as its errors name it. */
export const HELD = 'object';

/** Whom a bucket's name is unique for. */
const NAMESPACES = ['project', 'global'] as const;

export const s3Settings = {
  ...serviceSettings('S3', 9000),
  ...identitySettings(),
  domains: text('S3_DOMAINS', {
    about:
      'Host names of the service, separated by commas: what stands before one of them in a host is a bucket.',
    default: 'localhost',
  }),
  websiteDomains: text('S3_WEBSITE_DOMAINS', {
    about:
      'Host names below which buckets are websites, separated by commas. Without any, configurations of websites are kept, but none is served.',
    default: '',
  }),
  region: text('S3_REGION', {
    about: 'The region of buckets whose creator names none.',
    default: 'us-east-1',
  }),
  namespace: choice('S3_BUCKET_NAMESPACE', NAMESPACES, {
    about:
      "Whether each project has its own names of buckets (project), or all share them and a name that is taken answers as Amazon's does (global).",
    default: 'project',
  }),
  ...storeSettings('S3', { holds: HELD, s3Prefix: 'S3_UPSTREAM', folder: 's3' }),
  scrubSeconds: integer('S3_SCRUB_SECONDS', {
    about:
      'Seconds between the beginnings of two comparisons of all stored bytes of objects with their checksums.',
    default: 7 * 24 * 3_600,
    min: 1,
    max: 1_000_000_000,
  }),
  scrubBytesPerSecond: integer('S3_SCRUB_BYTES_PER_SECOND', {
    about: 'Bytes a second that the service reads to compare stored bytes; 0 compares none.',
    default: 20 * 1024 * 1024,
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
  }),
  lifecycleDaySeconds: integer('S3_LIFECYCLE_DAY_SECONDS', {
    about:
      'Length of a day for lifecycle rules, in seconds. Less than 86400 lets tests of clients see days pass: objects are deleted that much sooner.',
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
      about:
        'Addresses and networks that are not public and that notifications of buckets may be posted to nevertheless.',
    }),
  ),
  secretKey: drawnKey(
    secretKey('S3_SECRET_KEY', {
      about:
        'Key under which the keys of encrypted objects are sealed: 32 random bytes, as 64 hexadecimal digits or in base64. Without it they are lost.',
    }),
  ),
  oldSecretKeys: optional(
    secretKeys('S3_OLD_SECRET_KEYS', {
      about:
        'Keys that S3_SECRET_KEY has replaced: objects from before are read with them, for as long as there are any.',
    }),
  ),
  bucketQuota: quota('S3_QUOTA_BUCKETS', 'Buckets that a project may have', 1_000),
  objectQuota: quota(
    'S3_QUOTA_OBJECTS',
    'Objects that a project may have, each version of them',
    -1,
  ),
  bytesQuota: quota('S3_QUOTA_BYTES', 'Bytes that the objects of a project may have', -1),
  answerWithinSeconds: integer('S3_ANSWER_WITHIN_SECONDS', {
    about:
      'Seconds after which a copy, or an upload that is completed, is answered with 200 while it still goes on. White space follows twice as often, and then the result, or what it failed with.',
    default: 10,
    min: 1,
    max: 3_600,
  }),
  stallSeconds: integer('S3_STALL_SECONDS', {
    about: 'Seconds after which an upload is ended whose client sends nothing.',
    default: 60,
    min: 1,
    max: 3_600,
  }),
};

export type S3Config = Values<typeof s3Settings>;

function quota(env: string, about: string, standard: number): ReturnType<typeof integer> {
  return integer(env, {
    about: `${about}; -1 is without limit.`,
    default: standard,
    min: -1,
    max: Number.MAX_SAFE_INTEGER,
  });
}
