/** Handmade templates, and their evaluation. */
import type { ResourceType } from '../resource-types/resource-type.js';
import type { Expression, References } from '../template/expression.js';
import type { Json, JsonObject } from '../json/json.js';
import type {
  OutputDefinition,
  ReadTemplate,
  ResourceDefinition,
} from '../template/read-template.js';

const VERSION = '2021-04-16';

export interface TestResource {
  readonly type?: string;
  /** `{ref: name}` and `{attr: [name, attribute]}` refer to other resources. */
  readonly properties?: JsonObject;
  readonly metadata?: Json;
  readonly requires?: readonly string[];
  readonly deletionPolicy?: ResourceDefinition['deletionPolicy'];
  readonly externalId?: string;
  readonly hooks?: readonly string[];
  readonly restrictedActions?: readonly string[];
}

export function template(
  resources: Readonly<Record<string, TestResource>>,
  outputs: Readonly<Record<string, Json>> = {},
): ReadTemplate {
  const definitions = Object.entries(resources).map(([name, one]) => [
    name,
    definitionOf(name, one),
  ]);
  const shown = Object.entries(outputs).map(([name, value]): [string, OutputDefinition] => {
    const expression = expressionOf(value);
    return [name, { description: '', value: expression, asks: referredIn(expression).asks }];
  });
  return {
    source: {
      template: { resources: resources as unknown as JsonObject },
      environment: {},
      files: {},
    },
    version: `heat_template_version.${VERSION}`,
    description: 'made by hand',
    parameters: [],
    parameterGroups: [],
    resources: Object.fromEntries(definitions) as ReadTemplate['resources'],
    outputs: Object.fromEntries(shown),
    conditions: {},
    questions: [],
  };
}

function definitionOf(name: string, one: TestResource): ResourceDefinition {
  const { type = 'Test::Thing', properties = {}, metadata = {}, requires = [] } = one;
  const expression = expressionOf(properties);
  const { names, asks } = referredIn(expression);
  return {
    name,
    type,
    implementation: { kind: 'type', type },
    properties: expression,
    asks,
    description: '',
    metadata: { kind: 'value', value: metadata },
    requires: [...new Set([...requires, ...names])],
    deletionPolicy: one.deletionPolicy ?? 'Delete',
    updatePolicy: { kind: 'value', value: {} },
    externalId: one.externalId === undefined ? undefined : { kind: 'value', value: one.externalId },
    hooks: one.hooks ?? [],
    restrictedActions: one.restrictedActions ?? [],
  };
}

function expressionOf(value: Json): Expression {
  if (typeof value !== 'object' || value === null) return { kind: 'value', value };
  if (Array.isArray(value))
    return { kind: 'list', items: (value as readonly Json[]).map(expressionOf) };
  const object = value as JsonObject;
  for (const [key, name] of [
    ['ref', 'get_resource'],
    ['attr', 'get_attr'],
  ] as const)
    if (Object.hasOwn(object, key))
      return {
        kind: 'call',
        name,
        version: VERSION,
        path: '',
        argument: { kind: 'value', value: object[key] ?? null },
      };
  const entries = Object.entries(object).map(([key, one]) => [key, expressionOf(one)]);
  return { kind: 'map', entries: Object.fromEntries(entries) as Record<string, Expression> };
}

interface ReferredIn {
  readonly names: string[];
  readonly asks: Record<string, string[]>;
}

function referredIn(one: Expression, found: ReferredIn = { names: [], asks: {} }): ReferredIn {
  if (one.kind === 'list') for (const item of one.items) referredIn(item, found);
  if (one.kind === 'map') for (const item of Object.values(one.entries)) referredIn(item, found);
  if (one.kind === 'call' && one.argument.kind === 'value') {
    const [name, attribute] = [one.argument.value].flat() as [string, string | undefined];
    found.names.push(name);
    if (attribute !== undefined) found.asks[name] = [...(found.asks[name] ?? []), attribute];
  }
  return found;
}

export function evaluate(one: Expression, references: References): Json {
  switch (one.kind) {
    case 'value':
      return one.value;
    case 'list':
      return one.items.map((item) => evaluate(item, references));
    case 'map':
      return Object.fromEntries(
        Object.entries(one.entries).map(([key, item]) => [key, evaluate(item, references)]),
      );
    case 'call': {
      const argument = evaluate(one.argument, references);
      const [name, attribute, ...path] = [argument].flat() as string[];
      return attribute === undefined
        ? references.referenceOf(name ?? '')
        : references.attributeOf(name ?? '', attribute, path);
    }
  }
}

export function withDefaults(type: ResourceType, given: Json): JsonObject {
  const names = Object.entries(type.properties).map(([name, schema]) => [
    name,
    (given as JsonObject)[name] ?? schema.default ?? null,
  ]);
  return Object.fromEntries(names) as JsonObject;
}
