/**
 * Dependencies without a reference: a port needs the subnets of its network, which it need not name.
 * Public source: Heat, "Template guide", `add_dependencies` of the types.
 *
 * Always holds: pure, and by the template alone: two expressions are equal if they are written the
 * same.
 */
import { stringifyExact } from '../json/exact-json.js';
import type { Expression } from '../template/expression.js';
import type { Json } from '../json/json.js';
import type { ResourceDefinition } from '../template/read-template.js';
import { asObject } from './property-values.js';

type Definitions = Readonly<Record<string, ResourceDefinition>>;

/** The expression of a property. @param names of the property, with its older ones */
export function expressionOf(
  { properties }: ResourceDefinition,
  ...names: readonly string[]
): Expression | undefined {
  return entryOf(properties, ...names);
}

export function entryOf(
  map: Expression | undefined,
  ...names: readonly string[]
): Expression | undefined {
  if (map?.kind === 'value') return entryOfValue(map.value, names);
  if (map?.kind !== 'map') return undefined;
  return names.map((name) => map.entries[name]).find((entry) => entry !== undefined);
}

function entryOfValue(map: Json, names: readonly string[]): Expression | undefined {
  const entries = asObject(map);
  const value = names.map((name) => entries?.[name]).find((entry) => entry !== undefined);
  return value === undefined ? undefined : { kind: 'value', value };
}

export function itemsOf(list: Expression | undefined): readonly Expression[] {
  if (list?.kind === 'list') return list.items;
  if (list?.kind !== 'value' || !Array.isArray(list.value)) return [];
  return (list.value as readonly Json[]).map((value) => ({ kind: 'value', value }));
}

type Entries = readonly (readonly [string, ResourceDefinition])[];

/** Cached by template, because every resource asks. */
const BY_TYPE = new WeakMap<Definitions, ReadonlyMap<string, Entries>>();

export function ofType(
  all: Definitions,
  ...types: readonly string[]
): readonly (readonly [string, ResourceDefinition])[] {
  const known = BY_TYPE.get(all) ?? byType(all);
  BY_TYPE.set(all, known);
  return types.flatMap((type) => known.get(type) ?? []);
}

function byType(all: Definitions): ReadonlyMap<string, Entries> {
  const found = new Map<string, (readonly [string, ResourceDefinition])[]>();
  for (const entry of Object.entries(all)) {
    const { implementation } = entry[1];
    if (implementation.kind !== 'type') continue;
    const others = found.get(implementation.type);
    if (others) others.push(entry);
    else found.set(implementation.type, [entry]);
  }
  return found;
}

export function isSameExpression(
  one: Expression | undefined,
  other: Expression | undefined,
): boolean {
  return one !== undefined && other !== undefined && writtenOf(one) === writtenOf(other);
}

/** Independent of its position. */
function writtenOf(expression: Expression): string {
  return stringifyExact(plainOf(expression));
}

const SYNONYMS: Readonly<Record<string, string>> = {
  Ref: 'get_resource',
  'Fn::GetAtt': 'get_attr',
};

function plainOf(expression: Expression): unknown {
  switch (expression.kind) {
    case 'value':
      return expression.value;
    case 'list':
      return expression.items.map(plainOf);
    case 'map':
      return Object.fromEntries(
        Object.entries(expression.entries).map(([name, entry]) => [name, plainOf(entry)]),
      );
    case 'call':
      return {
        call: SYNONYMS[expression.name] ?? expression.name,
        of: plainOf(expression.argument),
      };
  }
}

/** Names of the resources that an expression refers to. */
export function referredBy(expression: Expression | undefined): readonly string[] {
  switch (expression?.kind) {
    case undefined:
    case 'value':
      return [];
    case 'list':
      return expression.items.flatMap(referredBy);
    case 'map':
      return Object.values(expression.entries).flatMap(referredBy);
    case 'call':
      return [...referenceOf(expression), ...referredBy(expression.argument)];
  }
}

function referenceOf({ name, argument }: Extract<Expression, { kind: 'call' }>): readonly string[] {
  const called = SYNONYMS[name] ?? name;
  if (called !== 'get_resource' && called !== 'get_attr') return [];
  const plain = plainOf(argument);
  const first: unknown = Array.isArray(plain) ? plain[0] : plain;
  return typeof first === 'string' ? [first.split('.', 1)[0] ?? first] : [];
}
