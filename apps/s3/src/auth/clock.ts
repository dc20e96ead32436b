/** How far a client's clock may be from this one's. Public source: decisions on S3; 15 minutes. */
import { S3Error } from '../http/s3-error.js';

const MAX_SKEW_MS = 15 * 60_000;

/**
 * @param time milliseconds since the epoch, by the client's clock
 * @throws S3Error RequestTimeTooSkewed
 */
export function requireRecent(time: number, now = Date.now()): void {
  if (Math.abs(now - time) <= MAX_SKEW_MS) return;
  throw new S3Error('RequestTimeTooSkewed', {
    details: {
      RequestTime: new Date(time).toISOString(),
      ServerTime: new Date(now).toISOString(),
      MaxAllowedSkewMilliseconds: MAX_SKEW_MS,
    },
  });
}
