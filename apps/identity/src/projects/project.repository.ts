import { Injectable } from '@nestjs/common';
import type { ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow, selectRows, shapeOf } from '@cumulet/common/database/rows';
import { pageClause } from '@cumulet/common/http/paging';
import { newId } from '../database/new-id.js';
import { inexactMatch, type InexactFilter } from '../http/inexact-filter.js';
import { orRefused } from '../http/or-refused.js';
import { byName, type PageStart } from '../http/page.js';
import { DuplicateNameError } from '../http/resource-errors.js';
import { tagsMatch, type TagFilter } from '../project-tags/tag-filter.js';
import { projectsOf } from '../role-assignments/user-reach.sql.js';
import { Project } from './project.entity.js';
import { ProjectNotLeafError, ProjectTooDeepError } from './project.errors.js';

export type ProjectFields = Omit<Project, 'createdAt'>;

/** A new project; the projects above it follow from its parent. */
export interface NewProject extends Omit<ProjectFields, 'domainId' | 'parentId' | 'ancestorIds'> {
  readonly domainId: string;
  /** A project of the domain, or the domain itself. */
  readonly parentId: string;
}

export interface ProjectFilter {
  readonly name?: string | undefined;
  readonly domainId?: string | undefined;
  /** A domain counts as the parent of the projects directly below it. */
  readonly parentId?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly tags?: TagFilter;
  readonly inexact?: readonly InexactFilter[];
  /** Only those on which this user has a role. */
  readonly userId?: string | undefined;
  /** Only what this domain owns: the caller's token is of it. */
  readonly within?: string | undefined;
}

const COLUMNS = {
  name: 'name',
  domain_id: 'domain_id',
  parent_id: 'COALESCE(parent_id, domain_id)',
};

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

  /**
   * With all projects above them.
   * @returns the names of those that were disabled
   */
  async enable(ctx: RequestContext, domainId: string, names: readonly string[]): Promise<string[]> {
    const [rows]: [{ name: string }[], number] = await ctx.manager.query(
      `UPDATE projects SET enabled = true
        WHERE NOT enabled
          AND id IN (SELECT unnest(ancestor_ids || id) FROM projects
                      WHERE domain_id = $1 AND name = ANY($2))
       RETURNING name`,
      [domainId, names],
    );
    return rows.map(({ name }) => name);
  }

  find(ctx: RequestContext, id: string): Promise<Project | undefined> {
    return selectRow(ctx.manager, Project, 'WHERE id = $1', [id]);
  }

  /** The same, and nobody else changes the project before the transaction ends. */
  lock(tx: RequestContext, id: string): Promise<Project | undefined> {
    // No more than that, so that it can be told meanwhile whether a project above is a leaf.
    return selectRow(tx.manager, Project, 'WHERE id = $1 FOR NO KEY UPDATE', [id]);
  }

  list(ctx: RequestContext, filter: ProjectFilter, { rows, after }: PageStart): Promise<Project[]> {
    const { name, domainId, parentId, enabled, within, userId } = filter;
    const tags = tagsMatch(filter.tags, 7);
    const inexact = inexactMatch(filter.inexact, COLUMNS, tags.next);
    const page = pageClause({ limit: rows, sort: byName('projects'), after }, inexact.next);
    return selectRows(
      ctx.manager,
      Project,
      `WHERE ($1::text IS NULL OR name = $1) AND ($2::text IS NULL OR domain_id = $2)
         AND ($3::text IS NULL OR ${COLUMNS.parent_id} = $3)
         AND ($4::boolean IS NULL OR enabled = $4) AND ($5::text IS NULL OR domain_id = $5)
         AND ($6::text IS NULL OR id IN (${projectsOf('$6')}))
         AND ${tags.condition} AND ${inexact.condition} AND ${page.condition} ${page.order}`,
      [
        ...[name, domainId, parentId, enabled, within, userId],
        ...[...tags.params, ...inexact.params, ...page.params],
      ],
    );
  }

  /** Undefined too for a project on which the user has no role. */
  findOfUser(ctx: RequestContext, userId: string, id: string): Promise<Project | undefined> {
    return selectRow(ctx.manager, Project, `WHERE id = $1 AND id IN (${projectsOf('$2')})`, [
      id,
      userId,
    ]);
  }

  /** Those on which a user has a role that a token can be scoped to: neither they nor their domain are disabled. */
  listScopes(ctx: RequestContext, userId: string): Promise<Project[]> {
    return selectRows(
      ctx.manager,
      Project,
      `WHERE id IN (${projectsOf('$1')})
         AND enabled AND domain_id IN (SELECT id FROM domains WHERE enabled)
       ORDER BY name, id`,
      [userId],
    );
  }

  /**
   * All projects above an enabled one are enabled: it is enough to look at the parent, which nobody
   * disables meanwhile.
   * @returns undefined where the domain or the parent is disabled, or there is no such place
   * @throws DuplicateNameError, ProjectTooDeepError
   */
  async insert(ctx: RequestContext, project: NewProject): Promise<Project | undefined> {
    const { id, domainId, parentId } = project;
    const rows: Project[] = await refused(
      project,
      ctx.manager.query(
        `WITH owner AS MATERIALIZED (
           SELECT id, enabled FROM domains WHERE id = $2 FOR SHARE
         ), parent AS MATERIALIZED (
           SELECT projects.id, projects.ancestor_ids, projects.enabled
             FROM owner JOIN projects ON projects.domain_id = owner.id
            WHERE projects.id = $3
              FOR SHARE OF projects
         )
         INSERT INTO projects (id, domain_id, parent_id, ancestor_ids, name, description, enabled,
                               tags, options, extra)
         SELECT $1, owner.id, parent.id,
                CASE WHEN parent.id IS NULL THEN '{}' ELSE parent.ancestor_ids || parent.id END,
                $4, $5, $6, $7, $8, $9
           FROM owner LEFT JOIN parent ON true
          WHERE owner.enabled AND (parent.enabled OR owner.id = $3)
         RETURNING ${shapeOf(ctx.manager, Project).columns}`,
        [id, domainId, parentId, ...changeable(project)],
      ),
    );
    return rows[0];
  }

  /** @throws DuplicateNameError */
  async update(tx: RequestContext, project: ProjectFields): Promise<void> {
    await refused(
      project,
      tx.manager.query(
        `UPDATE projects SET name = $2, description = $3, enabled = $4, tags = $5, options = $6,
                             extra = $7
          WHERE id = $1`,
        [project.id, ...changeable(project)],
      ),
    );
  }

  /** @throws ProjectNotLeafError */
  async delete(tx: RequestContext, id: string): Promise<void> {
    await orRefused(tx.manager.query('DELETE FROM projects WHERE id = $1', [id]), {
      projects_parent_id_fkey: () => new ProjectNotLeafError(id),
    });
  }
}

type Changeable = Pick<
  ProjectFields,
  'name' | 'description' | 'enabled' | 'tags' | 'options' | 'extra'
>;

function changeable(project: Changeable): unknown[] {
  const { name, description, enabled, tags, options, extra } = project;
  return [name, description, enabled, tags, options, extra];
}

function refused<T>(project: NewProject | ProjectFields, work: Promise<T>): Promise<T> {
  const { name, domainId, parentId } = project;
  return orRefused(work, {
    projects_domain_name_key: () =>
      new DuplicateNameError('project', name, `in the domain ${domainId}`),
    projects_depth_check: () => new ProjectTooDeepError(parentId ?? domainId),
  });
}
