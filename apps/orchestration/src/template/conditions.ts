/**
 * A template's conditions: whether each holds, decided once, when it is first asked for.
 *
 * Always holds: only parameters decide, so that a condition is known before any resource is there.
 */
import { stringifyExact } from '../json/exact-json.js';
import type { Expression } from './expression.js';
import type { TemplateFormat } from './formats/template-format.js';
import type { ResultBudget } from './functions/result-budget.js';
import type { Reader, Scope } from './functions/template-function.js';
import { kindOf, ownOf, type Json, type JsonObject } from '../json/json.js';
import { SnippetReader } from './snippet-reader.js';
import { StackValidationFailedError, UserParameterMissingError } from './template.errors.js';

/** Conditions that ask for each other, one within the other. */
const MAX_CHAIN = 500;

export class Conditions {
  private readonly decided = new Map<string, boolean>();
  /** Names of those that are being decided, each of which asks for the next. */
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

  /**
   * @param condition its name, or functions of conditions
   * @throws StackValidationFailedError, UserParameterMissingError
   */
  holds(condition: Json, path: string): boolean {
    const value = this.valueOf(condition, path);
    if (typeof value === 'boolean') {
      return value;
    }
    const definition = typeof value === 'string' ? ownOf(this.definitions, value) : undefined;
    if (typeof value !== 'string' || definition === undefined) {
      const shown = typeof value === 'string' && value === condition ? value : kindOf(value);
      throw new StackValidationFailedError(`Invalid condition "${shown}"`, path);
    }
    return this.decided.get(value) ?? this.decide(value, definition);
  }

  /** All that can be decided: those of parameters without values are left out. */
  all(): Readonly<Record<string, boolean>> {
    const entries = Object.keys(this.definitions).flatMap((name): [string, boolean][] => {
      try {
        return [[name, this.holds(name, '')]];
      } catch (error) {
        this.open.length = 0;
        if (error instanceof UserParameterMissingError && error.path === '') {
          return [];
        }
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
    if (this.open.length >= MAX_CHAIN) {
      throw invalid(`More than ${MAX_CHAIN} conditions ask for each other in a row`, path);
    }
    this.open.push(name);
    const value = this.valueOf(definition, path);
    if (typeof value !== 'boolean') {
      // What a function gave may be a secret of a parameter.
      const shown = value === definition ? stringifyExact(value) : kindOf(value);
      throw invalid(`The definition of condition "${name}" is invalid: ${shown}`, path);
    }
    this.open.pop();
    this.decided.set(name, value);
    return value;
  }

  private valueOf(condition: Json, path: string): Json {
    const expression = this.reader.reduce(condition, path);
    if (expression.kind === 'value') {
      return expression.value;
    }
    throw new UserParameterMissingError(missingParameter(expression));
  }
}

/** No resource has a say in conditions: what is not known is a parameter without a value. */
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
