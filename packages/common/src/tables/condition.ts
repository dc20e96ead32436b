/** Conditions of a WHERE clause. Values are always parameters, columns are named by property. */

import { likePart, type LikePattern, type Place } from '../languages/postgres-like.js';

/** Adds a value to the statement's parameters. @returns its placeholder: `$3` */
export type Bind = (value: unknown) => string;

/** @returns the quoted column of a property of the row. @throws Error if there is none */
export type ColumnOf = (property: string) => string;

/** A property of the row, or SQL over its columns. */
export type Expression = string | { readonly sql: string };

/** @returns SQL for a boolean expression */
export type Condition = (bind: Bind, column: ColumnOf) => string;

export interface BoundConditions {
  /** `true` without conditions. */
  readonly where: string;
  readonly params: unknown[];
}

/** Joins the conditions by AND. @param params of the statement, to which theirs are added */
export function bound(
  conditions: readonly Condition[],
  column: ColumnOf = quoted,
  params: unknown[] = [],
): BoundConditions {
  const bind: Bind = (value) => `$${params.push(value)}`;
  const where = conditions.map((condition) => `(${condition(bind, column)})`).join(' AND ');
  return { where: where === '' ? 'true' : where, params };
}

/** The id of a row, or the values of the properties that identify it. */
export type Key<Row> = string | Partial<Row>;

/** The condition that a key sets on its row. */
export function rowOf<Row>(key: Key<Row>): Partial<Row> {
  return typeof key === 'string' ? ({ id: key } as unknown as Partial<Row>) : key;
}

export function identifiedBy<Row>(key: Key<Row>): Condition[] {
  return Object.entries(rowOf(key)).map(([property, value]) => equals(property, value));
}

/** Null equals null. */
export function equals(property: string, value: unknown): Condition {
  if (value === null) return (_, column) => `${column(property)} IS NULL`;
  return compares(property, 'eq', value);
}

/** No condition if the value is undefined. */
export function equalsIfGiven(property: string, value: unknown): Condition[] {
  return value === undefined ? [] : [equals(property, value)];
}

/** A single value uses `=`, since Postgres then keeps an index's order. */
export function oneOf(expression: Expression, values: readonly unknown[]): Condition {
  const [only] = values;
  if (values.length === 1 && only !== null && only !== undefined)
    return (bind, column) => `${sqlOf(expression, column)} = ${bind(only)}`;
  return (bind, column) => `${sqlOf(expression, column)} = ANY(${bind(values)})`;
}

/** The property, an array or a JSON document, contains all of the values. */
export function holds(property: string, values: unknown): Condition {
  return (bind, column) => `${column(property)} @> ${bind(values)}`;
}

/** Ways to search text; the term is literal. */
export const TEXT_MATCHES = {
  contains: ['contains', 'LIKE'],
  icontains: ['contains', 'ILIKE'],
  startswith: ['startswith', 'LIKE'],
  istartswith: ['startswith', 'ILIKE'],
  endswith: ['endswith', 'LIKE'],
  iendswith: ['endswith', 'ILIKE'],
} as const satisfies Readonly<Record<string, readonly [Place, 'LIKE' | 'ILIKE']>>;

export type TextMatch = keyof typeof TEXT_MATCHES;

export function textMatches(property: string, how: TextMatch, part: string): Condition {
  const [place, operator] = TEXT_MATCHES[how];
  return isLike(property, likePart(place, part), operator);
}

export function isLike(
  property: string,
  pattern: LikePattern,
  operator: 'LIKE' | 'ILIKE' = 'LIKE',
): Condition {
  return (bind, column) => `${column(property)} ${operator} ${bind(pattern)}`;
}

const COMPARISONS = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

export type Comparison = keyof typeof COMPARISONS;

export function isComparison(text: string): text is Comparison {
  return Object.hasOwn(COMPARISONS, text);
}

/** Compares numbers or times. */
export function compares(expression: Expression, how: Comparison, value: unknown): Condition {
  return (bind, column) => `${sqlOf(expression, column)} ${COMPARISONS[how]} ${bind(value)}`;
}

/** @param column the SQL of a property */
export function sqlOf(expression: Expression, column: ColumnOf): string {
  return typeof expression === 'string' ? column(expression) : expression.sql;
}

function quoted(property: string): string {
  return `"${property}"`;
}
