/**
 * What a webhook is told. Public source: Amazon S3 user guide, "Event message structure", version
 * 2.3. Pure.
 */
import type { Bucket } from '../buckets/bucket.entity.js';
import type { EventName } from './event-name.js';

/** What has happened to which object. */
export interface HappenedEvent {
  readonly name: EventName;
  readonly key: string;
  /** Bytes; of what was removed there is none. */
  readonly size?: number;
  readonly etag?: string;
  readonly versionId?: string | undefined;
  /** Newer events of a key have higher ones, of versions that come and go: their `sequence`. */
  readonly sequence?: string;
}

export interface EventSource {
  readonly requestId: string;
  readonly principalId: string;
  readonly clientAddress: string | undefined;
  readonly at: Date;
}

export type EventRecord = ReturnType<typeof eventRecordOf>;

/** @param ruleId of the rule that it is told by */
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

/** As a form has it: slashes stay, and spaces are plus signs. */
function encoded(key: string): string {
  return encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%20', '+');
}

/** Hexadecimal, of one length: compared as text. */
function sequencerOf(sequence: string): string {
  return BigInt(sequence).toString(16).toUpperCase().padStart(16, '0');
}
