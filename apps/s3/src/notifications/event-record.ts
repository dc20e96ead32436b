/** Events of buckets, and the record that a webhook gets. */
import type { Bucket } from '../buckets/bucket.entity.js';

/** Public source: Amazon S3 user guide, "Supported event types". */
const EVENT_NAMES = [
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

export type CreatedBy = 'Put' | 'Post' | 'Copy' | 'CompleteMultipartUpload';

/** The names, and each group of them: `s3:ObjectCreated:*`. */
export const EVENT_PATTERNS: ReadonlySet<string> = new Set([
  ...EVENT_NAMES,
  ...EVENT_NAMES.map(groupOf),
]);

export function groupOf(name: string): string {
  return name.replace(/[^:]*$/, '*');
}

export interface HappenedEvent {
  readonly name: EventName;
  readonly key: string;
  /** Bytes; absent for removals. */
  readonly size?: number;
  readonly etag?: string;
  readonly versionId?: string | undefined;
  /** Higher for newer events of a key: the `sequence` of the version. */
  readonly sequence?: string;
}

export interface EventSource {
  readonly requestId: string;
  readonly principalId: string;
  readonly clientAddress: string | undefined;
  readonly at: Date;
}

export type EventRecord = ReturnType<typeof eventRecordOf>;

/**
 * The record of an event. Public source: Amazon S3 user guide, "Event message structure", version
 * 2.3. Pure.
 * @param ruleId of the rule that it is told by
 */
export function eventRecordOf(
  bucket: Pick<Bucket, 'name' | 'region' | 'projectId'>,
  event: HappenedEvent,
  source: EventSource,
  ruleId: string,
) {
  const { key, size, etag, versionId, sequence } = event;
  return {
    eventVersion: '2.3',
    eventSource: 'aws:s3',
    awsRegion: bucket.region,
    eventTime: source.at.toISOString(),
    eventName: event.name.slice('s3:'.length),
    userIdentity: { principalId: source.principalId },
    requestParameters: { sourceIPAddress: source.clientAddress ?? '' },
    responseElements: { 'x-amz-request-id': source.requestId, 'x-amz-id-2': source.requestId },
    s3: {
      s3SchemaVersion: '1.0',
      configurationId: ruleId,
      bucket: {
        name: bucket.name,
        ownerIdentity: { principalId: bucket.projectId as string },
        arn: `arn:aws:s3:::${bucket.name}`,
      },
      object: {
        key: encoded(key),
        ...(size === undefined ? {} : { size }),
        ...(etag === undefined ? {} : { eTag: etag }),
        ...(versionId === undefined || versionId === 'null' ? {} : { versionId }),
        ...(sequence === undefined ? {} : { sequencer: sequencerOf(sequence) }),
      },
    },
  };
}

/** Form encoding, but slashes stay. */
function encoded(key: string): string {
  return encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%20', '+');
}

/** Hexadecimal of fixed length, so that texts compare like numbers. */
function sequencerOf(sequence: string): string {
  return BigInt(sequence).toString(16).toUpperCase().padStart(16, '0');
}

/**
 * Targets of notifications: URLs that events are posted to. Clients name targets by ARNs, so the
 * resource of the ARN is the URL: `arn:aws:sns:::https://example.org/hook`. Pure.
 */
const ARN = /^arn:[a-z-]+:(?:sns|sqs|lambda):[a-z0-9-]*:[A-Za-z0-9-]*:(https?:\/\/.+)$/;
/** Characters. */
const MAX_URL = 2048;

/** @returns undefined for other ARNs, and for URLs with a user name or a password */
export function webhookOf(arn: string): URL | undefined {
  const text = ARN.exec(arn)?.[1] ?? '';
  if (text.length > MAX_URL || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.username === '' && url.password === '' ? url : undefined;
}
