/** Role assignments on the wire. Public source: Keystone API reference, "List role assignments". */
import { Shown } from '@cumulet/common/http/shown';
import type { ListedAssignment, NamedThing } from './listed-assignment.repository.js';

class AssignedDomainView {
  @Shown(String, 'The id of the domain.')
  id: string;

  @Shown(String, 'Its name.')
  name: string;
}

class AssignedThingView {
  @Shown(String, 'Its id.')
  id: string;

  @Shown(String, 'Its name, with `include_names`.', { optional: true })
  name?: string;

  @Shown(() => AssignedDomainView, 'The domain that owns it, with `include_names`.', {
    optional: true,
  })
  domain?: AssignedDomainView;
}

class AssignedSystemView {
  @Shown(Boolean, 'True: all of the system.')
  all: boolean;
}

class AssignmentScopeView {
  @Shown(() => AssignedThingView, 'The project.', { optional: true })
  project?: AssignedThingView;

  @Shown(() => AssignedThingView, 'The domain.', { optional: true })
  domain?: AssignedThingView;

  @Shown(() => AssignedSystemView, 'The system.', { optional: true })
  system?: AssignedSystemView;

  @Shown(String, 'The projects below inherit it.', { optional: true, enum: ['projects'] })
  'OS-INHERIT:inherited_to'?: string;
}

class AssignmentLinksView {
  @Shown(String, 'The assignment itself.')
  assignment: string;

  @Shown(String, 'Of an effective one: the membership of the group that has it.', {
    optional: true,
  })
  membership?: string;

  @Shown(String, 'Of an effective one: the role that implies this one.', { optional: true })
  prior_role?: string;
}

export class RoleAssignmentView {
  @Shown(() => AssignedThingView, 'The role.')
  role: AssignedThingView;

  @Shown(() => AssignedThingView, 'The user who has it.', { optional: true })
  user?: AssignedThingView;

  @Shown(() => AssignedThingView, 'The group whose members have it.', { optional: true })
  group?: AssignedThingView;

  @Shown(() => AssignmentScopeView, 'Where it holds.')
  scope: AssignmentScopeView;

  @Shown(() => AssignmentLinksView, 'Where the assignment is found, and what is behind it.')
  links: AssignmentLinksView;
}

export function roleAssignmentView(
  listed: ListedAssignment,
  baseUrl: string,
  withNames: boolean,
): RoleAssignmentView {
  const shown = ({ id, name, domain }: NamedThing): AssignedThingView =>
    withNames ? { id, name, ...(domain ? { domain } : {}) } : { id };
  const { role, user, group, project, domain, inherited } = listed;
  return {
    role: shown(role),
    ...(user ? { user: shown(user) } : {}),
    ...(group ? { group: shown(group) } : {}),
    scope: {
      ...(project ? { project: shown(project) } : {}),
      ...(domain ? { domain: shown(domain) } : {}),
      ...(project || domain ? {} : { system: { all: true } }),
      ...(inherited ? { 'OS-INHERIT:inherited_to': 'projects' } : {}),
    },
    links: linksView(listed, `${baseUrl}/v3`),
  };
}

function linksView(listed: ListedAssignment, url: string): AssignmentLinksView {
  const { role, user, from, priorRoleId } = listed;
  return {
    assignment: url + grantPath(listed),
    ...(user && from.groupId !== null
      ? { membership: `${url}/groups/${from.groupId}/users/${user.id}` }
      : {}),
    ...(priorRoleId === null
      ? {}
      : { prior_role: `${url}/roles/${priorRoleId}/implies/${role.id}` }),
  };
}

function grantPath({ from, inherited }: ListedAssignment): string {
  const actor = from.groupId === null ? `users/${from.userId ?? ''}` : `groups/${from.groupId}`;
  const path = `${targetPath(from)}/${actor}/roles/${from.roleId}`;
  return inherited ? `/OS-INHERIT${path}/inherited_to_projects` : path;
}

function targetPath({ projectId, domainId, asProject }: ListedAssignment['from']): string {
  if (projectId !== null) return `/projects/${projectId}`;
  if (domainId === null) return '/system';
  return asProject ? `/projects/${domainId}` : `/domains/${domainId}`;
}
