/** Whether a caller may do what a request asks for. */
import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller.js';
import type { Bucket } from '../buckets/bucket.entity.js';
import { S3Error } from '../http/s3-error.js';
import type { S3Request } from '../http/s3-request.js';
import type { StoredObject } from '../objects/object.entity.js';
import { isWrite, type OperationDeclaration } from '../operations/operation-row.js';

export interface Attempt {
  readonly request: S3Request;
  readonly operation: OperationDeclaration;
  readonly caller: Caller;
  /** Absent for operations on the service, and for CreateBucket. */
  readonly bucket: Bucket | undefined;
  readonly key: string | undefined;
  /** Of operations that are about one. */
  readonly object: StoredObject | undefined;
}

@Injectable()
export class Access {
  /** @throws S3Error AccessDenied */
  require({ operation, caller, bucket }: Attempt): void {
    if (caller.kind === 'anonymous') throw new S3Error('AccessDenied');
    if (bucket && bucket.projectId !== caller.projectId) throw new S3Error('AccessDenied');
    const roles = isWrite(operation) ? ['member', 'admin'] : ['reader', 'member', 'admin'];
    if (!roles.some((role) => caller.roles.includes(role))) throw new S3Error('AccessDenied');
  }
}
