/**
 * What browsers ask before a page may send a request to another origin. Public source: Amazon S3 API
 * reference, "OPTIONS object".
 *
 * A preflight says nothing of who will ask, so not which project's bucket is meant either: it is
 * answered by whichever of the buckets of this name allows the request, which is then judged by
 * itself.
 */
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ANONYMOUS } from '../auth/caller.js';
import { corsHeadersOf, corsRequestOf, type CorsRequest } from '../buckets/cors-rules.js';
import type { S3Answer } from '../http/s3-answer.js';
import { S3Error } from '../http/s3-error.js';
import type { S3Request } from '../http/s3-request.js';
import { contextOf } from '../operations/operation.js';
import { TargetRepository } from '../operations/target.repository.js';

/** Amazon's words: clients look for them. */
const NOT_ALLOWED =
  "CORSResponse: This CORS request is not allowed. This is usually because the evalution of Origin, request method / Access-Control-Request-Method or Access-Control-Request-Headers are not whitelisted by the resource's CORS spec.";

@Injectable()
export class Preflights {
  constructor(
    private readonly dataSource: DataSource,
    private readonly targets: TargetRepository,
  ) {}

  /** @throws S3Error BadRequest, AccessForbidden */
  async answer(request: S3Request): Promise<S3Answer> {
    const asked = askedOf(request);
    const { bucket } = request.address;
    const ctx = contextOf(request, ANONYMOUS, this.dataSource);
    const rules = bucket ? await this.targets.findCorsRules(ctx, bucket) : [];
    for (const one of rules) {
      const headers = corsHeadersOf(one, asked);
      if (headers) return { headers };
    }
    throw new S3Error('AccessForbidden', {
      message:
        rules.length === 0
          ? 'CORSResponse: CORS is not enabled for this bucket.'
          : `${NOT_ALLOWED} No rule of the bucket has the origin ${asked.origin.slice(0, 200)}, the method ${asked.method.slice(0, 20)} and the headers "${asked.headers.join(', ').slice(0, 200)}".`,
      details: { Method: asked.method.slice(0, 20), ResourceType: 'OBJECT' },
    });
  }
}

function askedOf({ headers, method }: S3Request): CorsRequest {
  const asked = corsRequestOf(method, headers);
  if (!asked) {
    throw new S3Error('BadRequest', {
      message: 'Insufficient information. Origin request header needed.',
    });
  }
  if (headers['access-control-request-method'] !== undefined) return asked;
  throw new S3Error('BadRequest', {
    message: 'Invalid Access-Control-Request-Method: null',
  });
}
