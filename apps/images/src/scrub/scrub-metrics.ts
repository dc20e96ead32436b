import type { Metrics } from '@cumulet/common/observe/metrics';

export type ScrubMetrics = ReturnType<typeof scrubMetrics>;

export function scrubMetrics(metrics: Metrics) {
  return {
    damaged: metrics.counter(
      'images_damaged_total',
      'Images whose stored bytes did not match their checksum.',
    ),
    scrubbedBytes: metrics.counter(
      'images_scrubbed_bytes_total',
      'Bytes that were read to compare them with their checksum.',
    ),
  };
}
