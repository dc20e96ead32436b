/**
 * What can be configured for a bucket, besides what has columns of its own. They stand together in
 * the bucket's row: each request reads the bucket by one statement.
 *
 * Always holds: what is stored has been validated, and is shown as it was sent. Dates are ISO texts.
 */
import type { Logging } from '../access-logs/logging.js';
import type { LifecycleRule } from '../lifecycle/lifecycle-rule.js';
import type { NotificationRule } from '../notifications/notification-rule.js';
import type { RetentionMode } from '../objects/lock/retention-mode.js';
import type { Website } from '../website/website.js';
import type { CorsRule } from './cors/cors-rule.js';

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
