/**
 * Who may call which operation, beyond having a token: one table from an operation's name in
 * Keystone to the personas that may. Public source: Keystone administrator guide, "API Protection
 * with Role-Based Access Control".
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { hasRole } from '@cumulet/common/auth/access';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';

/** Whom or what the request is about. */
export interface PolicyTarget {
  readonly userId?: string;
  readonly projectId?: string;
  readonly domainId?: string;
}

type Persona = (ctx: RequestContext, target: PolicyTarget) => boolean;

/** The role admin on a project or on the system; on a domain it says nothing of other domains. */
const admin: Persona = ({ isAdmin, fields: { projectId, domainId } }) =>
  isAdmin && (projectId !== undefined || domainId === undefined);

const service: Persona = ({ isService }) => isService;

/** The user that the request is about. */
const self: Persona = ({ userId }, target) => userId === target.userId;

/** Whoever can read in the project that the request is about. */
const projectReader: Persona = ({ roles, fields }, target) =>
  fields.projectId !== undefined &&
  fields.projectId === target.projectId &&
  hasRole(roles, 'reader');

/** Whoever's token is of that domain, or of a project in it. */
const insideDomain: Persona = ({ fields }, target) =>
  fields.domainId !== undefined && fields.domainId === target.domainId;

const POLICY = {
  'identity:validate_token': [admin, service, self],
  'identity:check_token': [admin, service, self],
  'identity:revoke_token': [admin, self],
  'identity:list_revoke_events': [admin, service],
  'identity:list_users': [admin],
  'identity:get_user': [admin, self],
  'identity:list_user_projects': [admin, self],
  'identity:list_projects': [admin],
  'identity:get_project': [admin, projectReader],
  'identity:list_roles': [admin],
  'identity:get_role': [admin],
  'identity:list_domains': [admin],
  'identity:get_domain': [admin, insideDomain],
} as const satisfies Readonly<Record<string, readonly Persona[]>>;

export type Operation = keyof typeof POLICY;

/** @throws ForbiddenError naming the operation, when the caller is none of its personas */
export function authorise(
  ctx: RequestContext,
  operation: Operation,
  target: PolicyTarget = {},
): void {
  const personas: readonly Persona[] = POLICY[operation];
  if (personas.some((persona) => persona(ctx, target))) return;
  throw new ForbiddenError(`You are not authorized to perform the requested action: ${operation}.`);
}
