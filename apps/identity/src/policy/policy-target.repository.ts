import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Subject } from './policy-target.js';
import type { NamedIds } from './policy-targets.js';

export interface TargetRow {
  readonly subjects: readonly Subject[];
  readonly ownerIds: readonly string[];
  readonly roleNames: readonly string[];
}

/** The domain of everything that a path names, whose it is, and what a role in it amounts to. */
@Injectable()
export class PolicyTargetRepository {
  async read(ctx: RequestContext, ids: NamedIds): Promise<TargetRow | undefined> {
    const rows: TargetRow[] = await ctx.manager.query(
      `WITH RECURSIVE subjects (kind, id, "domainId") AS (
         SELECT 'user', id, domain_id FROM users WHERE id = $1
         UNION ALL SELECT 'group', id, domain_id FROM groups WHERE id = $2
         UNION ALL SELECT 'project', id, domain_id FROM projects WHERE id = $3
         UNION ALL SELECT 'domain', id, id FROM domains WHERE id = $4
         UNION ALL SELECT 'role', id, domain_id FROM roles WHERE id = $5
       ), owners (id) AS (
         SELECT user_id FROM credentials WHERE id = $6
         UNION ALL SELECT trustor_user_id FROM trusts WHERE id = $7
         UNION ALL SELECT trustee_user_id FROM trusts WHERE id = $7
       ), granted (id) AS (
         SELECT $5::text
         UNION SELECT implied_role_id FROM role_inferences JOIN granted ON prior_role_id = granted.id
       )
       SELECT COALESCE((SELECT json_agg(subjects) FROM subjects), '[]') AS subjects,
              COALESCE((SELECT json_agg(id) FROM owners), '[]') AS "ownerIds",
              COALESCE((SELECT json_agg(name) FROM roles JOIN granted USING (id)
                         WHERE domain_id IS NULL), '[]') AS "roleNames"`,
      [
        ids.user_id,
        ids.group_id,
        ids.project_id,
        ids.domain_id,
        ids.role_id,
        ids.credential_id,
        ids.trust_id,
      ],
    );
    return rows[0];
  }
}
