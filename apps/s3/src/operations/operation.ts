/** An operation of S3, and what it gets to work with. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Caller } from '../auth/caller.js';
import type { RequestBody } from '../auth/bodies/request-body.js';
import type { Bucket } from '../buckets/bucket.entity.js';
import type { S3Answer } from '../http/s3-answer.js';
import type { S3Request } from '../http/s3-request.js';
import type { StoredObject } from '../objects/object.entity.js';
import type { OperationDeclaration } from './operation-row.js';

/** A request whose sender is known and may do what it asks for. */
export interface S3Call {
  /** Acts as the caller; without a project for one who is anonymous. */
  readonly ctx: RequestContext;
  readonly request: S3Request;
  readonly operation: OperationDeclaration;
  readonly caller: Caller;
  readonly body: RequestBody;
}

export interface BucketCall extends S3Call {
  readonly bucket: Bucket;
}

/** A call on a bucket or on something in it. */
export interface AddressedCall extends BucketCall {
  readonly key: string | undefined;
  readonly object: StoredObject | undefined;
}

export interface ObjectCall extends BucketCall {
  readonly key: string;
  /** The version that the request names, or the latest: of operations that are `of` one. */
  readonly object: StoredObject | undefined;
}

/** Has `@Handles(name)`; its call is that of the operation's `on`. */
export interface Operation<Call extends S3Call = never> {
  run(call: Call): Promise<S3Answer>;
}
