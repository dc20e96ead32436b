/**
 * Logs the requests on buckets with logging. A request without a known sender names no bucket,
 * because names belong to projects, so it is not logged.
 */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { arnOf } from '../access/policy/policy.js';
import { ANONYMOUS, type Caller } from '../auth/caller.js';
import { Answers, type AnsweredCall, type Follower } from '../dispatch/answers.js';
import type { S3Answer } from '../http/s3-answer.js';
import type { OperationDeclaration } from '../operations/operation-row.js';
import type { OperationName } from '../operations/operations.js';
import { AccessLogRecorder } from './access-log-recorder.js';
import type { LoggedRequest } from './log-line.js';

@Injectable()
export class AccessLogs implements OnModuleInit {
  constructor(
    private readonly recorder: AccessLogRecorder,
    private readonly answers: Answers,
  ) {}

  onModuleInit(): void {
    this.answers.follow((call, reply) => this.#begin(call, reply));
  }

  /** @returns undefined if nobody logs it */
  #begin(call: AnsweredCall, reply: FastifyReply): ReturnType<Follower> {
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
        // For an aborted answer, the socket's count is an approximation: it includes the head.
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

type OfAnswer = 'time' | 'status' | 'errorCode' | 'bytesSent' | 'totalMs' | 'turnAroundMs';

/** Operations whose body is an object or a part of one. */
const BRINGS_BYTES = new Set(['PutObject', 'PostObject', 'UploadPart']);

/** The part of a line that does not depend on the answer. Pure. */
function loggedCallOf(call: AnsweredCall): Omit<LoggedRequest, OfAnswer> {
  const { bucket, request, operation, caller = ANONYMOUS } = call;
  const { rawPath, rawQuery, raw } = request;
  return {
    bucketOwner: bucket.projectId,
    bucket: bucket.name,
    remoteAddress: request.clientAddress,
    requester: caller.kind === 'signed' ? arnOf(caller) : undefined,
    requestId: request.id,
    operation: operation ? loggedOperationOf(operation) : `WEBSITE.${request.method}.OBJECT`,
    key: request.address.key,
    method: request.method,
    uri: rawQuery === '' ? rawPath : `${rawPath}?${rawQuery}`,
    httpVersion: raw.httpVersion,
    objectSize: sizeOf(call),
    referer: raw.headers.referer,
    userAgent: raw.headers['user-agent'],
    versionId: request.query.get('versionId'),
    host: request.host,
    ...signatureOf(caller),
    ...tlsOf(raw.socket),
  };
}

function sizeOf({ operation, body, object }: AnsweredCall): number | undefined {
  if (operation && BRINGS_BYTES.has(operation.name)) return body?.length;
  return object === undefined || object.isDeleteMarker ? undefined : Number(object.size);
}

function signatureOf(caller: Caller): Pick<LoggedRequest, 'signatureVersion' | 'authType'> {
  if (caller.kind === 'anonymous') return { signatureVersion: undefined, authType: undefined };
  return {
    signatureVersion: caller.signatureVersion === 'AWS' ? 'SigV2' : 'SigV4',
    authType: AUTH_TYPES[caller.authType],
  };
}

const AUTH_TYPES = {
  'REST-HEADER': 'AuthHeader',
  'REST-QUERY-STRING': 'QueryString',
  POST: undefined,
} as const;

/** Known only of connections that no proxy terminates. */
function tlsOf(socket: Socket): Pick<LoggedRequest, 'cipher' | 'tlsVersion'> {
  if (!(socket instanceof TLSSocket)) return { cipher: undefined, tlsVersion: undefined };
  return { cipher: socket.getCipher().name, tlsVersion: socket.getProtocol() ?? undefined };
}

/** Operations whose resource the log names differently. */
const NAMES: Readonly<Partial<Record<OperationName, string>>> = {
  CopyObject: 'REST.COPY.OBJECT',
  UploadPart: 'REST.PUT.PART',
  UploadPartCopy: 'REST.COPY.PART',
  CreateMultipartUpload: 'REST.POST.UPLOADS',
  CompleteMultipartUpload: 'REST.POST.UPLOAD',
  AbortMultipartUpload: 'REST.DELETE.UPLOAD',
  ListParts: 'REST.GET.UPLOAD',
  ListMultipartUploads: 'REST.GET.UPLOADS',
  DeleteObjects: 'REST.POST.MULTI_OBJECT_DELETE',
  ListObjectVersions: 'REST.GET.BUCKETVERSIONS',
  SelectObjectContent: 'REST.SELECT.OBJECT',
};

const SUBRESOURCES: Readonly<Record<string, string>> = {
  acl: 'ACL',
  'legal-hold': 'LEGAL_HOLD',
  logging: 'LOGGING_STATUS',
  'object-lock': 'OBJECT_LOCK_CONFIGURATION',
  ownershipControls: 'OWNERSHIP_CONTROLS',
  policy: 'BUCKETPOLICY',
  policyStatus: 'POLICY_STATUS',
  publicAccessBlock: 'PUBLIC_ACCESS_BLOCK',
  requestPayment: 'REQUEST_PAYMENT',
};

/**
 * The names of operations in logs: `REST.GET.OBJECT`. Pure. Public source: Amazon S3 user guide, "Amazon S3
 * server access log format", Operation.
 */
export function loggedOperationOf({ name, method, on, query }: OperationDeclaration): string {
  const known = NAMES[name as OperationName];
  if (known !== undefined) return known;
  const [subresource = ''] = query.split(/[&=]/);
  if (subresource === '' || subresource === 'list-type')
    return `REST.${method}.${on.toUpperCase()}`;
  if (subresource === 'tagging' && on === 'object') return `REST.${method}.OBJECT_TAGGING`;
  const resource = SUBRESOURCES[subresource] ?? subresource.replaceAll('-', '_').toUpperCase();
  return `REST.${method}.${resource}`;
}
