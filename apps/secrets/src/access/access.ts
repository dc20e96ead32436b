/** How the policy (policy.ts) is asked: by route, by row, and as a condition on rows. */
import { SetMetadata } from '@nestjs/common';
import { ACCESS, type Access } from '@cumulet/common/auth/access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import type { Condition } from '@cumulet/common/tables/condition';
import { isAllowed, POLICY, type Owned, type PolicyName } from './policy.js';

/**
 * Opens a route by the policy. The users of an ACL need no role but to have one on a project; who
 * may write is a member at least.
 */
export function Permits(operation: PolicyName): MethodDecorator {
  const personas = POLICY[operation];
  return SetMetadata(ACCESS, {
    kind: 'role',
    role: personas.includes('user on its ACL') ? 'reader' : 'member',
    policy: { operation, personas },
  } satisfies Access);
}

/** The rows that exist to the caller: its project's, those whose ACL names it, or all. */
export function visible(ctx: RequestContext): Condition[] {
  if (ctx.isAdmin) return [];
  const { projectId, userId } = ctx;
  return [
    (bind, column) =>
      `${column('projectId')} = ${bind(projectId)} OR ${column('aclUsers')} @> ARRAY[${bind(userId)}]`,
  ];
}

/** The rows whose ACL names the caller, of whatever project. */
export function shared({ userId }: RequestContext): Condition {
  return (bind, column) => `${column('aclUsers')} @> ARRAY[${bind(userId)}]`;
}

/**
 * @param what names it: `Secret <id>`
 * @throws ForbiddenError saying who may
 */
export function requireAllowed(
  ctx: RequestContext,
  owned: Owned,
  operation: PolicyName,
  what: string,
): void {
  if (isAllowed(ctx, owned, operation)) return;
  throw new ForbiddenError(
    `The caller may not do this (${operation}) with ${what}. Who may: ${POLICY[operation].join(', ')}.`,
  );
}
