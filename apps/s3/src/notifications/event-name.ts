/** What can be notified of. Public source: Amazon S3 user guide, "Supported event types". */
export const EVENT_NAMES = [
  's3:ObjectCreated:Put',
  's3:ObjectCreated:Post',
  's3:ObjectCreated:Copy',
  's3:ObjectCreated:CompleteMultipartUpload',
  's3:ObjectRemoved:Delete',
  's3:ObjectRemoved:DeleteMarkerCreated',
  's3:LifecycleExpiration:Delete',
  's3:LifecycleExpiration:DeleteMarkerCreated',
  's3:ObjectTagging:Put',
  's3:ObjectTagging:Delete',
  's3:ObjectAcl:Put',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

/** The last words of the names of creations. */
export type CreatedBy = 'Put' | 'Post' | 'Copy' | 'CompleteMultipartUpload';

/** The names, and each group of them: `s3:ObjectCreated:*`. */
export const EVENT_PATTERNS: ReadonlySet<string> = new Set([
  ...EVENT_NAMES,
  ...EVENT_NAMES.map(groupOf),
]);

export function groupOf(name: string): string {
  return name.replace(/[^:]*$/, '*');
}
