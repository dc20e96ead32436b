import type { Expression } from '../expression.js';
import { isEmpty, isList, isMap, kindOf, ownOf, type Json } from '../../json/json.js';
import {
  computed,
  entryOf,
  mayBeMap,
  siteError,
  type Site,
  type TemplateFunction,
} from './template-function.js';
import type { ResultBudget } from './result-budget.js';

/** Heat template guide, "repeat", before 2016-10-14: lists only. */
export const repeatLists = variant('Repeats a value for each item of lists.', false, false);

/** Since 2016-10-14: the keys of maps as well. */
export const repeatListsAndMaps = variant(
  'Repeats a value for each item of lists and each key of maps.',
  true,
  false,
);

/** Since 2017-09-01: `permutations: false` iterates all lists in parallel. */
export const repeat = variant(
  'Repeats a value for each item of lists and each key of maps, in all permutations or in step.',
  true,
  true,
);

function variant(
  description: string,
  takesMaps: boolean,
  takesPermutations: boolean,
): TemplateFunction {
  return computed({
    description,
    check,
    compute(argument, site, budget) {
      const { template, for_each: each, permutations = true } = isMap(argument) ? argument : {};
      if (template === undefined || each === undefined) throw siteError(site, formOf(site));
      const isNested = takesPermutations ? permutations : true;
      if (typeof isNested !== 'boolean')
        throw siteError(site, `"permutations" should be boolean type for ${site.name} function.`);
      if (!isMap(each) || isEmpty(each) || Object.hasOwn(each, ''))
        throw siteError(site, `The "for_each" argument to "${site.name}" must contain a map`);
      const lists = Object.keys(each).map((name) =>
        listOf(ownOf(each, name) ?? null, takesMaps && isNested, site),
      );
      const rows = isNested ? permuted(lists, budget) : inStep(lists, Object.values(each), site);
      return filled(template, Object.keys(each), rows, site, budget);
    },
  });
}

function formOf({ name }: Site): string {
  return `"${name}" syntax should be {template: …, for_each: {…}}`;
}

function check(argument: Expression, site: Site): void {
  if (argument.kind === 'call') return;
  if (!mayBeMap(argument)) throw siteError(site, `Arguments to "${site.name}" must be a map`);
  const each = entryOf(argument, 'for_each');
  if (each === undefined || entryOf(argument, 'template') === undefined)
    throw siteError(site, formOf(site));
  if (!mayBeMap(each))
    throw siteError(site, `The "for_each" argument to "${site.name}" must contain a map`);
}

function listOf(value: Json, takesMaps: boolean, site: Site): readonly Json[] {
  if (value === null) return [];
  if (isList(value)) return value;
  if (isMap(value) && takesMaps) return Object.keys(value);
  const allowed = takesMaps ? 'lists or maps' : 'lists';
  throw siteError(
    site,
    `The values of the "for_each" argument to "${site.name}" must be ${allowed}, not ${kindOf(value)}`,
  );
}

/** All combinations; the last list varies fastest. */
function permuted(lists: readonly (readonly Json[])[], budget: ResultBudget): readonly Json[][] {
  return lists.reduce<Json[][]>(
    (rows, list) => {
      budget.check(rows.length * list.length);
      return rows.flatMap((row) => list.map((item) => [...row, item]));
    },
    [[]],
  );
}

/** Null has no items, whatever the others have. */
function inStep(
  lists: readonly (readonly Json[])[],
  given: readonly Json[],
  site: Site,
): readonly Json[][] {
  const lengths = new Set(
    lists.flatMap((list, index) => (given[index] === null ? [] : [list.length])),
  );
  if (lengths.size > 1)
    throw siteError(
      site,
      `For ${site.name}, the length of for_each values should be equal if no nested loop.`,
    );
  const length = Math.min(...lists.map((list) => list.length));
  return Array.from({ length }, (_, index) => lists.map((list) => list[index] ?? null));
}

function filled(
  template: Json,
  names: readonly string[],
  rows: readonly (readonly Json[])[],
  site: Site,
  budget: ResultBudget,
): readonly Json[] {
  let bytes = 0;
  let values = 0;
  const replace = (text: string, row: readonly Json[]): string => {
    let result = text;
    for (const [index, name] of names.entries()) {
      const item = row[index] ?? null;
      if (typeof item !== 'string')
        throw siteError(
          site,
          `"${site.name}" puts texts into its template, and one of "${name}" is ${kindOf(item)}`,
        );
      budget.search(result.length);
      const parts = result.split(name);
      const added = (parts.length - 1) * (item.length - name.length);
      budget.check(values, bytes + result.length + added);
      result = parts.join(item);
    }
    bytes += result.length;
    return result;
  };
  const fill = (value: Json, row: readonly Json[]): Json => {
    values += 1;
    budget.check(values, bytes);
    if (typeof value === 'string') return replace(value, row);
    if (isList(value)) return value.map((item) => fill(item, row));
    return isMap(value)
      ? Object.fromEntries(
          Object.entries(value).map(([key, entry]) => [replace(key, row), fill(entry, row)]),
        )
      : value;
  };
  return rows.map((row) => fill(template, row));
}
