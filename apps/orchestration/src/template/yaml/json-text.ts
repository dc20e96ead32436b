/**
 * Texts in JSON, which are read faster than YAML is, and may be indented with tabs.
 *
 * Always holds: of a key that is given twice the last counts, and a whole number that no double holds
 * is a text.
 */
import type { Json } from '../json.js';
import type { TextBudget } from './text-budget.js';
import { exact } from './yaml-scalars.js';

/** A string that does not end takes all that is left: otherwise each quote in it would be tried. */
const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|[{}[\],:]|-?[0-9][-+.eE0-9]*/gu;

/** @returns undefined if it is not JSON. @throws TemplateSyntaxError over a limit */
export function parseJsonText(text: string, budget: TextBudget): Json | undefined {
  if (!/^\s*[{[]/u.test(text)) {
    return undefined;
  }
  const exactText = withExactNumbers(text, budget);
  try {
    return JSON.parse(exactText) as Json;
  } catch {
    return undefined;
  }
}

/** With numbers that no double holds in quotes. */
function withExactNumbers(text: string, budget: TextBudget): string {
  const pieces: string[] = [];
  let [copied, depth] = [0, 0];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      depth += 1;
      budget.checkDepth(depth);
    } else if (token === '}' || token === ']') {
      depth -= 1;
    } else if (token !== ',' && token !== ':') {
      budget.addNodes(1);
      if (!token.startsWith('"') && typeof exact(Number(token), token) === 'string') {
        pieces.push(text.slice(copied, index), JSON.stringify(token));
        copied = index + token.length;
      }
    }
  }
  return pieces.join('') + text.slice(copied);
}
