/**
 * Sees to it that requests on logged buckets become lines. A request whose sender is not known names
 * no bucket, since names are of projects: it is in no log.
 */
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { S3Answer } from '../http/s3-answer.js';
import { AccessLogRecorder } from './access-log-recorder.js';
import { loggedCallOf, type LoggedCall } from './logged-call.js';

@Injectable()
export class AccessLogs {
  constructor(private readonly recorder: AccessLogRecorder) {}

  /**
   * Call it once the bucket is known, before the body is read.
   * @returns what is to be called with the answer, before that is sent; undefined if nobody logs it
   */
  begin(call: LoggedCall, reply: FastifyReply): ((answer: S3Answer) => void) | undefined {
    const { bucket, request } = call;
    if (!bucket.configurations.logging) return undefined;
    const { raw } = request;
    const time = new Date(Date.now() - reply.elapsedTime);
    let receivedMs = 0;
    raw.once('end', () => (receivedMs = reply.elapsedTime));
    return (answer) => {
      const turnAroundMs = reply.elapsedTime - receivedMs;
      const before = raw.socket.bytesWritten;
      const end = (): void => {
        const length = Number(reply.getHeader('content-length') ?? 0);
        // Of an answer that its client did not wait for, the head counts as well: about so many.
        const sent = reply.raw.writableFinished ? length : raw.socket.bytesWritten - before;
        const line = {
          ...loggedCallOf(call),
          time,
          status: reply.statusCode,
          bytesSent: hasBody(request.method, reply.statusCode) ? Math.min(sent, length) : 0,
          totalMs: reply.elapsedTime,
          turnAroundMs,
        };
        const record = ({ errorCode }: S3Answer): void =>
          this.recorder.record(bucket, { ...line, errorCode });
        if (answer.rest) void answer.rest.then(record);
        else record(answer);
      };
      if (reply.raw.destroyed) end();
      else reply.raw.once('close', end);
    };
  }
}

function hasBody(method: string, status: number): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304;
}
