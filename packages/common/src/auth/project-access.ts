/**
 * On which projects' resources a request may act: one rule for every service that has any.
 *
 * - A user acts on those of its token's project.
 * - An administrator, and a sister service with its role `service`, act on those of every project.
 *   What a service creates belongs to the project that it names, as its own token's is nobody's.
 *
 * Which requests a role may make at all is the route's rule (`access.ts`), and what only
 * administrators may do stays theirs. Public source: Networking API reference, `project_id`.
 */
import { asId } from '../context/ids.js';
import { RequestContext } from '../context/request-context.js';
import { ForbiddenError, InvalidInputError } from '../errors/domain-error.js';
import { equals, type Condition } from '../tables/condition.js';

type Caller = Pick<RequestContext, 'roles'>;

export function actsAcrossProjects({ roles }: Caller): boolean {
  return roles.includes('admin') || roles.includes('service');
}

export function mayActOn(ctx: RequestContext, projectId: string): boolean {
  return actsAcrossProjects(ctx) || projectId === ctx.projectId;
}

/** The rows that the caller may act on; to it, those of other projects do not exist. */
export function reachable(ctx: RequestContext, property = 'projectId'): Condition[] {
  return actsAcrossProjects(ctx) ? [] : [equals(property, ctx.projectId)];
}

/**
 * The caller, in the project to which something new will belong: rows, quotas and locks that go by
 * the context's project go by that one.
 * @param named the project that the request's body names, if any
 * @param field what the body calls it, for the message
 * @throws InvalidInputError if a service names none
 * @throws ForbiddenError for another project than the caller's own
 */
export function inProject(
  ctx: RequestContext,
  named: string | null | undefined,
  field = 'project_id',
): RequestContext {
  if (named == null) {
    if (!ctx.isService || ctx.isAdmin) return ctx;
    throw new InvalidInputError(
      `Invalid input: ${field} is required of a service, which acts for other projects than its own.`,
    );
  }
  if (mayActOn(ctx, named)) return new RequestContext({ ...ctx.fields, projectId: asId(named) });
  throw new ForbiddenError(
    `The ${field} '${named}' is not the token's own project; naming another requires the role admin.`,
  );
}
