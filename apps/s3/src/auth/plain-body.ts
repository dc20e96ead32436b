/** A body that comes as it is. */
import type { Readable } from 'node:stream';
import type { S3Request } from '../http/s3-request.js';
import type { RequestBody } from './request-body.js';

export class PlainBody implements RequestBody {
  readonly length: number | undefined;

  constructor(private readonly request: Pick<S3Request, 'headers' | 'raw'>) {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    this.length = encoding === undefined ? Number(length ?? 0) : undefined;
  }

  open(): Readable {
    return this.request.raw;
  }

  trailers(): Readonly<Record<string, string>> {
    return {};
  }
}
