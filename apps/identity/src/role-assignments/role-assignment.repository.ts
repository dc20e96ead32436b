import { Injectable } from '@nestjs/common';
import type { DomainId, ProjectId, UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { newId } from '../database/new-id.js';
import type { RoleId } from '../roles/role.entity.js';

export type AssignmentTarget =
  { readonly projectId: ProjectId } | { readonly domainId: DomainId } | { readonly system: true };

export interface NewAssignment {
  readonly userId: UserId;
  readonly roleId: RoleId;
  readonly target: AssignmentTarget;
}

@Injectable()
export class RoleAssignmentRepository {
  /** Makes those of the assignments that are missing. */
  async ensure(ctx: RequestContext, assignments: readonly NewAssignment[]): Promise<void> {
    const targets = assignments.map(({ target }) => target);
    await ctx.manager.query(
      `INSERT INTO role_assignments (id, user_id, role_id, project_id, domain_id, on_system)
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[])
       ON CONFLICT DO NOTHING`,
      [
        assignments.map(() => newId()),
        assignments.map(({ userId }) => userId),
        assignments.map(({ roleId }) => roleId),
        targets.map((target) => ('projectId' in target ? target.projectId : null)),
        targets.map((target) => ('domainId' in target ? target.domainId : null)),
        targets.map((target) => 'system' in target),
      ],
    );
  }
}
