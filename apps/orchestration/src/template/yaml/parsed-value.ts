/** Values that a client has parsed itself: held to the limits of texts, in a loop, however deep. */
import { isList, isMap, type Json } from '../../json/json.js';
import { TextBudget } from './text-budget.js';
import type { TextLimits } from './text-limits.js';

/** @throws TemplateSyntaxError over a limit */
export function checkParsed(value: Json, limits: TextLimits, what: string): void {
  const budget = new TextBudget(limits, what);
  const open: { readonly value: Json; readonly depth: number }[] = [{ value, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: one, depth } = next;
    budget.addNodes(1);
    if (typeof one === 'string') {
      budget.addBytes(Buffer.byteLength(one));
    }
    if (!isMap(one) && !isList(one)) {
      continue;
    }
    budget.checkDepth(depth);
    for (const [key, entry] of Object.entries<Json>(one)) {
      budget.addBytes(isList(one) ? 0 : Buffer.byteLength(key));
      open.push({ value: entry, depth: depth + 1 });
    }
  }
}
