/** The query of a list of events. Pure. Public source: Orchestration API reference, "Events". */
import { valuesOf } from '@cumulet/common/resources/list-query';
import { oneOf, type Condition } from '@cumulet/common/tables/condition';
import { directionOf, idIfAny, integerOf, type Query } from '../http/query.js';

export interface EventQuery {
  readonly where: readonly Condition[];
  /** Sorted by the resource's type and then by time, instead of by time alone. */
  readonly byType: boolean;
  readonly descending: boolean;
  readonly limit: number | undefined;
  readonly marker: string | undefined;
  /** Levels of nested stacks whose events are listed too. */
  readonly nestedDepth: number;
}

const FILTERS: Readonly<Record<string, string>> = {
  resource_action: 'action',
  resource_status: 'status',
  resource_name: 'resource_name',
  resource_type: 'resource_type',
};

export const EVENT_LIST_PARAMETERS = [
  ...Object.keys(FILTERS),
  'limit',
  'marker',
  'sort_keys',
  'sort_dir',
  'nested_depth',
];

/** The newest first by default. @throws InvalidInputError naming a bad value */
export function eventQuery(query: Query): EventQuery {
  const direction = directionOf(query);
  const [key] = valuesOf(query, 'sort_keys')
    .flatMap((one) => one.split(','))
    .filter((one) => one === 'event_time' || one === 'resource_type');
  return {
    where: Object.entries(FILTERS).flatMap(([name, column]) => {
      const values = valuesOf(query, name);
      return values.length === 0 ? [] : [oneOf({ sql: `event.${column}` }, values)];
    }),
    byType: key === 'resource_type',
    descending: direction === undefined ? key === undefined : direction === 'desc',
    limit: integerOf(query, 'limit'),
    marker: idIfAny(query, 'marker'),
    nestedDepth: integerOf(query, 'nested_depth') ?? 0,
  };
}
