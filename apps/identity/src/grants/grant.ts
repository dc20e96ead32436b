/** What a request for a grant is about, as its path names it, and whose tokens it takes away. Pure. */
import type { RevocationSubject } from '@cumulet/common/auth/revocation';
import type { NamedIds } from '../policy/policy-target.js';
import type {
  Assignment,
  AssignmentActor,
  AssignmentPlace,
  AssignmentTarget,
} from '../role-assignments/assignment-place.js';

export type GrantIds = NamedIds & { readonly role_id: string };

/** A path that names neither a project nor a domain is about the system. */
export function placeOf(ids: NamedIds, inherited: boolean): AssignmentPlace {
  return { actor: actorOf(ids), target: targetOf(ids), inherited };
}

export function grantOf(ids: GrantIds, inherited: boolean): Assignment {
  return { ...placeOf(ids, inherited), roleId: ids.role_id };
}

function actorOf({ user_id: userId, group_id: groupId }: NamedIds): AssignmentActor {
  if (userId !== undefined) return { kind: 'user', id: userId };
  if (groupId !== undefined) return { kind: 'group', id: groupId };
  throw new Error('the path of a grant names neither a user nor a group');
}

function targetOf({ project_id: projectId, domain_id: domainId }: NamedIds): AssignmentTarget {
  if (projectId !== undefined) return { kind: 'project', id: projectId };
  if (domainId !== undefined) return { kind: 'domain', id: domainId };
  return { kind: 'system' };
}

/**
 * The tokens that a user has by a place where it loses a role. No event can say `of the system`, nor
 * `of all projects below`: those are about all tokens of the user.
 */
export function tokensBy(
  { target, inherited }: AssignmentPlace,
  userId: string,
): RevocationSubject {
  if (target.kind === 'system' || inherited) return { userId };
  return target.kind === 'project'
    ? { userId, projectId: target.id }
    : { userId, domainId: target.id };
}
