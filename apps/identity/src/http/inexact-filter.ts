/**
 * Lists filtered by a part of an attribute: `name__icontains=web`. Public source: Keystone's source,
 * `keystone/server/flask/common.py`, on inexact filters.
 *
 * Always holds: what a client looks for is taken literally, and reaches SQL as a parameter.
 */
import { StringField } from '@cumulet/common/http/fields';

/** How each compares, and the pattern of the part that is looked for. */
const COMPARATORS = {
  contains: ['LIKE', (part: string) => `%${part}%`],
  icontains: ['ILIKE', (part: string) => `%${part}%`],
  startswith: ['LIKE', (part: string) => `${part}%`],
  istartswith: ['ILIKE', (part: string) => `${part}%`],
  endswith: ['LIKE', (part: string) => `%${part}`],
  iendswith: ['ILIKE', (part: string) => `%${part}`],
} as const;

export interface InexactFilter {
  /** As it is called on the wire. */
  readonly attribute: string;
  readonly operator: 'LIKE' | 'ILIKE';
  readonly pattern: string;
}

/** Gives a query each comparator of each of the attributes, which are strings. */
export function InexactFilters(...attributes: readonly string[]): ClassDecorator {
  return ({ prototype }) => {
    for (const attribute of attributes)
      for (const comparator of Object.keys(COMPARATORS))
        StringField({ optional: true, min: 0 })(prototype as object, `${attribute}__${comparator}`);
  };
}

/** What a query asks for of what `InexactFilters` has given it. */
export function inexactFilters(query: object): InexactFilter[] {
  return Object.entries(query).flatMap(([name, part]: [string, unknown]) => {
    const [, attribute = '', comparator = ''] = /^(.+)__([a-z]+)$/.exec(name) ?? [];
    if (typeof part !== 'string' || !isComparator(comparator)) return [];
    const [operator, pattern] = COMPARATORS[comparator];
    return [{ attribute, operator, pattern: pattern(part.replaceAll(/[\\%_]/g, String.raw`\$&`)) }];
  });
}

/**
 * @param columns SQL of each attribute
 * @param first the number of the first free `$n` of the statement
 * @returns a condition, its parameters, and the number of the first `$n` that is free after it
 */
export function inexactMatch(
  filters: readonly InexactFilter[] = [],
  columns: Readonly<Record<string, string>>,
  first: number,
): { readonly condition: string; readonly params: readonly unknown[]; readonly next: number } {
  const tests = filters.map(({ attribute, operator }, at) => {
    const column = columns[attribute];
    if (column === undefined) throw new Error(`no column is known for ${attribute}`);
    return `${column} ${operator} $${first + at}`;
  });
  return {
    condition: ['true', ...tests].join(' AND '),
    params: filters.map(({ pattern }) => pattern),
    next: first + filters.length,
  };
}

function isComparator(text: string): text is keyof typeof COMPARATORS {
  return Object.hasOwn(COMPARATORS, text);
}
