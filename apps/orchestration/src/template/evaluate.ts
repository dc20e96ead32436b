/** Evaluates expressions with the values of resources. Pure. */
import { isList, isMap, ownOf, type Json, type JsonObject } from '../json/json.js';
import {
  ALL_ATTRIBUTES,
  type Expression,
  type FunctionCall,
  type References,
} from './expression.js';
import { functionsOf } from './formats/formats.js';
import { ResultBudget } from './functions/result-budget.js';
import type { Evaluation } from './functions/template-function.js';
import { valueAt } from './functions/value-path.js';
import { TemplateError } from './template.errors.js';

/** @throws TemplateError for an argument that a function does not accept, or an unknown reference */
export function evaluate(expression: Expression, references: References): Json {
  return valueOf(expression, { references, budget: new ResultBudget() });
}

function valueOf(expression: Expression, evaluation: Evaluation): Json {
  switch (expression.kind) {
    case 'value':
      return expression.value;
    case 'list':
      return expression.items.map((item) => valueOf(item, evaluation));
    case 'map':
      return Object.fromEntries(
        Object.entries(expression.entries).map(([key, entry]) => [key, valueOf(entry, evaluation)]),
      );
    case 'call':
      return resultOf(expression, evaluation);
  }
}

function resultOf({ argument, ...site }: FunctionCall, evaluation: Evaluation): Json {
  const found = functionsOf(site.version).get(site.name);
  if (found?.evaluate === undefined)
    throw new TemplateError(
      `The version ${site.version} has no function "${site.name}" (in ${site.path}).`,
    );
  return found.evaluate(valueOf(argument, evaluation), site, evaluation);
}

export interface Referred {
  readonly name: string;
  readonly reference: Json;
  readonly attributes: Readonly<Record<string, Json>>;
}

/** A reserved attribute name with the reasons of missing attributes by name. */
export const ATTRIBUTE_ERRORS = '';

/** A reserved name: by attribute, the number of path elements to a group's members. */
export const STEPS_TO_MEMBERS = ' ';

export function withoutNotes(attributes: JsonObject): JsonObject {
  const { [ATTRIBUTE_ERRORS]: _, [STEPS_TO_MEMBERS]: __, ...all } = attributes;
  return all;
}

/** References to resources in their last settled state. */
export function referencesTo(resources: Iterable<Referred>): References {
  const byName = new Map([...resources].map((one) => [one.name, one]));
  const find = (name: string): Referred => {
    const found = byName.get(name);
    if (found) return found;
    throw new TemplateError(`The specified reference "${name}" (in unknown) is incorrect.`);
  };
  return {
    referenceOf: (name) => find(name).reference,
    attributeOf(name, attribute, path) {
      const { attributes } = find(name);
      if (attribute === ALL_ATTRIBUTES) {
        const { show: _, ...all } = withoutNotes(attributes);
        return at(all, path);
      }
      const error = ownOf(asMap(attributes[ATTRIBUTE_ERRORS]), attribute);
      if (typeof error === 'string') throw new TemplateError(error);
      if (!Object.hasOwn(attributes, attribute))
        throw new TemplateError(`The Referenced Attribute (${name} ${attribute}) is incorrect.`);
      const value = attributes[attribute] ?? null;
      const steps = ownOf(asMap(attributes[STEPS_TO_MEMBERS]), attribute);
      return typeof steps === 'number' && path.length > steps
        ? inEach(at(value, path.slice(0, steps)), path.slice(steps))
        : at(value, path);
    },
  };
}

function asMap(value: Json | undefined): JsonObject {
  return value !== undefined && isMap(value) ? value : {};
}

/** Null for a path that leads nowhere. Public source: heat, `engine/attributes.py`. */
function at(value: Json, path: readonly (string | number)[]): Json {
  return valueAt(value, path) ?? null;
}

/** @param values a list, or a map by the names of members */
function inEach(values: Json, path: readonly (string | number)[]): Json {
  if (isList(values)) return values.map((one) => at(one, path));
  if (!isMap(values)) return null;
  const entries = Object.entries(values);
  return Object.fromEntries(entries.map(([name, one]) => [name, at(one, path)]));
}
