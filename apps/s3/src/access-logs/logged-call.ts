/** What a line tells of a call, besides how it was answered. Pure. */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { arnOf } from '../access/policy/principal.js';
import { ANONYMOUS, type Caller } from '../auth/caller.js';
import type { AddressedCall } from '../operations/operation.js';
import type { LoggedRequest } from './log-line.js';
import { loggedOperationOf } from './log-operation.js';

type OfAnswer = 'time' | 'status' | 'errorCode' | 'bytesSent' | 'totalMs' | 'turnAroundMs';

/** Whose body is the object, or a part of it. */
const BRINGS_BYTES = new Set(['PutObject', 'PostObject', 'UploadPart']);

/** A call on a bucket; or a visit to a website, which is no operation. */
export type LoggedCall = Pick<AddressedCall, 'bucket' | 'request'> & Partial<OfOperation>;
type OfOperation = Pick<AddressedCall, 'operation' | 'caller' | 'body' | 'object'>;

export function loggedCallOf(call: LoggedCall): Omit<LoggedRequest, OfAnswer> {
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

function sizeOf({ operation, body, object }: LoggedCall): number | undefined {
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

/** Of connections that no proxy ends. */
function tlsOf(socket: Socket): Pick<LoggedRequest, 'cipher' | 'tlsVersion'> {
  if (!(socket instanceof TLSSocket)) return { cipher: undefined, tlsVersion: undefined };
  return { cipher: socket.getCipher().name, tlsVersion: socket.getProtocol() ?? undefined };
}
