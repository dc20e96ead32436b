import { Injectable } from '@nestjs/common';
import type { ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow, selectRows } from '@cumulet/common/database/rows';
import { newId } from '../database/new-id.js';
import { Project } from './project.entity.js';

export interface ProjectFilter {
  readonly name?: string | undefined;
  readonly domainId?: string | undefined;
  readonly parentId?: string | undefined;
  readonly enabled?: boolean | undefined;
  /** Only what this domain owns: the caller's token is of it. */
  readonly within?: string | undefined;
}

@Injectable()
export class ProjectRepository {
  /**
   * Makes those of the projects that the domain does not have.
   * @returns the ids by name
   */
  async ensure(
    ctx: RequestContext,
    domainId: string,
    projects: readonly Pick<Project, 'name' | 'description'>[],
  ): Promise<Map<string, ProjectId>> {
    const names = projects.map(({ name }) => name);
    await ctx.manager.query(
      `INSERT INTO projects (domain_id, id, name, description)
       SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[])
       ON CONFLICT (domain_id, name) DO NOTHING`,
      [domainId, names.map(() => newId()), names, projects.map((one) => one.description)],
    );
    const rows = await selectRows(ctx.manager, Project, 'WHERE domain_id = $1 AND name = ANY($2)', [
      domainId,
      names,
    ]);
    return new Map(rows.map(({ id, name }) => [name, id]));
  }

  find(ctx: RequestContext, id: string): Promise<Project | undefined> {
    return selectRow(ctx.manager, Project, 'WHERE id = $1', [id]);
  }

  /** A domain counts as the parent of the projects directly below it. */
  list(ctx: RequestContext, filter: ProjectFilter): Promise<Project[]> {
    const { name, domainId, parentId, enabled, within } = filter;
    return selectRows(
      ctx.manager,
      Project,
      `WHERE ($1::text IS NULL OR name = $1) AND ($2::text IS NULL OR domain_id = $2)
         AND ($3::text IS NULL OR COALESCE(parent_id, domain_id) = $3)
         AND ($4::boolean IS NULL OR enabled = $4) AND ($5::text IS NULL OR domain_id = $5)
       ORDER BY name, id`,
      [name, domainId, parentId, enabled, within],
    );
  }

  /** The projects on which a user has a role. */
  listOfUser(ctx: RequestContext, userId: string): Promise<Project[]> {
    return selectRows(
      ctx.manager,
      Project,
      `WHERE id IN (SELECT project_id FROM role_assignments WHERE user_id = $1)
       ORDER BY name, id`,
      [userId],
    );
  }

  /** Those of them that a token can be scoped to: neither they nor their domain are disabled. */
  listScopes(ctx: RequestContext, userId: string): Promise<Project[]> {
    return selectRows(
      ctx.manager,
      Project,
      `WHERE id IN (SELECT project_id FROM role_assignments WHERE user_id = $1)
         AND enabled AND domain_id IN (SELECT id FROM domains WHERE enabled)
       ORDER BY name, id`,
      [userId],
    );
  }
}
