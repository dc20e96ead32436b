/**
 * Headers of an answer that its request asks to be others. Public source: Amazon S3 API reference,
 * GetObject, "Overriding response header values through the request".
 */
import { requireHeader } from '../http/s3-request.js';
import { S3Error } from '../http/s3-error.js';
import type { S3Call } from '../operations/operation.js';

const OVERRIDES = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
] as const;

/** @throws S3Error InvalidRequest if nobody has signed for them, InvalidArgument for no header's value */
export function overridesOf({ request, caller }: S3Call): Record<string, string> {
  const overrides: Record<string, string> = {};
  for (const header of OVERRIDES) {
    const name = `response-${header}`;
    const value = request.query.get(name);
    if (value === undefined) continue;
    if (caller.kind === 'anonymous')
      throw new S3Error('InvalidRequest', {
        message: 'Request specific response headers cannot be used for anonymous GET requests.',
      });
    requireHeader(header, value, name);
    overrides[header] = value;
  }
  return overrides;
}
