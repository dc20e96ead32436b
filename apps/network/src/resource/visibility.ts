/** Which rows of a resource that may be shared a caller sees. */
import { actsAcrossProjects } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Condition } from '@cumulet/common/tables/condition';
import { sharedWith } from '../rbac-policies/sharing.js';

/** Those of its project, and those that policies share with it: two indexes. */
export function ownOrShared(ctx: RequestContext): Condition[] {
  if (actsAcrossProjects(ctx)) return [];
  return [
    (bind, column) => {
      const project = bind(ctx.projectId);
      return `${column('projectId')} = ${project}
           OR ${column('id')} = ANY(ARRAY(${sharedWith(project)}))`;
    },
  ];
}
