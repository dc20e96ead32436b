import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { domains } from '../domains/domain.repository.js';
import { scopeDomainOf } from '../policy/caller.js';
import { NOTHING } from '../policy/policy-target.js';
import { authorise } from '../policy/policy.js';
import { ProtectedInHandler } from '../policy/protected.js';
import { projects } from '../projects/project.repository.js';
import { NotFoundError } from '../resource/resource.errors.js';
import { listedUnder, listLinks } from '../resource/resource.view.js';
import {
  listAssignments,
  type ListedAssignment,
  type NamedThing,
} from './role-assignment-list.repository.js';
import { ListRoleAssignmentsQuery } from './role-assignment.dto.js';

const AssignedDomainView = answerClass('AssignedDomainView', {
  id: Shown(String, 'The ID of the domain.'),
  name: Shown(String, 'The name of the domain.'),
});

const AssignedThingView = answerClass('AssignedThingView', {
  id: Shown(String, 'The ID.'),
  name: Shown(String, 'The name, with `include_names`.', { optional: true }),
  domain: Shown(() => AssignedDomainView, 'The domain that owns it, with `include_names`.', {
    optional: true,
  }),
});

const AssignedSystemView = answerClass('AssignedSystemView', {
  all: Shown(Boolean, 'Always true.'),
});

const AssignmentScopeView = answerClass('AssignmentScopeView', {
  project: Shown(() => AssignedThingView, 'The project.', { optional: true }),
  domain: Shown(() => AssignedThingView, 'The domain.', { optional: true }),
  system: Shown(() => AssignedSystemView, 'The system.', { optional: true }),
  'OS-INHERIT:inherited_to': Shown(String, 'Present where the projects below inherit the role.', {
    optional: true,
    enum: ['projects'],
  }),
});

const AssignmentLinksView = answerClass('AssignmentLinksView', {
  assignment: Shown(String, 'The URL of the assignment.'),
  membership: Shown(String, 'The URL of the group membership behind an effective assignment.', {
    optional: true,
  }),
  prior_role: Shown(String, 'The URL of the inference behind an effective assignment.', {
    optional: true,
  }),
});

const RoleAssignmentView = answerClass('RoleAssignmentView', {
  role: Shown(() => AssignedThingView, 'The role.'),
  user: Shown(() => AssignedThingView, 'The user who has it.', { optional: true }),
  group: Shown(() => AssignedThingView, 'The group whose members have it.', { optional: true }),
  scope: Shown(
    () => AssignmentScopeView,
    'The project, the domain or the system on which it holds.',
  ),
  links: Shown(() => AssignmentLinksView, 'Links to the assignment and to what is behind it.'),
});

function roleAssignmentView(listed: ListedAssignment, baseUrl: string, withNames: boolean): object {
  const shown = ({ id, name, domain }: NamedThing): object =>
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

function linksView(listed: ListedAssignment, url: string): object {
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

type Filter = keyof ListRoleAssignmentsQuery;

/** Filters that no assignment can match together, since it has one actor and one target. */
const CONTRADICTIONS: readonly (readonly Filter[])[] = [
  ['scope.project.id', 'scope.domain.id'],
  ['scope.project.id', 'scope.system'],
  ['scope.domain.id', 'scope.system'],
  ['user.id', 'group.id'],
  // An effective assignment is a user's and, if it is inherited, on a project.
  ['effective', 'group.id'],
  ['effective', 'scope.domain.id', 'scope.OS-INHERIT:inherited_to'],
];

/**
 * With `effective`, assignments on the system are expanded and listed with the others; Keystone leaves
 * them out. Public source: Keystone API reference, "List role assignments".
 * @throws ForbiddenError, NotFoundError, InvalidInputError for filters that exclude each other
 */
async function listRoleAssignments(
  ctx: RequestContext,
  query: ListRoleAssignmentsQuery,
): Promise<ListedAssignment[]> {
  if (query.include_subtree) await authoriseTree(ctx, query['scope.project.id']);
  else authorise(ctx, 'identity:list_role_assignments');
  refuseContradictions(query);
  return listAssignments(ctx, query, scopeDomainOf(ctx));
}

async function authoriseTree(ctx: RequestContext, id: string | undefined): Promise<void> {
  if (id === undefined)
    throw new InvalidInputError(
      'Invalid input: scope.project.id must be specified if include_subtree is.',
    );
  const project = await projects.find(ctx, id);
  const subject = project && { kind: 'project' as const, id, domainId: project.domainId };
  authorise(ctx, 'identity:list_role_assignments_for_tree', { ...NOTHING, subjects: [subject] });
  if (!project && !(await domains.find(ctx, id))) throw new NotFoundError('project', id);
}

function refuseContradictions(query: ListRoleAssignmentsQuery): void {
  const isAsked = (filter: Filter): boolean =>
    query[filter] !== undefined && query[filter] !== false;
  const found = CONTRADICTIONS.find((filters) => filters.every(isAsked));
  if (found)
    throw new InvalidInputError(
      `Invalid input: ${found.join(' and ')} cannot be combined: no role assignment matches them.`,
    );
}

@ApiTags('roles')
@Controller('v3/role_assignments')
export class RoleAssignmentsController {
  @Get()
  @ProtectedInHandler('identity:list_role_assignments')
  @Operation('List role assignments', listedUnder('role_assignments', RoleAssignmentView), {
    errors: [404],
  })
  async list(
    @Ctx() ctx: RequestContext,
    @Query() query: ListRoleAssignmentsQuery,
  ): Promise<object> {
    const { include_names: withNames = false } = query;
    const assignments = await listRoleAssignments(ctx, query);
    return {
      role_assignments: assignments.map((one) => roleAssignmentView(one, ctx.baseUrl, withNames)),
      links: listLinks(ctx),
    };
  }
}
