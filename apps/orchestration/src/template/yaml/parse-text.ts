/**
 * Parses YAML or JSON as Heat's users write it. Pure, and linear in the text.
 * Public source: Heat template guide; YAML 1.1.
 */
import { Composer, Parser, type CST, type Document } from 'yaml';
import { parseExact } from '../../json/exact-json.js';
import { isMap, type Json, type JsonObject } from '../../json/json.js';
import { TemplateSyntaxError } from '../template.errors.js';
import { syntaxError, TextBudget, type TextLimits } from './text-budget.js';
import { YamlValues } from './yaml-values.js';

/**
 * @param what the text is, for messages: `template web.yaml`
 * @returns a map, empty for an empty text
 * @throws TemplateSyntaxError with line and column, or naming the exceeded limit
 */
export function parseMapping(text: string, limits: TextLimits, what: string): JsonObject {
  const value = parseText(text, limits, what) ?? {};
  if (!isMap(value))
    throw new TemplateSyntaxError(`The ${what} is not a JSON object or YAML mapping.`);
  return value;
}

/** Any value; null for an empty text. @throws TemplateSyntaxError */
export function parseText(text: string, limits: TextLimits, what: string): Json {
  const budget = new TextBudget(limits, what);
  budget.readText(text);
  const json = parseJsonText(text, new TextBudget(limits, what));
  return json ?? parseYaml(text, budget, what);
}

function parseYaml(text: string, budget: TextBudget, what: string): Json {
  let first: Document.Parsed | undefined;
  for (const document of documentsOf(text, budget)) {
    const error = document.errors[0];
    if (error !== undefined) throw syntaxError(what, text, error.pos[0], reasonOf(error.message));
    if (first !== undefined)
      throw syntaxError(what, text, document.range[0], 'a second document begins');
    first = document;
  }
  return first === undefined ? null : new YamlValues(text, budget, what).valueOf(first.contents, 0);
}

function* documentsOf(text: string, budget: TextBudget): Generator<Document.Parsed> {
  // Scalars stay texts for `plainScalar`, and `YamlValues` compares keys in linear time.
  const composer = new Composer({
    schema: 'failsafe',
    resolveKnownTags: false,
    uniqueKeys: false,
    merge: false,
  });
  for (const token of new Parser().parse(text)) {
    checkTokens(token, budget);
    yield* composer.next(token) as Generator<Document.Parsed>;
  }
  yield* composer.end() as Generator<Document.Parsed>;
}

function reasonOf(message: string): string {
  const [first = ''] = message.split('\n');
  return first.replace(/[.:]$/u, '').replace(/^[A-Z](?=[a-z])/u, (letter) => letter.toLowerCase());
}

/** An unterminated string matches to the end: otherwise a match would be tried at each quote in it. */
const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|[{}[\],:]|-?[0-9][-+.eE0-9]*/gu;

/**
 * JSON is faster to parse than YAML, and may be indented with tabs.
 *
 * Always holds: the last of duplicate keys counts.
 *
 * @returns undefined if it is not JSON. @throws TemplateSyntaxError over a limit
 */
export function parseJsonText(text: string, budget: TextBudget): Json | undefined {
  if (!/^\s*[{[]/u.test(text)) return undefined;
  count(text, budget);
  try {
    return parseExact(text) as Json;
  } catch {
    return undefined;
  }
}

function count(text: string, budget: TextBudget): void {
  let depth = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      depth += 1;
      budget.checkDepth(depth);
    } else if (token === '}' || token === ']') {
      depth -= 1;
    } else if (token !== ',' && token !== ':') {
      budget.addNodes(1);
    }
  }
}

/** Iterative, before anything recurses. @throws TemplateSyntaxError beyond the limits */
export function checkTokens(document: CST.Token, budget: TextBudget): void {
  if (document.type !== 'document' || document.value === undefined) return;
  const open: { readonly token: CST.Token; readonly depth: number }[] = [
    { token: document.value, depth: 1 },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (!('items' in token)) continue;
    budget.checkDepth(depth);
    for (const item of token.items) {
      for (const part of [item.key, item.value]) {
        if (part) open.push({ token: part, depth: depth + 1 });
      }
    }
  }
}
