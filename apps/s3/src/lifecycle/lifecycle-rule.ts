/**
 * What becomes of objects without anybody asking. Public source: Amazon S3 API reference,
 * "LifecycleRule"; Amazon S3 user guide, "Lifecycle configuration elements".
 */
export interface LifecycleRule {
  readonly id: string;
  readonly isEnabled: boolean;
  readonly filter: LifecycleFilter;
  /** Whether the rule names its prefix by itself, as rules did before there were filters. */
  readonly hasOwnPrefix: boolean;
  readonly expiration?: Expiration;
  readonly noncurrent?: NoncurrentExpiration;
  /** Days after which uploads are aborted that nobody has completed. */
  readonly abortUploadsAfterDays?: number;
}

/** All of it has to hold. */
export interface LifecycleFilter {
  readonly prefix?: string;
  readonly tags?: Readonly<Record<string, string>>;
  /** Bytes: exclusive bounds. */
  readonly sizeAbove?: number;
  readonly sizeBelow?: number;
}

/** When the current version of an object expires. */
export type Expiration =
  | { readonly kind: 'days'; readonly days: number }
  /** At midnight UTC of a day. */
  | { readonly kind: 'date'; readonly date: string }
  /** Delete markers that are the only version left of their object. */
  | { readonly kind: 'delete-markers' };

export interface NoncurrentExpiration {
  /** After a newer version has taken its place. */
  readonly days: number;
  /** How many of the newest noncurrent versions stay whatever their age. */
  readonly kept?: number;
}
