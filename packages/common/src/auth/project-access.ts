/**
 * The projects whose resources a request may act on: one rule for every service.
 *
 * - Users act on resources of their token's project.
 * - Administrators, and other services with the role `service`, act on those of every project. A
 *   service has to name the project that will own what it creates, since its own project owns nothing.
 *
 * Whether a role may make a request at all is the route's rule (`access.ts`). Public source: Networking
 * API reference, `project_id`.
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

/** The rows that the caller may act on; others do not exist for the caller. */
export function reachable(ctx: RequestContext, property = 'projectId'): Condition[] {
  return actsAcrossProjects(ctx) ? [] : [equals(property, ctx.projectId)];
}

/**
 * The caller in the project that will own a new resource; rows, quotas and locks then use that
 * project.
 * @param named the project in the request's body, if any
 * @param field its name in the body, for the message
 * @throws InvalidInputError if a service names none
 * @throws ForbiddenError for a project other than the caller's own
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
