/**
 * What a function of templates is: how it is read, and how a call that had to wait for resources is
 * evaluated. They are in the files beside this one.
 *
 * Always holds: what depends on no resource is computed while a template is read; a function does not
 * change what it is given.
 */
import { isList, isMap, ownOf, type Json, type JsonObject } from '../../json/json.js';
import type { Expression, FunctionCall, References } from '../expression.js';
import type { Facade } from '../read-template.js';
import { StackValidationFailedError } from '../template.errors.js';
import type { ResultBudget } from './result-budget.js';

/** Where a function stands, for what it has to say. */
export type Site = Pick<FunctionCall, 'name' | 'version' | 'path'>;

export interface Reference {
  readonly resource: string;
  /** Undefined for the resource itself; `*` for all attributes. */
  readonly attribute: string | undefined;
}

export interface TemplateFunction {
  /** One line, as `GET /template_versions/{version}/functions` shows it. */
  readonly description: string;
  /** Not shown among the functions, as it is refused. */
  readonly isRefused?: true;
  /** @param argument as the template has it. @throws TemplateError */
  read(argument: Json, site: Site, reader: Reader): Expression;
  /** Of a call that stayed. @param argument evaluated */
  evaluate?(argument: Json, site: Site, evaluation: Evaluation): Json;
  /** What a call that stayed asks a resource for. */
  refersTo?(argument: Expression): Reference | undefined;
}

/** One that may leave out what it stands for. */
export interface OptionalFunction extends TemplateFunction {
  /** As `read`; undefined for what is left out. */
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
  /** Of a value where it stands: without what an `if` leaves out. */
  reduce(snippet: Json, path: string): Expression;
  /** As `reduce`; undefined for what an `if` leaves out. */
  reduceOptional(snippet: Json, path: string): Expression | undefined;
  /** A condition's name, or functions of conditions. @throws TemplateError */
  holds(condition: Json, path: string): boolean;
}

/** What a template's functions may ask for while it is read. */
export interface Scope {
  /** Values by name, with those that every stack has. */
  readonly parameters: Readonly<Record<string, Json>>;
  /** Declared, but without a value: where a template is only validated. */
  readonly missingParameters: ReadonlySet<string>;
  /** Whether what is not declared is found out later: an output says it in its value's place. */
  readonly allowsUndeclared: boolean;
  /** Names of all resources, also of those that a condition leaves out. */
  readonly resourceNames: ReadonlySet<string>;
  readonly mappings: JsonObject;
  readonly files: Readonly<Record<string, string>>;
  readonly facade: Facade | undefined;
  readonly zones: readonly string[];
}

export interface Computation {
  readonly description: string;
  /** Refuses what no value of what is not yet known could mend. @throws TemplateError */
  readonly check?: (argument: Expression, site: Site) => void;
  /** @throws TemplateError */
  readonly compute: (argument: Json, site: Site, budget: ResultBudget) => Json;
}

/** Functions that need their argument alone. */
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

/**
 * Arguments of which parts are known already: whether their form can be right.
 *
 * Undefined if it is no list; what is not yet known may be one.
 */
export function itemsOf(argument: Expression): readonly Expression[] | undefined {
  if (argument.kind === 'list') return argument.items;
  return argument.kind === 'value' && isList(argument.value)
    ? argument.value.map(known)
    : undefined;
}

/** The entry of a map; undefined if there is none, or if it is no map. */
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

/** What is wrong with a call, where it stands: `resources.web.properties.name.str_replace`. */
export function siteError({ name, path }: Site, text: string): StackValidationFailedError {
  return new StackValidationFailedError(text, path === '' ? name : `${path}.${name}`);
}

/** @param form what would be right */
export function formError(site: Site, form: string): StackValidationFailedError {
  return siteError(site, `Incorrect arguments to "${site.name}" should be: ${form}`);
}
