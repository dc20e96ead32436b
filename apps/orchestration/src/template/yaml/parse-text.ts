/**
 * Text in YAML or JSON to values, as Heat's users write it. Pure; takes time in proportion to the text.
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
 * @returns a map: an empty text gives an empty one
 * @throws TemplateSyntaxError with line and column where it is wrong, or naming the limit that it passes
 */
export function parseMapping(text: string, limits: TextLimits, what: string): JsonObject {
  const value = parseText(text, limits, what) ?? {};
  if (!isMap(value))
    throw new TemplateSyntaxError(`The ${what} is not a JSON object or YAML mapping.`);
  return value;
}

/** Any value: an empty text is null. @throws TemplateSyntaxError */
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
  // Scalars stay texts: what they are is told by `plainScalar`. Keys are compared by `YamlValues`, in
  // proportion to their number.
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

/** A string that does not end takes all that is left: otherwise each quote in it would be tried. */
const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|[{}[\],:]|-?[0-9][-+.eE0-9]*/gu;

/**
 * Texts in JSON, which are read faster than YAML is, and may be indented with tabs.
 *
 * Always holds: of a key that is given twice the last counts.
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

/**
 * Tokens of a document, looked at in a loop before anything goes down into them.
 *
 * @throws TemplateSyntaxError where it nests, or holds, more than the limits allow
 */
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
