/**
 * Values of hidden parameters, which no message may show. Public source: Heat template guide,
 * "Parameters section", hidden.
 *
 * Always holds: what a message says besides them stays as it is.
 */
import { textOf } from '../../json/texts.js';
import { stringifyExact } from '../../json/exact-json.js';
import { isList, isMap, type Json } from '../../json/json.js';
import type { ReadParameter } from '../read-template.js';

const STARS = '******';

/** Shorter ones are parts of any word: they are hidden where they stand by themselves. */
const SHORT = 4;

export class HiddenValues {
  readonly #texts: readonly string[];

  constructor(
    parameters: readonly Pick<ReadParameter, 'hidden' | 'value' | 'given' | 'default'>[],
  ) {
    const texts = parameters
      .filter(({ hidden }) => hidden)
      .flatMap((one) => [one.value, one.given, one.default].flatMap(textsIn))
      .filter((text) => text.trim() !== '')
      .flatMap((text) => [text, stringifyExact(text).slice(1, -1)]);
    // A value may be part of another.
    this.#texts = [...new Set(texts)].sort((one, other) => other.length - one.length);
  }

  get isEmpty(): boolean {
    return this.#texts.length === 0;
  }

  /** The same text with stars in the place of each of them. */
  without(text: string): string {
    return this.#texts.reduce(hidden, text);
  }

  isIn(value: Json): boolean {
    const text = textOf(value);
    return this.without(text) !== text;
  }
}

function hidden(text: string, value: string): string {
  if (value.length >= SHORT) return text.split(value).join(STARS);
  const escaped = value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const alone = new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, 'gu');
  return text.replace(alone, STARS);
}

/** Of a list or a map, those of what it is made of, too: a message may be of a part. */
function textsIn(value: Json | undefined): string[] {
  if (value === undefined || value === null || typeof value === 'boolean') return [];
  if (!isMap(value) && !isList(value)) return [textOf(value)];
  return [stringifyExact(value), ...Object.values<Json>(value).flatMap(textsIn)];
}
