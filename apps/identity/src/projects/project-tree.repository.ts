import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRows } from '@cumulet/common/database/rows';
import { projectsOf } from '../role-assignments/user-reach.sql.js';
import { Project } from './project.entity.js';
import type { ShownProject } from './shown-project.js';

type Place = Pick<ShownProject, 'id' | 'domainId' | 'ancestorIds'>;

/** The projects above and below one. */
@Injectable()
export class ProjectTreeRepository {
  /** Those above on which the user has a role, the nearest first. */
  listAbove(ctx: RequestContext, { ancestorIds }: Place, userId: string): Promise<Project[]> {
    return selectRows(
      ctx.manager,
      Project,
      `WHERE id = ANY ($1) AND id IN (${projectsOf('$2')}) ORDER BY cardinality(ancestor_ids) DESC`,
      [ancestorIds, userId],
    );
  }

  /**
   * Those below a project or a domain, the nearest first.
   * @param userId of whom on the projects a role is asked for; of nobody when left out
   */
  listBelow(ctx: RequestContext, { id, domainId }: Place, userId?: string): Promise<Project[]> {
    return selectRows(
      ctx.manager,
      Project,
      `WHERE domain_id = $1 AND ($2::text IS NULL OR $2 = ANY (ancestor_ids))
         AND ($3::text IS NULL OR id IN (${projectsOf('$3')}))
       ORDER BY cardinality(ancestor_ids), name, id`,
      domainId === null ? [id, null, userId] : [domainId, id, userId],
    );
  }

  /** Whether the domain or a project above is disabled; none of the projects changes meanwhile. */
  async hasDisabledAbove(tx: RequestContext, place: Place): Promise<boolean> {
    const rows: { enabled: boolean }[] = await tx.manager.query(
      `WITH above AS (
         SELECT enabled FROM projects WHERE id = ANY ($2)
          ORDER BY cardinality(ancestor_ids) FOR SHARE
       )
       SELECT enabled FROM domains WHERE id = $1 UNION ALL SELECT enabled FROM above`,
      [place.domainId, place.ancestorIds],
    );
    return rows.some(({ enabled }) => !enabled);
  }

  /** None can be enabled meanwhile, while the project itself is locked. */
  async hasEnabledBelow(tx: RequestContext, { id, domainId }: Place): Promise<boolean> {
    const rows: unknown[] = await tx.manager.query(
      `SELECT FROM projects WHERE domain_id = $1 AND $2 = ANY (ancestor_ids) AND enabled LIMIT 1`,
      [domainId, id],
    );
    return rows.length > 0;
  }
}
