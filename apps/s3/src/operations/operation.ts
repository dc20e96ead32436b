import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import type { DataSource } from 'typeorm';
import type { RequestBody } from '../auth/bodies/request-body.js';
import type { Caller } from '../auth/caller.js';
import type { Bucket } from '../buckets/bucket.entity.js';
import type { S3Answer } from '../http/s3-answer.js';
import type { S3Request } from '../http/s3-request.js';
import type { StoredObject } from '../objects/object.entity.js';
import type { OperationDeclaration } from './operation-row.js';
import type { OperationName } from './operations.js';

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

/** Marks the provider of an operation, by which the dispatcher finds it. */
export function Handles(name: OperationName) {
  return (target: new (...args: never[]) => Operation): void =>
    Reflect.defineMetadata(OPERATION, name, target);
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
