/**
 * Revocation events: each revokes every token that all of its fields match and that was issued
 * before it. Public source: Keystone API reference, "OS-REVOKE API".
 */
import type { TokenClaims } from './token-claims.js';

export interface RevocationEvent {
  readonly auditId?: string | undefined;
  readonly auditChainId?: string | undefined;
  readonly userId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly domainId?: string | undefined;
  /** Milliseconds since the epoch; tokens issued at or before are revoked. */
  readonly issuedBefore: number;
}

export function isRevoked(claims: TokenClaims, events: readonly RevocationEvent[]): boolean {
  return events.some((event) => matches(claims, event));
}

function matches(claims: TokenClaims, event: RevocationEvent): boolean {
  const pairs: [string | undefined, string | undefined][] = [
    [event.auditId, claims.auditIds[0]],
    [event.auditChainId, claims.auditIds.at(-1)],
    [event.userId, claims.userId],
    [event.projectId, claims.projectId],
    [event.domainId, claims.domainId],
  ];
  return (
    claims.issuedAt <= event.issuedBefore &&
    pairs.every(([wanted, has]) => wanted === undefined || wanted === has)
  );
}
