/**
 * ACLs on the wire. There is one operation that they are about: to read. Public source: Key Manager
 * API reference, "ACL API".
 */
import { BooleanField, ObjectField, StringListField } from '@cumulet/common/http/fields';
import { Shown } from '@cumulet/common/http/shown';
import type { OwnedColumns } from '../access/owned.columns.js';
import { zonelessTime } from '../http/time.js';

const MAX_USERS = 1_000;

class ReadersDto {
  @StringListField({ optional: true, maxItems: MAX_USERS, description: 'Ids of users.' })
  users?: string[];

  @BooleanField({
    optional: true,
    description: "Whether its project's members may read it; true by default.",
  })
  'project-access'?: boolean;
}

export class AclDto {
  @ObjectField(() => ReadersDto, { optional: true })
  read?: ReadersDto;
}

class ReadersView {
  @Shown(Boolean, "Whether its project's members may read it.")
  'project-access': boolean;

  @Shown([String], 'The users who may read it, of any project.', { optional: true })
  users?: string[];

  @Shown(String, 'When it got an ACL, in UTC.', { optional: true })
  created?: string;

  @Shown(String, 'When the ACL last changed, in UTC.', { optional: true })
  updated?: string;
}

export class AclView {
  @Shown(() => ReadersView, 'Who may read it.')
  read: ReadersView;
}

export class AclRefView {
  @Shown(String, "The ACL's address.")
  acl_ref: string;
}

export type Acl = Pick<
  OwnedColumns,
  'projectAccess' | 'aclUsers' | 'aclCreatedAt' | 'aclUpdatedAt'
>;

/** What has no ACL is as if it had one that lets its project read it. */
export function aclView({ projectAccess, aclUsers, aclCreatedAt, aclUpdatedAt }: Acl): AclView {
  if (!aclCreatedAt || !aclUpdatedAt) return { read: { 'project-access': true } };
  return {
    read: {
      'project-access': projectAccess,
      users: aclUsers,
      created: zonelessTime(aclCreatedAt),
      updated: zonelessTime(aclUpdatedAt),
    },
  };
}

export const NO_ACL = {
  projectAccess: true,
  aclUsers: [],
  aclCreatedAt: null,
  aclUpdatedAt: null,
} satisfies Acl;

/** The ACL that a body describes as a whole; without one, there is none afterwards. */
export function replaced(before: Acl, { read }: AclDto): Acl {
  return read ? { ...changed(NO_ACL, { read }), aclCreatedAt: createdAt(before) } : NO_ACL;
}

/** The ACL with what a body names of it changed. */
export function changed(before: Acl, { read }: AclDto): Acl {
  if (!read) return before;
  const { users = before.aclUsers, 'project-access': projectAccess = before.projectAccess } = read;
  return {
    projectAccess,
    aclUsers: [...new Set(users)],
    aclCreatedAt: createdAt(before),
    aclUpdatedAt: new Date(),
  };
}

function createdAt({ aclCreatedAt }: Acl): Date {
  return aclCreatedAt ?? new Date();
}
