/** Which rows of a resource that may be shared a caller sees. */
import { actsAcrossProjects } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Condition } from '@cumulet/common/tables/condition';

/** Those of its project, and those that all projects share. */
export function ownOrShared(ctx: RequestContext): Condition[] {
  if (actsAcrossProjects(ctx)) return [];
  return [
    (bind, column) => `${column('projectId')} = ${bind(ctx.projectId)} OR ${column('shared')}`,
  ];
}
