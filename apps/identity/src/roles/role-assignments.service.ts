import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { NotFoundError } from '../resource/resource.errors.js';
import { domains } from '../domains/domain.repository.js';
import { scopeDomainOf } from '../policy/caller.js';
import { NOTHING } from '../policy/policy-target.js';
import { authorise } from '../policy/policy.js';
import { projects } from '../projects/project.repository.js';
import { listAssignments, type ListedAssignment } from './listed-assignment.repository.js';
import type { ListRoleAssignmentsQuery } from './role-assignment.dto.js';

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
 * Who has which role where. With `effective`, assignments on the system are expanded and listed
 * with the others; Keystone leaves them out. Public source: Keystone API reference, "List role
 * assignments".
 * @throws ForbiddenError, NotFoundError, InvalidInputError for filters that exclude each other
 */
export async function listRoleAssignments(
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

/** @throws InvalidInputError */
function refuseContradictions(query: ListRoleAssignmentsQuery): void {
  const isAsked = (filter: Filter): boolean =>
    query[filter] !== undefined && query[filter] !== false;
  const found = CONTRADICTIONS.find((filters) => filters.every(isAsked));
  if (found)
    throw new InvalidInputError(
      `Invalid input: ${found.join(' and ')} cannot be combined: no role assignment matches them.`,
    );
}
