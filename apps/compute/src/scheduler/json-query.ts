/**
 * The hint `query`: a condition in prefix form, such as `["and", [">=", "$free_ram_mb", 1024],
 * ["=", "$host", "one"]]`. Public source: Nova admin guide, "JsonFilter".
 */
import { isDeepStrictEqual } from 'node:util';
import { attributeOf, type Candidate } from './candidate.js';

/** Compares the first with each of the others; false if there are none. */
const each =
  (holds: (one: never, other: never) => boolean) =>
  ([first, ...others]: readonly unknown[]): boolean =>
    others.length > 0 && others.every((other) => holds(first as never, other as never));

const COMMANDS: Readonly<Record<string, (terms: readonly unknown[]) => unknown>> = {
  '=': each((one, other) => isDeepStrictEqual(one, other)),
  '<': each((one, other) => one < other),
  '>': each((one, other) => one > other),
  '<=': each((one, other) => one <= other),
  '>=': each((one, other) => one >= other),
  in: ([first, ...others]) => others.some((other) => isDeepStrictEqual(first, other)),
  not: (terms) => terms.map((term) => !isTrue(term)),
  or: (terms) => terms.some(isTrue),
  and: (terms) => terms.every(isTrue),
};

/** Deeper than any sensible condition. */
const MAX_DEPTH = 32;

/** @returns the fault of a condition, or undefined */
export function faultOfQuery(query: unknown, depth = 0): string | undefined {
  if (!Array.isArray(query)) return 'must be a list';
  if (depth > MAX_DEPTH) return 'is nested too deep';
  const [command, ...terms] = query as unknown[];
  if (query.length === 0) return undefined;
  if (typeof command !== 'string' || !Object.hasOwn(COMMANDS, command))
    return `must begin with one of ${Object.keys(COMMANDS).join(', ')}`;
  return terms
    .filter(Array.isArray)
    .reduce<string | undefined>((fault, term) => fault ?? faultOfQuery(term, depth + 1), undefined);
}

export function meetsQuery(host: Candidate, query: unknown): boolean {
  return isTrue(valueOf(host, query));
}

function valueOf(host: Candidate, term: unknown): unknown {
  if (typeof term === 'string')
    return term.startsWith('$') ? attributeOf(host, term.slice(1).split('.')) : term;
  if (!Array.isArray(term)) return term;
  const [command, ...terms] = term as unknown[];
  if (command === undefined) return true;
  // A missing attribute is not compared, so no condition on it holds.
  const values = terms.map((one) => valueOf(host, one)).filter((value) => value !== undefined);
  return typeof command === 'string' ? (COMMANDS[command]?.(values) ?? false) : false;
}

/** `not` answers a list, of which any counts. */
function isTrue(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isTrue) : Boolean(value);
}
