/**
 * The query of a list of stacks. Pure. Public source: Orchestration API reference, "List stacks"; heat,
 * `api/openstack/v1/stacks.py` and `engine/api.py`.
 */
import { valuesOf } from '@cumulet/common/resources/list-query';
import { isUuid } from '@cumulet/common/context/ids';
import { oneOf, type Condition } from '@cumulet/common/tables/condition';
import type { Sort } from '@cumulet/common/tables/listing';
import { directionOf, flagOf, idIfAny, integerOf, tagsOf, type Query } from '../http/query.js';

export interface StackListQuery {
  readonly where: readonly Condition[];
  readonly sort: readonly Sort[];
  readonly limit: number | undefined;
  readonly marker: string | undefined;
  readonly withDeleted: boolean;
  readonly withCount: boolean;
}

/** The property of each filter, by its present and former name. */
const FILTERS: Readonly<Record<string, string>> = {
  name: 'name',
  stack_name: 'name',
  id: 'id',
  tenant: 'projectId',
  username: 'userName',
  stack_owner: 'userName',
  owner_id: 'ownerId',
  parent: 'ownerId',
  stack_status_reason: 'stateReason',
};

const SORT_KEYS: Readonly<Record<string, string>> = {
  stack_name: 'name',
  stack_status: 'state',
  creation_time: 'createdAt',
  updated_time: 'updatedAt',
};

export const STACK_LIST_PARAMETERS = [
  ...Object.keys(FILTERS),
  'status',
  'stack_status',
  'action',
  'stack_action',
  'disable_rollback',
  'timeout_mins',
  'limit',
  'marker',
  'sort_keys',
  'sort_dir',
  'with_count',
  'global_tenant',
  'show_deleted',
  'show_nested',
  'show_hidden',
  'tags',
  'tags_any',
  'not_tags',
  'not_tags_any',
];

/** @param hiddenTags left out without `show_hidden`. @throws InvalidInputError naming a parameter */
export function stackListQuery(query: Query, hiddenTags: readonly string[]): StackListQuery {
  const hidden = flagOf(query, 'show_hidden') || hiddenTags.length === 0 ? [] : [hiddenTags];
  return {
    where: [
      ...(flagOf(query, 'show_nested') ? [] : [isRoot]),
      ...Object.entries(FILTERS).flatMap(([name, property]) => equal(query, name, property)),
      ...statuses(query),
      ...equalValues(query, 'disable_rollback', 'disableRollback', flagsOf),
      ...equalValues(query, 'timeout_mins', 'timeoutMinutes', numbersOf),
      ...tagged(query),
      ...hidden.map((tags) => not(anyTag(tags))),
    ],
    sort: sortOf(query),
    limit: integerOf(query, 'limit'),
    marker: idIfAny(query, 'marker'),
    withDeleted: flagOf(query, 'show_deleted'),
    withCount: flagOf(query, 'with_count'),
  };
}

const isRoot: Condition = (_, column) => `${column('ownerId')} IS NULL`;

function equal(query: Query, name: string, property: string): Condition[] {
  const values = valuesOf(query, name);
  if (values.length === 0) return [];
  // A malformed ID matches no stack.
  const isId = property === 'id' || property === 'ownerId';
  return [oneOf(property, isId ? values.filter(isUuid) : values)];
}

function equalValues<T>(
  query: Query,
  name: string,
  property: string,
  parsed: (values: readonly string[]) => T[],
): Condition[] {
  const values = valuesOf(query, name);
  return values.length === 0 ? [] : [oneOf(property, parsed(values))];
}

function flagsOf(values: readonly string[]): boolean[] {
  return values.map((one) => flagOf({ disable_rollback: one }, 'disable_rollback'));
}

function numbersOf(values: readonly string[]): number[] {
  return values.map((one) => integerOf({ timeout_mins: one }, 'timeout_mins') ?? 0);
}

const STATUSES = ['COMPLETE', 'FAILED', 'IN_PROGRESS'];

/** A status may be `COMPLETE`, or `CREATE_COMPLETE` with the action; several are alternatives. */
function statuses(query: Query): Condition[] {
  const actions = new Set([...valuesOf(query, 'action'), ...valuesOf(query, 'stack_action')]);
  const asked = [...valuesOf(query, 'status'), ...valuesOf(query, 'stack_status')];
  const states = asked.flatMap((text) => {
    const status = STATUSES.find((one) => text.endsWith(one));
    if (status === undefined) return [];
    const action = text.slice(0, -status.length).replace(/_$/, '');
    if (action !== '') actions.add(action);
    return [status.toLowerCase()];
  });
  return [
    ...(asked.length === 0 ? [] : [oneOf('state', [...new Set(states)])]),
    ...(actions.size === 0 ? [] : [oneOf('action', [...actions])]),
  ];
}

function tagged(query: Query): Condition[] {
  const by = (name: string, condition: (tags: readonly string[]) => Condition): Condition[] => {
    const [text] = valuesOf(query, name);
    return text === undefined ? [] : [condition(tagsOf(text))];
  };
  return [
    ...by('tags', allTags),
    ...by('tags_any', anyTag),
    ...by('not_tags', (tags) => not(allTags(tags))),
    ...by('not_tags_any', (tags) => not(anyTag(tags))),
  ];
}

function allTags(tags: readonly string[]): Condition {
  return (bind, column) => `${column('tags')} @> ${bind(tags)}::text[]`;
}

function anyTag(tags: readonly string[]): Condition {
  return (bind, column) => `${column('tags')} && ${bind(tags)}::text[]`;
}

function not(condition: Condition): Condition {
  return (bind, column) => `NOT (${condition(bind, column)})`;
}

/** The newest first by default; unknown keys are ignored. */
function sortOf(query: Query): Sort[] {
  const direction = directionOf(query);
  const keys = valuesOf(query, 'sort_keys')
    .flatMap((one) => one.split(','))
    .flatMap((key) => (Object.hasOwn(SORT_KEYS, key) ? [SORT_KEYS[key] as string] : []));
  if (keys.length === 0) return [{ by: 'createdAt', descending: direction !== 'asc' }];
  return [...new Set(keys)].map((by) => ({ by, descending: direction === 'desc' }));
}
