/** The settings of the integrity scrub. */
import { integer } from '@cumulet/common/config/settings';

export const scrubSettings = {
  scrubSeconds: integer('IMAGES_SCRUB_SECONDS', {
    about: 'Seconds between two comparisons of the stored bytes of an image with their checksum.',
    default: 7 * 24 * 3_600,
    min: 1,
    max: 1_000_000_000,
  }),
  scrubBytesPerSecond: integer('IMAGES_SCRUB_BYTES_PER_SECOND', {
    about: 'Bytes a second that a process reads to compare stored bytes; 0 compares none.',
    default: 20 * 1024 * 1024,
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
  }),
};
