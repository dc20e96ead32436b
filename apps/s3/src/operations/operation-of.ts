/**
 * Finds the operation that a request asks for, and refuses a write that asks for more than it: what
 * is not known could change its meaning. Pure.
 */
import { encryptionNotTaken } from '../content/encryption/encryption.js';
import { S3Error } from '../http/s3-error.js';
import type { S3Request } from '../http/s3-request.js';
import { ENCRYPTED, isRefusedHeader, isRead, type OperationDeclaration } from './operation-row.js';
import { OPERATIONS } from './operations.js';

type Asked = Pick<S3Request, 'method' | 'query' | 'headers' | 'address'>;
type Place = OperationDeclaration['on'];

interface Row {
  readonly operation: OperationDeclaration;
  readonly named: readonly (readonly [name: string, value: string | undefined])[];
  readonly parameters: ReadonlySet<string>;
  readonly headers: ReadonlySet<string>;
}

const ROWS: readonly Row[] = OPERATIONS.map((operation: OperationDeclaration) => {
  const { query, parameters = [], header, headers = [] } = operation;
  const named = query === '' ? [] : query.split('&').map(nameAndValue);
  return {
    operation,
    named,
    parameters: new Set([...named.map(([name]) => name), ...parameters]),
    headers: new Set(header === undefined ? headers : [header, ...headers]),
  };
});

/** By `PUT object`, in the order of the table. */
const BY_PLACE = new Map<string, Row[]>();
const BY_NAME = new Map<string, Row>();
for (const row of ROWS) {
  const { method, name, on } = row.operation;
  BY_PLACE.set(`${method} ${on}`, [...(BY_PLACE.get(`${method} ${on}`) ?? []), row]);
  BY_NAME.set(name, row);
}

/** `acl`, `uploads`, …, with their methods. */
const SUBRESOURCES: ReadonlyMap<Place, ReadonlyMap<string, readonly string[]>> = new Map(
  (['service', 'bucket', 'object'] as const).map((place) => [place, subresourcesOf(place)]),
);

/** Parameters of a signature; those of version 4 begin with `X-Amz-`. */
const SIGNATURE = new Set(['AWSAccessKeyId', 'Expires', 'Signature']);
/** Headers in presigned URLs of version 2. */
const SIGNED_HEADERS = new Set(['content-md5', 'content-type']);

/**
 * @throws S3Error MethodNotAllowed, naming the methods that there are
 * @throws S3Error NotImplemented or InvalidArgument for a write with a parameter outside of its row
 */
export function operationOf(request: Asked): OperationDeclaration {
  const place = placeOf(request);
  const found = BY_PLACE.get(`${request.method} ${place}`)?.find((row) => isAskedFor(row, request));
  if (!found) {
    const there = ROWS.filter((row) => row.operation.on === place && isAskedFor(row, request));
    throw notAllowed(
      request,
      place,
      there.map(({ operation: { method } }) => method),
    );
  }
  if (!isRead(found.operation)) requireParameters(found, request, place);
  return found.operation;
}

/**
 * @param headers with those that a presigned address or a form has besides
 * @throws S3Error NotImplemented for a write with a header outside of its row; InvalidArgument where
 * the header is about encryption, which parts have from their upload
 */
export function requireHeaders(
  operation: OperationDeclaration,
  headers: Readonly<Record<string, unknown>>,
): void {
  if (isRead(operation)) return;
  const taken = BY_NAME.get(operation.name)?.headers ?? new Set();
  for (const name in headers) {
    if (headers[name] === undefined || !isRefusedHeader(name, taken)) continue;
    if (ENCRYPTED.includes(name)) throw encryptionNotTaken(name);
    throw new S3Error('NotImplemented', {
      message: `A header you provided implies functionality that is not implemented: ${operation.name} does not take ${name.slice(0, 100)}.`,
      details: { Header: name.slice(0, 100) },
    });
  }
}

function placeOf({ address }: Asked): Place {
  if (address.bucket === undefined) return 'service';
  return address.key === undefined ? 'bucket' : 'object';
}

function isAskedFor({ operation: { header }, named }: Row, { headers, query }: Asked): boolean {
  if (header !== undefined && headers[header] === undefined) return false;
  return named.every(([name, value]) => {
    const given = query.get(name);
    return value === undefined ? given !== undefined : given === value;
  });
}

function requireParameters(row: Row, request: Asked, place: Place): void {
  const isVersion2 = request.query.has('Signature');
  for (const name of request.query.keys()) {
    const isOfSignature =
      /^x-/i.test(name) ||
      SIGNATURE.has(name) ||
      (isVersion2 && SIGNED_HEADERS.has(name.toLowerCase()));
    if (!isOfSignature && !row.parameters.has(name)) throw notTaken(row, name, request, place);
  }
}

function notTaken({ operation }: Row, name: string, request: Asked, place: Place): S3Error {
  const methods = SUBRESOURCES.get(place)?.get(name);
  if (methods && !methods.includes(request.method)) return notAllowed(request, name, methods);
  const shown = name.slice(0, 100);
  if (!methods && [...SUBRESOURCES.values()].some((of) => of.has(name)))
    return new S3Error('NotImplemented', {
      message: `${request.method} of ?${shown} on ${place === 'object' ? 'an' : 'a'} ${place} is not an operation of S3.`,
    });
  return new S3Error('InvalidArgument', {
    message: `${operation.name} does not take the query parameter ${shown}.`,
    details: { ArgumentName: shown },
  });
}

function notAllowed({ method }: Asked, of: string, methods: readonly string[]): S3Error {
  return new S3Error('MethodNotAllowed', {
    allow: [...new Set(methods)].sort(),
    details: { Method: method, ResourceType: of.toUpperCase() },
  });
}

function subresourcesOf(place: Place): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, string[]>();
  for (const { operation, named } of ROWS) {
    const [name] = named[0] ?? [];
    if (operation.on !== place || name === undefined) continue;
    methods.set(name, [...(methods.get(name) ?? []), operation.method]);
  }
  return methods;
}

function nameAndValue(pair: string): [string, string | undefined] {
  const [name = '', value] = pair.split('=');
  return [name, value];
}
