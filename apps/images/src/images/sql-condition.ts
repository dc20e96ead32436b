/** Conditions of a WHERE clause, whose values only ever travel as parameters. */

/** Takes a value into the statement's parameters. @returns its placeholder: `$3` */
export type Bind = (value: unknown) => string;

/** @returns SQL of a boolean expression */
export type Condition = (bind: Bind) => string;

export interface BoundConditions {
  readonly where: string;
  readonly params: readonly unknown[];
}

/** All of the conditions, joined by AND. */
export function bound(conditions: readonly Condition[]): BoundConditions {
  const params: unknown[] = [];
  const bind: Bind = (value) => `$${params.push(value)}`;
  const where = conditions.map((condition) => `(${condition(bind)})`).join(' AND ');
  return { where: where === '' ? 'true' : where, params };
}
