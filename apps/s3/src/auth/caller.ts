/** Who sent a request, as far as the signature says. */
import type { AccessKey } from '@cumulet/clients/identity/access-key';

export interface SignedCaller {
  readonly kind: 'signed';
  readonly key: AccessKey;
  readonly userId: string;
  /** The project is the account: it owns buckets, and ACLs name it. */
  readonly projectId: string;
  readonly roles: readonly string[];
  /** As policies' conditions name them. */
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
