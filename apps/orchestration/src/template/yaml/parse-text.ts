/**
 * Text in YAML or JSON to values, as Heat's users write it. Pure; takes time in proportion to the text.
 * Public source: Heat template guide; YAML 1.1.
 */
import { Composer, Parser, type Document } from 'yaml';
import { isMap, type Json, type JsonObject } from '../../json/json.js';
import { TemplateSyntaxError } from '../template.errors.js';
import { parseJsonText } from './json-text.js';
import { syntaxError } from './source-position.js';
import { TextBudget } from './text-budget.js';
import type { TextLimits } from './text-limits.js';
import { checkTokens } from './token-depth.js';
import { YamlValues } from './yaml-values.js';

/**
 * @param what the text is, for messages: `template web.yaml`
 * @returns a map: an empty text gives an empty one
 * @throws TemplateSyntaxError with line and column where it is wrong, or naming the limit that it passes
 */
export function parseMapping(text: string, limits: TextLimits, what: string): JsonObject {
  const value = parseText(text, limits, what) ?? {};
  if (!isMap(value)) {
    throw new TemplateSyntaxError(`The ${what} is not a JSON object or YAML mapping.`);
  }
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
    if (error !== undefined) {
      throw syntaxError(what, text, error.pos[0], reasonOf(error.message));
    }
    if (first !== undefined) {
      throw syntaxError(what, text, document.range[0], 'a second document begins');
    }
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

/** As a part of a sentence. */
function reasonOf(message: string): string {
  const [first = ''] = message.split('\n');
  return first.replace(/[.:]$/u, '').replace(/^[A-Z](?=[a-z])/u, (letter) => letter.toLowerCase());
}
