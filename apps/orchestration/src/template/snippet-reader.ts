/**
 * Reads parts of a template: a map with one key that is a function's name is a call, except in
 * values from clients.
 *
 * Always holds: what needs no resource is a value afterwards; `undefined` stands for an entry that `if`
 * omits, and `reduce` never returns it.
 */
import { stringifyExact } from '../json/exact-json.js';
import { isList, isMap, kindOf, ownOf, type Json, type JsonObject } from '../json/json.js';
import type { Expression } from './expression.js';
import type { TemplateFormat } from './formats/template-format.js';
import type { ResultBudget } from './functions/result-budget.js';
import {
  isOptional,
  type FunctionTable,
  type Reader,
  type Scope,
} from './functions/template-function.js';
import { StackValidationFailedError, UserParameterMissingError } from './template.errors.js';

export class SnippetReader implements Reader {
  constructor(
    readonly scope: Scope,
    readonly budget: ResultBudget,
    private readonly version: string,
    private readonly functions: FunctionTable,
    readonly holds: Reader['holds'],
  ) {}

  within(scope: Scope): SnippetReader {
    return new SnippetReader(scope, this.budget, this.version, this.functions, this.holds);
  }

  reduce(snippet: Json, path: string): Expression {
    return this.reduceOptional(snippet, path) ?? { kind: 'value', value: null };
  }

  reduceOptional(snippet: Json, path: string): Expression | undefined {
    if (isList(snippet)) return this.list(snippet, path);
    if (!isMap(snippet)) return { kind: 'value', value: snippet };
    const call = this.call(snippet, path);
    return call === undefined ? this.map(snippet, path) : call.result;
  }

  private call(
    snippet: JsonObject,
    path: string,
  ): { readonly result: Expression | undefined } | undefined {
    const [entry, second] = Object.entries(snippet);
    const found =
      entry === undefined || second !== undefined ? undefined : this.functions.get(entry[0]);
    if (entry === undefined || found === undefined) return undefined;
    const [name, argument] = entry;
    const site = { name, version: this.version, path };
    const result = isOptional(found)
      ? found.readOptional(argument, site, this)
      : found.read(argument, site, this);
    return { result };
  }

  private list(snippet: readonly Json[], path: string): Expression {
    const items = snippet.flatMap((item, index) => {
      const read = this.reduceOptional(item, `${path}[${index}]`);
      return read === undefined ? [] : [read];
    });
    const values = items.flatMap((item) => (item.kind === 'value' ? [item.value] : []));
    return values.length === items.length
      ? { kind: 'value', value: values }
      : { kind: 'list', items };
  }

  private map(snippet: JsonObject, path: string): Expression {
    const entries = Object.entries(snippet).flatMap(([key, entry]): [string, Expression][] => {
      const read = this.reduceOptional(entry, path === '' ? key : `${path}.${key}`);
      return read === undefined ? [] : [[key, read]];
    });
    const values = entries.flatMap(([key, entry]): [string, Json][] =>
      entry.kind === 'value' ? [[key, entry.value]] : [],
    );
    return values.length === entries.length
      ? { kind: 'value', value: Object.fromEntries(values) }
      : { kind: 'map', entries: Object.fromEntries(entries) };
  }
}

/** Nesting of conditions that use each other. */
const MAX_CHAIN = 500;

/**
 * A template's conditions, each decided once and on demand.
 *
 * Always holds: only parameters decide, so that a condition is known before any resource exists.
 */
export class Conditions {
  private readonly decided = new Map<string, boolean>();
  /** Names of those being decided, each of which needs the next. */
  private readonly open: string[] = [];
  private readonly reader: Reader;

  constructor(
    private readonly definitions: JsonObject,
    private readonly format: TemplateFormat,
    scope: Scope,
    budget: ResultBudget,
  ) {
    const { version, conditionFunctions } = format;
    this.reader = new SnippetReader(scope, budget, version, conditionFunctions, (condition, path) =>
      this.holds(condition, path),
    );
  }

  /** @param condition or a call. @throws StackValidationFailedError, UserParameterMissingError */
  holds(condition: Json, path: string): boolean {
    const value = this.valueOf(condition, path);
    if (typeof value === 'boolean') return value;
    const definition = typeof value === 'string' ? ownOf(this.definitions, value) : undefined;
    if (typeof value !== 'string' || definition === undefined) {
      const shown = typeof value === 'string' && value === condition ? value : kindOf(value);
      throw new StackValidationFailedError(`Invalid condition "${shown}"`, path);
    }
    return this.decided.get(value) ?? this.decide(value, definition);
  }

  /** Without those that depend on a parameter without a value. */
  all(): Readonly<Record<string, boolean>> {
    const entries = Object.keys(this.definitions).flatMap((name): [string, boolean][] => {
      try {
        return [[name, this.holds(name, '')]];
      } catch (error) {
        this.open.length = 0;
        if (error instanceof UserParameterMissingError && error.path === '') return [];
        throw error;
      }
    });
    return Object.fromEntries(entries);
  }

  private decide(name: string, definition: Json): boolean {
    const path = `${this.format.sections.conditions ?? ''}.${name}`;
    if (this.open.includes(name)) {
      const circle = [...this.open.slice(this.open.indexOf(name)), name].join(' -> ');
      throw invalid(`Circular definition for condition "${name}": ${circle}`, path);
    }
    if (this.open.length >= MAX_CHAIN)
      throw invalid(`More than ${MAX_CHAIN} conditions ask for each other in a row`, path);
    this.open.push(name);
    const value = this.valueOf(definition, path);
    if (typeof value !== 'boolean') {
      // The result of a function may be a secret parameter.
      const shown = value === definition ? stringifyExact(value) : kindOf(value);
      throw invalid(`The definition of condition "${name}" is invalid: ${shown}`, path);
    }
    this.open.pop();
    this.decided.set(name, value);
    return value;
  }

  private valueOf(condition: Json, path: string): Json {
    const expression = this.reader.reduce(condition, path);
    if (expression.kind === 'value') return expression.value;
    throw new UserParameterMissingError(missingParameter(expression));
  }
}

/** Resources cannot occur in conditions, so an unknown value is a parameter without a value. */
function missingParameter(expression: Expression): string {
  switch (expression.kind) {
    case 'value':
      return typeof expression.value === 'string' ? expression.value : '';
    case 'list':
      return missingIn(expression.items);
    case 'map':
      return missingIn(Object.values(expression.entries));
    case 'call':
      return missingParameter(expression.argument);
  }
}

function missingIn(parts: readonly Expression[]): string {
  const unknown = parts.find((part) => part.kind !== 'value') ?? parts[0];
  return unknown === undefined ? '' : missingParameter(unknown);
}

function invalid(text: string, path: string): StackValidationFailedError {
  return new StackValidationFailedError(text, path, 'Condition validation error');
}
