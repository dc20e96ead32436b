/** What all lists of keys are asked for with. Public source: Amazon S3 API reference, ListObjects. */
import { S3Error } from '../http/s3-error.js';
import { headerOf, type S3Request } from '../http/s3-request.js';
import { encodingOf, numberOf } from './list-parameters.js';

/** Also where a client asks for more. */
const MAX_KEYS = 1000;
/** Of an object that Amazon has archived; here each is read at once, and has none to show. */
const OPTIONAL_ATTRIBUTES = ['RestoreStatus'];

export interface ListingRequest {
  readonly prefix: string;
  readonly delimiter: string;
  readonly maxKeys: number;
  /** As the client sent it. */
  readonly encodingType: string | undefined;
  /** How the client wants keys, prefixes and delimiters written. */
  readonly encode: (text: string) => string;
}

/** @throws S3Error InvalidArgument */
export function listingRequestOf(request: Pick<S3Request, 'query' | 'headers'>): ListingRequest {
  const { query } = request;
  const delimiter = query.get('delimiter') ?? '';
  // Ceph's own: keys in any order. That of their bytes is one, and common prefixes have no other.
  if (query.get('allow-unordered') === 'true' && delimiter !== '')
    throw invalid('allow-unordered', 'true', 'A list that may be unordered has no delimiter.');
  requireAttributes(headerOf(request, 'x-amz-optional-object-attributes') ?? '');
  return {
    prefix: query.get('prefix') ?? '',
    delimiter,
    maxKeys: Math.min(numberOf(query, 'max-keys') ?? MAX_KEYS, MAX_KEYS),
    encodingType: query.get('encoding-type'),
    encode: encodingOf(query),
  };
}

export function invalid(argument: string, value: string, message: string): S3Error {
  const details = { ArgumentName: argument, ArgumentValue: value };
  return new S3Error('InvalidArgument', { message, details });
}

function requireAttributes(header: string): void {
  const names = header.split(',').map((name) => name.trim());
  const unknown = names.find((name) => name !== '' && !OPTIONAL_ATTRIBUTES.includes(name));
  if (unknown === undefined) return;
  throw invalid(
    'x-amz-optional-object-attributes',
    header,
    `Invalid attribute name specified: ${unknown}.`,
  );
}
