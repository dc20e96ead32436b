/** Trusts on the wire. Public source: Keystone API reference, "OS-TRUST". */
import type { Role } from '../roles/role.entity.js';
import { roleView } from '../roles/role.view.js';
import type { ListedTrust } from './trust.repository.js';

/** As a list shows it, without its roles. */
export function trustView(trust: ListedTrust, baseUrl: string): object {
  return {
    id: trust.id,
    trustor_user_id: trust.trustorUserId,
    trustee_user_id: trust.trusteeUserId,
    project_id: trust.projectId,
    impersonation: trust.impersonation,
    expires_at: trust.expiry,
    remaining_uses: trust.remainingUses,
    redelegated_trust_id: trust.redelegatedTrustId,
    redelegation_count: trust.redelegationCount,
    deleted_at: null,
    links: { self: trustUrl(trust.id, baseUrl) },
  };
}

export function detailedTrustView(
  trust: ListedTrust,
  roles: readonly Role[],
  baseUrl: string,
): object {
  const view = trustRolesView(trust.id, roles, baseUrl);
  return { ...trustView(trust, baseUrl), roles: view.roles, roles_links: view.links };
}

export function trustRolesView(
  trustId: string,
  roles: readonly Role[],
  baseUrl: string,
): { roles: object[]; links: object } {
  return {
    roles: roles.map((role) => roleView(role, baseUrl)),
    links: { self: `${trustUrl(trustId, baseUrl)}/roles`, next: null, previous: null },
  };
}

function trustUrl(id: string, baseUrl: string): string {
  return `${baseUrl}/v3/OS-TRUST/trusts/${id}`;
}
