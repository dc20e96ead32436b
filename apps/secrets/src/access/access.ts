/** The policy (policy.ts) as a guard of routes, as a check of a row, and as a condition on rows. */
import { SetMetadata } from '@nestjs/common';
import { ACCESS, type Access } from '@cumulet/common/auth/access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import type { Condition } from '@cumulet/common/tables/condition';
import { isAllowed, POLICY, type Owned, type PolicyName } from './policy.js';

/** Users on an ACL need any role on any project; writers are members at least. */
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

/** @param what `secret <id>`. @throws ForbiddenError naming the personas that are allowed */
export function requireAllowed(
  ctx: RequestContext,
  owned: Owned,
  operation: PolicyName,
  what: string,
): void {
  if (isAllowed(ctx, owned, operation)) return;
  throw new ForbiddenError(
    `The caller is not allowed to do this (${operation}) with ${what}. Allowed: ${POLICY[operation].join(', ')}.`,
  );
}
