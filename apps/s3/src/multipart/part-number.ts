/** Numbers of parts. Public source: Amazon S3 user guide, "Amazon S3 multipart upload limits". */
import { S3Error } from '../http/s3-error.js';

export const MAX_PARTS = 10_000;

/** @param text undefined if the request has none. @throws S3Error InvalidArgument */
export function partNumberOf(text: string | undefined): number {
  const number = /^\d{1,5}$/.test(text ?? '') ? Number(text) : 0;
  if (number >= 1 && number <= MAX_PARTS) return number;
  throw new S3Error('InvalidArgument', {
    message: `Part number must be an integer between 1 and ${MAX_PARTS}, inclusive`,
    details: { ArgumentName: 'partNumber', ArgumentValue: text ?? '' },
  });
}
