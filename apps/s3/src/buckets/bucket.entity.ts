import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Id, ProjectId } from '@cumulet/common/context/ids';
import type { Acl, Grant } from './acl.js';
import type { CorsRule } from './cors-rules.js';
import type { LifecycleRule } from './lifecycle-rules.js';

export type BucketId = Id<'Bucket'>;

export type Versioning = 'off' | 'enabled' | 'suspended';

@Entity('buckets')
@Index('buckets_project_id_name', ['projectId', 'name'], { unique: true })
@Index('buckets_name', ['name'])
@Index('buckets_lifecycle', { synchronize: false })
@Check('buckets_versioning_check', `versioning IN ('off', 'enabled', 'suspended')`)
@Check('buckets_object_lock_check', `NOT object_lock OR versioning = 'enabled'`)
export class Bucket {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'buckets_pkey' })
  id: BucketId;

  @Column('text', { name: 'project_id' })
  projectId: ProjectId;

  /** Sorts by bytes. */
  @Column({ type: 'text', collation: 'C' })
  name: string;

  @Column('text')
  region: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column('text', { default: 'off' })
  versioning: Versioning;

  /** Whether its objects can be locked. It cannot be switched off again. */
  @Column('boolean', { name: 'object_lock', default: false })
  objectLock: boolean;

  /** Null: its owner alone has all permissions. */
  @Column('jsonb', { nullable: true })
  acl: Acl | null;

  @Column('jsonb', { default: () => "'{}'" })
  configurations: Configurations;
}

/**
 * The configurations of a bucket that have no columns of their own; a kind that is not
 * configured is absent.
 *
 * Always holds: what is stored has been validated, and is shown as it was sent. Dates are ISO texts.
 */
export interface Configurations {
  readonly cors?: readonly CorsRule[];
  readonly encryption?: DefaultEncryption;
  readonly lifecycle?: readonly LifecycleRule[];
  readonly logging?: Logging;
  readonly notification?: readonly NotificationRule[];
  /** The default retention of new objects, if the bucket's `objectLock` is set. */
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

/** The encryption of objects whose request does not name one. */
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
/** `BucketOwnerEnforced` disables ACLs. */
export type ObjectOwnership = (typeof OBJECT_OWNERSHIPS)[number];

export interface PublicAccessBlock {
  readonly blockPublicAcls: boolean;
  readonly ignorePublicAcls: boolean;
  readonly blockPublicPolicy: boolean;
  readonly restrictPublicBuckets: boolean;
}

/**
 * The target of a bucket's access logs. Public source: Amazon S3 API reference, "LoggingEnabled".
 */
export interface Logging {
  /** The name of a bucket of the same project. */
  readonly bucket: string;
  readonly prefix: string;
  /** Grants on the logs to others than the project. */
  readonly grants?: readonly Grant[];
  /** `simple` by default. */
  readonly keyFormat?: LogKeyFormat;
}

/** The day in the name of a log's folder: that of the requests, or that of the delivery. */
export const DATE_SOURCES = ['EventTime', 'DeliveryTime'] as const;

export type LogKeyFormat =
  | { readonly kind: 'simple' }
  | { readonly kind: 'partitioned'; readonly by?: (typeof DATE_SOURCES)[number] };

/**
 * A rule for notifications of a bucket's events. Public source: Amazon S3 API reference,
 * "NotificationConfiguration".
 */
export const TARGET_KINDS = ['topic', 'queue', 'function'] as const;
/** The kind of target of a rule; each is a webhook here. */
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
 * The configuration of a bucket as a website. Public source: Amazon S3 API reference,
 * "WebsiteConfiguration".
 */
export interface Website {
  /** `index.html`. Absent only with `redirectAll`. */
  readonly indexSuffix?: string;
  readonly errorKey?: string;
  readonly redirectAll?: { readonly host: string; readonly protocol?: Protocol };
  readonly rules?: readonly RoutingRule[];
}

type Protocol = 'http' | 'https';

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
