/** Role assignments on the wire. Public source: Keystone API reference, "List role assignments". */
import { roleUrl } from '../roles/role.view.js';
import type { ListedAssignment, NamedThing } from './listed-assignment.repository.js';

export function roleAssignmentView(
  listed: ListedAssignment,
  baseUrl: string,
  withNames: boolean,
): object {
  const shown = (thing: NamedThing): object => (withNames ? namedView(thing) : { id: thing.id });
  const { role, user, group } = listed;
  return {
    role: shown(role),
    ...(user ? { user: shown(user) } : {}),
    ...(group ? { group: shown(group) } : {}),
    scope: scopeView(listed, shown),
    links: linksView(listed, baseUrl),
  };
}

function namedView({ id, name, domain }: NamedThing): object {
  return { id, name, ...(domain ? { domain } : {}) };
}

function scopeView(
  { project, domain, inherited }: ListedAssignment,
  shown: (thing: NamedThing) => object,
): object {
  return {
    ...(project ? { project: shown(project) } : {}),
    ...(domain ? { domain: shown(domain) } : {}),
    ...(project || domain ? {} : { system: { all: true } }),
    ...(inherited ? { 'OS-INHERIT:inherited_to': 'projects' } : {}),
  };
}

/** Where the assignment itself is found, and what else there is behind an effective one. */
function linksView(listed: ListedAssignment, baseUrl: string): object {
  const { role, user, from, priorRoleId } = listed;
  return {
    assignment: `${baseUrl}/v3${grantPath(listed)}`,
    ...(user && from.groupId !== null
      ? { membership: `${baseUrl}/v3/groups/${from.groupId}/users/${user.id}` }
      : {}),
    ...(priorRoleId === null
      ? {}
      : { prior_role: `${roleUrl(priorRoleId, baseUrl)}/implies/${role.id}` }),
  };
}

function grantPath({ from, inherited }: ListedAssignment): string {
  const actor = from.groupId === null ? `users/${from.userId ?? ''}` : `groups/${from.groupId}`;
  const path = `${targetPath(from)}/${actor}/roles/${from.roleId}`;
  return inherited ? `/OS-INHERIT${path}/inherited_to_projects` : path;
}

function targetPath({ projectId, domainId }: ListedAssignment['from']): string {
  if (projectId !== null) return `/projects/${projectId}`;
  return domainId === null ? '/system' : `/domains/${domainId}`;
}
