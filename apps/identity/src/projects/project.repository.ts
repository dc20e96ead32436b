import type { ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { ForbiddenError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import { equals, oneOf, type Condition } from '@cumulet/common/tables/condition';
import { NotFoundError } from '../resource/resource.errors.js';
import { newId } from '../database/new-id.js';
import { domains } from '../domains/domain.repository.js';
import { OwnedTable } from '../resource/resource.service.js';
import { projectsOf } from '../database/user-reach.sql.js';
import { Project } from './project.resource.js';
import type { ShownProject } from './project.view.js';

type Place = Pick<ShownProject, 'id' | 'domainId' | 'ancestorIds'>;

export class ProjectTable extends OwnedTable<Project> {
  /** Creates missing projects. @returns the IDs by name */
  async ensure(
    ctx: RequestContext,
    domainId: Project['domainId'],
    wanted: readonly Pick<Project, 'name' | 'description'>[],
  ): Promise<Map<string, ProjectId>> {
    const rows = wanted.map(({ name, description }) => {
      return { id: newId<ProjectId>(), domainId, name, description };
    });
    await this.insertAll(ctx, rows, { exceptTaken: true });
    const names = rows.map(({ name }) => name);
    const all = await this.select(ctx, [equals('domainId', domainId), oneOf('name', names)]);
    return new Map(all.map(({ id, name }) => [name, id]));
  }

  /** Projects cannot be moved. */
  override changeOf(ctx: RequestContext, dto: object, before?: Project): Partial<Project> {
    const { domainId: _domain, parentId: _parent, ...change } = super.changeOf(ctx, dto, before);
    return change;
  }

  /** Keeps others from changing or removing it until the transaction ends. @throws NotFoundError */
  override async lock(tx: RequestContext, id: string): Promise<Project> {
    // No stronger lock, so that others can still check whether a project above is a leaf.
    const [project] = await this.select(tx, [equals('id', id)], 'FOR NO KEY UPDATE');
    if (!project) throw new NotFoundError('project', id);
    return project;
  }

  /** The projects on which a user has a role. */
  ofUser(userId: string): Condition {
    return (bind, column) => `${column('id')} IN (${projectsOf(bind(userId))})`;
  }

  /** The projects to which tokens of a user can be scoped. */
  listScopes(ctx: RequestContext, userId: string): Promise<Project[]> {
    const isEnabled: Condition = () =>
      'enabled AND domain_id IN (SELECT id FROM domains WHERE enabled)';
    return this.select(ctx, [this.ofUser(userId), isEnabled], 'ORDER BY name, id');
  }

  /**
   * All projects above an enabled one are enabled: only the parent is checked, and locked until the
   * transaction ends.
   * @param parentId a project of the domain, or the domain itself
   * @throws InvalidInputError for an unknown or disabled domain or parent, without revealing projects
   *   of other domains
   * @throws DuplicateNameError, and ForbiddenError for a tree that is too deep
   */
  insertBelow(
    ctx: RequestContext,
    parentId: string,
    project: Partial<Project> & Pick<Project, 'domainId'>,
  ): Promise<Project> {
    const { domainId } = project;
    const isParent = [equals('id', parentId), equals('domainId', domainId)];
    const isTop = parentId === domainId;
    return inTransaction(ctx, async (tx) => {
      const [domain] = await domains.select(tx, [equals('id', domainId)], 'FOR SHARE');
      if (!domain) throw invalid(`project.domain_id '${domainId}' is not the id of a domain`);
      const [parent] = isTop ? [] : await this.select(tx, isParent, 'FOR SHARE');
      if (!isTop && !parent)
        throw invalid(
          `project.parent_id '${parentId}' is neither the domain ${domainId} nor a project in it`,
        );
      const disabled = [domain, parent].find((one) => one?.enabled === false);
      if (disabled)
        throw invalid(`a project cannot be created below ${disabled.id}, which is disabled`);
      const place = parent && {
        parentId: parent.id,
        ancestorIds: [...parent.ancestorIds, parent.id],
      };
      return this.insert(tx, { ...project, ...place });
    });
  }

  /** Projects above on which the user has a role, the nearest first. */
  listAbove(ctx: RequestContext, { ancestorIds }: Place, userId: string): Promise<Project[]> {
    const which = [oneOf('id', ancestorIds), this.ofUser(userId)];
    return this.select(ctx, which, 'ORDER BY cardinality(ancestor_ids) DESC');
  }

  /**
   * Projects below a project or a domain, the nearest first.
   * @param userId limits the list to projects on which this user has a role
   */
  listBelow(ctx: RequestContext, place: Place, userId?: string): Promise<Project[]> {
    const which = [...below(place), ...(userId === undefined ? [] : [this.ofUser(userId)])];
    return this.select(ctx, which, 'ORDER BY cardinality(ancestor_ids), name, id');
  }

  /** Whether the domain or a project above is disabled. Locks the projects. */
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

  /** None can be enabled while the project itself is locked. */
  async hasEnabledBelow(tx: RequestContext, place: Place): Promise<boolean> {
    return (
      (await this.select(tx, [...below(place), equals('enabled', true)], 'LIMIT 1')).length > 0
    );
  }
}

export const projects = new ProjectTable(Project, 'project', {
  refusals: {
    projects_depth_check: ({ parentId }) =>
      new ForbiddenError(
        `Cannot create a project below ${parentId ?? ''}: a tree of projects has at most 5 levels.`,
      ),
    projects_parent_id_fkey: ({ id = '' }) =>
      new ForbiddenError(`Cannot delete the project ${id}: there are projects below it.`),
  },
});

function below({ id, domainId }: Place): Condition[] {
  if (domainId === null) return [equals('domainId', id)];
  return [equals('domainId', domainId), (bind) => `${bind(id)} = ANY (ancestor_ids)`];
}

function invalid(what: string): InvalidInputError {
  return new InvalidInputError(`Invalid input: ${what}.`);
}
