/** Tokens of a document, looked at in a loop before anything goes down into them. */
import type { CST } from 'yaml';
import type { TextBudget } from './text-budget.js';

/** @throws TemplateSyntaxError where it nests, or holds, more than the limits allow */
export function checkTokens(document: CST.Token, budget: TextBudget): void {
  if (document.type !== 'document' || document.value === undefined) {
    return;
  }
  const open: { readonly token: CST.Token; readonly depth: number }[] = [
    { token: document.value, depth: 1 },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (!('items' in token)) {
      continue;
    }
    budget.checkDepth(depth);
    for (const item of token.items) {
      for (const part of [item.key, item.value]) {
        if (part) {
          open.push({ token: part, depth: depth + 1 });
        }
      }
    }
  }
}
