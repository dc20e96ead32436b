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
const attempt = new Script('pattern.exec(value)');
/** What an attempt sees: emptied after each. */
const seen: { pattern?: RegExp | undefined; value?: string | undefined } = {};
const room = createContext(seen);

/** By a pattern of ours. @throws PatternFault */
export function matchesPattern(pattern: string, value: string): boolean {
  const compiled = compiledOf(pattern);
  return isWhole(compiled.exec(value), value);
}

/**
 * By a pattern of a client's.
 * @throws PatternFault too where it tries for too long
 */
export function matchesWithinLimit(pattern: string, value: string): boolean {
  seen.pattern = compiledOf(pattern);
  seen.value = value;
  try {
    const found = attempt.runInContext(room, { timeout: MATCH_LIMIT }) as RegExpExecArray | null;
    return isWhole(found, value);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new PatternFault(`a match takes longer than ${MATCH_LIMIT} ms`);
  } finally {
    seen.pattern = undefined;
    seen.value = undefined;
  }
}

function compiledOf(pattern: string): RegExp {
  const compiled = kept.get(pattern) ?? compilePattern(pattern);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(pattern, compiled);
  compiled.lastIndex = 0;
  return compiled;
}

/** As Python's `match` that ends where the value does: the first way that matches counts. */
function isWhole(found: RegExpExecArray | null, value: string): boolean {
  return found !== null && found[0].length === value.length;
}
