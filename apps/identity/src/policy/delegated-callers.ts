/**
 * What a caller who acts by delegation is refused whatever its roles are, an administrator's too:
 * an administrator who gives part of its roles away has not given these with them. Public source:
 * Keystone API reference, "Application Credentials", `unrestricted`.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';

/** Application credentials outlive the trust by which somebody would come to them. */
export function refuseTrust({ fields: { delegation } }: RequestContext): void {
  if (delegation?.kind !== 'trust') return;
  throw new ForbiddenError('A token of a trust cannot be used for application credentials.');
}

/** @param what that only an unrestricted one may manage: `trusts` */
export function refuseRestrictedCredential(
  { fields: { delegation } }: RequestContext,
  what: string,
): void {
  if (delegation?.kind !== 'application-credential' || delegation.unrestricted) return;
  throw new ForbiddenError(`The application credential is restricted: it cannot manage ${what}.`);
}
