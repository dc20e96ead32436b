/**
 * Matches values against patterns as Heat does: from the beginning, and to the end of the value.
 *
 * Always holds: a pattern that a client wrote is matched for so long only; those of types of resources
 * are ours, and are known not to take long.
 */
import { createContext, Script } from 'node:vm';
import { compilePattern, PatternFault } from './python-pattern.js';

export type Matches = (pattern: string, value: string) => boolean;

/** Milliseconds that one match of a client's pattern may take. */
const MATCH_LIMIT = 200;
/** Patterns that are kept compiled. */
const MAX_KEPT = 1_000;

const kept = new Map<string, RegExp>();

/** What an attempt sees: emptied after each. */
interface Seen {
  pattern?: RegExp | undefined;
  values?: readonly string[] | undefined;
}

const seen: Seen = {};
const room = createContext(seen);
const lengths = new Script(`
  values.map((value) => {
    pattern.lastIndex = 0;
    const found = pattern.exec(value);
    return found === null ? -1 : found[0].length;
  });
`);

/** By a pattern of ours. @throws PatternFault */
export function matchesPattern(pattern: string, value: string): boolean {
  const compiled = compiledOf(pattern);
  compiled.lastIndex = 0;
  // As Python's `match` that ends where the value does: the first way that matches counts.
  return compiled.exec(value)?.[0].length === value.length;
}

/**
 * By a pattern of a client's.
 * @throws PatternFault too where it tries for too long
 */
export function matchesWithinLimit(pattern: string, value: string): boolean {
  const [length] = lengthsWithinLimit(pattern, [value], MATCH_LIMIT);
  return length === value.length;
}

/**
 * Which values begin with something that a client's pattern matches.
 * @param limit milliseconds that all of them may take together
 * @throws PatternFault too where it tries for too long
 */
export function beginningsWithinLimit(
  pattern: string,
  values: readonly string[],
  limit: number,
): readonly boolean[] {
  return lengthsWithinLimit(pattern, values, limit).map((length) => length >= 0);
}

/** Of what the pattern matches at the beginning of each; -1 where there is nothing. */
function lengthsWithinLimit(
  pattern: string,
  values: readonly string[],
  limit: number,
): readonly number[] {
  seen.pattern = compiledOf(pattern);
  seen.values = values;
  try {
    return lengths.runInContext(room, { timeout: limit }) as readonly number[];
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new PatternFault(`a match takes longer than ${limit} ms`);
  } finally {
    seen.pattern = undefined;
    seen.values = undefined;
  }
}

function compiledOf(pattern: string): RegExp {
  const compiled = kept.get(pattern) ?? compilePattern(pattern);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(pattern, compiled);
  return compiled;
}
