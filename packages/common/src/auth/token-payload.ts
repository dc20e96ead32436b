/**
 * The JWT's claims, under short private names to keep tokens small: they travel in headers.
 *
 * Always holds: `toClaims` reads back exactly what `toPayload` wrote.
 */
import type { JWTPayload } from 'jose';
import { UnauthenticatedError } from '../errors/domain-error.js';
import type { Delegation, TokenClaims } from '../context/token-claims.js';

export const TOKEN_ISSUER = 'cumulet';

type TrustFields = readonly [
  id: string,
  trustorId: string,
  trusteeId: string,
  ...intermediaryIds: string[],
];
type CredentialFields = readonly [id: string, unrestricted: boolean];
type RuleFields = readonly [service: string, method: string, path: string];

export function toPayload(claims: TokenClaims): JWTPayload {
  return {
    iss: TOKEN_ISSUER,
    sub: claims.userId,
    iat: claims.issuedAt / 1000,
    exp: Math.floor(claims.expiresAt / 1000),
    ud: claims.userDomainId,
    pid: claims.projectId,
    did: claims.domainId,
    sc: claims.scope,
    rl: claims.roles,
    mt: claims.methods,
    aud_ids: claims.auditIds,
    ...(claims.delegation ? delegationFields(claims.delegation) : {}),
  };
}

/** @throws UnauthenticatedError for a payload that is not a token's */
export function toClaims(payload: JWTPayload): TokenClaims {
  const { sub, iat, exp } = payload;
  if (sub === undefined || iat === undefined || exp === undefined) throw new UnauthenticatedError();
  const delegation = delegationOf(payload);
  return {
    userId: sub,
    userDomainId: payload['ud'] as string,
    projectId: payload['pid'] as string | undefined,
    domainId: payload['did'] as string | undefined,
    scope: payload['sc'] as TokenClaims['scope'],
    roles: payload['rl'] as string[],
    methods: payload['mt'] as string[],
    auditIds: payload['aud_ids'] as string[],
    ...(delegation ? { delegation } : {}),
    issuedAt: Math.round(iat * 1000),
    expiresAt: exp * 1000,
  };
}

function delegationFields(delegation: Delegation): JWTPayload {
  if (delegation.kind === 'trust') {
    const { id, trustorId, trusteeId, intermediaryIds = [] } = delegation;
    return { tr: [id, trustorId, trusteeId, ...intermediaryIds] satisfies TrustFields };
  }
  const { id, unrestricted, accessRules } = delegation;
  return {
    ac: [id, unrestricted] satisfies CredentialFields,
    ar: accessRules?.map(({ service, method, path }): RuleFields => [service, method, path]),
  };
}

function delegationOf(payload: JWTPayload): Delegation | undefined {
  const trust = payload['tr'] as TrustFields | undefined;
  if (trust) {
    const [id, trustorId, trusteeId, ...intermediaryIds] = trust;
    return { kind: 'trust', id, trustorId, trusteeId, intermediaryIds };
  }
  const credential = payload['ac'] as CredentialFields | undefined;
  if (!credential) return undefined;
  const rules = payload['ar'] as readonly RuleFields[] | undefined;
  return {
    kind: 'application-credential',
    id: credential[0],
    unrestricted: credential[1],
    accessRules: rules?.map(([service, method, path]) => ({ service, method, path })),
  };
}
