/**
 * The query of a list of resources. Pure. Public source: Orchestration API reference, "List stack
 * resources"; heat, `api/openstack/v1/resources.py`.
 */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { valuesOf } from '@cumulet/common/resources/list-query';
import { oneOf, type Condition } from '@cumulet/common/tables/condition';
import { flagOf, integerOf, type Query } from '../http/query.js';

export interface ResourceListQuery {
  readonly where: readonly Condition[];
  /** Levels of nested stacks whose resources are listed too. */
  readonly nestedDepth: number;
  readonly withDetail: boolean;
}

const FILTERS: Readonly<Record<string, string>> = {
  name: 'one.name',
  id: 'one.id::text',
  physical_resource_id: "coalesce(one.physical_id, '')",
  action: 'one.action',
};

export const RESOURCE_LIST_PARAMETERS = [
  ...Object.keys(FILTERS),
  'type',
  'status',
  'nested_depth',
  'with_detail',
];

/** @throws InvalidInputError for an unknown parameter, or a bad value */
export function resourceListQuery(query: Query): ResourceListQuery {
  const unknown = Object.keys(query).filter((name) => !RESOURCE_LIST_PARAMETERS.includes(name));
  if (unknown.length > 0) {
    const names = unknown.map((name) => `'${name.slice(0, 100)}'`).join(', ');
    throw new InvalidInputError(`Invalid filter parameters [${names}]`);
  }
  return {
    where: [
      ...Object.entries(FILTERS).flatMap(([name, sql]) => equal(query, name, sql)),
      ...statuses(query),
      ...types(query),
    ],
    nestedDepth: integerOf(query, 'nested_depth') ?? 0,
    withDetail: flagOf(query, 'with_detail'),
  };
}

function equal(query: Query, name: string, sql: string): Condition[] {
  const values = valuesOf(query, name);
  return values.length === 0 ? [] : [oneOf({ sql }, values)];
}

/** `COMPLETE`, or `CREATE_COMPLETE` with the action. */
function statuses(query: Query): Condition[] {
  const values = valuesOf(query, 'status');
  if (values.length === 0) return [];
  return [
    (bind) =>
      `one.status = ANY(${bind(values)}) OR one.action || '_' || one.status = ANY(${bind(values)})`,
  ];
}

/** A part of the type's name suffices, as in Heat. */
function types(query: Query): Condition[] {
  return valuesOf(query, 'type').map(
    (value): Condition =>
      (bind) =>
        `strpos(one.type, ${bind(value)}) > 0`,
  );
}
