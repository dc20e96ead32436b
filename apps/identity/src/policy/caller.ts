/** The domain and the delegation of a caller's token. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';

/** Owns what an administrator of the system creates without naming a domain. */
export const DEFAULT_DOMAIN_ID = 'default';

/**
 * The domain of what is created without naming one: that of the caller's token, or of its project.
 * Public source: Keystone API reference, "Create user", `domain_id`.
 */
export function domainOfCaller({ fields }: RequestContext): string {
  return fields.domainId ?? DEFAULT_DOMAIN_ID;
}

/** Undefined for a token of another scope. */
export function scopeDomainOf({ fields }: RequestContext): string | undefined {
  return fields.projectId === undefined ? fields.domainId : undefined;
}

/** The method of tokens that are issued for requests signed with an access key. */
export const BY_ACCESS_KEY = 'ec2credential';

/**
 * Such a token is valid for other services only. Public source: Keystone's source,
 * `keystone/server/flask/request_processing/middleware/auth_context.py`.
 */
export function isByAccessKey({
  methods,
}: {
  readonly methods?: readonly string[] | undefined;
}): boolean {
  return methods?.includes(BY_ACCESS_KEY) ?? false;
}

/** A token of a trust, or of an application credential that is not unrestricted. */
export function isRestricted({ fields: { delegation } }: RequestContext): boolean {
  if (delegation === undefined) return false;
  return delegation.kind === 'trust' || !delegation.unrestricted;
}

/*
 * Rights that delegated callers do not have, whatever their roles: a delegation gives roles only.
 * Public source: Keystone API reference, "Application Credentials", `unrestricted`.
 */

/** Application credentials would outlive the trust. */
export function refuseTrust({ fields: { delegation } }: RequestContext): void {
  if (delegation?.kind !== 'trust') return;
  throw new ForbiddenError('A token of a trust cannot be used for application credentials.');
}

/** @param what the kind of thing that only an unrestricted one may manage: `trusts` */
export function refuseRestrictedCredential(
  { fields: { delegation } }: RequestContext,
  what: string,
): void {
  if (delegation?.kind !== 'application-credential' || delegation.unrestricted) return;
  throw new ForbiddenError(`The application credential is restricted: it cannot manage ${what}.`);
}
