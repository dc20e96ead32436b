/**
 * Removes values of hidden parameters from messages. Public source: Heat template guide, "Parameters
 * section", hidden.
 *
 * Always holds: the rest of a message stays as it is.
 */
import { textOf } from '../../json/texts.js';
import { stringifyExact } from '../../json/exact-json.js';
import { isList, isMap, type Json } from '../../json/json.js';
import type { ReadParameter } from '../read-template.js';

const STARS = '******';

/** Shorter values occur in many words, so they are hidden only as words of their own. */
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

/** A list's or map's parts are hidden too, because a message may quote only a part. */
function textsIn(value: Json | undefined): string[] {
  if (value === undefined || value === null || typeof value === 'boolean') return [];
  if (!isMap(value) && !isList(value)) return [textOf(value)];
  return [stringifyExact(value), ...Object.values<Json>(value).flatMap(textsIn)];
}
