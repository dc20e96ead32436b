/**
 * An operation of S3 and its call; and how a request finds the operation that it asks for. A write that
 * asks for more than its operation takes is refused, since that could change its meaning.
 */
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { RequestBody } from '../auth/bodies/request-body.js';
import type { Caller } from '../auth/caller.js';
import type { Bucket } from '../buckets/bucket.entity.js';
import type { S3Answer } from '../http/s3-answer.js';
import type { S3Request } from '../http/s3-request.js';
import type { StoredObject } from '../objects/object.entity.js';
import { type OperationDeclaration, ENCRYPTED, isRefusedHeader, isRead } from './operation-row.js';
import { type OperationName, OPERATIONS } from './operations.js';
import { encryptionNotTaken } from '../content/encryption/encryption.js';
import { S3Error } from '../http/s3-error.js';

/** An authorised request. */
export interface S3Call {
  /** Acts as the caller; without a project for an anonymous one. */
  readonly ctx: RequestContext;
  readonly request: S3Request;
  readonly operation: OperationDeclaration;
  readonly caller: Caller;
  readonly body: RequestBody;
}

export interface BucketCall extends S3Call {
  readonly bucket: Bucket;
}

export interface AddressedCall extends BucketCall {
  readonly key: string | undefined;
  readonly object: StoredObject | undefined;
}

export interface ObjectCall extends BucketCall {
  readonly key: string;
  /** The named version or the latest, for operations with `of`. */
  readonly object: StoredObject | undefined;
}

/** A provider with `@Handles(name)`; its call follows from the operation's `on`. */
export interface Operation<Call extends S3Call = never> {
  run(call: Call): Promise<S3Answer>;
}

const OPERATION = 'cumulet:s3-operation';

/** Makes a class the provider of an operation, which the dispatcher finds by this. */
export function Handles(name: OperationName) {
  return (target: new (...args: never[]) => Operation): void => {
    Reflect.defineMetadata(OPERATION, name, target);
    Injectable()(target);
  };
}

/** By name. @throws Error if two handle the same */
export function handlersAmong(providers: readonly object[]): ReadonlyMap<OperationName, Operation> {
  const handlers = new Map<OperationName, Operation>();
  for (const provider of providers) {
    const name = Reflect.getMetadata(OPERATION, provider.constructor) as OperationName | undefined;
    if (name === undefined) continue;
    if (handlers.has(name)) throw new Error(`two providers handle ${name}`);
    handlers.set(name, provider as Operation);
  }
  return handlers;
}

export function contextOf(
  request: Pick<S3Request, 'id' | 'clientAddress'>,
  caller: Caller,
  dataSource: DataSource,
): RequestContext {
  const isSigned = caller.kind === 'signed';
  return new RequestContext({
    requestId: asId(request.id),
    userId: asId(isSigned ? caller.userId : 'anonymous'),
    projectId: isSigned ? asId(caller.projectId) : undefined,
    roles: isSigned ? caller.roles : [],
    manager: dataSource.manager,
    clientAddress: request.clientAddress,
  });
}

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
