/**
 * Lists page by key, never by offset: a page starts after its `marker` row in the order of the
 * sort keys, with the id last so that the order is total. Every sort column must be NOT NULL.
 */
import { InvalidInputError } from '../errors/domain-error.js';

export type SortDirection = 'asc' | 'desc';

export interface SortKey {
  /** The column as SQL, from a service's own table of sortable columns; never from input. */
  readonly column: string;
  readonly direction: SortDirection;
}

export interface PageRequest {
  /** Page size. */
  readonly limit: number;
  readonly sort: readonly SortKey[];
  /** The marker row's values of the sort keys, in the same order. */
  readonly after?: readonly unknown[] | undefined;
}

/** SQL for a page, to follow a WHERE clause's other conditions. */
export interface PageClause {
  readonly condition: string;
  readonly order: string;
  readonly params: readonly unknown[];
}

/**
 * @param firstParameter the number of the statement's first free `$n`
 * @returns a condition (`true` without a marker), `ORDER BY … LIMIT …`, and their parameters
 */
export function pageClause(page: PageRequest, firstParameter: number): PageClause {
  const order = page.sort.map(({ column, direction }) => `${column} ${direction}`).join(', ');
  const params = [...(page.after ?? []), page.limit];
  const limit = `$${firstParameter + params.length - 1}`;
  return {
    condition: page.after ? afterMarker(page.sort, firstParameter) : 'true',
    order: `ORDER BY ${order} LIMIT ${limit}`,
    params,
  };
}

/** `(a > $1) OR (a = $1 AND b < $2) …`: row comparison cannot mix directions. */
function afterMarker(sort: readonly SortKey[], first: number): string {
  const alternatives = sort.map(({ column, direction }, at) => {
    const equal = sort.slice(0, at).map((key, index) => `${key.column} = $${first + index}`);
    return [...equal, `${column} ${direction === 'asc' ? '>' : '<'} $${first + at}`].join(' AND ');
  });
  return `(${alternatives.map((one) => `(${one})`).join(' OR ')})`;
}

/**
 * The sort keys of a request, completed to a total order.
 * @param asked pairs from the query; unknown names are refused
 * @param columns wire name → column
 * @throws InvalidInputError naming the key that cannot be sorted by
 */
export function sortKeys(
  asked: readonly { readonly key: string; readonly direction: SortDirection }[],
  columns: Readonly<Record<string, string>>,
  fallback: readonly SortKey[],
  unique: string,
): SortKey[] {
  const keys = asked.map(({ key, direction }): SortKey => {
    const column = Object.hasOwn(columns, key) ? columns[key] : undefined;
    if (column === undefined) {
      throw new InvalidInputError(
        `Invalid input: sort_key '${key}' is not one of ${Object.keys(columns).join(', ')}.`,
      );
    }
    return { column, direction };
  });
  const chosen = keys.length > 0 ? keys : [...fallback];
  if (chosen.some(({ column }) => column === unique)) return chosen;
  return [...chosen, { column: unique, direction: chosen.at(-1)?.direction ?? 'asc' }];
}

/** The address of the next page: the request's own, with the marker replaced. */
export function nextPageUrl(requestUrl: string, marker: string): string {
  const { path, params } = partsOf(requestUrl);
  params.set('marker', marker);
  return `${path}?${params.toString()}`;
}

/** The address of the first page: the request's own, without its marker. */
export function firstPageUrl(requestUrl: string): string {
  const { path, params } = partsOf(requestUrl);
  params.delete('marker');
  const text = params.toString();
  return text ? `${path}?${text}` : path;
}

/** A query may contain further question marks (in a regular expression). */
function partsOf(requestUrl: string): { path: string; params: URLSearchParams } {
  const at = requestUrl.indexOf('?');
  const path = at < 0 ? requestUrl : requestUrl.slice(0, at);
  return { path, params: new URLSearchParams(at < 0 ? '' : requestUrl.slice(at + 1)) };
}
