/**
 * Reads pieces of a template: a map with one key that is a function's name is a call of it, unless it is
 * in what a client gave as a value.
 *
 * Always holds: what depends on no resource is a value afterwards; `undefined` stands for what an `if`
 * leaves out, and never comes out of `reduce`.
 */
import type { Expression } from './expression.js';
import type { ResultBudget } from './functions/result-budget.js';
import {
  isOptional,
  type FunctionTable,
  type Reader,
  type Scope,
} from './functions/template-function.js';
import { isList, isMap, type Json, type JsonObject } from '../json/json.js';

export class SnippetReader implements Reader {
  constructor(
    readonly scope: Scope,
    readonly budget: ResultBudget,
    private readonly version: string,
    private readonly functions: FunctionTable,
    readonly holds: Reader['holds'],
  ) {}

  /** The same, of other values. */
  within(scope: Scope): SnippetReader {
    return new SnippetReader(scope, this.budget, this.version, this.functions, this.holds);
  }

  reduce(snippet: Json, path: string): Expression {
    return this.reduceOptional(snippet, path) ?? { kind: 'value', value: null };
  }

  reduceOptional(snippet: Json, path: string): Expression | undefined {
    if (isList(snippet)) {
      return this.list(snippet, path);
    }
    if (!isMap(snippet)) {
      return { kind: 'value', value: snippet };
    }
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
    if (entry === undefined || found === undefined) {
      return undefined;
    }
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
