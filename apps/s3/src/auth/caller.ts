/**
 * The caller of a request, as its signature proves: the access key, the signature that the service
 * makes with it, and the clock of the client.
 */
import { timingSafeEqual } from 'node:crypto';
import type { AccessKey } from '@cumulet/clients/identity/access-key';
import { AccessKeySource } from '@cumulet/clients/identity/access-key-source';
import { asId, type RequestId } from '@cumulet/common/context/ids';
import { Injectable } from '@nestjs/common';
import { type ErrorDetails, S3Error } from '../http/s3-error.js';

export interface SignedCaller {
  readonly kind: 'signed';
  readonly key: AccessKey;
  readonly userId: string;
  /** The project is the account: it owns buckets, and ACLs name it. */
  readonly projectId: string;
  readonly roles: readonly string[];
  /** As conditions of policies name them. */
  readonly signatureVersion: 'AWS' | 'AWS4-HMAC-SHA256';
  readonly authType: 'REST-HEADER' | 'REST-QUERY-STRING' | 'POST';
  /** Milliseconds since the request was signed. */
  readonly signatureAge: number;
}

export interface AnonymousCaller {
  readonly kind: 'anonymous';
}

export type Caller = SignedCaller | AnonymousCaller;

export const ANONYMOUS: AnonymousCaller = { kind: 'anonymous' };

/** @param signedAt milliseconds since the epoch */
export function callerOf(
  key: AccessKey,
  signatureVersion: SignedCaller['signatureVersion'],
  authType: SignedCaller['authType'],
  signedAt: number,
): SignedCaller {
  const { userId, projectId, roles } = key;
  const signatureAge = Math.max(0, Date.now() - signedAt);
  return {
    kind: 'signed',
    key,
    userId,
    projectId,
    roles,
    signatureVersion,
    authType,
    signatureAge,
  };
}

/**
 * Shows a client with another signature the text that it should have signed.
 * @param details the signed text; never the secret or a key derived from it
 */
export function requireSame(given: string, own: string, details: ErrorDetails): void {
  const [one, other] = [Buffer.from(given), Buffer.from(own)];
  if (one.length === other.length && timingSafeEqual(one, other)) return;
  throw new S3Error('SignatureDoesNotMatch', { details });
}

/** @param text of which each character is a byte of UTF-8 */
export function readable(text: string): string {
  return Buffer.from(text, 'latin1').toString();
}

/** How far a client's clock may be from this one's. Public source: decisions on S3; 15 minutes. */
const MAX_SKEW_MS = 15 * 60_000;

/**
 * @param time milliseconds since the epoch, by the client's clock
 * @throws S3Error RequestTimeTooSkewed
 */
export function requireRecent(time: number, now = Date.now()): void {
  if (Math.abs(now - time) <= MAX_SKEW_MS) return;
  throw new S3Error('RequestTimeTooSkewed', {
    details: {
      RequestTime: new Date(time).toISOString(),
      ServerTime: new Date(now).toISOString(),
      MaxAllowedSkewMilliseconds: MAX_SKEW_MS,
    },
  });
}

/**
 * @param text of a Date header, as RFC 9110 has dates
 * @returns milliseconds since the epoch
 * @throws S3Error AccessDenied
 */
export function timestampOf(text: string | undefined): number {
  const time = Date.parse(text ?? '');
  // HTTP dates always have a year.
  if (Number.isFinite(time) && time > 0) return time;
  throw new S3Error('AccessDenied', {
    message: 'AWS authentication requires a valid Date or x-amz-date header',
  });
}

@Injectable()
export class AccessKeys {
  constructor(private readonly source: AccessKeySource) {}

  /**
   * @param requestId of the request on whose behalf identity is called
   * @throws S3Error InvalidAccessKeyId; UnavailableError if identity does not answer
   */
  async get(requestId: string, access: string): Promise<AccessKey> {
    const origin = { requestId: asId<RequestId>(requestId), globalRequestId: undefined };
    const found = await this.source.find(origin, access);
    if (found) return found;
    throw new S3Error('InvalidAccessKeyId', { details: { AWSAccessKeyId: access } });
  }
}
