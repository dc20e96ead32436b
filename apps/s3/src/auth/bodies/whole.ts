/**
 * A request's own stream, which fails where its client goes away before the end.
 * It is not destroyed by whoever stops reading: the answer still has to be written on its connection.
 */
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { S3Error } from '../../http/s3-error.js';

export function whole(request: IncomingMessage): Readable {
  const body = new PassThrough();
  const breakOff = (cause?: unknown): void => {
    if (!request.readableEnded) body.destroy(new S3Error('IncompleteBody', { cause }));
  };
  request.once('error', breakOff);
  request.once('close', () => breakOff());
  body.once('close', () => request.unpipe(body));
  if (request.destroyed && !request.readableEnded) breakOff(request.errored);
  else request.pipe(body);
  return body;
}
