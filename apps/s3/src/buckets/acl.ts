/** Access control lists. Public source: Amazon S3 user guide, "Access control list (ACL) overview". */

export type Grantee =
  /** `id` is the project's. */
  | { readonly kind: 'project'; readonly id: string }
  | { readonly kind: 'group'; readonly uri: string };

export type Permission = 'READ' | 'WRITE' | 'READ_ACP' | 'WRITE_ACP';

export const GRANTABLE = ['READ', 'WRITE', 'READ_ACP', 'WRITE_ACP', 'FULL_CONTROL'] as const;

export interface Grant {
  readonly grantee: Grantee;
  readonly permission: Permission | 'FULL_CONTROL';
}

export interface Acl {
  readonly owner: string;
  readonly grants: readonly Grant[];
}

export const ALL_USERS = 'http://acs.amazonaws.com/groups/global/AllUsers';
export const AUTHENTICATED_USERS = 'http://acs.amazonaws.com/groups/global/AuthenticatedUsers';
export const LOG_DELIVERY = 'http://acs.amazonaws.com/groups/s3/LogDelivery';

/** The default ACL: all permissions for the owner alone. */
export function ownersAcl(owner: string): Acl {
  return { owner, grants: [fullControl(owner)] };
}

export function fullControl(id: string): Grant {
  return { grantee: { kind: 'project', id }, permission: 'FULL_CONTROL' };
}

export function isPublicGrant({ grantee }: Grant): boolean {
  return grantee.kind === 'group' && [ALL_USERS, AUTHENTICATED_USERS].includes(grantee.uri);
}

/** Whether it grants anything to all users, or to all authenticated ones. */
export function isPublicAcl(acl: Acl | null): boolean {
  return acl !== null && acl.grants.some(isPublicGrant);
}

/** Whether it grants nothing to others than its owner. */
export function isOwnersAlone(acl: Acl | null): boolean {
  return (
    acl === null ||
    acl.grants.every(({ grantee }) => grantee.kind === 'project' && grantee.id === acl.owner)
  );
}
