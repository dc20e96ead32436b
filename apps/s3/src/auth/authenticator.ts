/** Tells from a request's signature who sent it. */
import { Injectable } from '@nestjs/common';
import { S3Error } from '../http/s3-error.js';
import type { S3Request } from '../http/s3-request.js';
import { ANONYMOUS, type Caller } from './caller.js';
import { PlainBody } from './plain-body.js';
import type { RequestBody } from './request-body.js';

export interface Authenticated {
  readonly caller: Caller;
  readonly body: RequestBody;
}

@Injectable()
export class Authenticator {
  /**
   * @throws S3Error InvalidAccessKeyId, SignatureDoesNotMatch, RequestTimeTooSkewed, AccessDenied,
   * AuthorizationHeaderMalformed, AuthorizationQueryParametersError
   */
  authenticate(request: S3Request): Promise<Authenticated> {
    const { authorization } = request.headers;
    if (authorization !== undefined) throw new S3Error('AccessDenied');
    return Promise.resolve({ caller: ANONYMOUS, body: new PlainBody(request) });
  }
}
