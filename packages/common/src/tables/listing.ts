/**
 * Filters and sort keys of a list, declared once, on the class of the list's query.
 *
 *     @SortedBy(['-createdAt'], { name: 'name', created_at: 'createdAt' })
 *     export class ListTasksQuery {
 *       @FilteredBy()
 *       @EnumField(TASK_STATUSES, { optional: true })
 *       status?: TaskStatus;
 *     }
 */
import { InvalidInputError } from '../errors/domain-error.js';
import { camelCase } from './names.js';
import { equals, type Condition, type Expression } from './condition.js';

/** Turns a query parameter's value into a condition; undefined for none. */
export type Filter = (value: never) => Condition | undefined;

export interface Sort {
  /** SQL must never be null: `COALESCE(name, '')`. */
  readonly by: Expression;
  readonly descending: boolean;
}

interface Order {
  readonly fallback: readonly string[];
  readonly keys: Readonly<Record<string, Expression>>;
}

const filters = new WeakMap<object, ReadonlyMap<string, Filter>>();
const orders = new WeakMap<object, Order>();

/** Filters by the parameter: by default, the property of the same name must equal it. */
export function FilteredBy(filter?: Filter): PropertyDecorator {
  return (prototype, key) => {
    const name = String(key);
    const property = camelCase(name);
    const own = filters.get(prototype) ?? new Map<string, Filter>();
    filters.set(
      prototype,
      new Map([...own, [name, filter ?? ((value: unknown) => equals(property, value))]]),
    );
  };
}

/**
 * The order of a list.
 * @param fallback properties of the row, `-` before a descending one; the key completes the order
 * @param keys what `sort_key` may name: wire name → property
 */
export function SortedBy(
  fallback: readonly string[],
  keys: Readonly<Record<string, Expression>> = {},
): ClassDecorator {
  return ({ prototype }) => {
    orders.set(prototype as object, { fallback, keys });
  };
}

/** The conditions that a query sets. */
export function filtersOf(query: object): Condition[] {
  return chainOf(query)
    .flatMap((prototype) => [...(filters.get(prototype) ?? [])])
    .flatMap(([name, filter]) => {
      const value = (query as Record<string, unknown>)[name];
      return (value === undefined ? undefined : filter(value as never)) ?? [];
    });
}

interface SortQuery {
  readonly sort_key?: string | readonly string[];
  readonly sort_dir?: string | readonly string[];
}

/**
 * The order that a query asks for, or its class's default.
 * @throws InvalidInputError naming a key that the list cannot be sorted by
 */
export function sortOf(query: object): Sort[] {
  const order = orderOf(query);
  const { sort_key = [], sort_dir = [] } = query as SortQuery;
  const directions = [sort_dir].flat();
  const asked = [sort_key].flat().map((key, at): Sort => {
    const by = Object.hasOwn(order.keys, key) ? order.keys[key] : undefined;
    if (by === undefined) {
      throw new InvalidInputError(
        `Invalid input: sort_key '${key}' is not one of ${Object.keys(order.keys).join(', ')}.`,
      );
    }
    return { by, descending: (directions[at] ?? directions[0] ?? 'desc') === 'desc' };
  });
  if (asked.length > 0) return asked;
  const turned = directions[0];
  return order.fallback.map((text) => ({
    by: text.replace(/^-/, ''),
    descending: turned === undefined ? text.startsWith('-') : turned === 'desc',
  }));
}

function orderOf(query: object): Order {
  for (const prototype of [query, ...chainOf(query)]) {
    const order = orders.get(prototype);
    if (order) return order;
  }
  return { fallback: [], keys: {} };
}

/** The prototypes of an object, nearest first. */
function chainOf(query: object): object[] {
  const chain: object[] = [];
  let prototype = Object.getPrototypeOf(query) as object | null;
  while (prototype && prototype !== Object.prototype) {
    chain.push(prototype);
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return chain;
}
