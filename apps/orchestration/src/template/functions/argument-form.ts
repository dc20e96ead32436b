/** Arguments of which parts are known already: whether their form can be right. */
import type { Expression } from '../expression.js';
import { isList, isMap, ownOf, type Json } from '../../json/json.js';

/** Undefined if it is no list; what is not yet known may be one. */
export function itemsOf(argument: Expression): readonly Expression[] | undefined {
  if (argument.kind === 'list') {
    return argument.items;
  }
  return argument.kind === 'value' && isList(argument.value)
    ? argument.value.map(known)
    : undefined;
}

/** The entry of a map; undefined if there is none, or if it is no map. */
export function entryOf(argument: Expression, key: string): Expression | undefined {
  if (argument.kind === 'map') {
    return ownOf(argument.entries, key);
  }
  const value =
    argument.kind === 'value' && isMap(argument.value) ? ownOf(argument.value, key) : undefined;
  return value === undefined ? undefined : known(value);
}

export function mayBeMap(argument: Expression): boolean {
  return (
    argument.kind === 'call' ||
    argument.kind === 'map' ||
    (argument.kind === 'value' && isMap(argument.value))
  );
}

function known(value: Json): Expression {
  return { kind: 'value', value };
}
