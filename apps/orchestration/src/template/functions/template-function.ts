/**
 * What a function of templates is: how it is read, and how a call that had to wait for resources is
 * evaluated. A file each beside this one.
 *
 * Always holds: what depends on no resource is computed while a template is read; a function does not
 * change what it is given.
 */
import type { Expression, FunctionCall, References } from '../expression.js';
import type { Json, JsonObject } from '../../json/json.js';
import type { Facade } from '../read-template.js';
import type { ResultBudget } from './result-budget.js';

/** Where a function stands, for what it has to say. */
export type Site = Pick<FunctionCall, 'name' | 'version' | 'path'>;

/** What a resource is asked for. */
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

/** What a call needs once there are resources. */
export interface Evaluation {
  readonly references: References;
  readonly budget: ResultBudget;
}

/** What functions need while a template is read. */
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
