/**
 * Texts in JSON, which are read faster than YAML is, and may be indented with tabs.
 *
 * Always holds: no key is given twice in a map, and a whole number that no double holds is a text.
 */
import type { Json } from '../json.js';
import { syntaxError } from './source-position.js';
import type { TextBudget } from './text-budget.js';
import { exact } from './yaml-scalars.js';

/** A string that does not end takes all that is left: otherwise each quote in it would be tried. */
const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|[{}[\],:]|-?[0-9][-+.eE0-9]*/gu;

/** @returns undefined if it is not JSON. @throws TemplateSyntaxError over a limit, or for a key given twice */
export function parseJsonText(text: string, budget: TextBudget, what: string): Json | undefined {
  if (!/^\s*[{[]/u.test(text)) {
    return undefined;
  }
  const scan = scanTokens(text, budget);
  let value: Json;
  try {
    value = JSON.parse(scan.text) as Json;
  } catch {
    return undefined;
  }
  if (scan.duplicate !== undefined) {
    const { key, offset } = scan.duplicate;
    throw syntaxError(what, text, offset, `the key ${key} is given twice`);
  }
  return value;
}

interface Scan {
  /** With numbers that no double holds in quotes. */
  readonly text: string;
  readonly duplicate: { readonly key: string; readonly offset: number } | undefined;
}

function scanTokens(text: string, budget: TextBudget): Scan {
  /** Keys of the maps that are open; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  const pieces: string[] = [];
  let copied = 0;
  let duplicate: Scan['duplicate'];
  let last: { readonly token: string; readonly offset: number } | undefined;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : undefined);
      budget.checkDepth(open.length);
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (token === ':') {
      const keys = open.at(-1);
      if (keys !== undefined && last !== undefined) {
        const { token: key, offset } = last;
        duplicate ??= keys.has(plain(key)) ? { key, offset } : undefined;
        keys.add(plain(key));
      }
    } else if (token !== ',') {
      budget.addNodes(1);
      if (!token.startsWith('"') && typeof exact(Number(token), token) === 'string') {
        pieces.push(text.slice(copied, index), JSON.stringify(token));
        copied = index + token.length;
      }
    }
    last = { token, offset: index };
  }
  return { text: pieces.join('') + text.slice(copied), duplicate };
}

/** A key without its escapes, as `"\u0061"` is `"a"`. */
function plain(key: string): string {
  if (!key.includes('\\')) {
    return key;
  }
  try {
    return JSON.stringify(JSON.parse(key));
  } catch {
    return key;
  }
}
