/** Checks that the cost of a page does not depend on the number of rows. */
import { RequestContext } from '@cumulet/common/context/request-context';
import type { Condition } from '@cumulet/common/tables/condition';
import { pageOfQuery, type Page } from '@cumulet/common/tables/page';
import type { Table } from '@cumulet/common/tables/table';
import type { DataSource, EntityManager, ObjectLiteral } from 'typeorm';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Parent Relationship'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
}

export interface CheckedList<Row extends ObjectLiteral> {
  readonly table: Table<Row>;
  /** The class of its query, or a function from the fields of a query to a page. */
  readonly query: (new () => object) | { readonly pageOf: (fields: object) => Page<Row> };
  /** The limits of every caller's list, such as its project. */
  readonly scope?: readonly Condition[];
  /** Filters to try, each alone, with a value. */
  readonly filters?: Readonly<Record<string, unknown>>;
}

/**
 * The parts of a list that make Postgres read rows that are not on the page, or sort all: `order`, the
 * default one, and the names of filters. Other orders sort the rows of the scope.
 */
export async function costlyParts<Row extends ObjectLiteral>(
  dataSource: DataSource,
  { table, query, scope = [], filters = {} }: CheckedList<Row>,
): Promise<string[]> {
  const nodes = async (fields: object, unsorted = {}): Promise<PlanNode[]> => {
    const asked = { limit: 20, ...fields };
    const page =
      'pageOf' in query ? query.pageOf(asked) : pageOfQuery<Row>(Object.assign(new query(), asked));
    return nodesOf(
      await planOf(dataSource, (ctx) => table.list(ctx, { ...page, scope, ...unsorted })),
    );
  };
  const costly = (await nodes({})).some((node) => node['Node Type'] === 'Sort') ? ['order'] : [];
  for (const [name, value] of Object.entries(filters)) {
    const found = await nodes({ [name]: value }, { sort: [], limit: undefined });
    if (found.some(({ Filter }) => Filter !== undefined)) costly.push(name);
  }
  return costly;
}

/** Without the nodes that run for each row of the page. */
function nodesOf(node: PlanNode): PlanNode[] {
  const parts = (node.Plans ?? []).filter((one) => one['Parent Relationship'] !== 'SubPlan');
  return [node, ...parts.flatMap(nodesOf)];
}

/** The plan of the one statement that `work` sends, in a table whose rows are too many to scan. */
async function planOf(
  dataSource: DataSource,
  work: (ctx: RequestContext) => Promise<unknown>,
): Promise<PlanNode> {
  const statements: { text: string; values: unknown[] }[] = [];
  const connection = {
    query: (statement: (typeof statements)[number]) => {
      statements.push(statement);
      return Promise.resolve({ rows: [] });
    },
  };
  const manager = { dataSource, queryRunner: { connect: () => Promise.resolve(connection) } };
  await work(RequestContext.system('req-plan', manager as unknown as EntityManager));
  const [statement] = statements;
  if (!statement || statements.length > 1) throw new Error('a list is one statement');
  return dataSource.transaction(async (tx) => {
    await tx.query('SET LOCAL enable_seqscan = off');
    await tx.query('SET LOCAL enable_bitmapscan = off');
    const rows: [{ 'QUERY PLAN': [{ Plan: PlanNode }] }] = await tx.query(
      `EXPLAIN (FORMAT JSON) ${statement.text}`,
      statement.values,
    );
    return rows[0]['QUERY PLAN'][0].Plan;
  });
}
