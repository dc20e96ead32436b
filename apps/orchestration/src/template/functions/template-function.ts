/**
 * The interface of template functions, which are in the files beside this one: reading a call, and
 * evaluating one that waited for resources.
 *
 * Always holds: a call that needs no resource is computed while the template is read; arguments are
 * never modified.
 */
import { isList, isMap, ownOf, type Json, type JsonObject } from '../../json/json.js';
import type { Expression, FunctionCall, References } from '../expression.js';
import type { Facade } from '../read-template.js';
import { StackValidationFailedError } from '../template.errors.js';
import type { ResultBudget } from './result-budget.js';

export type Site = Pick<FunctionCall, 'name' | 'version' | 'path'>;

export interface Reference {
  readonly resource: string;
  /** Undefined for the resource itself; `*` for all attributes. */
  readonly attribute: string | undefined;
}

export interface TemplateFunction {
  /** One line for `GET /template_versions/{version}/functions`. */
  readonly description: string;
  /** Refused, and so not listed. */
  readonly isRefused?: true;
  /** @param argument as in the template. @throws TemplateError */
  read(argument: Json, site: Site, reader: Reader): Expression;
  /** For calls that waited. @param argument evaluated */
  evaluate?(argument: Json, site: Site, evaluation: Evaluation): Json;
  /** The resource that a waiting call needs. */
  refersTo?(argument: Expression): Reference | undefined;
}

/** A function that can omit its entry. */
export interface OptionalFunction extends TemplateFunction {
  /** As `read`; undefined for an omitted entry. */
  readOptional(argument: Json, site: Site, reader: Reader): Expression | undefined;
}

export function isOptional(one: TemplateFunction): one is OptionalFunction {
  return 'readOptional' in one;
}

export type FunctionTable = ReadonlyMap<string, TemplateFunction>;

export interface Evaluation {
  readonly references: References;
  readonly budget: ResultBudget;
}

export interface Reader {
  readonly scope: Scope;
  readonly budget: ResultBudget;
  /** Reads a value, in which `if` may omit entries. */
  reduce(snippet: Json, path: string): Expression;
  /** As `reduce`; undefined for an omitted entry. */
  reduceOptional(snippet: Json, path: string): Expression | undefined;
  /** Decides a condition's name, or a call of conditions. @throws TemplateError */
  holds(condition: Json, path: string): boolean;
}

/** The context of a template's functions while it is read. */
export interface Scope {
  /** By name, with the pseudo parameters. */
  readonly parameters: Readonly<Record<string, Json>>;
  /** Declared parameters without a value, if a template is only validated. */
  readonly missingParameters: ReadonlySet<string>;
  /** Whether an undeclared parameter is reported later, in the value of an output. */
  readonly allowsUndeclared: boolean;
  /** Of all resources, including those whose condition does not hold. */
  readonly resourceNames: ReadonlySet<string>;
  readonly mappings: JsonObject;
  readonly files: Readonly<Record<string, string>>;
  readonly facade: Facade | undefined;
  readonly zones: readonly string[];
}

export interface Computation {
  readonly description: string;
  /** Refuses an argument that no later value could make valid. @throws TemplateError */
  readonly check?: (argument: Expression, site: Site) => void;
  /** @throws TemplateError */
  readonly compute: (argument: Json, site: Site, budget: ResultBudget) => Json;
}

export function computed({ description, check, compute }: Computation): TemplateFunction {
  return {
    description,
    read(snippet, site, reader) {
      const argument = reader.reduce(snippet, `${site.path}.${site.name}`);
      check?.(argument, site);
      if (argument.kind !== 'value') return { kind: 'call', ...site, argument };
      const value = compute(argument.value, site, reader.budget);
      return { kind: 'value', value: reader.budget.spend(value) };
    },
    evaluate: (argument, site, { budget }) => budget.spend(compute(argument, site, budget)),
  };
}

/** Items of an argument that may be incomplete; undefined unless it is, or may become, a list. */
export function itemsOf(argument: Expression): readonly Expression[] | undefined {
  if (argument.kind === 'list') return argument.items;
  return argument.kind === 'value' && isList(argument.value)
    ? argument.value.map(known)
    : undefined;
}

/** Undefined if it is not a map, or has no such entry. */
export function entryOf(argument: Expression, key: string): Expression | undefined {
  if (argument.kind === 'map') return ownOf(argument.entries, key);
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

/** Names the place of a call: `resources.web.properties.name.str_replace`. */
export function siteError({ name, path }: Site, text: string): StackValidationFailedError {
  return new StackValidationFailedError(text, path === '' ? name : `${path}.${name}`);
}

export function formError(site: Site, form: string): StackValidationFailedError {
  return siteError(site, `Incorrect arguments to "${site.name}" should be: ${form}`);
}
