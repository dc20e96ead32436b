/** Where the access logs of a bucket go. Public source: Amazon S3 API reference, "LoggingEnabled". */
import type { Grant } from '../access/acl.js';

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
