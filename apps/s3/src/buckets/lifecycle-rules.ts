/**
 * Lifecycle rules. Public source: Amazon S3 API reference, "LifecycleRule"; Amazon S3 user guide,
 * "Lifecycle configuration elements".
 */
export interface LifecycleRule {
  readonly id: string;
  readonly isEnabled: boolean;
  readonly filter: LifecycleFilter;
  /** Whether the rule has a Prefix outside a Filter, the deprecated form. */
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

export type Expiration =
  | { readonly kind: 'days'; readonly days: number }
  /** At midnight UTC of a day. */
  | { readonly kind: 'date'; readonly date: string }
  /** Delete markers that are the only version left of their object. */
  | { readonly kind: 'delete-markers' };

export interface NoncurrentExpiration {
  /** Since a newer version replaced it. */
  readonly days: number;
  /** The number of newest noncurrent versions that stay whatever their age. */
  readonly kept?: number;
}

export interface FilteredObject {
  readonly key: Buffer;
  readonly size: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** Which objects a lifecycle rule is for. Pure. */
export function isFor(filter: LifecycleFilter, object: FilteredObject): boolean {
  const { tags = {}, sizeAbove, sizeBelow } = filter;
  const size = Number(object.size);
  return (
    isForKey(filter, object.key) &&
    Object.entries(tags).every(([key, value]) => object.tags[key] === value) &&
    (sizeAbove === undefined || size > sizeAbove) &&
    (sizeBelow === undefined || size < sizeBelow)
  );
}

/** The same for an upload, which has neither size nor tags. */
function isForKey({ prefix = '' }: LifecycleFilter, key: Buffer): boolean {
  return key.indexOf(Buffer.from(prefix)) === 0;
}

/**
 * When an action on something of so many days is due: at the end of the day, UTC, in which it reaches
 * that age. Pure.
 * Public source: Amazon S3 user guide, "Lifecycle rules: based on an object's age".
 */
const DAY_MS = 86_400_000;

/** @param since the start of its age. @param dayMs the length of a day, which tests shorten */
export function dueAt(since: Date, days: number, dayMs = DAY_MS): Date {
  return new Date(Math.ceil((since.getTime() + days * dayMs) / dayMs) * dayMs);
}

/** Anything older is due now: the inverse of `dueAt`. */
export function dueBefore(now: Date, days: number, dayMs = DAY_MS): Date {
  return new Date((Math.floor(now.getTime() / dayMs) - days) * dayMs);
}

export interface DueRule {
  /** Of the rule, as a header can have it: percent-encoded. */
  readonly ruleId: string;
  readonly at: Date;
}

interface Ruled {
  readonly configurations: { readonly lifecycle?: readonly LifecycleRule[] };
}

/**
 * The lifecycle rule that is due first. Pure.
 * @param dueOf when a rule is due; undefined if it never is
 * @returns undefined if no rule that is enabled is ever due
 */
function firstDue(
  { configurations }: Ruled,
  dueOf: (rule: LifecycleRule) => Date | undefined,
): DueRule | undefined {
  const due = (configurations.lifecycle ?? []).flatMap((rule) => {
    const at = rule.isEnabled ? dueOf(rule) : undefined;
    return at ? [{ ruleId: encodeURIComponent(rule.id), at }] : [];
  });
  return due.sort((one, other) => one.at.getTime() - other.at.getTime())[0];
}

/**
 * Tells clients when an object will expire. Public source: Amazon S3 API reference, "PutObject",
 * `x-amz-expiration`. Pure.
 *
 * In days of 24 hours, however short they are for the sweep.
 * @param object the latest version of its key
 * @returns `expiry-date="Fri, 21 Dec 2012 00:00:00 GMT", rule-id="logs"`, of the rule that comes
 * first; undefined if none applies
 */
export function expirationHeaderOf(
  bucket: Ruled,
  object: FilteredObject & { readonly modifiedAt: Date },
): string | undefined {
  const first = firstDue(bucket, ({ filter, expiration }) =>
    expiration && isFor(filter, object) ? expiryOf(expiration, object.modifiedAt) : undefined,
  );
  return first && `expiry-date="${first.at.toUTCString()}", rule-id="${first.ruleId}"`;
}

function expiryOf(expiration: Expiration, modifiedAt: Date): Date | undefined {
  switch (expiration.kind) {
    case 'days':
      return dueAt(modifiedAt, expiration.days);
    case 'date':
      return new Date(expiration.date);
    case 'delete-markers':
      return undefined;
  }
}

/**
 * Tells clients when an upload will be aborted. Public source: Amazon S3 API reference,
 * CreateMultipartUpload, `x-amz-abort-date`. Pure.
 *
 * In days of 24 hours, however short they are for the sweep.
 * @returns no headers if no rule aborts the upload
 */
export function abortHeaders(
  bucket: Ruled,
  { key, initiatedAt }: { readonly key: Buffer; readonly initiatedAt: Date },
): Record<string, string> {
  const first = firstDue(bucket, ({ filter, abortUploadsAfterDays: days }) =>
    days !== undefined && isForKey(filter, key) ? dueAt(initiatedAt, days) : undefined,
  );
  if (!first) return {};
  return { 'x-amz-abort-date': first.at.toUTCString(), 'x-amz-abort-rule-id': first.ruleId };
}
