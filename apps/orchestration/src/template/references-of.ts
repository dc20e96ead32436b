/** The resources that an expression needs, and their attributes. */
import type { Expression } from './expression.js';
import { functionsOf } from './formats/formats.js';
import type { Reference } from './functions/template-function.js';

export interface PlacedReference extends Reference {
  readonly path: string;
  readonly name: string;
}

export function referencesOf(expression: Expression): readonly PlacedReference[] {
  const found: PlacedReference[] = [];
  const open: Expression[] = [expression];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (one.kind === 'list') {
      push(open, one.items);
    } else if (one.kind === 'map') {
      push(open, Object.values(one.entries));
    } else if (one.kind === 'call') {
      const { name, path, version, argument } = one;
      const reference = functionsOf(version).get(name)?.refersTo?.(argument);
      if (reference !== undefined) found.push({ ...reference, name, path });
      open.push(argument);
    }
  }
  return found;
}

function push(open: Expression[], parts: readonly Expression[]): void {
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    const part = parts[index];
    if (part !== undefined) open.push(part);
  }
}

/** `{ web: ['first_address'] }`: each once, in order. */
export function asksOf(
  references: readonly PlacedReference[],
): Readonly<Record<string, readonly string[]>> {
  const asks = new Map<string, Set<string>>();
  for (const { resource, attribute } of references) {
    if (attribute !== undefined)
      asks.set(resource, (asks.get(resource) ?? new Set()).add(attribute));
  }
  return Object.fromEntries(
    [...asks]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([resource, names]) => [resource, [...names].sort()]),
  );
}
