/** SQL of `quota_limits` and of usage. */
import type { RequestContext } from '../context/request-context.js';
import { preparedRows } from '../database/rows.js';
import { namesOf, type QuotaDefinitions, type Units } from './define-quotas.js';
import { ALL_PROJECTS, QuotaLimit } from './quota-limit.entity.js';
import { Feature } from '../service/feature.js';

/** The limits and the usage of a project. */
export interface QuotaRow<Name extends string> {
  /** The project's own limits. */
  readonly own: Partial<Units<Name>>;
  /** Limits for projects without their own. */
  readonly shared: Partial<Units<Name>>;
  /** The usage of the requested quotas. */
  readonly used: Partial<Units<Name>>;
}

/** Limits by project; under `ALL_PROJECTS`, for projects without their own. */
export type LimitsByProject<Name extends string> = ReadonlyMap<string, Partial<Units<Name>>>;

export class QuotaLimitRepository<Name extends string> {
  readonly #names: readonly Name[];

  constructor(private readonly definitions: QuotaDefinitions<Name, never>) {
    this.#names = namesOf(definitions);
  }

  /**
   * Reads limits and usage in one statement, so that they are consistent.
   * @param counted the quotas whose usage is counted
   */
  async read(
    { manager }: RequestContext,
    projectId: string,
    counted: readonly Name[],
  ): Promise<QuotaRow<Name>> {
    const [row] = await preparedRows<QuotaRow<Name>>(
      manager,
      `SELECT ${limitsOf('$1')} AS own, ${limitsOf(`'${ALL_PROJECTS}'`)} AS shared,
              ${this.#countOf(counted)} AS used`,
      [projectId],
    );
    return row ?? { own: {}, shared: {}, used: {} };
  }

  /** Changes these limits of a project; others stay. */
  async set(
    { manager }: RequestContext,
    projectId: string,
    limits: Partial<Units<Name>>,
  ): Promise<void> {
    await manager.query(
      `INSERT INTO quota_limits (project_id, resource, resource_limit)
       SELECT $1, key, value::bigint FROM jsonb_each_text($2)
       ON CONFLICT (project_id, resource) DO UPDATE SET resource_limit = excluded.resource_limit`,
      [projectId, JSON.stringify(limits)],
    );
  }

  async delete({ manager }: RequestContext, projectId: string): Promise<void> {
    await manager.query('DELETE FROM quota_limits WHERE project_id = $1', [projectId]);
  }

  async all({ manager }: RequestContext): Promise<LimitsByProject<Name>> {
    const rows: { projectId: string; limits: Partial<Units<Name>> }[] = await manager.query(
      `SELECT project_id AS "projectId", jsonb_object_agg(resource, resource_limit) AS limits
         FROM quota_limits WHERE resource = ANY($1) GROUP BY project_id ORDER BY project_id`,
      [this.#names],
    );
    return new Map(rows.map(({ projectId, limits }) => [projectId, limits]));
  }

  /** Makes the table hold exactly these limits, in one statement; writes only what differs. */
  async replace({ manager }: RequestContext, limits: LimitsByProject<Name>): Promise<void> {
    const wanted = [...limits].flatMap(([project_id, units]) =>
      Object.entries(units).map(([resource, limit]) => ({ project_id, resource, limit })),
    );
    await manager.query(
      `WITH wanted AS (
         SELECT * FROM jsonb_to_recordset($1) AS one (project_id text, resource text, "limit" bigint)
       ), gone AS (
         DELETE FROM quota_limits AS held WHERE NOT EXISTS (
           SELECT FROM wanted
            WHERE wanted.project_id = held.project_id AND wanted.resource = held.resource)
       )
       INSERT INTO quota_limits AS held (project_id, resource, resource_limit)
       SELECT project_id, resource, "limit" FROM wanted
       ON CONFLICT (project_id, resource) DO UPDATE SET resource_limit = excluded.resource_limit
        WHERE held.resource_limit <> excluded.resource_limit`,
      [JSON.stringify(wanted)],
    );
  }

  /** SQL: the usage as JSON, with one pass over each set of rows. */
  #countOf(names: readonly Name[]): string {
    const sums = new Map<string, string[]>();
    for (const name of names) {
      const { counted } = this.definitions[name];
      if (!counted) continue;
      const others = sums.get(counted.in) ?? [];
      sums.set(counted.in, [...others, `'${name}', COALESCE(${counted.as}, 0)`]);
    }
    const passes = [...sums].map(
      ([rows, pairs]) => `(SELECT jsonb_build_object(${pairs.join(', ')}) FROM ${rows})`,
    );
    return ["'{}'::jsonb", ...passes].join(' || ');
  }
}

/** SQL: a project's limits as JSON. */
function limitsOf(projectId: string): string {
  return `(SELECT COALESCE(jsonb_object_agg(resource, resource_limit), '{}')
             FROM quota_limits WHERE project_id = ${projectId})`;
}

/** The table of limits, for every service with quotas and its migration. */
@Feature({ entities: [QuotaLimit] })
export class QuotaLimitsModule {}
