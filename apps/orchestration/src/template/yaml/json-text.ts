/**
 * Texts in JSON, which are read faster than YAML is, and may be indented with tabs.
 *
 * Always holds: of a key that is given twice the last counts.
 */
import { parseExact } from '../../json/exact-json.js';
import type { Json } from '../../json/json.js';
import type { TextBudget } from './text-budget.js';

/** A string that does not end takes all that is left: otherwise each quote in it would be tried. */
const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|[{}[\],:]|-?[0-9][-+.eE0-9]*/gu;

/** @returns undefined if it is not JSON. @throws TemplateSyntaxError over a limit */
export function parseJsonText(text: string, budget: TextBudget): Json | undefined {
  if (!/^\s*[{[]/u.test(text)) {
    return undefined;
  }
  count(text, budget);
  try {
    return parseExact(text) as Json;
  } catch {
    return undefined;
  }
}

function count(text: string, budget: TextBudget): void {
  let depth = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      depth += 1;
      budget.checkDepth(depth);
    } else if (token === '}' || token === ']') {
      depth -= 1;
    } else if (token !== ',' && token !== ':') {
      budget.addNodes(1);
    }
  }
}
