/** Applies the limits of texts to values that a client has parsed; iterative, for any depth. */
import { isStorable } from '@cumulet/common/database/storable';
import { isList, isMap, type Json } from '../../json/json.js';
import { TemplateSyntaxError } from '../template.errors.js';
import { TextBudget, type TextLimits } from './text-budget.js';

/** @throws TemplateSyntaxError over a limit */
export function checkParsed(value: Json, limits: TextLimits, what: string): void {
  const budget = new TextBudget(limits, what);
  const open: { readonly value: Json; readonly depth: number }[] = [{ value, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: one, depth } = next;
    budget.addNodes(1);
    if (typeof one === 'string') budget.addBytes(Buffer.byteLength(one));
    if (!isMap(one) && !isList(one)) continue;
    budget.checkDepth(depth);
    for (const [key, entry] of Object.entries<Json>(one)) {
      budget.addBytes(isList(one) ? 0 : Buffer.byteLength(key));
      open.push({ value: entry, depth: depth + 1 });
    }
  }
}

interface Place {
  readonly value: Json;
  readonly key: string;
  readonly above: Place | undefined;
}

/**
 * Refuses texts that the database cannot store: U+0000 and lone surrogates. Iterative, for any depth.
 *
 * @param what the value is, for messages: `template`
 * @throws TemplateSyntaxError naming the place, but not the text, which may be a secret
 */
export function checkStorable(value: Json, what: string): void {
  const open: Place[] = [{ value, key: '', above: undefined }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value: one } = place;
    if (typeof one === 'string' && !isStorable(one)) throw refused(what, pathOf(place));
    if (!isMap(one) && !isList(one)) continue;
    for (const [key, entry] of Object.entries<Json>(one)) {
      if (!isStorable(key)) throw refused(what, pathOf(place), 'a key');
      open.push({ value: entry, key, above: place });
    }
  }
}

function refused(what: string, path: string, of = 'a text'): TemplateSyntaxError {
  const at = path === '' ? '' : ` at ${path}`;
  return new TemplateSyntaxError(
    `Error parsing ${what}: ${of}${at} holds U+0000, or half of a character, which cannot be stored.`,
  );
}

function pathOf(place: Place): string {
  const keys: string[] = [];
  for (let one = place; one.above; one = one.above) keys.unshift(one.key);
  return keys.join('.');
}
