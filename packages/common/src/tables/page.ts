/**
 * Lists page by key, and by offset only where the matching API does: a page starts after its marker's row in the order of the sort
 * keys, with the primary key last so that the order is total. The marker's values stay in Postgres,
 * so that times keep their microseconds.
 */
import type { TableShape } from '../database/rows.js';
import { sqlOf, type Condition, type Key } from './condition.js';
import { filtersOf, sortOf, type Sort } from './listing.js';

export interface Page<Row> {
  /** The page's filters. */
  readonly where?: readonly Condition[];
  /** Rows visible to the caller; applies to the marker's row too. */
  readonly scope?: readonly Condition[];
  readonly sort?: readonly Sort[];
  /** Page size; unlimited by default. */
  readonly limit?: number | undefined;
  /** Conditions on the marker's row; the scope by default. */
  readonly markerScope?: readonly Condition[];
  /** The row before the page. */
  readonly marker?: Key<Row> | undefined;
  /** Rows before the page, for numbered pages, which Postgres has to read; not with branches. */
  readonly offset?: number | undefined;
  /** The page before the marker, in the same order. */
  readonly reverse?: boolean;
  /**
   * Mutually exclusive conditions, one of which each listed row meets: `status`, if it stands for
   * several states. Postgres then reads the first rows of each in index order, instead of sorting
   * all.
   */
  readonly branches?: readonly Condition[];
  /** Whether the best plan depends on the parameters, so that none is kept. */
  readonly isPlannedAnew?: boolean;
}

interface PageQuery {
  readonly limit?: number;
  readonly marker?: string;
  readonly page_reverse?: boolean;
}

/** The page of a query. @throws InvalidInputError naming an invalid sort key */
export function pageOfQuery<Row>(query: object, maxLimit: number): Page<Row> & { limit: number };
export function pageOfQuery<Row>(query: object, maxLimit?: number): Page<Row>;
export function pageOfQuery<Row>(query: object, maxLimit?: number): Page<Row> {
  const { limit, marker, page_reverse: reverse = false } = query as PageQuery;
  return {
    where: filtersOf(query),
    sort: sortOf(query),
    limit: maxLimit === undefined ? limit : Math.min(limit ?? maxLimit, maxLimit),
    marker,
    reverse,
  };
}

interface TotalOrder {
  readonly keys: readonly { readonly expression: string; readonly descending: boolean }[];
  /** `ORDER BY …` */
  readonly sql: string;
}

/** The order of a page, completed by the primary key. */
export function orderOf<Row>(
  { sort = [], reverse = false }: Page<Row>,
  shape: TableShape,
): TotalOrder {
  const last = sort.at(-1)?.descending ?? false;
  const asked = sort.map(({ by, descending }) => ({
    expression: sqlOf(by, shape.sortColumnOf),
    descending,
  }));
  const key = shape.primaryKey
    .map((property) => ({ expression: shape.columnOf(property), descending: last }))
    .filter(({ expression }) => !asked.some((one) => one.expression === expression));
  const keys = [...asked, ...key].map(({ expression, descending }) => ({
    expression,
    descending: descending !== reverse,
  }));
  const terms = keys.map(
    ({ expression, descending }) => `${expression} ${descending ? 'DESC' : 'ASC'}`,
  );
  return { keys, sql: `ORDER BY ${terms.join(', ')}` };
}

/**
 * `(a > mark.a) OR (a = mark.a AND b < mark.b) …`: row comparison cannot mix directions. That `a` is
 * at least the marker's follows, but only so does Postgres begin there in an index.
 */
export function pageOf(
  { keys }: TotalOrder,
  marker: readonly Condition[],
  { table, columnOf }: TableShape,
): Condition {
  return (bind) => {
    const ofMarker = marker.map((condition) => condition(bind, columnOf)).join(' AND ');
    const mark = (expression: string): string =>
      `(SELECT ${expression} FROM ${table} WHERE ${ofMarker})`;
    const alternatives = keys.map(({ expression, descending }, at) => {
      const equal = keys.slice(0, at).map((one) => `${one.expression} = ${mark(one.expression)}`);
      return [...equal, `${expression} ${descending ? '<' : '>'} ${mark(expression)}`].join(
        ' AND ',
      );
    });
    const [first] = keys;
    const start = first
      ? `${first.expression} ${first.descending ? '<=' : '>='} ${mark(first.expression)} AND `
      : '';
    return `${start}(${alternatives.map((one) => `(${one})`).join(' OR ')})`;
  };
}
