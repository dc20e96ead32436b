/** Access control lists. Public source: Amazon S3 user guide, "Access control list (ACL) overview". */
import type { Permission } from '../operations/operation-row.js';

export type Grantee =
  /** A project, by its id. */
  | { readonly kind: 'project'; readonly id: string }
  | { readonly kind: 'group'; readonly uri: string };

export interface Grant {
  readonly grantee: Grantee;
  readonly permission: Permission | 'FULL_CONTROL';
}

export interface Acl {
  /** The project that owns what it is about. */
  readonly owner: string;
  readonly grants: readonly Grant[];
}

export const ALL_USERS = 'http://acs.amazonaws.com/groups/global/AllUsers';
export const AUTHENTICATED_USERS = 'http://acs.amazonaws.com/groups/global/AuthenticatedUsers';
export const LOG_DELIVERY = 'http://acs.amazonaws.com/groups/s3/LogDelivery';
