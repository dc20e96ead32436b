/** The settings of the integrity scrub. */
import { integer } from '@cumulet/common/config/settings';

export const scrubSettings = {
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
};
