/**
 * What can be configured for a bucket, besides what has columns of its own. They stand together in
 * the bucket's row: each request reads the bucket by one statement.
 *
 * Always holds: what is stored has been validated, and is shown as it was sent. Dates are ISO texts.
 */
import type { Grant } from './acl.js';
import type { CorsRule } from './cors-rules.js';
import type { LifecycleRule } from './lifecycle-rules.js';

/** A kind that is not configured is absent. */
export interface Configurations {
  readonly cors?: readonly CorsRule[];
  readonly encryption?: DefaultEncryption;
  readonly lifecycle?: readonly LifecycleRule[];
  readonly logging?: Logging;
  readonly notification?: readonly NotificationRule[];
  /** How long new objects are locked by default; whether they can be is the bucket's `objectLock`. */
  readonly objectLock?: DefaultRetention;
  readonly ownership?: ObjectOwnership;
  /** The JSON text of the policy document, as its client sent it. */
  readonly policy?: string;
  readonly publicAccessBlock?: PublicAccessBlock;
  readonly requestPayment?: 'Requester' | 'BucketOwner';
  /** By key. */
  readonly tagging?: Readonly<Record<string, string>>;
  readonly website?: Website;
}

export type ConfigurationKind = keyof Configurations;

/** What objects are encrypted with whose request says nothing. */
export interface DefaultEncryption {
  readonly algorithm: 'AES256' | 'aws:kms' | 'aws:kms:dsse';
  readonly kmsKeyId?: string;
  readonly hasBucketKey?: boolean;
}

/** Exactly one of days and years. */
export interface DefaultRetention {
  readonly mode: RetentionMode;
  readonly days?: number;
  readonly years?: number;
}

export const OBJECT_OWNERSHIPS = [
  'BucketOwnerEnforced',
  'BucketOwnerPreferred',
  'ObjectWriter',
] as const;
/** Who owns what others write; `BucketOwnerEnforced` switches ACLs off. */
export type ObjectOwnership = (typeof OBJECT_OWNERSHIPS)[number];

export interface PublicAccessBlock {
  readonly blockPublicAcls: boolean;
  readonly ignorePublicAcls: boolean;
  readonly blockPublicPolicy: boolean;
  readonly restrictPublicBuckets: boolean;
}

/**
 * Where the access logs of a bucket go. Public source: Amazon S3 API reference, "LoggingEnabled".
 */
export interface Logging {
  /** The name of a bucket of the same project. */
  readonly bucket: string;
  readonly prefix: string;
  /** What others than the project may do with the logs. */
  readonly grants?: readonly Grant[];
  /** Absent where its owner has not chosen: as `simple`. */
  readonly keyFormat?: LogKeyFormat;
}

/** Which day the folder of a log is of: that of its requests, or that of its delivery. */
export const DATE_SOURCES = ['EventTime', 'DeliveryTime'] as const;

export type LogKeyFormat =
  | { readonly kind: 'simple' }
  | { readonly kind: 'partitioned'; readonly by?: (typeof DATE_SOURCES)[number] };

/**
 * Whom to tell of what happens in a bucket. Public source: Amazon S3 API reference,
 * "NotificationConfiguration".
 */
export const TARGET_KINDS = ['topic', 'queue', 'function'] as const;
/** As which kind of target a rule was configured: each is a webhook here. */
export type TargetKind = (typeof TARGET_KINDS)[number];

export interface NotificationRule {
  readonly id: string;
  readonly kind: TargetKind;
  /** `arn:aws:sns:::https://example.org/hook`: its resource is the URL that events are posted to. */
  readonly arn: string;
  /** `s3:ObjectCreated:*` */
  readonly events: readonly string[];
  readonly prefix?: string;
  readonly suffix?: string;
}

/** How firmly a version is retained. Public source: Amazon S3 user guide, "S3 Object Lock". */
export type RetentionMode = 'GOVERNANCE' | 'COMPLIANCE';

/**
 * How a bucket is served as a website. Public source: Amazon S3 API reference,
 * "WebsiteConfiguration".
 */
export interface Website {
  /** What a folder shows: `index.html`. Absent only with `redirectAll`. */
  readonly indexSuffix?: string;
  readonly errorKey?: string;
  readonly redirectAll?: { readonly host: string; readonly protocol?: Protocol };
  readonly rules?: readonly RoutingRule[];
}

export type Protocol = 'http' | 'https';

export interface RoutingRule {
  /** All of it has to hold; a rule without any always applies. */
  readonly condition: { readonly keyPrefix?: string; readonly errorStatus?: number };
  readonly redirect: Redirect;
}

export interface Redirect {
  readonly host?: string;
  readonly protocol?: Protocol;
  /** 301 by default. */
  readonly status?: number;
  /** At most one of these two. */
  readonly keyPrefix?: string;
  readonly key?: string;
}
