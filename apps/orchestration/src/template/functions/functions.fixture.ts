/** Calls functions in tests, with values that are known at once or depend on resources. */
import { evaluate } from '../evaluate.js';
import type { Expression, References } from '../expression.js';
import { isList, isMap, type Json, type JsonObject } from '../../json/json.js';
import { readTest } from '../read.fixture.js';
import type { TemplateRequest } from '../read-template.js';

/** A function, its argument and its result, by default in the newest version. */
export type Case = readonly [name: string, argument: Json, result: Json, version?: string];
export type Refusal = readonly [name: string, argument: Json, message: string, version?: string];

/** Parameters of every template here. */
const PARAMETERS: JsonObject = {
  text: { type: 'string', default: 'some' },
  number: { type: 'number', default: 7 },
  list: { type: 'comma_delimited_list', default: 'a,b,c' },
  json: { type: 'json', default: { a: [{ b: 'c' }], '1': 'one' } },
  flag: { type: 'boolean', default: true },
};

/** Reads a snippet of an output. */
export function readSnippet(
  snippet: Json,
  version = 'wallaby',
  rest: Partial<TemplateRequest> = {},
): Expression {
  const template = {
    heat_template_version: version,
    parameters: PARAMETERS,
    ...(version >= '2016-10-14' ? { conditions: { yes: true, no: { not: 'yes' } } } : {}),
    resources: { r: { type: 'OS::Heat::None' } },
    outputs: { o: { value: snippet } },
  };
  return readTest(template, rest).outputs['o']?.value ?? { kind: 'value', value: null };
}

/** @param attributes of the resource `r` */
export function resultOf(
  snippet: Json,
  version?: string,
  rest?: Partial<TemplateRequest>,
  attributes: readonly Json[] = [],
): Json {
  return evaluate(readSnippet(snippet, version, rest), referencesTo(attributes));
}

/** The same, with each part of the argument from a resource. */
export function lateResultOf([name, argument, , version]: readonly [
  string,
  Json,
  unknown,
  string?,
]): Json {
  const values: Json[] = [];
  const asked = (value: Json): Json => {
    if (isList(value)) {
      return value.map(asked);
    }
    if (isMap(value)) {
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asked(one)]));
    }
    values.push(value);
    return { get_attr: ['r', `value${values.length - 1}`] };
  };
  return resultOf({ [name]: asked(argument) }, version, {}, values);
}

function referencesTo(attributes: readonly Json[]): References {
  return {
    referenceOf: (name) => `id-of-${name}`,
    attributeOf: (_, attribute) => attributes[Number(attribute.slice('value'.length))] ?? null,
  };
}
