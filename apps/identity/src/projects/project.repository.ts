import { Injectable } from '@nestjs/common';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRows } from '@cumulet/common/database/rows';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { equals, type Condition } from '@cumulet/common/tables/condition';
import { DuplicateNameError, NotFoundError } from '../resource/resource.errors.js';
import { newId } from '../database/new-id.js';
import { ResourceTable } from '../resource/resource.service.js';
import { projectsOf } from '../role-assignments/user-reach.sql.js';
import { Project } from './project.entity.js';
import type { ShownProject } from './project.view.js';

type Place = Pick<ShownProject, 'id' | 'domainId' | 'ancestorIds'>;

@Injectable()
export class ProjectRepository extends ResourceTable<Project> {
  constructor() {
    super(Project, 'project', {
      refusals: {
        projects_domain_name_key: ({ name = '', domainId = '' }) =>
          new DuplicateNameError('project', name, `in the domain ${domainId}`),
        projects_depth_check: ({ parentId }) =>
          new ForbiddenError(
            `Cannot create a project below ${parentId ?? ''}: a tree of projects has at most 5 levels.`,
          ),
        projects_parent_id_fkey: ({ id = '' }) =>
          new ForbiddenError(`Cannot delete the project ${id}: there are projects below it.`),
      },
    });
  }

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

  /** A project stays where it is in its tree. */
  override changeOf(ctx: RequestContext, dto: object, before?: Project): Partial<Project> {
    const { domainId: _domain, parentId: _parent, ...change } = super.changeOf(ctx, dto, before);
    return change;
  }

  /** Nobody else changes or removes the project before the transaction ends. @throws NotFoundError */
  override async lock(tx: RequestContext, id: string): Promise<Project> {
    // No more than that, so that it can be told meanwhile whether a project above is a leaf.
    const [project] = await this.select(tx, [equals('id', id)], 'FOR NO KEY UPDATE');
    if (!project) throw new NotFoundError('project', id);
    return project;
  }

  /** The projects on which a user has a role. */
  ofUser(userId: string): Condition {
    return (bind, column) => `${column('id')} IN (${projectsOf(bind(userId))})`;
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
   * @param parentId a project of the domain, or the domain itself
   * @returns undefined where the domain or the parent is disabled, or there is no such place
   * @throws DuplicateNameError, and ForbiddenError for a tree that is too deep
   */
  async insertBelow(
    ctx: RequestContext,
    parentId: string,
    project: Partial<Project>,
  ): Promise<Project | undefined> {
    const { id, domainId, name } = project;
    const { description = '', enabled = true, tags = [], options = {}, extra = {} } = project;
    const [created] = await this.write(
      ctx,
      { ...project, parentId: asId(parentId) },
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
       RETURNING ${this.shape(ctx).columns}`,
      [id, domainId, parentId, name, description, enabled, tags, options, extra],
    );
    return created;
  }

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

export const projects = new ProjectRepository();
